"""What holds where points are only added."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from scoring import Hand, Wind, WonBy, check, check_totals, explain, hand_from_json, rule_set, score
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, Tile, counted
from scoring.rules.rule_set import reckoned
from scoring.rules.shapes import Unrelated
from tests.scoring.worked import Case, cases

BAGGALEY = rule_set("baggaley")
SCORED = [
    case
    for case in cases("hand", of="baggaley")
    if "total" in case["expected"] and "house" not in case
]
HANDS = st.sampled_from(SCORED).map(lambda case: hand_from_json(case["fields"], BAGGALEY))
PURE_DRAGON = {
    "sets": [{"tiles": ["B2", "B2", "B2"], "exposed": True}],
    "concealed": ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "DR", "DR"],
    "bonus": ["F1", "F2", "F3", "F4", "S1"],
    "mahjong": True,
    "won_by": "wall",
    "winning_tile": "C6",
}
ORPHAN = ["WE", "WW", "WN", "DG", "DW", "O1", "O4", "O7", "B2", "B5", "B8", "C3", "C6", "C9"]
LOOSE_ORPHAN = ["WE", "WS", "WW", "WN", "DR", "DG", "B1", "B5", "B9", "C4", "C8", "O2", "O6", "O9"]


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_the_lines_add_up_to_the_score(case: Case) -> None:
    found = score(hand_from_json(case["fields"], BAGGALEY), BAGGALEY)
    assert sum(line.points or 0 for line in found.lines) == found.total == reckoned(found.lines)
    assert {(line.doubles, line.value) for line in found.lines} <= {(None, None)}


def test_every_part_of_a_score_is_a_line() -> None:
    found = score(hand_from_json(PURE_DRAGON, BAGGALEY), BAGGALEY)
    assert [(line.name, len(line.tiles), line.points) for line in found.lines] == [
        ("Pure dragon", 9, 32),
        ("Pair of dragons", 2, 2),
        ("Peng", 3, 4),
        ("Completed by the drawn last tile", 9, 32),
        ("Mah-Jongg", 0, 20),
        ("Bouquet of red flowers", 4, 32),
        ("Flower", 1, 4),
    ]
    assert [group.tile for group in found.arrangement] == ["C1", "C4", "C7", "DR"]


def test_the_hand_read_without_its_dragon_adds_up_too() -> None:
    explained = explain(hand_from_json(PURE_DRAGON, BAGGALEY), BAGGALEY)
    assert (explained.reckoning.total, explained.reckoning.special) == (126, "pure_dragon")
    assert [reading.sentence for reading in explained.readings] == [
        "Counted as an ordinary hand it would score 70."
    ]


@settings(deadline=None)
@given(HANDS, st.sampled_from(BONUS_TILES))
def test_a_flower_adds_at_least_its_points(hand: Hand, tile: Tile) -> None:
    without = replace(hand, bonus=tuple(other for other in hand.bonus if other != tile))
    flower = replace(without, bonus=(*without.bonus, tile))
    assert score(flower, BAGGALEY).total >= score(without, BAGGALEY).total + 4


@settings(deadline=None)
@given(HANDS, st.sampled_from(Wind))
def test_no_wind_prevails(hand: Hand, wind: Wind) -> None:
    elsewhere = replace(hand, prevailing_wind=wind)
    assert score(elsewhere, BAGGALEY).total == score(hand, BAGGALEY).total


@settings(deadline=None)
@given(HANDS)
def test_a_drawn_tile_never_scores_less_than_the_tail_of_the_wall(hand: Hand) -> None:
    if hand.mahjong:
        head, tail = (replace(hand, won_by=way) for way in (WonBy.WALL, WonBy.LOOSE_TILE))
        assert score(head, BAGGALEY).total >= score(tail, BAGGALEY).total


@settings(deadline=None)
@given(st.lists(st.sampled_from(PLAYING_TILES * 4), max_size=12), st.sampled_from(PLAYING_TILES))
def test_another_tile_never_lowers_what_stands(tiles: list[Tile], more: Tile) -> None:
    hand = Hand(concealed=tuple(tiles))
    richer = Hand(concealed=(*tiles, more))
    if not check(richer, BAGGALEY):
        assert score(richer, BAGGALEY).total >= score(hand, BAGGALEY).total


@pytest.mark.parametrize(
    ("shape", "tiles", "one_short"),
    [
        (Unrelated(), ORPHAN, True),
        (Unrelated(), LOOSE_ORPHAN, True),
        (Unrelated(in_rows=True), ORPHAN, True),
        (Unrelated(in_rows=True), LOOSE_ORPHAN, False),
        (Unrelated(), ["WE", *ORPHAN[:1], *ORPHAN[2:]], False),
    ],
)
def test_one_tile_short_of_an_orphan(shape: Unrelated, tiles: list[Any], one_short: bool) -> None:
    assert {shape.near(counted(tiles) - counted([tile])) for tile in tiles[2:]} == {one_short}


def test_totals_that_can_be_typed() -> None:
    typed: dict[Wind, int | None] = {Wind.E: 7, Wind.S: 28, Wind.W: 0, Wind.N: 26}
    said = [problem.sentence for problem in check_totals(typed, winner=Wind.N, rules=BAGGALEY)]
    assert said == [
        "7 cannot be scored under Stuart Baggaley's rules by East; 6 and 8 can.",
        "26 cannot be scored under Stuart Baggaley's rules by a Mah-Jong of North's; 28 can.",
    ]
