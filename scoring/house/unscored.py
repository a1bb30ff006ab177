"""What house rules would print on their page and no hand could ever score."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scoring import marks
from scoring.conditions import HandCondition
from scoring.declarations import SetPoints, Share, Value
from scoring.house.declared import HouseHand, HouseRules
from scoring.rules import RuleSet

_OF_THE_END: Final = (
    sum(marks.WON_BY.values())
    | sum(marks.LAST_TILE.values())
    | marks.DRAWN
    | marks.DRAWN_OR_LOOSE
    | marks.CLAIMED
    | marks.CLAIMED_THIRD
    | marks.FIRST_TURN
    | marks.ONLY_TILE
)
_OF_SETS: Final = (
    sum(marks.SET_OF.values())
    | marks.CHOW
    | marks.PUNG
    | marks.KONG
    | marks.TWO_KONGS
    | marks.EXPOSED
    | marks.OPENED
)


class Unscored(NamedTuple):
    """A value without effect: the path of its field, what it is, and what it must be."""

    where: str
    found: str
    expected: str


def unscored(house: HouseRules, base: RuleSet) -> Iterator[Unscored]:
    """Every number and hand of the house rules that would be printed and never be scored so."""
    rules = house.rules
    for name, value in house.choices.items():
        book = base.choice[name]
        if not isinstance(book, bool) and not 1 <= value <= book:
            yield Unscored(f"choices.{name}", str(value), f"a whole number from 1 to {book}")
    for line in rules.set_points:
        if line.name in house.points and not line.is_played(rules.choice):
            expected = f"left out unless “{_open_point(base, line)}” is yes"
            yield Unscored(f"points.{line.name}", f"“{line.name}”", expected)
    for place, hand in enumerate(house.specials):
        yield from _of_hand(hand, rules, f"specials.{place}")


def _open_point(base: RuleSet, line: SetPoints) -> str:
    """The words of the open point that puts the line into play."""
    return next(one.words for one in base.choices if line.chosen and one.name == line.chosen.name)


def _of_hand(hand: HouseHand, rules: RuleSet, where: str) -> Iterator[Unscored]:
    when = hand.special.when
    for name, value in (("won", hand.won), ("fishing", hand.fishing)):
        if value and rules.limit is not None and value.points(rules.limit) > rules.limit:
            expected = f"{rules.limit:,} at most, the limit of a hand, for “{hand.name}”"
            yield Unscored(f"{where}.{name}", _shown(value, rules.limit), expected)
    if not _can_be_met(when, rules, of_tiles=hand.tiles is not None):
        expected = "made of conditions that can all be met at once"
        yield Unscored(where, hand.name, expected)
    if hand.fishing and not rules.losers_score:
        expected = f"left out for “{hand.name}”: only the winner scores"
        yield Unscored(f"{where}.fishing", _shown(hand.fishing, rules.limit), expected)
    elif hand.fishing and when.all_of & _OF_THE_END:
        expected = f"left out for “{hand.name}”, which depends on how it is won"
        yield Unscored(f"{where}.fishing", _shown(hand.fishing, rules.limit), expected)


def _can_be_met(when: HandCondition, rules: RuleSet, *, of_tiles: bool) -> bool:
    """Whether a hand of tiles named one by one, or else of pungs or kongs, can be so."""
    if when.asked(rules.choice) is None:
        return False
    if of_tiles:
        return not (when.none_of & marks.LOOSE or when.all_of & _OF_SETS)
    return bool((marks.PUNG | marks.KONG) & ~when.none_of)


def _shown(value: Value, limit: int | None) -> str:
    points = f"{value.points(limit):,}"
    if isinstance(value, Share):
        return f"{points} ({value.part}/{value.of} of the limit)"
    return points
