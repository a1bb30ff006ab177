"""Chance that falls alike on every machine, and a bound on the time spent."""

import random
import time
from collections.abc import MutableSequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """Numbers from a seed; only `random()` is used, which no version of Python changes."""

    def __init__(self, seed: int) -> None:
        self.roll = random.Random(seed).random  # noqa: S311 - seating, not secrets

    def below(self, sides: int) -> int:
        """A whole number from 0 to `sides` - 1."""
        return int(self.roll() * sides)

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put `items` into a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


class Stopwatch:
    """Seconds since it was made; `cut` remembers that somebody was told to stop."""

    def __init__(self, seconds: float) -> None:
        self._start = time.monotonic()
        self._seconds = seconds
        self.cut = False

    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def is_over(self) -> bool:
        """Whether the bound has passed; asking when it has marks the search as cut."""
        self.cut = self.cut or self.spent() >= self._seconds
        return self.cut
