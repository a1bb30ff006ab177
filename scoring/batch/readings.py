"""The readings of winners' hands: each way to cut every part of them, and the best of all."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from scoring.batch.cuts import cuts_of
from scoring.batch.hands import Flags
from scoring.batch.piles import KINDS, PARTS, Numbers, Places
from scoring.batch.told import Told

Reckon = Callable[[Told, Places], Numbers]


class Rows(NamedTuple):
    """For each part of the hands, the first of its rows and how many there are (PARTS, n)."""

    first: Places
    many: Places


def best_reading(told: Told, placed: Flags, reckon: Reckon) -> Numbers:
    """The most that `reckon` gives a reading of each hand, by the rows it cuts the parts with.

    `placed`: the hands whose last tile has its place, in each set that it could complete.
    """
    rows = _rows(told, placed)
    best = reckon(told, rows.first)
    several = np.flatnonzero(rows.many.prod(axis=0) > 1)
    if several.size:
        best[several] = np.maximum(best[several], _best_of_the_others(told, rows, several, reckon))
    return best


def _rows(told: Told, placed: Flags) -> Rows:
    part, digit = np.divmod(told.hands.winning_tile.astype(np.intp), 9)
    part[~placed] = PARTS
    first, many = [], []
    for number, kinds in enumerate(KINDS):
        cuts = cuts_of(kinds)
        slots = cuts.slots(told.concealed[number], (digit + 1) * (part == number))
        first.append(cuts.first.take(slots))
        many.append(cuts.many.take(slots))
    return Rows(np.array(first), np.array(many, np.intp))


def _best_of_the_others(told: Told, rows: Rows, several: Places, reckon: Reckon) -> Numbers:
    """The best of the readings after the first, of hands that have several."""
    many = rows.many[:, several]
    others = many.prod(axis=0) - 1
    begins = np.cumsum(others) - others
    each = np.repeat(np.arange(several.size), others)
    number = np.arange(each.size) - begins[each] + 1
    cut = rows.first[:, several[each]]
    for part in range(PARTS):
        number, row = np.divmod(number, many[part, each])
        cut[part] += row
    return np.maximum.reduceat(reckon(told.those(several[each]), cut), begins)
