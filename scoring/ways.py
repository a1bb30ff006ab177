"""Every way in which tiles without jokers can be cut into sets and pairs: a table, made once.

One suit's tiles are looked up as they are; the suits and the honours are then put together. A way
is a string of bytes, each the code of a set (`scoring.hands.TileSet.code`), which makes it quick
to move from one suit to another and to join. Four equal tiles are never a kong: a kong is declared.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from scoring.counts import A_SUIT, BITS, Counts, over_four
from scoring.hands import CHOWS_FROM, PUNGS_FROM

Way = bytes

_MOST_SETS: Final = 4
_HONOURS: Final = 27
_SUITS: Final = (0, 9, 18)
_NO_CHOWS: Final = bytes(code for code in range(256) if not CHOWS_FROM <= code < PUNGS_FROM)

_Piece = tuple[int, Counts]  # the code of a set of the first suit, and its tiles
_Table = dict[Counts, tuple[Way, ...]]


def ways_to_lay_out(counts: Counts, groups: int) -> Sequence[Way]:
    """Every way in which the tiles are so many groups, one of them a pair."""
    found: Sequence[Way] = ()
    for table, shift in _tables():
        tiles = counts >> shift & A_SUIT
        if tiles:
            part = table.get(tiles)
            if part is None:
                return ()
            found = [way + more for way in found for more in part] if found else part
    return found if found and len(found[0]) == groups else ()


@cache
def _tables() -> tuple[tuple[_Table, int], ...]:
    """The table of each suit and of the honours, and where its tiles begin in the counts."""
    suit, honours = ways_by_counts(9, chows=True), ways_by_counts(7, chows=False)
    tables = [(_moved(suit, first), BITS * first) for first in _SUITS]
    return *tables, (_moved(honours, _HONOURS), BITS * _HONOURS)


def _moved(table: _Table, first: int) -> _Table:
    """The same for tiles that begin at that place."""
    by = bytes(min(code + first, 255) for code in range(256))
    return {counts: tuple([way.translate(by) for way in ways]) for counts, ways in table.items()}


def chows(way: Way) -> int:
    """How many of the sets are chows."""
    return len(way.translate(None, _NO_CHOWS))


@cache
def ways_by_counts(kinds: int, *, chows: bool) -> _Table:
    """What every number of tiles of one suit, or of the honours, may be laid out as."""
    sets, pairs = _pieces(kinds, chows=chows)
    tiles = dict(sets + pairs)
    found: dict[Counts, list[Way]] = {}
    for pile in _piles(sets, _MOST_SETS):
        counts = sum([tiles[code] for code in pile])
        found.setdefault(counts, []).append(bytes(pile))
        for code, two in pairs:
            if not over_four(counts + two):
                found.setdefault(counts + two, []).append(bytes((*pile, code)))
    return {counts: tuple(ways) for counts, ways in found.items()}


def _pieces(kinds: int, *, chows: bool) -> tuple[list[_Piece], list[_Piece]]:
    """The pungs and chows of so many kinds of tile, and the pairs."""
    pungs = [(PUNGS_FROM + place, 3 << BITS * place) for place in range(kinds)]
    runs = [(CHOWS_FROM + place, 0x111 << BITS * place) for place in range(kinds - 2)]
    pairs = [(place, 2 << BITS * place) for place in range(kinds)]
    return pungs + (runs if chows else []), pairs


def _piles(sets: Sequence[_Piece], most: int, counts: Counts = 0) -> Iterator[tuple[int, ...]]:
    """Every choice of so many sets at most, the same one perhaps again, that four tiles allow."""
    yield ()
    for place, (code, tiles) in enumerate(sets):
        if most and not over_four(counts + tiles):
            for more in _piles(sets[place:], most - 1, counts + tiles):
                yield (code, *more)
