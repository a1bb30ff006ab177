"""Hands of another shape than sets and a pair: what they are made of, and how far off a hand is.

Every shape answers three questions about tiles counted in one number (`scoring.counts`):
whether fourteen tiles are that shape, whether thirteen are one tile short of it, and how many
tiles any hand lacks. It also says how many equal tiles stand together in it: four of a kind in
seven pairs are two pairs, and no pung.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import ClassVar, Protocol, runtime_checkable

from scoring.counts import (
    BITS,
    UNITS,
    Counts,
    all_even,
    as_list,
    odd_ones,
    only_of,
    over_four,
)
from scoring.tiles import Tile

_ALL_SUITS = 27 * BITS


@runtime_checkable
class Shape(Protocol):
    """What fourteen tiles of a special hand look like."""

    @property
    def words(self) -> str:
        """The shape in the words of the book."""

    @property
    def most_alike(self) -> int:
        """How many equal tiles stand together in it: 1, 2 in pairs, or 3 in pungs."""

    def whole(self, counts: Counts) -> bool:
        """Whether these fourteen tiles are the shape."""

    def near(self, counts: Counts) -> bool:
        """Whether one tile more, of which there are not four yet, makes the shape."""

    def short(self, counts: Counts) -> int:
        """How many tiles of the shape nearest to it the hand lacks."""


@dataclass(frozen=True)
class SevenPairs:
    """Seven pairs of the tiles named; four of a kind are two pairs unless `different`."""

    of: frozenset[Tile]
    of_words: str = ""
    different: bool = False
    most_alike: ClassVar[int] = 2

    @property
    def words(self) -> str:
        """The shape in the words of the book."""
        words = f"seven pairs{self.of_words}"
        return f"{words}, no pair twice" if self.different else words

    @cached_property
    def _others(self) -> Counts:
        return ~only_of(self.of)

    def whole(self, counts: Counts) -> bool:
        """Fourteen tiles, an even number of each."""
        return not counts & self._others and all_even(counts) and self._pairs(counts) == 7

    def near(self, counts: Counts) -> bool:
        """Thirteen tiles, one of them odd."""
        if counts & self._others or odd_ones(counts) != 1:
            return False
        odd = self._pairs(counts)
        return odd == 6 and (not self.different or self.short(counts) == 1)

    def short(self, counts: Counts) -> int:
        """Fourteen less the tiles that can be in seven pairs."""
        held = [min(n, 2 if self.different else 4) for n in as_list(counts & ~self._others)]
        pairs = min(7, sum(n // 2 for n in held))
        singles = sum(n % 2 for n in held)
        return 14 - 2 * pairs - min(singles, 7 - pairs)

    def _pairs(self, counts: Counts) -> int:
        most = 2 if self.different else 4
        return sum(min(n, most) // 2 for n in as_list(counts))


@dataclass(frozen=True)
class KnittedPairs:
    """Seven pairs, each of one number in two suits; of the same two suits throughout, or of any."""

    same_suits: bool
    most_alike: ClassVar[int] = 1

    @property
    def words(self) -> str:
        """The shape in the words of the book."""
        words = "seven pairs, each of one number in two suits"
        return f"{words}, the same two suits throughout" if self.same_suits else words

    def whole(self, counts: Counts) -> bool:
        """Every tile has its partner."""
        return _size(counts) == 14 and not counts >> _ALL_SUITS and self.short(counts) == 0

    def near(self, counts: Counts) -> bool:
        """One tile has none, and there is one to be had."""
        if counts >> _ALL_SUITS or _size(counts) != 13:
            return False
        return self.short(counts) == 1 and any(map(self.whole, _one_more(counts)))

    def short(self, counts: Counts) -> int:
        """Fourteen less the tiles that can be knitted in pairs."""
        suits = _suits(counts)
        if self.same_suits:
            return min(_lacking(_two_suits(one, two)) for one, two in combinations(suits, 2))
        return _lacking([_knit_any(held) for held in zip(*suits, strict=True)])


def _two_suits(one: list[int], two: list[int]) -> list[tuple[int, int]]:
    """For each number its pairs in both suits, and the tiles left over."""
    return [(min(a, b), abs(a - b)) for a, b in zip(one, two, strict=True)]


def _knit_any(held: tuple[int, ...]) -> tuple[int, int]:
    pairs = min(sum(held) // 2, sum(held) - max(held))
    return pairs, sum(held) - 2 * pairs


def _lacking(knitted: list[tuple[int, int]]) -> int:
    pairs = min(7, sum(pair for pair, _left in knitted))
    singles = sum(left for _pair, left in knitted)
    return 14 - 2 * pairs - min(singles, 7 - pairs)


@dataclass(frozen=True)
class KnittedThrees:
    """Four threes of one number in the three suits, and two of one number in two suits.

    `two_alike`: the two may be of one suit as well.
    """

    two_alike: bool = False
    most_alike: ClassVar[int] = 1

    @property
    def words(self) -> str:
        """The shape in the words of the book."""
        words = "four threes of one number in the three suits and two of one number"
        return words if self.two_alike else f"{words} in two suits"

    @property
    def _twos(self) -> Iterator[tuple[int, int]]:
        """The suits of the two."""
        ways = combinations_with_replacement if self.two_alike else combinations
        return ways(range(3), 2)

    def whole(self, counts: Counts) -> bool:
        """The suits hold every number alike, but for the two of one number."""
        over = _over_the_least(counts) if _size(counts) == 14 else None
        return over == [(1, 1)] or (self.two_alike and over == [(0, 2)])

    def near(self, counts: Counts) -> bool:
        """One tile more makes the suits hold every number alike, but for the two."""
        over = _over_the_least(counts) if _size(counts) == 13 else None
        if over in ([(0, 1)], [(2, 2)], [(1, 1), (1, 1)]):
            return True
        return self.two_alike and over in ([(1, 3)], [(0, 2), (1, 1)])

    def short(self, counts: Counts) -> int:
        """Fourteen less the tiles that the best four threes and a two can take."""
        by_number: list[tuple[int, ...]] = list(zip(*_suits(counts), strict=True))
        return 14 - max(
            _best_with_two(by_number, number, two) for number in range(9) for two in self._twos
        )


def _over_the_least(counts: Counts) -> list[tuple[int, int]] | None:
    """Of each number that the suits hold unalike, what two suits hold over the third, sorted.

    None where there are winds or dragons.
    """
    if counts >> _ALL_SUITS:
        return None
    by_number = map(sorted, zip(*_suits(counts), strict=True))
    return sorted(
        (middle - least, most - least) for least, middle, most in by_number if most > least
    )


def _best_with_two(by_number: list[tuple[int, ...]], number: int, two: tuple[int, int]) -> int:
    """How many tiles that two and the best four threes beside it hold."""
    left = [list(held) for held in by_number]
    taken = 0
    for suit in two:
        if left[number][suit]:
            left[number][suit] -= 1
            taken += 1
    return taken + _best_threes(left)


def _best_threes(by_number: list[list[int]]) -> int:
    """How many tiles the best four threes hold: the n-th three of a number takes the n-th tiles."""
    threes = [sum(n >= nth for n in held) for held in by_number for nth in (1, 2, 3, 4)]
    return sum(sorted(threes, reverse=True)[:4])


@dataclass(frozen=True)
class Unrelated:
    """Fourteen different tiles, no two of which could stand in one set.

    `in_rows`: the suits' numbers are of 1-4-7, 2-5-8 and 3-6-9, each row in a suit of its own.
    """

    in_rows: bool = False
    most_alike: ClassVar[int] = 1

    @property
    def words(self) -> str:
        """The shape in the words of the book."""
        words = "fourteen tiles of which no two could belong to one set"
        rows = "its suits of 1-4-7, 2-5-8 and 3-6-9, each row in a suit of its own"
        return f"{words}, {rows}" if self.in_rows else words

    def whole(self, counts: Counts) -> bool:
        """No tile twice, and numbers of a suit three apart or more."""
        return _size(counts) == 14 and self.short(counts) == 0

    def near(self, counts: Counts) -> bool:
        """One tile more makes fourteen such tiles."""
        return _size(counts) == 13 and any(map(self.whole, _one_more(counts)))

    def short(self, counts: Counts) -> int:
        """Fourteen less the most tiles that are unrelated."""
        suits = _suits(counts)
        suited = _most_in_rows(suits) if self.in_rows else sum(map(_most_apart, suits))
        return 14 - suited - sum(n > 0 for n in as_list(counts)[27:])


def _most_apart(suit: list[int]) -> int:
    """The most tiles of one suit with numbers three apart."""
    best = [0, 0, 0]
    for n in suit:
        best.append(max(best[-1], best[-3] + (1 if n else 0)))
    return best[-1]


def _most_in_rows(suits: list[list[int]]) -> int:
    """The most different tiles of 1-4-7, 2-5-8 and 3-6-9, each row in another suit."""
    return max(
        sum(n > 0 for suit, first in zip(suits, rows, strict=True) for n in suit[first::3])
        for rows in permutations(range(3))
    )


@dataclass(frozen=True)
class Listed:
    """Tiles named one by one, in every suit that they may be of (`scoring.patterns`)."""

    words: str
    hands: frozenset[Counts]
    most_alike: ClassVar[int] = 3

    @cached_property
    def one_short(self) -> frozenset[Counts]:
        """The hands without one of their tiles."""
        return frozenset(
            hand - unit
            for hand in self.hands
            for place, unit in enumerate(UNITS)
            if hand >> BITS * place & 15
        )

    def whole(self, counts: Counts) -> bool:
        """The tiles are one of the hands."""
        return counts in self.hands

    def near(self, counts: Counts) -> bool:
        """The tiles are one of the hands without one of its tiles."""
        return counts in self.one_short

    def short(self, counts: Counts) -> int:
        """The fewest tiles that one of the hands has and these have not."""
        held = as_list(counts)
        return min(_lacks(held, as_list(hand)) for hand in self.hands)


def _lacks(held: list[int], wanted: list[int]) -> int:
    return sum(max(0, want - have) for want, have in zip(wanted, held, strict=True))


@dataclass(frozen=True)
class ByChoice:
    """One shape or another, as the rule set's open point of that name is played."""

    name: str
    yes: Shape
    no: Shape

    def played(self, choices: Mapping[str, bool | int]) -> Shape:
        """The shape as it is played."""
        return self.yes if choices[self.name] else self.no


def _suits(counts: Counts) -> list[list[int]]:
    held = as_list(counts)
    return [held[0:9], held[9:18], held[18:27]]


def _size(counts: Counts) -> int:
    return sum(as_list(counts))


def _one_more(counts: Counts) -> Iterator[Counts]:
    return (more for unit in UNITS if not over_four(more := counts + unit))
