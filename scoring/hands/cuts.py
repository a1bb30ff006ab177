"""Every way to cut tiles of one suit, or the honours, into sets and at most one pair.

No set reaches from one suit to another, so a hand is cut one part at a time: three suits, and the
honours. A way is the codes of its sets (`scoring.hands.hand.TileSet.code`), pungs before chows and
the pair last.
"""

from collections import defaultdict
from functools import cache
from typing import Final

from scoring.hands.hand import CHOWS_FROM, KINDS_OF_TILE, PUNGS_FROM
from scoring.hands.tiles import COUNT_BITS, GUARD, OVERFLOW_BITS, Counts

CutCodes = bytes
PART_STARTS: Final = (0, 9, 18, 27)  # the place of the first tile of each suit and of the honours
HONOURS_START: Final = 27

_MAX_SETS: Final = 4


def ways_of_part(first: int) -> dict[Counts, tuple[CutCodes, ...]]:
    """The ways of the part whose first tile has that place, by its tiles counted from there on.

    The codes are those of the first suit, or of a suit of seven kinds without chows.
    """
    return ways_by_counts(kinds_of_part(first), chows=first < HONOURS_START)


def kinds_of_part(first: int) -> int:
    return 9 if first < HONOURS_START else KINDS_OF_TILE - HONOURS_START


class PartWaits(dict[Counts, Counts]):
    """By tiles of a part: one of each tile of which one more makes it sets and at most one pair."""

    def __init__(self, first: int) -> None:
        self._cuts_by_tiles = ways_of_part(first)
        self._units = [1 << COUNT_BITS * place for place in range(kinds_of_part(first))]

    def __missing__(self, tiles: Counts) -> Counts:
        waiting = sum([unit for unit in self._units if tiles + unit in self._cuts_by_tiles])
        if waiting:
            self[tiles] = waiting
        return waiting


@cache
def parts_with_waits() -> tuple[tuple[int, dict[Counts, tuple[CutCodes, ...]], PartWaits], ...]:
    """Of each part where its tiles are counted, its ways and its waits."""
    return tuple(
        (COUNT_BITS * first, ways_of_part(first), PartWaits(first)) for first in PART_STARTS
    )


@cache
def ways_by_counts(kinds: int, *, chows: bool) -> dict[Counts, tuple[CutCodes, ...]]:
    """What every number of tiles of one suit, or of the honours, may be laid out as."""
    sets = [(bytes((PUNGS_FROM + place,)), 3 << COUNT_BITS * place) for place in range(kinds)]
    if chows:
        runs = [
            (bytes((CHOWS_FROM + place,)), 0x111 << COUNT_BITS * place)
            for place in range(kinds - 2)
        ]
        sets += runs
    pairs = [(bytes((place,)), 2 << COUNT_BITS * place) for place in range(kinds)]
    by_counts: dict[Counts, list[CutCodes]] = defaultdict(list)
    piles: list[tuple[CutCodes, int, Counts]] = [(b"", 0, 0)]
    for size in range(_MAX_SETS + 1):
        for pile, _last, counts in piles:
            by_counts[counts].append(pile)
            guarded_counts = counts + GUARD
            for pair, two in pairs:
                if not (guarded_counts + two) & OVERFLOW_BITS:
                    by_counts[counts + two].append(pile + pair)
        # One set more: the last of each pile again, or one that comes after it.
        piles = [
            (pile + code, place, counts + tiles)
            for pile, last, counts in piles
            for place, (code, tiles) in enumerate(sets[last:], last)
            if size < _MAX_SETS and not (counts + GUARD + tiles) & OVERFLOW_BITS
        ]
    return {counts: tuple(splits) for counts, splits in by_counts.items()}
