"""The shapes of the special hands that several rule sets share."""

from typing import Final

from scoring.patterns import listed
from scoring.shapes import KnittedPairs, KnittedThrees, SevenPairs
from scoring.tiles import MAJORS, PLAYING_TILES

_MAJORS = "of 1s, 9s, winds and dragons"
_EVERY_MAJOR = "B1 B9 C1 C9 O1 O9 WE WS WW WN DR DG DW"

ANY_PAIRS: Final = SevenPairs(frozenset(PLAYING_TILES))
DIFFERENT_PAIRS: Final = SevenPairs(frozenset(PLAYING_TILES), different=True)
MAJOR_PAIRS: Final = SevenPairs(MAJORS, f" {_MAJORS}")
DIFFERENT_MAJOR_PAIRS: Final = SevenPairs(MAJORS, f" {_MAJORS}", different=True)
KNITTED: Final = KnittedPairs(same_suits=True)
KNITTED_IN_ANY_SUITS: Final = KnittedPairs(same_suits=False)
KNITTED_THREES: Final = KnittedThrees()
KNITTED_THREES_AND_ANY_TWO: Final = KnittedThrees(two_alike=True)
WONDERS: Final = listed(
    "one of each 1, 9, wind and dragon, and a second of one of them",
    f"{_EVERY_MAJOR} [{_EVERY_MAJOR}]",
)
GATES: Final = listed(
    "three 1s, three 9s, 2 to 8 of one suit, one of 2 to 8 paired", "a111 a2-8 a999 [a2-8]"
)
GATES_WITH_ANY_TILE: Final = listed(
    "three 1s, three 9s, 2 to 8 of one suit and any other tile of it", "a111 a2-8 a999 [a1-9]"
)
SNAKE: Final = listed(
    "a pair of 1s, 2 to 9 of the same suit and the four winds", "a1 a1-9 WE WS WW WN"
)
