"""Suits, dragons and winds are alike, but where the rules name one of them."""

from dataclasses import replace
from functools import cache
from itertools import permutations

from hypothesis import given, strategies as st

from scoring import BadHand, Hand, RuleSet, hand_as_json, hand_from_json, rule_set, score
from scoring.hands.tiles import DRAGONS, SUITS
from tests.scoring.strategies import hands, law, name_of, scored, under_every_rule_set

Names = dict[str, str]
OF_CERTAIN_TILES = {"imperial_jade", "plum_blossom", "plucking_the_moon"}
SUIT_TILES = [suit + number for suit in SUITS for number in "123456789"]


def renamed_suits(suits: tuple[str, ...]) -> Names:
    to = dict(zip(SUITS, suits, strict=True))
    return {tile: to[tile[0]] + tile[1] for tile in SUIT_TILES}


def renamed_winds(winds: tuple[str, ...]) -> Names:
    """The winds other than East, the tiles and seats of that name and its flowers and seasons."""
    numbers = {wind: str(place) for place, wind in enumerate("ESWN", start=1)}
    names: Names = {}
    for wind, to in zip("SWN", winds, strict=True):
        names |= {wind: to, f"W{wind}": f"W{to}"}
        names |= {kind + numbers[wind]: kind + numbers[to] for kind in "FS"}
    return names


OTHER_SUITS = [renamed_suits(suits) for suits in permutations(SUITS)][1:]
OTHER_DRAGONS: list[Names] = [
    dict(zip(DRAGONS, dragons, strict=True)) for dragons in permutations(DRAGONS)
]
OTHER_WINDS = [renamed_winds(winds) for winds in permutations("SWN")]


def renamed(hand: Hand, names: Names, rules: RuleSet) -> Hand:
    """The same hand with other tiles and winds."""

    def told(value: object) -> object:
        if isinstance(value, dict):
            return {key: told(one) for key, one in value.items()}
        if isinstance(value, list):
            return [told(one) for one in value]
        return names.get(value, value) if isinstance(value, str) else value

    return hand_from_json(told(hand_as_json(hand)), rules)


@cache
def naming_no_tile(key: str) -> RuleSet:
    """The rule set without the special hands that ask for certain tiles."""
    rules = rule_set(key)
    kept = (special for special in rules.specials if special.key not in OF_CERTAIN_TILES)
    return replace(rules, specials=tuple(kept))


def _scores_alike(rules: RuleSet, data: st.DataObject, others: list[Names]) -> None:
    hand = data.draw(hands(rules))
    other = renamed(hand, data.draw(st.sampled_from(others)), rules)
    told, told_of_other = score(hand, rules), score(other, rules)
    assert told_of_other.total == told.total
    assert told_of_other.special == told.special


@under_every_rule_set
@law
@given(st.data())
def test_one_suit_is_as_good_as_another(rules: RuleSet, data: st.DataObject) -> None:
    _scores_alike(naming_no_tile(name_of(rules)), data, OTHER_SUITS)


@under_every_rule_set
@law
@given(st.data())
def test_one_dragon_is_as_good_as_another(rules: RuleSet, data: st.DataObject) -> None:
    _scores_alike(naming_no_tile(name_of(rules)), data, OTHER_DRAGONS)


@under_every_rule_set
@law
@given(st.data())
def test_south_west_and_north_are_alike(rules: RuleSet, data: st.DataObject) -> None:
    """With their seats, flowers and seasons; East alone has hands of its own."""
    _scores_alike(rules, data, OTHER_WINDS)


@under_every_rule_set
def test_three_special_hands_ask_for_certain_tiles(rules: RuleSet) -> None:
    """Of a worked hand whose suits change places, only those three are lost."""
    found = {
        case["expected"]["special"]
        for case in scored(name_of(rules))
        if case["expected"].get("special") and "house" not in case
        for names in OTHER_SUITS
        if _special_of(case["fields"], names, rules) != case["expected"]["special"]
    }
    assert found == OF_CERTAIN_TILES & {special.key for special in rules.specials}


def _special_of(fields: dict[str, object], names: Names, rules: RuleSet) -> str | None:
    try:
        return score(renamed(hand_from_json(fields, rules), names, rules), rules).special
    except BadHand:
        return None
