"""What house rules would print without effect: a number that can never count."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scoring.house.declared import (
    HouseHand,
    HouseLine,
    HouseRules,
    can_be_met,
    join_hand_conditions,
    join_set_conditions,
)
from scoring.rules import marks
from scoring.rules.conditions import HandCondition
from scoring.rules.declarations import Form, Share, Value, Who
from scoring.rules.rule_set import RuleSet

_END_MARKS: Final = (
    sum(marks.WON_BY.values())
    | sum(marks.LAST_TILE.values())
    | marks.DRAWN
    | marks.DRAWN_OR_LOOSE
    | marks.CLAIMED
    | marks.CLAIMED_THIRD
    | marks.FIRST_TURN
    | marks.ONLY_TILE
)
_SET_MARKS: Final = (
    sum(marks.SET_OF.values())
    | marks.CHOW
    | marks.PUNG
    | marks.KONG
    | marks.TWO_KONGS
    | marks.THREE_KONGS
    | marks.EXPOSED
    | marks.OPENED
    | marks.COUNTED_MARKS
)


def depends_on_ending(hand_condition: HandCondition) -> bool:
    """Whether the condition asks how the hand is won, so that no hand short of it can meet it."""
    return bool(hand_condition.all_of & _END_MARKS)


class UnscoredValue(NamedTuple):
    """A value without effect: the path of its field, what it is, and what it must be."""

    path: str
    value: str
    expected: str


def unscored_values(house: HouseRules, base: RuleSet) -> Iterator[UnscoredValue]:
    """Every number and hand of the house rules that would be printed but could never count."""
    if (problem := _missing_limit(house)) is not None:
        yield problem
        return
    rules = house.rules
    yield from _unscored_choices(house, base)
    yield from _unscored_lines(house, rules)
    for place, line in enumerate(house.more_points):
        yield from _unscored_in_line(line, rules, f"more_points.{place}")
    for place, line in enumerate(house.more_doubles):
        yield from _unscored_in_line(line, rules, f"more_doubles.{place}")
    yield from _unscored_hand_values(house, rules)
    for place, hand in enumerate(house.specials):
        yield from _unscored_in_hand(hand, house, rules, f"specials.{place}")
    yield from _unscored_play(house, rules)


def _unscored_choices(house: HouseRules, base: RuleSet) -> Iterator[UnscoredValue]:
    """Open points played as they cannot be, and lines that they put out of play."""
    rules = house.rules
    for name, value in house.choices.items():
        book = base.choice[name]
        if not isinstance(book, bool) and not 1 <= value <= book:
            yield UnscoredValue(f"choices.{name}", str(value), f"a whole number from 1 to {book}")
    for line in rules.set_points:
        if line.name in house.points and not line.is_played(rules.choice):
            # The words of the open point that puts the line into play.
            open_point = next(
                choice.text
                for choice in base.choices
                if line.chosen and choice.name == line.chosen.name
            )
            expected = f"left out unless “{open_point}” is yes"
            yield UnscoredValue(f"points.{line.name}", f"“{line.name}”", expected)


def _unscored_lines(house: HouseRules, rules: RuleSet) -> Iterator[UnscoredValue]:
    """Numbers of the book's lines that nothing can score, as the rules are played."""
    prevailing = rules.passing.order[0] if rules.passing.prevailing else None
    about_sets = [(line.name, line.when) for line in rules.set_points]
    about_sets += [(line.name, line.when) for line in rules.set_doubles]
    about_hands = [(line.name, line.when) for line in rules.points]
    about_hands += [(line.name, line.when) for line in rules.doubles]
    about_hands += [(also.name, also.when) for hand in rules.doubled_hands for also in hand.also]
    counting = {name for name, condition in about_sets if can_be_met(condition, prevailing)}
    counting |= {
        name for name, condition in about_hands if condition.question(rules.choice) is not None
    }
    bonus = {rules.bonus_points.name} if rules.bonus_points else set()
    expected = "left out: nothing can score it as these rules are played"
    for name, worth in house.points.items():
        if any(worth) and name not in counting | bonus:
            yield UnscoredValue(f"points.{name}", f"“{name}”", expected)
    for name, doubles in house.doubles.items():
        if doubles and name not in counting:
            yield UnscoredValue(f"doubles.{name}", f"“{name}”", expected)


def _missing_limit(house: HouseRules) -> UnscoredValue | None:
    """That special hands or fines are shares of a limit that there is not, if so."""
    if house.limit is not None:
        return None
    rules = house.rules
    worths = [worth for hand in rules.specials for worth in (hand.value, hand.fishing)]
    worths += [hand.standing.value for hand in rules.specials if hand.standing]
    fines = [line.fine.amount for line in rules.penalties if line.fine]
    if not any(isinstance(worth, Share) for worth in (*worths, *fines)):
        return None
    expected = (
        "a number: special hands or fines are shares of it. For hands that score more, use “limits”"
    )
    return UnscoredValue("limit", "No limit", expected)


def _goulash_faults(
    name: str, hand_condition: HandCondition, rules: RuleSet, path: str
) -> Iterator[UnscoredValue]:
    """That it asks for a goulash, where none is played."""
    if hand_condition.all_of & marks.GOULASH and not rules.passing.goulash_after_a_draw:
        yield UnscoredValue(
            path, name, "left out: no goulash follows a drawn hand as these rules are played"
        )


def _unscored_in_line(line: HouseLine, rules: RuleSet, path: str) -> Iterator[UnscoredValue]:
    if line.sets:
        prevailing = rules.passing.order[0] if rules.passing.prevailing else None
        if not can_be_met(join_set_conditions(line.sets), prevailing):
            yield UnscoredValue(path, line.name, "made of conditions that a set can meet at once")
        return
    hand_condition = join_hand_conditions(line.when)
    if hand_condition.question(rules.choice) is None:
        yield UnscoredValue(path, line.name, "made of conditions that can all be met at once")
    yield from _goulash_faults(line.name, hand_condition, rules, path)
    if line.who is Who.EVERYONE and depends_on_ending(hand_condition):
        yield UnscoredValue(
            f"{path}.who", "“everyone”", "“winner”: it depends on how a hand is won"
        )
    if line.who is Who.EVERYONE and (rules.adding or not rules.losers_score):
        reason = "only the winner scores" if not rules.losers_score else "points are only added up"
        yield UnscoredValue(f"{path}.who", "“everyone”", f"“winner”: {reason}")


def _unscored_hand_values(house: HouseRules, rules: RuleSet) -> Iterator[UnscoredValue]:
    names = {hand.key: hand.name for hand in rules.specials}
    whens = [(hand.key, hand.when) for hand in rules.specials]
    whens += [(hand.key, hand.when) for hand in rules.doubled_hands]
    played_keys = {
        key for key, hand_condition in whens if hand_condition.question(rules.choice) is not None
    }
    for key, value in house.values.items():
        if key in house.without or key not in played_keys:
            yield UnscoredValue(f"values.{key}", "A value", "left out: the hand is not played")
            continue
        if won := value.get("won"):
            yield from _unscored_worth(won, "won", names[key], rules, f"values.{key}.won")
        if fishing := value.get("fishing"):
            path = f"values.{key}.fishing"
            yield from _unscored_worth(fishing, "fishing", names[key], rules, path)
            yield from _unscored_fishing(fishing, names[key], house, path)


def _unscored_worth(
    worth: Value, field_name: str, name: str, rules: RuleSet, path: str
) -> Iterator[UnscoredValue]:
    """That a special hand is given more than its limit, or points for fishing that nobody has."""
    most = rules.limit_of(won=field_name == "won", special=True)
    worth_text = _value_text(worth, rules.limit)
    if most is not None and worth.points(rules.limit) > most:
        yield UnscoredValue(
            path, worth_text, f"{most:,} at most, the limit of a hand, for “{name}”"
        )
    if field_name == "fishing" and not rules.losers_score:
        yield UnscoredValue(path, worth_text, f"left out for “{name}”: only the winner scores")


def _unscored_fishing(
    value: Value, name: str, house: HouseRules, path: str
) -> Iterator[UnscoredValue]:
    if not house.bounds.get("fishing", True):
        expected = f"left out for “{name}”: a hand one tile short scores nothing for it"
        yield UnscoredValue(path, _value_text(value, house.limit), expected)


def _unscored_in_hand(
    hand: HouseHand, house: HouseRules, rules: RuleSet, path: str
) -> Iterator[UnscoredValue]:
    hand_condition = hand.special.when
    yield from _unscored_worth(hand.won, "won", hand.name, rules, f"{path}.won")
    if hand.form is Form.ANY:
        can_be = True
    elif hand.form is Form.PUNGS:
        can_be = bool((marks.PUNG | marks.KONG) & ~hand_condition.none_of)
    else:
        can_be = not (hand_condition.none_of & marks.LOOSE or hand_condition.all_of & _SET_MARKS)
    if not can_be or hand_condition.question(rules.choice) is None:
        yield UnscoredValue(path, hand.name, "made of conditions that can all be met at once")
    yield from _goulash_faults(hand.name, hand_condition, rules, path)
    if hand.fishing is None:
        return
    yield from _unscored_worth(hand.fishing, "fishing", hand.name, rules, f"{path}.fishing")
    yield from _unscored_fishing(hand.fishing, hand.name, house, f"{path}.fishing")
    if rules.losers_score and (hand.form is Form.ANY or depends_on_ending(hand_condition)):
        expected = f"left out for “{hand.name}”, which depends on how it is won"
        yield UnscoredValue(f"{path}.fishing", _value_text(hand.fishing, rules.limit), expected)


def _unscored_play(house: HouseRules, rules: RuleSet) -> Iterator[UnscoredValue]:
    """Payments, limits and runs that never come about."""
    if house.payments and house.payments.get("losers_settle") and not rules.losers_score:
        yield UnscoredValue("payments.losers_settle", "Yes", "no: only the winner scores")
    limits = house.bounds.get("limits", {})
    if limits.get("losers") and not rules.losers_score:
        yield UnscoredValue(
            "limits.losers", f"{limits['losers']:,}", "left out: only the winner scores"
        )
    hands, wins = rules.passing.most_hands, rules.passing.most_wins
    if hands and wins and wins >= hands:
        expected = f"fewer than the {hands} hands after which the deal passes on"
        yield UnscoredValue("passing.most_wins", str(wins), expected)
    yield from _faults_in_draws(rules)
    bonus, specials = rules.bonus_points, (*rules.specials, *rules.doubled_hands)
    if "bonus_tiles_beside" in house.bounds and not (bonus and bonus.points and specials):
        answer = "Yes" if house.bounds["bonus_tiles_beside"] else "No"
        expected = "left out: no flower or season scores beside a special hand here"
        yield UnscoredValue("bonus_tiles_beside", answer, expected)
    if not house.bounds.get("fishing", True) and not rules.losers_score:
        yield UnscoredValue("fishing", "No", "left out: only the winner scores")


def _faults_in_draws(rules: RuleSet) -> Iterator[UnscoredValue]:
    """That whoever deals passes the deal on before so many drawn hands in a row."""
    hands, draws = rules.passing.most_hands, rules.passing.most_draws
    if draws and rules.passing.moves_after_a_draw:
        expected = "left out: every drawn hand passes the deal on"
        yield UnscoredValue("passing.most_draws", str(draws), expected)
    elif draws and hands and draws >= hands:
        expected = f"fewer than the {hands} hands after which the deal passes on"
        yield UnscoredValue("passing.most_draws", str(draws), expected)


def _value_text(value: Value, limit: int | None) -> str:
    points = f"{value.points(limit):,}"
    if isinstance(value, Share):
        return f"{points} ({value.part}/{value.of} of the limit)"
    return points
