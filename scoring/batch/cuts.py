"""Every way to cut one suit, or the honours, into sets: `scoring.ways` as arrays."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.batch.hands import NO_SET, Codes, Flags
from scoring.batch.piles import Places
from scoring.counts import BITS, Counts
from scoring.hands import EXPOSED_FROM, Kind, codes_of, known_set
from scoring.tiles import SUIT_TILES
from scoring.ways import Way, ways_by_counts

_MOST_GROUPS: Final = 5


class Cuts(NamedTuple):
    """The rows of a suit, or of the honours: each a way to cut some pile.

    `groups` (rows, 5): the codes of the row's sets as if of the first suit, NO_SET where there
    are fewer; row 0 cuts nothing. `known`: by the number of a pile, which it is of those that can
    be cut, 0 for none. `first` and `many`: by slot, the rows of a pile.
    """

    kinds: int
    groups: Codes
    known: npt.NDArray[np.int16]
    first: npt.NDArray[np.int32]
    many: npt.NDArray[np.uint8]

    def slots(self, pile: Places, claimed: Places) -> Places:
        """Where the rows of each pile are told; `claimed`: one more than its digit, 0 for none.

        Each set that a claimed tile could complete is a row, and the set is exposed.
        """
        known = self.known.take(pile, mode="clip").astype(np.intp)
        return known * (self.kinds + 1) + claimed


@cache
def cuts_of(kinds: int) -> Cuts:
    """The ways to cut a part of a pile that counts so many kinds of tile."""
    ways = ways_by_counts(kinds, chows=kinds == 9)
    known = np.zeros(5**kinds, np.int16)
    known[[_number(counts) for counts in ways]] = np.arange(1, len(ways) + 1)
    groups = _laid([way for several in ways.values() for way in several])
    slots = np.repeat(np.arange(1, len(ways) + 1), [*map(len, ways.values())]) * (kinds + 1)
    rows = [_laid([b""]), groups]
    owners = [np.zeros(1, np.intp), slots]
    for column, digit in product(range(_MOST_GROUPS), range(kinds)):
        completed = _completed(groups, column, digit)
        rows.append(_opened(groups[completed], column))
        owners.append(slots[completed] + digit + 1)
    return _in_slots(kinds, known, np.concatenate(rows), np.concatenate(owners))


def _in_slots(
    kinds: int, known: npt.NDArray[np.int16], rows: Codes, slots: npt.NDArray[np.intp]
) -> Cuts:
    """The rows in the order of their slots; a slot without any has row 0."""
    order = np.argsort(slots, kind="stable")
    many = np.bincount(slots, minlength=(int(known.max()) + 1) * (kinds + 1))
    first = np.where(many, np.cumsum(many) - many, 0).astype(np.int32)
    return Cuts(kinds, rows[order], known, first, np.maximum(many, 1).astype(np.uint8))


def _number(counts: Counts) -> int:
    """The number of a pile of tiles so counted."""
    number, unit = 0, 1
    while counts:
        number += unit * (counts & 15)
        counts, unit = counts >> BITS, unit * 5
    return number


def _laid(ways: Sequence[Way]) -> Codes:
    filled = [[*way, *[NO_SET] * (_MOST_GROUPS - len(way))] for way in ways]
    return np.array(filled, np.int16)


def _completed(groups: Codes, column: int, digit: int) -> Flags:
    """The rows where a tile could complete that set, and no equal set that stands before it."""
    here = groups[:, column]
    completed: Flags = np.isin(here, _sets_with(digit))
    for before in range(column):
        completed &= groups[:, before] != here
    return completed


@cache
def _sets_with(digit: int) -> list[int]:
    """The codes of the first suit's sets that hold that tile."""
    kinds = (Kind.PAIR, Kind.CHOW, Kind.PUNG)
    codes = [code for kind in kinds for code in codes_of(kind, exposed=False)]
    return [code for code in codes if SUIT_TILES[digit] in known_set(code).tiles]


def _opened(groups: Codes, column: int) -> Codes:
    opened = groups.copy()
    opened[:, column] += EXPOSED_FROM
    return opened
