"""What must be true of every hand under every rule set, whoever holds it."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, strategies as st

from scoring import (
    BadHand,
    Hand,
    Kind,
    RuleSet,
    TileSet,
    check,
    hand_as_json,
    hand_from_json,
    rule_set,
    score,
)
from scoring.hands.tiles import (
    BONUS_TILES,
    DRAGON_TILES,
    JOKER,
    PLAYING_TILES,
    SORT_ORDER,
    SUITS,
    Tile,
    Wind,
    read_tile,
)
from scoring.rules.declarations import DoubledHand, Form, SpecialHand
from scoring.rules.prices import lines_total
from tests.scoring.strategies import (
    KEYS,
    hands,
    law_under_every_rule_set,
    name_of,
    under_every_rule_set,
    unfinished_hands,
)
from tests.scoring.worked import Case, house, scored_cases

BMJA = rule_set("bmja")


@law_under_every_rule_set
def test_the_lines_reckon_to_the_total(rules: RuleSet, data: st.DataObject) -> None:
    reckoning = score(data.draw(hands(rules)), rules)
    assert 0 <= reckoning.total == rules.capped_at_highest(lines_total(reckoning.lines))
    assert reckoning.is_limited == (lines_total(reckoning.lines) > reckoning.total)
    if reckoning.basic is not None and reckoning.doubles is not None:
        added_points = sum(line.value or 0 for line in reckoning.lines if not line.workings)
        assert (
            rules.capped_at_highest((reckoning.basic << reckoning.doubles) + added_points)
            == reckoning.total
        )


@law_under_every_rule_set
def test_a_bonus_tile_never_lowers_a_score(rules: RuleSet, data: st.DataObject) -> None:
    """Where they play without flowers and seasons, such a tile is refused."""
    hand = data.draw(hands(rules))
    tile = data.draw(st.sampled_from(BONUS_TILES))
    assume(tile not in hand.bonus)
    richer = replace(hand, bonus=(*hand.bonus, tile))
    if rules.bonus_points is None:
        assert check(richer, rules)
    else:
        assert score(richer, rules).total >= score(hand, rules).total


@law_under_every_rule_set
def test_a_concealed_kong_scores_no_less_than_an_exposed_one(
    rules: RuleSet, data: st.DataObject
) -> None:
    hand = data.draw(hands(rules))
    concealed = replace(hand, sets=tuple(_concealed_if_a_kong(tile_set) for tile_set in hand.sets))
    assert score(concealed, rules).total >= score(hand, rules).total


def _concealed_if_a_kong(tile_set: TileSet) -> TileSet:
    return replace(tile_set, exposed=tile_set.exposed and tile_set.kind is not Kind.KONG)


@law_under_every_rule_set
def test_a_hand_can_be_written_down_and_read_again(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules))
    assert hand_from_json(hand_as_json(hand), rules) == hand


@law_under_every_rule_set
def test_the_order_of_the_tiles_does_not_matter(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules))
    shuffled_hand = replace(
        hand,
        sets=tuple(data.draw(st.permutations(hand.sets))),
        concealed=tuple(data.draw(st.permutations(hand.concealed))),
        bonus=tuple(data.draw(st.permutations(hand.bonus))),
    )
    assert score(shuffled_hand, rules).total == score(hand, rules).total


def test_tiles_are_read_as_they_are_written() -> None:
    assert [read_tile(str(tile)) for tile in SORT_ORDER] == list(SORT_ORDER)
    assert (read_tile("b1"), read_tile(1)) == (None, None)
    assert (len(PLAYING_TILES), len(BONUS_TILES), [*SORT_ORDER][-1]) == (34, 8, JOKER)
    assert [wind.label for wind in Wind] == ["East", "South", "West", "North"]


def test_a_hand_built_by_hand_is_checked_too() -> None:
    hand = Hand(concealed=(PLAYING_TILES[0],) * 5)
    with pytest.raises(BadHand) as refusal:
        score(hand, BMJA)
    assert list(refusal.value.problems) == check(hand, BMJA)


Names = dict[str, str]
OF_CERTAIN_TILES = {"imperial_jade", "plum_blossom", "plucking_the_moon"}
SUIT_TILES = [suit + number for suit in SUITS for number in "123456789"]


def renamed_suits(suits: tuple[str, ...]) -> Names:
    new_suits = dict(zip(SUITS, suits, strict=True))
    return {tile: new_suits[tile[0]] + tile[1] for tile in SUIT_TILES}


def renamed_winds(winds: tuple[str, ...]) -> Names:
    """The winds other than East, the tiles and seats of that name and its flowers and seasons."""
    numbers = {wind: str(place) for place, wind in enumerate("ESWN", start=1)}
    names: Names = {}
    for wind, new_wind in zip("SWN", winds, strict=True):
        names |= {wind: new_wind, f"W{wind}": f"W{new_wind}"}
        names |= {kind + numbers[wind]: kind + numbers[new_wind] for kind in "FS"}
    return names


OTHER_SUITS = [renamed_suits(suits) for suits in permutations(SUITS)][1:]
OTHER_DRAGONS: list[Names] = [
    dict(zip(DRAGON_TILES, dragons, strict=True)) for dragons in permutations(DRAGON_TILES)
]
OTHER_WINDS = [renamed_winds(winds) for winds in permutations("SWN")]


def rename_hand(hand: Hand, names: Names, rules: RuleSet) -> Hand:
    """The same hand with other tiles and winds."""

    def rename_value(value: object) -> object:
        if isinstance(value, dict):
            return {key: rename_value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rename_value(item) for item in value]
        return names.get(value, value) if isinstance(value, str) else value

    return hand_from_json(rename_value(hand_as_json(hand)), rules)


@cache
def naming_no_tile(key: str) -> RuleSet:
    """The rule set without the special hands that ask for certain tiles."""
    rules = rule_set(key)
    remaining_specials = (
        special for special in rules.specials if special.key not in OF_CERTAIN_TILES
    )
    return replace(rules, specials=tuple(remaining_specials))


@pytest.mark.parametrize(
    ("renamings", "for_any_tile"),
    [
        pytest.param(OTHER_SUITS, True, id="one suit is as good as another"),
        pytest.param(OTHER_DRAGONS, True, id="one dragon is as good as another"),
        pytest.param(OTHER_WINDS, False, id="south, west and north with what goes with them"),
    ],
)
@law_under_every_rule_set
def test_tiles_that_are_alike_score_alike(
    rules: RuleSet, renamings: list[Names], for_any_tile: bool, data: st.DataObject
) -> None:
    """East alone has hands of its own."""
    rules = naming_no_tile(name_of(rules)) if for_any_tile else rules
    hand = data.draw(hands(rules))
    renamed_hand = rename_hand(hand, data.draw(st.sampled_from(renamings)), rules)
    first_reckoning, second_reckoning = score(hand, rules), score(renamed_hand, rules)
    assert (second_reckoning.total, second_reckoning.special) == (
        first_reckoning.total,
        first_reckoning.special,
    )


@under_every_rule_set
def test_three_special_hands_ask_for_certain_tiles(rules: RuleSet) -> None:
    """Of a worked hand whose suits change places, only those three are lost."""
    lost_keys = {
        case["expected"]["special"]
        for case in scored_cases(name_of(rules))
        if case["expected"].get("special")
        for names in OTHER_SUITS
        if _special_of(case["fields"], names, rules) != case["expected"]["special"]
    }
    assert lost_keys == OF_CERTAIN_TILES & {special.key for special in rules.specials}


def _special_of(fields: dict[str, object], names: Names, rules: RuleSet) -> str | None:
    try:
        return score(rename_hand(hand_from_json(fields, rules), names, rules), rules).special
    except BadHand:
        return None


Special = SpecialHand | DoubledHand


def specials(rules: RuleSet) -> dict[str, Special]:
    special_hands: list[Special] = [*rules.specials, *rules.doubled_hands]
    return {special.key: special for special in special_hands}


def with_specials(rules: RuleSet, keys: Collection[str]) -> RuleSet:
    """The rules as they are played where no other special hand is known."""
    return replace(
        rules,
        specials=tuple(line for line in rules.specials if line.key in keys),
        doubled_hands=tuple(line for line in rules.doubled_hands if line.key in keys),
    )


WON = [
    pytest.param(key, case, id=f"{case['id']} {case['expected']['special']}")
    for key in KEYS
    for case in scored_cases(key, houses=True)
    if case["fields"]["mahjong"] and case["expected"].get("special") in specials(rule_set(key))
]


@under_every_rule_set
def test_special_hands_have_one_key_each(rules: RuleSet) -> None:
    assert len(specials(rules)) == len(rules.specials) + len(rules.doubled_hands)


@under_every_rule_set
def test_every_special_hand_is_made_by_a_worked_case(rules: RuleSet) -> None:
    dragons = {dragon.key for dragon in rules.adding.dragons} if rules.adding else set()
    made_keys = {
        case["expected"]["special"]
        for case in scored_cases(name_of(rules))
        if case["fields"]["mahjong"] and case["expected"].get("special")
    }
    assert made_keys == specials(rules).keys() | dragons


def one_tile_short(case: Case, rules: RuleSet) -> Iterator[Hand]:
    """The winner's hand as a loser's, each of its concealed tiles taken away in turn."""
    loser_fields: dict[str, Any] = {"mahjong": False, "winning_tile": None, "won_by": None}
    fields = case["fields"] | loser_fields | {"bonus": [], "facts": []}
    for tile in sorted(set(fields["concealed"])):
        remaining_tiles = list(fields["concealed"])
        remaining_tiles.remove(tile)
        yield hand_from_json(fields | {"concealed": remaining_tiles}, rules)


@pytest.mark.parametrize(("key", "case"), WON)
def test_one_tile_short_of_a_special_hand(key: str, case: Case) -> None:
    """Its fishing value, if the rules give one; otherwise what the hand scores without it."""
    rules = house(case, rule_set(key))
    specials_by_key = specials(rules)
    special = specials_by_key[case["expected"]["special"]]
    other_rules = with_specials(rules, specials_by_key.keys() - {special.key})
    plain_rules = with_specials(rules, ())
    for hand in one_tile_short(case, rules):
        otherwise, points = score(hand, other_rules).total, score(hand, plain_rules).basic or 0
        values = {max(value, otherwise) for value in _values(special, points, rules)}
        assert score(hand, rules).total in values


def _values(special: Special, points: int, rules: RuleSet) -> Iterator[int]:
    """What the hand may be worth to one who lacks a tile of it and has so many points."""
    if isinstance(special, DoubledHand):
        yield 0 if special.winner_only else points << special.doubles
        return
    yield special.fishing.points(rules.limit) if special.fishing else 0
    if special.standing:
        yield special.standing.value.points(rules.limit)


@law_under_every_rule_set
def test_a_fisher_has_a_tile_that_makes_the_hand(rules: RuleSet, data: st.DataObject) -> None:
    """Who fishes could go Mah-Jong so with some tile; who could, fishes, if that has a value.

    At a table of four, where no Mah-Jong is too small.
    """
    hand = replace(data.draw(unfinished_hands(rules)), bonus=(), players=4)
    reckoning = score(hand, rules)
    made_keys = {key for tile in PLAYING_TILES for key in made_with(hand, tile, rules)}
    values = [value for key in made_keys if (value := fishing_value(specials(rules)[key], rules))]
    assert reckoning.total >= max(values, default=0)
    if reckoning.fishing and reckoning.basic is None:
        assert reckoning.total == max(values)
    if reckoning.fishing:
        alone = with_specials(rules, {str(reckoning.special)})
        assert any(made_with(hand, tile, alone) for tile in PLAYING_TILES)


def fishing_value(special: Special, rules: RuleSet) -> int | None:
    fishing = None if isinstance(special, DoubledHand) else special.fishing
    return fishing.points(rules.limit) if fishing else None


def made_with(hand: Hand, tile: Tile, rules: RuleSet) -> set[str]:
    """The special hand that one tile more makes of the hand, if any."""
    winner = replace(hand, concealed=(*hand.concealed, tile), mahjong=True)
    if check(winner, rules):
        return set()
    special = score(winner, rules).special
    return {special} & specials(rules).keys() if special else set()


def test_under_bmja_rules_only_events_have_no_fishing_value() -> None:
    bmja = rule_set("bmja")
    assert {line.form for line in bmja.specials if line.fishing is None} == {Form.ANY}
