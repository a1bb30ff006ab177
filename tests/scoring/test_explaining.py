"""Why a hand scores what it does: how near it is to every special hand, and what it waits for."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from scoring import (
    BadHand,
    Hand,
    RuleSet,
    Wind,
    WonBy,
    check,
    explain,
    hand_from_json,
    read_set,
    rule_set,
    rule_set_keys,
    score,
)
from scoring.__main__ import explain_line
from scoring.explaining import HandAnalysis, specials, tiles_short
from scoring.hands.hand import any_of_tiles, set_name
from scoring.hands.tiles import JOKER, PLAYING_TILES, TILE_NAMES, Tile
from scoring.reading.layouts import remove_last_tile
from scoring.rules.declarations import DoubledHand, Form
from tests.sampling import examples
from tests.scoring.worked import Case, cases, scored_cases, table

BMJA = rule_set("bmja")
EXPLAINED = table("explained")["hand"]
SPECIAL = {
    key: [case["fields"] for case in scored_cases(key) if case["expected"].get("special")]
    for key in rule_set_keys()
}
WON = {
    key: [case["fields"] for case in scored_cases(key) if case["fields"].get("mahjong")]
    for key in rule_set_keys()
}
WITH_SPECIALS = [key for key in rule_set_keys() if SPECIAL[key]]


@pytest.mark.parametrize("case", EXPLAINED, ids=lambda case: case["title"])
def test_a_hand_is_explained(case: dict[str, Any]) -> None:
    rules = rule_set(case["rules"])
    explanation = explain(hand_from_json(case["fields"], rules), rules)
    texts_by_key = {
        considered_hand.key: [
            "-" if considered_hand.short is None else considered_hand.short,
            considered_hand.sentence,
        ]
        for considered_hand in explanation.considered_hands
    }
    assert {key: texts_by_key[key] for key in case["says"]} == case["says"]
    assert {wait.tile: wait.sentence for wait in explanation.waits} == case["waits"]
    assert {reading.sentence: reading.total for reading in explanation.readings} == case["reads"]


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_special_hand_is_considered_the_nearest_first(key: str) -> None:
    rules = rule_set(key)
    for case in scored_cases(key):
        explanation = explain(hand_from_json(case["fields"], rules), rules)
        assert {considered_hand.key for considered_hand in explanation.considered_hands} == {
            line.key for line in specials(rules)
        }
        missing_counts = [
            considered_hand.short
            for considered_hand in explanation.considered_hands
            if considered_hand.short is not None
        ]
        assert missing_counts == sorted(missing_counts)
        assert explanation.reckoning == score(hand_from_json(case["fields"], rules), rules)


def draw_changed_hand(data: st.DataObject, key: str, size: int) -> Hand:
    """A worked special hand, won or standing, with up to three of its tiles changed."""
    fields = data.draw(st.sampled_from(SPECIAL[key]))
    hand = hand_from_json(fields, rule_set(key))
    tiles = list(hand.concealed)[: size - 3 * len(hand.sets)]
    for place in data.draw(st.lists(st.integers(0, max(0, len(tiles) - 1)), max_size=3)):
        tiles[place] = data.draw(st.sampled_from(PLAYING_TILES))
    changed_hand = replace(
        hand, concealed=tuple(tiles), mahjong=False, winning_tile=None, won_by=None
    )
    changed_hand = replace(changed_hand, goulash=False)
    assume(changed_hand.size == min(size, 13) and not check(changed_hand, rule_set(key)))
    return changed_hand


@pytest.mark.parametrize("key", WITH_SPECIALS)
@settings(deadline=None, max_examples=examples(60))
@given(data=st.data())
def test_a_hand_is_one_tile_short_if_and_only_if_a_tile_makes_it(
    key: str, data: st.DataObject
) -> None:
    rules = rule_set(key)
    hand = draw_changed_hand(data, key, 13)
    near_keys = {
        considered_hand.key
        for considered_hand in explain(hand, rules).considered_hands
        if considered_hand.short == 1
    }
    look = HandAnalysis(hand, rules)
    assert near_keys | look.standing == (made_by_one_tile(hand, rules) | look.standing)


def made_by_one_tile(hand: Hand, rules: RuleSet) -> frozenset[str]:
    """The special hands of tiles that some tile from the wall makes of the hand."""
    of_tiles = {
        line.key
        for line in specials(rules)
        if isinstance(line, DoubledHand) or line.form is not Form.ANY
    }
    special_keys: frozenset[str] = frozenset()
    for tile in PLAYING_TILES:
        won_hand = replace(
            hand,
            concealed=(*hand.concealed, tile),
            mahjong=True,
            winning_tile=tile,
            won_by=WonBy.WALL,
        )
        special_keys |= (
            HandAnalysis(won_hand, rules).special_keys
            if _has_four_at_most(won_hand, tile)
            else frozenset()
        )
    return special_keys & of_tiles


def _has_four_at_most(hand: Hand, tile: Tile) -> bool:
    tiles = [*hand.concealed, *(set_tile for group in hand.sets for set_tile in group.tiles)]
    return tiles.count(tile) <= 4


@pytest.mark.parametrize("key", WITH_SPECIALS)
@settings(deadline=None, max_examples=examples(60))
@given(data=st.data())
def test_one_tile_exchanged_brings_a_hand_nearer_by_one_at_most(
    key: str, data: st.DataObject
) -> None:
    rules = rule_set(key)
    hand = draw_changed_hand(data, key, 13)
    place = data.draw(st.integers(0, len(hand.concealed) - 1))
    tile = data.draw(st.sampled_from(PLAYING_TILES))
    other_tiles = (*hand.concealed[:place], tile, *hand.concealed[place + 1 :])
    exchanged_hand = replace(hand, concealed=other_tiles)
    assume(not check(exchanged_hand, rules))
    shortfalls_before, shortfalls_after = (
        {
            considered_hand.key: considered_hand.short
            for considered_hand in explain(compared_hand, rules).considered_hands
            if considered_hand.short
        }
        for compared_hand in (hand, exchanged_hand)
    )
    for special in shortfalls_before.keys() & shortfalls_after.keys():
        assert abs((shortfalls_before[special] or 0) - (shortfalls_after[special] or 0)) <= 1


@pytest.mark.parametrize("key", WITH_SPECIALS)
def test_what_a_winner_has_is_no_tile_short(key: str) -> None:
    rules = rule_set(key)
    for fields in SPECIAL[key]:
        explanation = explain(hand_from_json(fields, rules), rules)
        complete_keys = {
            considered_hand.key
            for considered_hand in explanation.considered_hands
            if considered_hand.short == 0
        }
        if fields["mahjong"] and explanation.reckoning.special in {
            line.key for line in specials(rules)
        }:
            assert explanation.reckoning.special in complete_keys


@pytest.mark.parametrize("key", rule_set_keys())
@settings(deadline=None, max_examples=examples(40))
@given(data=st.data())
def test_a_tile_waited_for_scores_what_is_promised(key: str, data: st.DataObject) -> None:
    rules = rule_set(key)
    hand = hand_from_json(data.draw(st.sampled_from(WON[key])), rules)
    tile = data.draw(st.sampled_from(hand.concealed))
    waits = explain(remove_last_tile(hand, tile), rules).waits
    other_wins = hand.goulash or hand.players == 2
    assert other_wins or tile in {wait.tile for wait in waits}
    for wait in waits:
        for won_by, promised_total in ((WonBy.WALL, wait.drawn), (WonBy.DISCARD, wait.claimed)):
            tiles = (*remove_last_tile(hand, tile).concealed, wait.tile)
            won = replace(hand, concealed=tiles, winning_tile=wait.tile, won_by=won_by)
            assert promised_total is None or score(won, rules).total == promised_total


def goulash_hand(chance: random.Random) -> Hand:
    """Thirteen tiles of few kinds, jokers among them."""
    kinds = chance.sample(PLAYING_TILES, 4)
    tiles = [tile for tile in kinds for _ in range(chance.choice([2, 3, 3]))]
    jokers = [JOKER] * chance.choice([1, 2, 3])
    extra_tiles = chance.choices(PLAYING_TILES, k=6)
    return Hand(concealed=tuple([*tiles, *jokers, *extra_tiles][:13]), goulash=True)


@pytest.mark.sampled(law="long plays")
def test_jokers_bring_a_goulash_hand_as_near_as_the_rules_allow() -> None:
    """One tile short by counting what each hand of pungs lacks, if and only if it is fished for."""
    rules, chance = BMJA, random.Random("goulash")
    hands = [goulash_hand(chance) for _ in range(150)]
    looks = [HandAnalysis(hand, rules) for hand in hands if not check(hand, rules)]
    of_pungs = [line for line in specials(rules) if getattr(line, "of_pungs", True)]
    for look in looks:
        for line in of_pungs:
            hand_condition = line.when.parts(rules.choice)
            assert hand_condition
            missing_count = tiles_short(look.hand, hand_condition, rules)
            assert (missing_count == 1) == (line.key in look.near_keys), look.hand
    assert sum(len(look.near_keys) for look in looks) > 10


def test_a_winner_who_names_no_winning_tile_waits_for_nothing_known() -> None:
    fields = next(case["fields"] for case in cases("hand") if case["id"] == "bmja-301")
    assert explain(hand_from_json(fields, BMJA), BMJA).waits == ()


def test_a_hand_that_cannot_be_scored_cannot_be_explained() -> None:
    with pytest.raises(BadHand):
        explain(Hand(seat_wind=Wind.E, concealed=(Tile("B1"),) * 5), BMJA)


def test_an_explanation_is_printed_beside_the_score() -> None:
    explanation = explain(hand_from_json(EXPLAINED[0]["fields"], BMJA), BMJA).as_json()
    assert json.loads(json.dumps(explanation)) == explanation
    assert explanation["considered"][0] == {  # type: ignore[index]
        "key": "imperial_jade",
        "name": "Imperial Jade",
        "short": 1,
        "sentence": "One tile short of Imperial Jade: a 3 or 6 of bamboos.",
    }
    assert (explanation["total"], len(explanation)) == (400, 13)


def test_a_mah_jong_that_is_none_is_told_what_it_is_near_to() -> None:
    wonders = ["B1", "B9", "C1", "C9", "O1", "O9", "WE", "WS", "WW", "WN", "DR", "DG"]
    fields = {"concealed": [*wonders, "DG", "B5"], "mahjong": True, "won_by": "wall"}
    explanation = explain_line(fields, BMJA)
    assert list(explanation) == ["valid", "problems", "considered"]
    assert explanation["valid"] is False
    assert explanation["considered"][0] == {  # type: ignore[index]
        "key": "thirteen_unique_wonders",
        "name": "Thirteen Unique Wonders",
        "short": 1,
        "sentence": "One tile short of Thirteen Unique Wonders.",
    }


def test_too_small_a_mah_jong_for_two_is_told_what_it_is() -> None:
    case = next(case for case in cases("hand") if "minimum_not_reached" in problems_of(case))
    explanation = explain_line(case["fields"], BMJA)
    assert len(explanation["considered"]) == len(specials(BMJA))  # type: ignore[arg-type]


def problems_of(case: Case) -> list[str]:
    return list(case["expected"].get("problems", []))


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        ("B8 B2", "a 2 or 8 of bamboos"),
        ("O8", "an 8 of circles"),
        ("B2 B3 DG C1", "a 2 or 3 of bamboos, a 1 of characters or a green dragon"),
        ("WE WN", "an East wind or a North wind"),
    ],
)
def test_tiles_are_named_as_in_a_sentence(codes: str, text: str) -> None:
    assert any_of_tiles([Tile(code) for code in codes.split()]) == text
    assert all(tile in TILE_NAMES for tile in PLAYING_TILES)


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        ("B1 B2 B3", "chow 1 2 3 of bamboos"),
        ("O5 O5 O5", "pung of 5s of circles"),
        ("WE WE", "pair of East winds"),
        ("DR DR DR DR", "kong of red dragons"),
    ],
)
def test_sets_are_named_as_in_a_sentence(codes: str, text: str) -> None:
    group = read_set([Tile(code) for code in codes.split()], exposed=False)
    assert group
    assert set_name(group) == text
