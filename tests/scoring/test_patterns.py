"""Hands written as a line of text."""

import pytest
from hypothesis import given, strategies as st

from scoring.hands.tiles import Tile, count_tiles
from scoring.rules.shapes import BadPattern, describe_pattern, listed_shape
from tests.scoring.worked import Case, refused_cases, table


def tiles(codes: str) -> int:
    return count_tiles(Tile(code) for code in codes.split())


@pytest.mark.parametrize("case", table("patterns")["pattern"], ids=lambda case: case["pattern"])
def test_a_pattern_is_so_many_hands(case: Case) -> None:
    shape = listed_shape(case["words"], case["pattern"])
    assert (len(shape.hands), shape.is_complete(tiles(case["one"]))) == (case["hands"], True)
    assert describe_pattern(case["pattern"]) == case["words"]


@pytest.mark.parametrize("case", refused_cases("patterns"), ids=lambda case: case["pattern"])
def test_a_pattern_that_is_no_hand(case: Case) -> None:
    with pytest.raises(BadPattern) as refusal:
        listed_shape("", case["pattern"])
    assert str(refusal.value) == case["says"]


@given(st.text("abB19-:[] chowpungirdsEW", max_size=24) | st.text(max_size=12))
def test_whatever_is_written_is_a_hand_or_told_why_not(pattern: str) -> None:
    try:
        shape = listed_shape("", pattern)
    except BadPattern:
        return
    assert shape.hands
    assert describe_pattern(pattern)
