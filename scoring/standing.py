"""The sets worth most that stand in the tiles of a hand, whatever is left over scoring nothing.

Chows, pungs and pairs are all tried, one suit at a time: no set reaches from one suit to another.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from scoring.counts import A_SUIT, BITS, Counts
from scoring.hands import CHOWS_FROM, PUNGS_FROM

if TYPE_CHECKING:
    from scoring.book import Price

_KINDS: Final = (0, 9, 18, 27)
_HONOURS: Final = 27
_LAST_CHOW: Final = 6
_A_CHOW: Final = 0x111
_REMEMBERED: Final = 1 << 14


class Stand(NamedTuple):
    """Sets by their codes, and what they score together, in points."""

    points: int
    codes: bytes


class BestSets:
    """What tiles score at most as sets, each set being worth its price."""

    def __init__(self, prices: "Mapping[int, Price]") -> None:
        self._prices = prices
        self._best = lru_cache(_REMEMBERED)(self._best_of)

    def among(self, counts: Counts) -> bytes:
        """The codes of the sets worth most that stand in these tiles."""
        kinds = ((first, counts >> BITS * first & A_SUIT) for first in _KINDS)
        return b"".join([self._best(first, tiles).codes for first, tiles in kinds])

    def _best_of(self, first: int, tiles: Counts) -> Stand:
        """The best of one suit, or of the honours, whose tiles begin at that place."""
        if not tiles:
            return Stand(0, b"")
        lowest = (tiles & -tiles).bit_length() // BITS
        ways = [self._with(code, first, tiles - set_) for code, set_ in _sets(first, lowest, tiles)]
        ways.append(self._best(first, tiles - (1 << BITS * lowest)))
        return max(ways, key=lambda way: way.points)

    def _with(self, code: int, first: int, left: Counts) -> Stand:
        best = self._best(first, left)
        return Stand(best.points + self._prices[code].points, bytes((code,)) + best.codes)


def _sets(first: int, lowest: int, tiles: Counts) -> Iterator[tuple[int, Counts]]:
    """The code and the tiles of each set that the lowest tile can stand in."""
    many = tiles >> BITS * lowest & 15
    place = first + lowest
    if many >= 3:
        yield PUNGS_FROM + place, 3 << BITS * lowest
    if first < _HONOURS and lowest <= _LAST_CHOW and _all_three(tiles >> BITS * lowest):
        yield CHOWS_FROM + place, _A_CHOW << BITS * lowest
    if many >= 2:
        yield place, 2 << BITS * lowest


def _all_three(tiles: Counts) -> bool:
    return bool(tiles & 0xF and tiles & 0xF0 and tiles & 0xF00)
