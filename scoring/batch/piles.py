"""Tiles counted in columns: a pile is one number to the base five for each suit and the honours.

A digit says how many there are of a kind. Five of a kind carry, and then the digits add up to
fewer than the tiles: that is how five of a kind are told, and tiles that do not exist.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.batch.hands import NO_TILE, Bytes, Codes
from scoring.counts import BITS
from scoring.hands import EXPOSED_FROM, Kind, codes_of, known_set
from scoring.tiles import PLACE, PLAYING_TILES

Piles = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
Counts = npt.NDArray[np.uint64]

PARTS: Final = 4
KINDS: Final = (9, 9, 9, 7)
LOW: Final = 5**5
HIGH: Final = 5**4
_SPOILT: Final = LOW * HIGH
_POWERS: Final = 5 ** np.arange(9, dtype=np.int32)
SET_CODES: Final = 2 * EXPOSED_FROM


def part_of(place: int) -> tuple[int, int]:
    """The part of a pile, and its digit, that count the tile at that place of PLAYING_TILES."""
    return divmod(place, 9)


def _of_each_tile() -> Piles:
    each = np.zeros((256, PARTS), np.int32)
    each[:, 0] = _SPOILT
    for place in range(len(PLAYING_TILES)):
        part, digit = part_of(place)
        each[place] = 0
        each[place, part] = 5**digit
    each[NO_TILE] = 0
    return each


def _of_each_set() -> Piles:
    """By code and one more, so that the first is NO_SET; the last stands for all that are none."""
    each = np.zeros((SET_CODES + 2, PARTS), np.int32)
    each[1:, 0] = _SPOILT
    for kind in (Kind.CHOW, Kind.PUNG, Kind.KONG):
        for code in (*codes_of(kind, exposed=False), *codes_of(kind, exposed=True)):
            each[code + 1] = sum(OF_TILE[PLACE[tile]] for tile in known_set(code).tiles)
    return each


OF_TILE: Final = _of_each_tile()
OF_SET: Final = _of_each_set()


def pile_of(tiles: Bytes) -> Piles:
    """The piles (4, n) of tiles (14, n)."""
    pile = OF_TILE.take(tiles[0], axis=0)
    for column in tiles[1:]:
        pile += OF_TILE.take(column, axis=0)
    return np.ascontiguousarray(pile.T)


def pile_on_table(sets: Codes) -> Piles:
    """The piles (4, n) of the tiles of sets (4, n)."""
    pile = OF_SET.take(sets[0] + 1, axis=0, mode="clip")
    for column in sets[1:]:
        pile += OF_SET.take(column + 1, axis=0, mode="clip")
    return np.ascontiguousarray(pile.T)


def held_of(pile: Piles, tiles: Bytes) -> Piles:
    """How many of one tile there are in each pile; of no tile, anything."""
    part, digit = np.divmod(tiles.astype(np.intp), 9)
    row = np.minimum(part, PARTS - 1) * tiles.size
    numbers = pile.ravel().take(row + np.arange(tiles.size))
    return numbers // _POWERS.take(digit) % 5


def halves(pile: Piles) -> tuple[Places, Places]:
    """Each number's five lower digits and its others, at most HIGH, where there are too many."""
    high = pile // LOW
    low = pile - high * LOW
    return low.astype(np.intp), np.minimum(high, HIGH).astype(np.intp)


def digits(number: int, kinds: int) -> list[int]:
    """How many of each kind that number of a pile counts."""
    return [number // 5**place % 5 for place in range(kinds)]


def _nibbles(size: int, kinds: int) -> Counts:
    counts = [
        sum(digit << BITS * place for place, digit in enumerate(digits(number, kinds)))
        for number in range(size)
    ]
    return np.array(counts, np.uint64)


_LOW_COUNTS: Final = _nibbles(LOW, 5)
_HIGH_COUNTS: Final = _nibbles(HIGH, 4) << np.uint64(5 * BITS)


def counts_of(pile: Piles) -> Counts:
    """The same tiles counted as `scoring.counts` counts them, for each part (4, n)."""
    low, high = halves(pile)
    return _LOW_COUNTS.take(low) | _HIGH_COUNTS.take(high, mode="clip")
