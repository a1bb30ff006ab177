"""What English house rules give and take that no worked hand can show by itself."""

from typing import Any

import pytest

from scoring import hand_from_json, rule_set, score
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, SUITS, Tile, counted
from scoring.rules.shapes import KNITTED_THREES, KNITTED_THREES_AND_ANY_TWO
from tests.scoring.worked import Case, cases

ENGLISH = rule_set("english")
SCORED = [
    case
    for case in cases("hand", of="english")
    if "total" in case["expected"] and "house" not in case
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


def total(fields: Case, **more: Any) -> int:
    return score(hand_from_json(fields | more, ENGLISH), ENGLISH).total


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_all_flowers_and_seasons_never_lower_a_score(case: Case) -> None:
    assert total(case["fields"], bonus=[*BONUS_TILES]) >= case["expected"]["total"]


def test_limit_hands_are_worth_3000_or_1000_whatever_the_limit_of_the_house() -> None:
    for limit in (None, 500):
        assert {line.value.points(limit) for line in ENGLISH.specials} == {1000, 3000}


def test_only_the_three_starred_hands_score_without_a_mahjong() -> None:
    starred = {line.key for line in ENGLISH.specials if line.standing}
    assert starred == {"thirteen_wonders", "three_great_scholars", "four_blessings"}
    assert not any(line.fishing for line in ENGLISH.specials)


@pytest.mark.parametrize("key", OPTIONAL)
def test_an_optional_hand_that_is_not_played_is_never_scored(key: str) -> None:
    house = ENGLISH.choosing(**{key: False})
    known = {special.key for _mask, _want, special in house.book.set_forms}
    known |= {special.key for *_rest, special in house.book.loose_forms}
    assert {line.key for line in ENGLISH.specials} - known == {key}


@pytest.mark.parametrize("one", PLAYING_TILES)
def test_the_last_two_of_triple_knitting(one: Tile) -> None:
    for other in PLAYING_TILES:
        tiles = [*FOUR_THREES, one, other]
        alike = one[1] == other[1] and {one[0], other[0]} <= {*SUITS}
        assert KNITTED_THREES_AND_ANY_TWO.whole(counted(tiles)) == alike, other
        assert KNITTED_THREES.whole(counted(tiles)) == (alike and one != other), other


def test_one_tile_short_of_triple_knitting() -> None:
    for tile in PLAYING_TILES[:27]:
        thirteen = counted([*FOUR_THREES, tile])
        assert KNITTED_THREES_AND_ANY_TWO.near(thirteen)
        assert KNITTED_THREES_AND_ANY_TWO.short(thirteen) == 1
