"""Tiles counted in one whole number: four bits for each kind, so that five of a kind still fit."""

from collections.abc import Collection, Iterable
from typing import Final

from scoring.hands.tiles import PLACE, PLAYING_TILES, Tile

Counts = int
BITS: Final = 4
UNIT: Final = {tile: 1 << BITS * place for tile, place in PLACE.items()}
UNITS: Final = tuple(UNIT[tile] for tile in PLAYING_TILES)
_EACH: Final = sum(UNITS)
SUIT_BITS: Final = 9 * BITS
A_SUIT: Final = (1 << SUIT_BITS) - 1


def counted(tiles: Iterable[Tile]) -> Counts:
    """How many there are of each playing tile, up to fifteen; KeyError for any other tile."""
    return sum(map(UNIT.__getitem__, tiles))


def over_four(counts: Counts) -> bool:
    """Whether there are more than four of some tile."""
    return ((counts + 3 * _EACH) | counts) & 8 * _EACH != 0


def all_even(counts: Counts) -> bool:
    """Whether there are none, two or four of each tile."""
    return not counts & _EACH


def odd_ones(counts: Counts) -> int:
    """How many kinds of tile there are an odd number of."""
    return (counts & _EACH).bit_count()


def count_of(counts: Counts, place: int) -> int:
    """How many there are of the tile at that place of PLAYING_TILES."""
    return counts >> BITS * place & 15


def as_list(counts: Counts) -> list[int]:
    """How many there are of each playing tile, in the order of PLAYING_TILES."""
    return [counts >> BITS * place & 15 for place in range(len(PLAYING_TILES))]


def only_of(tiles: Collection[Tile]) -> Counts:
    """Fifteen of each of these: `counts & ~only_of(tiles)` is what there is of others."""
    return sum(15 * UNIT[tile] for tile in tiles)
