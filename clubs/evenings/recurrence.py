"""The dates on which a regular evening falls: plain dates, no clock, no database."""

from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from clubs.language.moments import weekday

LAST = 5
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", LAST: "last"}
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Evenings on the weekday of ``first_on``, until ``last_on``.

    ``weeks``: the weeks of the month, 1 to 4, and 5 for the last. Without: every ``every`` weeks.
    """

    first_on: date
    last_on: date
    every: int = 1
    weeks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Break:
    """Closed dates, first and last included."""

    name: str
    first_on: date
    last_on: date


def days_of(pattern: Pattern) -> tuple[date, ...]:
    """Every day of the pattern, earliest first."""
    if pattern.weeks:
        weekly = _weekly(pattern.first_on, pattern.last_on, 1)
        return tuple(day for day in weekly if _falls(day, pattern.weeks))
    return tuple(_weekly(pattern.first_on, pattern.last_on, pattern.every))


def break_on(day: date, breaks: Iterable[Break]) -> str:
    """Why the club does not meet on that day; empty if it does."""
    return next((pause.name for pause in breaks if pause.first_on <= day <= pause.last_on), "")


def in_words(pattern: Pattern) -> str:
    """``Every Tuesday``, ``Every other Tuesday`` or ``The 1st and 3rd Friday of the month``."""
    day = weekday(pattern.first_on)
    if pattern.weeks:
        weeks = [ORDINALS[week] for week in sorted(set(pattern.weeks))]
        listed = " and ".join([", ".join(weeks[:-1]), weeks[-1]] if weeks[1:] else weeks)
        return f"The {listed} {day} of the month"
    words = {1: f"Every {day}", 2: f"Every other {day}"}
    return words.get(pattern.every, f"{day}, every {pattern.every} weeks")


def _weekly(first: date, last: date, every: int) -> Iterator[date]:
    step, weeks = every * WEEK, (last - first) // WEEK
    for number in range(weeks // every + 1):
        yield first + number * step


def _falls(day: date, weeks: tuple[int, ...]) -> bool:
    number = (day.day - 1) // 7 + 1
    is_last = day.day + 7 > monthrange(day.year, day.month)[1]
    return (number < LAST and number in weeks) or (is_last and LAST in weeks)
