"""Reading the club's year: which evenings come, which are left out, which is next."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from django.db.models import QuerySet

from clubs.models import Club, Series, Session
from clubs.recurring import Break, Pattern, break_on, days_of, in_words


@dataclass(frozen=True, slots=True)
class ClubDay:
    """A day of a series; ``off`` says what keeps the club from meeting then.

    ``session_id`` is the evening that is open for the day already.
    """

    held_on: date
    series_id: int
    name: str
    place: str
    starts_at: time
    ends_at: time
    off: str = ""
    session_id: int | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """A whole day of the club besides its evenings; ``key`` is its own among all of them."""

    key: str
    name: str
    held_on: date


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in words, with its secret key."""

    pk: int
    name: str
    place: str
    words: str
    starts_at: time
    ends_at: time
    last_on: date
    feed_key: str


@dataclass(frozen=True, slots=True)
class ClubYear:
    """What comes: the days from today on, in their order, and the series they are of."""

    days: tuple[ClubDay, ...]
    series: tuple[SeriesRow, ...]

    @property
    def next(self) -> ClubDay | None:
        """The next day on which the club meets."""
        return next((day for day in self.days if not day.off), None)

    @property
    def meetings(self) -> int:
        """On how many days the club meets."""
        return sum(not day.off for day in self.days)


Occasions = Callable[[Club], Iterable[Occasion]]
OTHERS: Final[list[Occasions]] = []


def tell_occasions(others: Occasions) -> None:
    """Let another app put its days in the club's calendars; once, when the program starts."""
    if others not in OTHERS:
        OTHERS.append(others)


def occasions_of(club: Club) -> list[Occasion]:
    """The whole days of the club, such as its tournaments."""
    return [one for others in OTHERS for one in others(club)]


def pattern_of(series: Series) -> Pattern:
    """A series' days as the dates know them."""
    return Pattern(series.first_on, series.last_on, series.every, tuple(series.weeks))


def breaks_of(club: Club) -> tuple[Break, ...]:
    """The club's days without an evening; one query."""
    rows = club.holidays.values_list("name", "first_on", "last_on")
    return tuple(Break(*row) for row in rows)


def club_year(club: Club, today: date) -> ClubYear:
    """Everything from today on; three queries however much there is."""
    series, breaks = list(club.series.all()), breaks_of(club)
    opened = dict(
        Session.objects.filter(club=club, held_on__gte=today).values_list("held_on", "pk")
    )
    days = [day for one in series for day in _days(one, breaks, opened) if day.held_on >= today]
    days.sort(key=lambda day: (day.held_on, day.starts_at, day.series_id))
    return ClubYear(tuple(days), tuple(_row(one) for one in series if one.last_on >= today))


def days_of_series(series: Series) -> tuple[ClubDay, ...]:
    """All days of one series on which the club meets; one query."""
    return tuple(day for day in _days(series, breaks_of(series.club), {}) if not day.off)


def previewed(club: Club, pattern: Pattern) -> tuple[tuple[date, str], ...]:
    """Each day of a series not yet saved, and what keeps the club from meeting; one query."""
    breaks = breaks_of(club)
    return tuple((day, break_on(day, breaks)) for day in days_of(pattern))


def _days(series: Series, breaks: Iterable[Break], opened: dict[date, int]) -> list[ClubDay]:
    return [
        ClubDay(
            day,
            series.pk,
            series.name,
            series.place,
            series.starts_at,
            series.ends_at,
            break_on(day, breaks),
            opened.get(day),
        )
        for day in days_of(pattern_of(series))
    ]


def _row(series: Series) -> SeriesRow:
    return SeriesRow(
        series.pk,
        series.name,
        series.place,
        in_words(pattern_of(series)),
        series.starts_at,
        series.ends_at,
        series.last_on,
        series.feed_key,
    )


def series_by_link() -> QuerySet[Series]:
    """Series of evenings with their club, for whoever holds the key of the feed."""
    return Series.objects.select_related("club")
