"""Which backups stay: the newest of so many days, weeks and months, and never a bad one instead.

Pure: no clock and no files. Days, weeks and months are counted among the backups that there are,
not back from today, so that a clock that was set wrong lets nothing go.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final


@dataclass(frozen=True, slots=True)
class Kept:
    """How many days, weeks and months are kept; each at least 0."""

    days: int = 7
    weeks: int = 5
    months: int = 12

    @classmethod
    def read(cls, told: str) -> "Kept":
        """From ``7,5,12``; raises ``ValueError`` for anything else."""
        numbers = [int(word) for word in told.split(",")]
        if len(numbers) != 3 or min(numbers) < 0:
            raise ValueError(f"{told!r} is not days,weeks,months, such as 7,5,12")
        return cls(*numbers)


@dataclass(frozen=True, slots=True)
class Made:
    """A backup as the rule sees it; ``key`` orders them as they were made, whatever the clock."""

    key: int
    at: datetime
    is_good: bool


Part = Callable[[datetime], Hashable]
PARTS: Final[tuple[Part, Part, Part]] = (
    lambda at: at.date(),
    lambda at: at.isocalendar()[:2],
    lambda at: (at.year, at.month),
)


def to_let_go(backups: Iterable[Made], kept: Kept) -> set[int]:
    """The keys of those that may be deleted.

    Of the good ones the last made stays, and the newest of each of the last so many days, weeks and
    months that have one. Those that are bad or were not tried stay while they are newer than every
    good one, and never count in place of one.
    """
    lot = sorted(backups, key=lambda one: one.key)
    good = [one for one in lot if one.is_good]
    stays = {one.key for one in good[-1:]}
    for part, most in zip(PARTS, (kept.days, kept.weeks, kept.months), strict=True):
        stays |= _newest_of_each(good, part, most)
    last_good = good[-1].key if good else -1
    stays |= {one.key for one in lot if not one.is_good and one.key > last_good}
    return {one.key for one in lot} - stays


def _newest_of_each(good: list[Made], part: Part, most: int) -> set[int]:
    """By the parts' own order: a clock set back does not make an old day the newest."""
    newest = {part(one.at): one for one in sorted(good, key=lambda one: (one.at, one.key))}
    last = list(newest.values())[-most:] if most else []
    return {one.key for one in last}
