"""Hands written as a line of text."""

import pytest
from hypothesis import given, strategies as st

from scoring.hands.tiles import Tile, counted
from scoring.rules.shapes import BadPattern, in_words, listed


def tiles(codes: str) -> int:
    return counted(Tile(code) for code in codes.split())


@pytest.mark.parametrize(
    ("pattern", "hands", "one", "words"),
    [
        (
            "a1-7 b1-7",
            3,
            "B1 B2 B3 B4 B5 B6 B7 O1 O2 O3 O4 O5 O6 O7",
            "1 to 7 of one suit, 1 to 7 of another suit",
        ),
        (
            "a111 a2-8 a999 [a2-8]",
            21,
            "C1 C1 C1 C2 C3 C4 C5 C5 C6 C7 C8 C9 C9 C9",
            (
                "three 1s of one suit, 2 to 8 of the first suit, three 9s of the first suit,"
                " one of 2 to 8 of the first suit"
            ),
        ),
        (
            "chow:a chow:b chow:c WE WS WW WN [WE WS WW WN]",
            7 * 7 * 7 * 4,
            "B1 B2 B3 C7 C8 C9 O4 O5 O6 WE WE WS WW WN",
            (
                "a chow of one suit, a chow of another suit, a chow of the third suit, East wind,"
                " South wind, West wind, North wind, one of East wind, South wind, West wind,"
                " North wind"
            ),
        ),
        (
            "a1-9 pung:dragons pair:any",
            # three suits, three dragons, 33 other pairs
            3 * 3 * 33,
            "B1 B2 B3 B4 B5 B6 B7 B8 B9 DR DR DR C4 C4",
            "1 to 9 of one suit, a pung of dragons, a pair",
        ),
        (
            "B147 C2222 a3 DG DG pair:winds O11",
            # a is any suit, each with another of four pairs of winds
            3 * 4,
            "B1 B4 B7 C2 C2 C2 C2 C3 DG DG WE WE O1 O1",
            (
                "1, 4, 7 of bamboos, four 2s of characters, 3 of one suit, green dragon,"
                " green dragon, a pair of winds, two 1s of circles"
            ),
        ),
    ],
)
def test_a_pattern_is_so_many_hands(pattern: str, hands: int, one: str, words: str) -> None:
    shape = listed(words, pattern)
    assert (len(shape.hands), shape.whole(tiles(one)), in_words(pattern)) == (hands, True, words)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("", "“” has no tiles; a hand has 14."),
        ("a1-9 b1-9", "“a1-9 b1-9” has 18 tiles; a hand has 14."),
        ("[a9-1] a1-9 b1-4", "“[a9-1] a1-9 b1-4” asks for a tile that there is not."),
        ("chow:winds a1-9 DG DG", "“chow:winds a1-9 DG DG” asks for a tile that there is not."),
        ("a1-9 X", "“X” names no tile; tiles are like B1, a1, a2-8, WE or DG."),
        ("B11111 B1-9", "“B11111 B1-9” would need five of a tile."),
        (
            "pung:any pung:any pung:any pung:any pair:any",
            (
                "“pung:any pung:any pung:any pung:any pair:any” allows too many hands"
                " to be a special one."
            ),
        ),
    ],
)
def test_a_pattern_that_is_no_hand(pattern: str, said: str) -> None:
    with pytest.raises(BadPattern) as refusal:
        listed("", pattern)
    assert str(refusal.value) == said


@given(st.text("abB19-:[] chowpungirdsEW", max_size=24) | st.text(max_size=12))
def test_whatever_is_written_is_a_hand_or_told_why_not(pattern: str) -> None:
    try:
        shape = listed("", pattern)
    except BadPattern:
        return
    assert shape.hands
    assert in_words(pattern)
