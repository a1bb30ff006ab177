"""What a book gives and takes that no worked hand can show by itself."""

from typing import Any

import pytest

from scoring import Wind, check_totals, explain, hand_from_json, rule_set, score
from scoring.hands.tiles import HONOURS, PLAYING_TILES, SUITS, Tile, count_tiles
from scoring.rules.prices import lines_total
from scoring.rules.shapes import (
    KNITTED_THREES,
    KNITTED_THREES_AND_ANY_PAIR,
    KNITTED_THREES_AND_ANY_TWO,
    KNITTED_THREES_OR_HONOURS,
    Unrelated,
)
from tests.scoring.worked import Case, scored_cases

BAGGALEY, ENGLISH = rule_set("baggaley"), rule_set("english")
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


@pytest.mark.parametrize("case", scored_cases("baggaley"), ids=lambda case: case["id"])
def test_the_lines_add_up_to_the_score(case: Case) -> None:
    reckoning = score(hand_from_json(case["fields"], BAGGALEY), BAGGALEY)
    assert (
        sum(line.points or 0 for line in reckoning.lines)
        == reckoning.total
        == lines_total(reckoning.lines)
    )
    assert {(line.doubles, line.value) for line in reckoning.lines} <= {(None, None)}


def test_every_part_of_a_score_is_a_line() -> None:
    reckoning = score(hand_from_json(PURE_DRAGON, BAGGALEY), BAGGALEY)
    assert [(line.name, len(line.tiles), line.points) for line in reckoning.lines] == [
        ("Pure dragon", 9, 32),
        ("Pair of dragons", 2, 2),
        ("Peng", 3, 4),
        ("Completed by the drawn last tile", 9, 32),
        ("Mah-Jongg", 0, 20),
        ("Bouquet of red flowers", 4, 32),
        ("Flower", 1, 4),
    ]
    assert [group.tile for group in reckoning.arrangement] == ["C1", "C4", "C7", "DR"]


def test_the_hand_read_without_its_dragon_adds_up_too() -> None:
    explanation = explain(hand_from_json(PURE_DRAGON, BAGGALEY), BAGGALEY)
    assert (explanation.reckoning.total, explanation.reckoning.special) == (126, "pure_dragon")
    assert [reading.sentence for reading in explanation.readings] == [
        "Counted as an ordinary hand it would score 70."
    ]


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
    assert {
        shape.lacks_one_tile(count_tiles(tiles) - count_tiles([tile])) for tile in tiles[2:]
    } == {one_short}


def test_totals_that_can_be_typed() -> None:
    typed_totals: dict[Wind, int | None] = {Wind.E: 7, Wind.S: 28, Wind.W: 0, Wind.N: 26}
    messages = [
        problem.message for problem in check_totals(typed_totals, winner=Wind.N, rules=BAGGALEY)
    ]
    assert messages == [
        "7 cannot be scored under Stuart Baggaley’s rules by East; 6 and 8 can.",
        "26 cannot be scored under Stuart Baggaley’s rules by North going Mah-Jong; 28 can.",
    ]


OPTIONAL = [
    "twofold_fortune",
    "plum_blossom",
    "plucking_the_moon",
    "knitting",
    "triple_knitting",
    "buried_treasure",
    "fourfold_plenty",
    "heads_and_tails",
    "wriggling_snake",
    "imperial_jade",
]
FOUR_THREES = [Tile(suit + number) for number in "1346" for suit in SUITS]


def test_limit_hands_are_worth_3000_or_1000_whatever_the_limit_of_the_house() -> None:
    for limit in (None, 500):
        assert {line.value.points(limit) for line in ENGLISH.specials} == {1000, 3000}


def test_only_the_three_starred_hands_score_without_a_mahjong() -> None:
    starred_keys = {line.key for line in ENGLISH.specials if line.standing}
    assert starred_keys == {"thirteen_wonders", "three_great_scholars", "four_blessings"}
    assert not any(line.fishing for line in ENGLISH.specials)


@pytest.mark.parametrize("key", OPTIONAL)
def test_an_optional_hand_that_is_not_played_is_never_scored(key: str) -> None:
    house = ENGLISH.choosing(**{key: False})
    special_keys = {special.key for _mask, _want, special in house.book.set_forms}
    special_keys |= {special.key for *_other_fields, special in house.book.loose_forms}
    assert {line.key for line in ENGLISH.specials} - special_keys == {key}


@pytest.mark.parametrize("tile", PLAYING_TILES)
def test_the_last_two_of_triple_knitting(tile: Tile) -> None:
    for other_tile in PLAYING_TILES:
        tiles = [*FOUR_THREES, tile, other_tile]
        is_knitted = tile[1] == other_tile[1] and {tile[0], other_tile[0]} <= {*SUITS}
        assert KNITTED_THREES_AND_ANY_TWO.is_complete(count_tiles(tiles)) == is_knitted, other_tile
        assert KNITTED_THREES.is_complete(count_tiles(tiles)) == (
            is_knitted and tile != other_tile
        ), other_tile
        honours = tile == other_tile and tile in HONOURS
        pair = KNITTED_THREES_AND_ANY_PAIR.is_complete(count_tiles(tiles))
        assert pair == (is_knitted or honours), other_tile
        pair = KNITTED_THREES_OR_HONOURS.is_complete(count_tiles(tiles))
        assert pair == ((is_knitted and tile != other_tile) or honours), other_tile


def test_one_tile_short_of_triple_knitting() -> None:
    for tile in PLAYING_TILES:
        thirteen = count_tiles([*FOUR_THREES, tile])
        assert KNITTED_THREES_AND_ANY_PAIR.lacks_one_tile(thirteen)
        assert KNITTED_THREES_AND_ANY_PAIR.tiles_short(thirteen) == 1
        if tile in HONOURS:
            assert not KNITTED_THREES_AND_ANY_TWO.lacks_one_tile(thirteen)
            continue
        assert KNITTED_THREES_AND_ANY_TWO.lacks_one_tile(thirteen)
        assert KNITTED_THREES_AND_ANY_TWO.tiles_short(thirteen) == 1


@pytest.mark.parametrize("honour", sorted(HONOURS))
def test_one_of_the_threes_short_of_triple_knitting_on_winds_or_dragons(honour: Tile) -> None:
    for tile in {*FOUR_THREES}:
        thirteen = [*FOUR_THREES, honour, honour]
        thirteen.remove(tile)
        assert KNITTED_THREES_AND_ANY_PAIR.lacks_one_tile(count_tiles(thirteen))
        assert KNITTED_THREES_AND_ANY_PAIR.tiles_short(count_tiles(thirteen)) == 1
        assert not KNITTED_THREES_AND_ANY_TWO.lacks_one_tile(count_tiles(thirteen))
