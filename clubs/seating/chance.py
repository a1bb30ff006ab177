"""Chance that falls alike on every machine, and a bound on the search that does so too."""

import random
from collections.abc import MutableSequence
from typing import TypeVar

Item = TypeVar("Item")

LOOKS_A_SECOND = 200_000  # half of what a slow laptop takes


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


class Allowance:
    """How long a search may look for better: looks are counted, so that no clock decides.

    A look weighs one exchange of two players. `cut` remembers that someone was told to stop.
    """

    def __init__(self, seconds: float) -> None:
        self._looks = seconds * LOOKS_A_SECOND
        self.cut = False

    def spend(self, looks: float) -> None:
        """Count looks that were taken."""
        self._looks -= looks

    def is_over(self) -> bool:
        """Whether nothing is left; asking when nothing is marks the search as cut."""
        self.cut = self.cut or self._looks <= 0
        return self.cut
