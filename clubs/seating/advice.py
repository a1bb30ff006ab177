"""Which tables so many players can make, and what one more or one fewer would change."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import product

from clubs.seating.request import table_sizes_for

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LIKED = (4, 5, 3)
MOST_OFFERED = 3

Split = tuple[int, ...]  # the sizes of the tables, most liked first


@dataclass(frozen=True, slots=True)
class Advice:
    """For those who are here: the ways to sit with nobody left out, the best first."""

    here: int
    splits: tuple[Split, ...]
    more: Split
    fewer: Split

    @property
    def sentence(self) -> str:
        """``14 checked in: one four and two fives, or two fours and two threes.``"""
        if not self.splits:
            return (
                f"{self.here} checked in: that number cannot be seated without leaving someone out."
            )
        return f"{self.here} checked in: {', or '.join(in_words(split) for split in self.splits)}."

    @property
    def neighbours(self) -> str:
        """``With one more: three fours. With one fewer: …``; empty where neither helps."""
        said = [
            f"With one {who}: {in_words(split)}."
            for who, split in (("more", self.more), ("fewer", self.fewer))
            if split
        ]
        return " ".join(said)


def advise(here: int, allowed: Collection[int]) -> Advice:
    """The ways to seat so many at tables of the allowed sizes (of 3, 4 and 5)."""
    more, fewer = (splits_of(here + change, allowed)[:1] for change in (1, -1))
    found = splits_of(here, allowed)[:MOST_OFFERED]
    return Advice(here, found, *(split[0] if split else () for split in (more, fewer)))


def splits_of(players: int, allowed: Collection[int]) -> tuple[Split, ...]:
    """Every way that seats exactly so many, first the one that the seating would take itself."""
    sizes = liked(allowed)
    ranges = [range(players // size + 1) for size in sizes]
    ways = [
        counts
        for counts in product(*ranges)
        if players and sum(map(int.__mul__, sizes, counts)) == players
    ]
    return tuple(_split(sizes, counts) for counts in sorted(ways, key=lambda way: way[::-1]))


def usual_split(players: int, allowed: Collection[int]) -> Split:
    """The tables that the seating takes itself; raises BadRequest where there is not one table."""
    return tuple(table_sizes_for(players, liked(allowed)))


def liked(allowed: Collection[int]) -> tuple[int, ...]:
    """The allowed sizes of a club night, most liked first."""
    return tuple(size for size in LIKED if size in allowed)


def in_words(split: Iterable[int]) -> str:
    """``two fours and one three``."""
    counts = Counter(split)
    said = [
        f"{_number(counts[size])} {_tables(size, counts[size])}" for size in LIKED if counts[size]
    ]
    return " and ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said)


def _split(sizes: tuple[int, ...], counts: tuple[int, ...]) -> Split:
    return tuple(size for size, count in zip(sizes, counts, strict=True) for _ in range(count))


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _tables(size: int, count: int) -> str:
    return NUMBERS[size] if count == 1 else f"{NUMBERS[size]}s"
