"""Dates and times as people read them: ``Tuesday 24 November 2026``, ``7:30pm``.

Pages, messages and printouts use these. What programs read (CSV, the API, calendars) stays ISO
8601. A moment with a time zone is shown in the club's own.
"""

from datetime import date, datetime, time

from django.utils import timezone

NOON, MIDNIGHT = time(12), time(0)
FieldValue = str | bool | date


def full_date(value: date) -> str:
    """``Tuesday 24 November 2026``."""
    return f"{weekday(value)} {long_date(value)}"


def long_date(value: date) -> str:
    """``24 November 2026``."""
    day = _local_date(value)
    return f"{day_and_month(day)} {day.year}"


def short_date(value: date) -> str:
    """``24 Nov 2026``."""
    day = _local_date(value)
    return f"{day.day} {day:%b} {day.year}"


def typed_date(value: date) -> str:
    """``24/11/2026``, as people type it."""
    day = _local_date(value)
    return f"{day.day}/{day.month}/{day.year}"


def weekday(value: date) -> str:
    """``Tuesday``."""
    return f"{_local_date(value):%A}"


def weekday_and_date(value: date) -> str:
    """``Tuesday 24 November``, if the year is clear."""
    return f"{weekday(value)} {day_and_month(value)}"


def day_and_month(value: date) -> str:
    """``24 November``, if the year is clear."""
    day = _local_date(value)
    return f"{day.day} {day:%B}"


def day_and_short_month(value: date) -> str:
    """``24 Nov``, if the year is clear and space is short."""
    day = _local_date(value)
    return f"{day.day} {day:%b}"


def month_and_year(value: date) -> str:
    """``November 2026``."""
    day = _local_date(value)
    return f"{day:%B} {day.year}"


def short_month(value: date) -> str:
    """``Nov 2026``."""
    day = _local_date(value)
    return f"{day:%b} {day.year}"


def time_of_day(value: datetime | time) -> str:
    """``7:30pm``, ``7pm``, ``12 noon``, ``12 midnight``."""
    clock = _local_time(value)
    if clock.replace(second=0, microsecond=0) in {NOON, MIDNIGHT}:
        return "12 midnight" if clock.hour == 0 else "12 noon"
    minutes = f":{clock:%M}" if clock.minute else ""
    return f"{clock.hour % 12 or 12}{minutes}{'am' if clock.hour < NOON.hour else 'pm'}"


def time_on_the_clock(value: datetime | time) -> str:
    """``19:30``, for logs and printed sheets only."""
    return f"{_local_time(value):%H:%M}"


def long_moment(value: datetime) -> str:
    """``24 November 2026, 7:30pm``."""
    return f"{long_date(value)}, {time_of_day(value)}"


def short_moment(value: datetime) -> str:
    """``24 November, 7:30pm``, if the year is clear."""
    return f"{day_and_month(value)}, {time_of_day(value)}"


def logged_moment(value: datetime) -> str:
    """``24 November 2026, 19:30``, for logs and administrators only."""
    return f"{long_date(value)}, {time_on_the_clock(value)}"


def moment(value: datetime) -> str:
    """The time of day, with the day if it was not today: ``2:05pm on 21 November``."""
    clock = time_of_day(value)
    return (
        clock
        if _local_date(value) == timezone.localdate()
        else f"{clock} on {day_and_month(value)}"
    )


def _local_date(value: date) -> date:
    """The day in the club's own time zone."""
    if not isinstance(value, datetime):
        return value
    return timezone.localtime(value).date() if timezone.is_aware(value) else value.date()


def _local_time(value: datetime | time) -> time:
    """The time of day in the club's own time zone."""
    if isinstance(value, time):
        return value
    return (timezone.localtime(value) if timezone.is_aware(value) else value).time()


def csv_cell(value: FieldValue | None) -> str:
    """A field for a CSV cell: ``yes``, ``2026-11-24``, empty for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else value or ""


def readable_value(value: FieldValue | None) -> str:
    """A field for readers: ``24 November 2026``."""
    return long_date(value) if isinstance(value, date) else csv_cell(value)
