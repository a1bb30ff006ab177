"""The special hands of other shapes, looked for among many hands at once.

Counts are as in `scoring.hands.tiles`, four bits for each kind, in a row for each suit and one
for the honours (4, n). Each answer is the shape's own; a shape without a faster way
is asked one by one.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import permutations, product
from typing import Final, NamedTuple

import numpy as np

from scoring.batch.hands import PARTS, Flags
from scoring.batch.questions import Words
from scoring.hands import tiles as counting
from scoring.hands.tiles import BITS, SUIT_BITS
from scoring.rules.shapes import KnittedPairs, KnittedThrees, Listed, SevenPairs, Shape, Unrelated


def _each_of_a_suit(many: int) -> Words:
    """So many of every suit tile in turn (4, 27, 1)."""
    counts = np.zeros((PARTS, 27, 1), np.uint64)
    for suit, number in product(range(3), range(9)):
        counts[suit, 9 * suit + number] = many << BITS * number
    return counts


_EACH: Final = np.uint64(0x111111111)
_ONE: Final = np.uint64(1)
_EIGHTS: Final = np.uint64(8) * _EACH
_FOURS: Final = np.uint64(4) * _EACH
_ONE_OF_A_SUIT: Final = _each_of_a_suit(1)
_FOURS_OF_A_SUIT: Final = _each_of_a_suit(4)
_FACTORS: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)
_TURNED: Final = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
_FINGERS: Final = np.uint64(48)


def whole(shape: Shape, counts: Words) -> Flags:
    """Which of these hands of fourteen tiles are the shape."""
    match shape:
        case SevenPairs():
            return _only(shape, counts) & ~_any(counts & _EACH) & ~_unlike(shape, counts)
        case KnittedPairs():
            return (counts[3] == 0) & (_two_suits if shape.same_suits else _any_suits)(counts)
        case KnittedThrees():
            return (counts[3] == 0) & _threes(shape, counts)
        case Listed():
            return _listing(shape.hands).holds(counts)
        case Unrelated():
            return _all_different(counts, shape.whole)
    return _one_by_one(shape.whole, counts)


def near(shape: Shape, counts: Words) -> Flags:
    """Which of these hands of thirteen tiles are one tile short of the shape."""
    match shape:
        case SevenPairs():
            return (
                _only(shape, counts)
                & (np.bitwise_count(counts & _EACH).sum(axis=0, dtype=np.uint8) == 1)
                & ~_unlike(shape, counts)
            )
        case KnittedPairs():
            return (counts[3] == 0) & (_near_two if shape.same_suits else _near_any)(counts)
        case KnittedThrees():
            suited = np.flatnonzero(counts[3] == 0)
            of_suits = counts[:, np.newaxis, suited]
            could_come = (of_suits & _FOURS_OF_A_SUIT == 0).all(axis=0)
            flags = np.zeros(counts.shape[1:], np.bool_)
            flags[suited] = (could_come & _threes(shape, of_suits + _ONE_OF_A_SUIT)).any(axis=0)
            return flags
        case Listed():
            return _listing(shape.one_short).holds(counts)
        case Unrelated():
            return _all_different(counts, shape.near)
    return _one_by_one(shape.near, counts)


def split(counts: counting.Counts) -> Words:
    """Counts in one number as a row for each suit and one for the honours."""
    suit = (1 << SUIT_BITS) - 1
    return np.array([counts >> SUIT_BITS * part & suit for part in range(PARTS)], np.uint64)


def _one_by_one(predicate: Callable[[counting.Counts], bool], counts: Words) -> Flags:
    return np.array(
        [
            predicate(sum(int(row) << SUIT_BITS * part for part, row in enumerate(column)))
            for column in counts.T
        ],
        np.bool_,
    )


def _all_different(counts: Words, predicate: Callable[[counting.Counts], bool]) -> Flags:
    """Which of the hands without two of any tile are so."""
    flags = ~_any(counts & ~_EACH)
    flags[flags] = _one_by_one(predicate, counts[:, flags])
    return flags


def _any(counts: Words) -> Flags:
    return np.bitwise_or.reduce(counts) != 0


def _only(shape: SevenPairs, counts: Words) -> Flags:
    others = ~split(counting.only_of(shape.of))
    return ~_any(counts & others[:, np.newaxis])


def _unlike(shape: SevenPairs, counts: Words) -> Flags:
    """Which hold three or four of a kind where every pair must be of another kind."""
    if not shape.different:
        return np.zeros(counts.shape[1:], np.bool_)
    return _any(counts & _FOURS | counts & counts >> _ONE & _EACH)


def _a_unit(counts: Words) -> Flags:
    """Where there is one tile and no more."""
    return (counts & _EACH == counts) & (counts & (counts - _ONE) == 0) & (counts != 0)


def _two_suits(counts: Words) -> Flags:
    flags = np.zeros(counts.shape[1:], np.bool_)
    for first, two, third in _TURNED:
        flags |= (counts[third] == 0) & (counts[first] == counts[two])
    return flags


def _near_two(counts: Words) -> Flags:
    flags = np.zeros(counts.shape[1:], np.bool_)
    for first, two, third in permutations(range(3)):
        flags |= (counts[third] == 0) & _a_unit(counts[first] - counts[two])
    return flags


def _any_suits(counts: Words) -> Flags:
    """Every number even in all, and not more of one suit than of the two others."""
    total = counts[0] + counts[1] + counts[2]
    return (total & _EACH == 0) & _balanced(counts, total)


def _near_any(counts: Words) -> Flags:
    total = counts[0] + counts[1] + counts[2]
    odd = total & _EACH
    return (np.bitwise_count(odd) == 1) & _balanced(counts, total + odd)


def _balanced(counts: Words, total: Words) -> Flags:
    """Where no suit has more than half of any number, `total` being even in each."""
    half = (total >> _ONE) | _EIGHTS
    room = np.full(total.shape, _EIGHTS)
    for suit in counts[:3]:
        room &= half - suit
    return room & _EIGHTS == _EIGHTS


def _threes(shape: KnittedThrees, counts: Words) -> Flags:
    """Every number alike in the suits, but for two of one number."""
    flags = np.zeros(counts.shape[1:], np.bool_)
    for first, two, three in (counts[list(suits)] for suits in _TURNED):
        flags |= (first == two) & _a_unit(first - three)
        if shape.two_alike:
            more = three - first
            flags |= (first == two) & (more & _ONE == 0) & _a_unit(more >> _ONE)
    return flags


def with_one_more(counts: Words, part: int, digit: int) -> Words:
    """The same counts with one more of that kind."""
    more = counts.copy()
    more[part] += _ONE << np.uint64(BITS * digit)
    return more


class _Listing(NamedTuple):
    """Hands in the order of a number made of them, and which numbers begin like one of them."""

    hands: Words
    numbers: Words
    begins: Flags

    def holds(self, counts: Words) -> Flags:
        """Which of the hands are listed."""
        numbers = _mixed(counts)
        flags = self.begins.take((numbers >> _FINGERS).astype(np.intp))
        likely = np.flatnonzero(flags)
        at = np.searchsorted(self.numbers, numbers[likely])
        there = np.minimum(at, self.numbers.size - 1)
        flags[likely] = (self.hands[:, there] == counts[:, likely]).all(axis=0)
        return flags


@lru_cache(maxsize=64)
def _listing(hands: frozenset[counting.Counts]) -> _Listing:
    listed = np.stack([split(hand) for hand in hands], axis=1)
    numbers = _mixed(listed)
    order = np.argsort(numbers)
    begins = np.zeros(1 << 64 - int(_FINGERS), np.bool_)
    begins[(numbers >> _FINGERS).astype(np.intp)] = True
    return _Listing(listed[:, order], numbers[order], begins)


def _mixed(counts: Words) -> Words:
    """A number made of each hand; hands that differ have different ones, but for ill luck."""
    mixed = counts[0] * _FACTORS[0]
    for row, factor in zip(counts[1:], _FACTORS[1:], strict=True):
        mixed ^= row * factor
    return mixed
