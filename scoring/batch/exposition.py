"""What can be said of hands before their tiles are cut: are they sound, what is on the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from scoring.batch.hands import (
    HIGH,
    KINDS,
    LOW,
    NO_SET,
    NO_TILE,
    NO_WIND,
    PARTS,
    Bytes,
    Flags,
    Hands,
    Numbers,
    Piles,
    Places,
    cuts_of,
    halves,
    pile_of,
    pile_on_table,
)
from scoring.batch.prices import CHOWS, FIXED, KONGS, SETS, WIND_PAIRS, Compiled, Tally
from scoring.batch.questions import Words, claimed, with_suits_counted
from scoring.hands.tiles import Wind

_NEVER: Final = 99

REFUSED, UNSURE = -1, -2


def _digit_sums(size: int) -> Bytes:
    sums = [sum(number // 5**place % 5 for place in range(5)) for number in range(size)]
    return np.array(sums, np.uint8)


_LOW_SUMS: Final = _digit_sums(LOW)
_HIGH_SUMS: Final = np.append(_digit_sums(HIGH), np.uint8(_NEVER))


@dataclass(frozen=True, slots=True)
class Exposition:
    """Hands, with their tiles in piles and all that is known of them but their cuts.

    `numbers` and `words` are of the sets on the table, `known` of the circumstances; `bonus`: the
    points of the bonus tiles; `winds`: which of WIND_PAIRS; `size`: how many tiles, a kong counting
    as three; `sound`: nothing speaks against the tiles.
    """

    hands: Hands
    concealed: Piles
    whole: Piles
    numbers: Numbers
    words: Words
    known: Words
    bonus: Numbers
    winds: Places
    size: Bytes
    sound: Flags

    def those(self, chosen: Places) -> "Exposition":
        """Only those hands."""
        return Exposition(
            self.hands.those(chosen),
            self.concealed[:, chosen],
            self.whole[:, chosen],
            self.numbers[chosen],
            self.words[chosen],
            self.known[chosen],
            self.bonus[chosen],
            self.winds[chosen],
            self.size[chosen],
            self.sound[chosen],
        )

    @property
    def may_be_loose(self) -> Flags:
        """Where no set was claimed and no kong declared."""
        return FIXED.of(self.numbers) == 0

    def loose(self, rules: Compiled) -> Tally:
        """Every hand as loose tiles."""
        words = self.known | rules.as_loose
        low, high = halves(self.whole)
        for part, standing in enumerate(rules.standing):
            words |= standing.loose_low.take(low[part]) | standing.loose_high.take(high[part])
        return Tally(np.zeros_like(self.bonus), with_suits_counted(words), self.bonus)

    def standing(self, rules: Compiled, concealed: Piles) -> tuple[Numbers, Words]:
        """What these tiles stand as, sets or not, and the words of all that is held beside them."""
        low, high = halves(concealed)
        numbers, words = np.zeros_like(self.numbers), self.words | self.known
        for part, standing in enumerate(rules.standing):
            for half, places in ((standing.low, low[part]), (standing.high, high[part])):
                more, marks = half.at(places, self.winds)
                numbers += more
                words |= marks
        return numbers, words


def exposition_of(hands: Hands, rules: Compiled) -> Exposition:
    """All that is known of the hands but their cuts."""
    seat = np.minimum(hands.seat_wind, len(Wind) - 1).astype(np.intp)
    winds = seat * (len(WIND_PAIRS) // len(Wind)) + np.minimum(hands.prevailing_wind, NO_WIND)
    numbers, words = rules.on_table.at((hands.sets[0] - NO_SET).astype(np.intp), winds)
    for column in hands.sets[1:]:
        more, marks = rules.on_table.at((column - NO_SET).astype(np.intp), winds)
        numbers += more
        words |= marks
    concealed = pile_of(hands.concealed)
    whole = concealed + pile_on_table(hands.sets)
    bonus = rules.bonus.take(hands.bonus)
    in_hand = (hands.concealed != NO_TILE).sum(axis=0, dtype=np.uint8)
    sets, kongs = SETS.of(numbers), KONGS.of(numbers)
    size = (in_hand + 3 * sets).astype(np.uint8)
    there = (hands.concealed == hands.winning_tile).any(axis=0)
    sound = (
        (_tiles(whole) == size + kongs)
        & np.where(hands.mahjong, size == 14, size <= 13)
        & np.where(hands.winning_tile == NO_TILE, ~claimed(hands), there)
        & (bonus >= 0)
        & (CHOWS.of(numbers) <= rules.chows_allowed.take(hands.players))
    )
    known = rules.circumstances.words(hands, kongs, whole)
    return Exposition(hands, concealed, whole, numbers, words, known, bonus, winds, size, sound)


def _tiles(pile: Piles) -> Bytes:
    """How many tiles a pile counts; another number where there are more than four of a kind."""
    low, high = halves(pile)
    return (_LOW_SUMS.take(low) + _HIGH_SUMS.take(high)).sum(axis=0, dtype=np.uint8)


Reckon = Callable[[Exposition, Places], Numbers]


class Rows(NamedTuple):
    """For each part of the hands, the first of its rows and how many there are (PARTS, n)."""

    first: Places
    many: Places


def best_reading(exposition: Exposition, placed: Flags, reckon: Reckon) -> Numbers:
    """The most that `reckon` gives a reading of each hand, by the rows it cuts the parts with.

    `placed`: the hands whose last tile has its place, in each set that it could complete.
    """
    part, digit = np.divmod(exposition.hands.winning_tile.astype(np.intp), 9)
    part[~placed] = PARTS
    first, many = [], []
    for number, kinds in enumerate(KINDS):
        cuts = cuts_of(kinds)
        slots = cuts.slots(exposition.concealed[number], (digit + 1) * (part == number))
        first.append(cuts.first.take(slots))
        many.append(cuts.many.take(slots))
    rows = Rows(np.array(first), np.array(many, np.intp))
    best = reckon(exposition, rows.first)
    several = np.flatnonzero(rows.many.prod(axis=0) > 1)
    if several.size:
        best[several] = np.maximum(
            best[several], _best_of_the_others(exposition, rows, several, reckon)
        )
    return best


def _best_of_the_others(
    exposition: Exposition, rows: Rows, several: Places, reckon: Reckon
) -> Numbers:
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
    return np.maximum.reduceat(reckon(exposition.those(several[each]), cut), begins)
