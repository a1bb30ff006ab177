"""Every special hand can be made, and who is one tile short has what the rules give for it."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import Hand, RuleSet, check, hand_from_json, rule_set, score
from scoring.hands.tiles import PLAYING_TILES, Tile
from scoring.rules.declarations import DoubledHand, Form, SpecialHand
from tests.scoring.strategies import (
    KEYS,
    law,
    name_of,
    scored,
    under_every_rule_set,
    unfinished_hands,
)
from tests.scoring.worked import Case, house

Special = SpecialHand | DoubledHand


def specials(rules: RuleSet) -> dict[str, Special]:
    known: list[Special] = [*rules.specials, *rules.doubled_hands]
    return {special.key: special for special in known}


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
    for case in scored(key)
    if case["fields"]["mahjong"] and case["expected"].get("special") in specials(rule_set(key))
]


@under_every_rule_set
def test_special_hands_have_one_key_each(rules: RuleSet) -> None:
    assert len(specials(rules)) == len(rules.specials) + len(rules.doubled_hands)


@under_every_rule_set
def test_every_special_hand_is_made_by_a_worked_case(rules: RuleSet) -> None:
    dragons = {dragon.key for dragon in rules.adding.dragons} if rules.adding else set()
    made = {
        case["expected"]["special"]
        for case in scored(name_of(rules))
        if case["fields"]["mahjong"] and case["expected"].get("special") and "house" not in case
    }
    assert made == specials(rules).keys() | dragons


def one_tile_short(case: Case, rules: RuleSet) -> Iterator[Hand]:
    """The winner's hand as a loser's, each of its concealed tiles taken away in turn."""
    lost: dict[str, Any] = {"mahjong": False, "winning_tile": None, "won_by": None}
    fields = case["fields"] | lost | {"bonus": [], "facts": []}
    for tile in sorted(set(fields["concealed"])):
        left = list(fields["concealed"])
        left.remove(tile)
        yield hand_from_json(fields | {"concealed": left}, rules)


@pytest.mark.parametrize(("key", "case"), WON)
def test_one_tile_short_of_a_special_hand(key: str, case: Case) -> None:
    """Its fishing value, if the rules give one; otherwise what the hand scores without it."""
    rules = house(case, rule_set(key))
    known = specials(rules)
    special = known[case["expected"]["special"]]
    others, none = with_specials(rules, known.keys() - {special.key}), with_specials(rules, ())
    for hand in one_tile_short(case, rules):
        otherwise, points = score(hand, others).total, score(hand, none).basic or 0
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


@under_every_rule_set
@law
@given(st.data())
def test_a_fisher_has_a_tile_that_makes_the_hand(rules: RuleSet, data: st.DataObject) -> None:
    """Who fishes could go Mah-Jong so with some tile; who could, fishes, if that has a value.

    At a table of four, where no Mah-Jong is too small.
    """
    hand = replace(data.draw(unfinished_hands(rules)), bonus=(), players=4)
    found = score(hand, rules)
    made = {key for tile in PLAYING_TILES for key in made_with(hand, tile, rules)}
    values = [value for key in made if (value := fishing_value(specials(rules)[key], rules))]
    assert found.total >= max(values, default=0)
    if found.fishing and found.basic is None:
        assert found.total == max(values)
    if found.fishing:
        alone = with_specials(rules, {str(found.special)})
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
