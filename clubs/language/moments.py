"""Dates and times as people read them: ``Tuesday 24 November 2026``, ``7:30pm``.

Pages, messages and printouts use these. What programs read (CSV, the API, calendars) stays ISO
8601. A moment with a time zone is shown in the club's own.
"""

from datetime import date, datetime, time

from django.utils import timezone

NOON, MIDNIGHT = time(12), time(0)
FieldValue = str | bool | date


def full_date(when: date) -> str:
    """``Tuesday 24 November 2026``."""
    return f"{weekday(when)} {long_date(when)}"


def long_date(when: date) -> str:
    """``24 November 2026``."""
    day = _local_date(when)
    return f"{day_and_month(day)} {day.year}"


def short_date(when: date) -> str:
    """``24 Nov 2026``."""
    day = _local_date(when)
    return f"{day.day} {day:%b} {day.year}"


def typed_date(when: date) -> str:
    """``24/11/2026``, as people type it."""
    day = _local_date(when)
    return f"{day.day}/{day.month}/{day.year}"


def weekday(when: date) -> str:
    """``Tuesday``."""
    return f"{_local_date(when):%A}"


def weekday_and_date(when: date) -> str:
    """``Tuesday 24 November``, if the year is clear."""
    return f"{weekday(when)} {day_and_month(when)}"


def day_and_month(when: date) -> str:
    """``24 November``, if the year is clear."""
    day = _local_date(when)
    return f"{day.day} {day:%B}"


def day_and_short_month(when: date) -> str:
    """``24 Nov``, if the year is clear and space is short."""
    day = _local_date(when)
    return f"{day.day} {day:%b}"


def month_and_year(when: date) -> str:
    """``November 2026``."""
    day = _local_date(when)
    return f"{day:%B} {day.year}"


def short_month(when: date) -> str:
    """``Nov 2026``."""
    day = _local_date(when)
    return f"{day:%b} {day.year}"


def time_of_day(when: datetime | time) -> str:
    """``7:30pm``, ``7pm``, ``12 noon``, ``12 midnight``."""
    clock = _local_time(when)
    if clock.replace(second=0, microsecond=0) in {NOON, MIDNIGHT}:
        return "12 midnight" if clock.hour == 0 else "12 noon"
    minutes = f":{clock:%M}" if clock.minute else ""
    return f"{clock.hour % 12 or 12}{minutes}{'am' if clock.hour < NOON.hour else 'pm'}"


def time_on_the_clock(when: datetime | time) -> str:
    """``19:30``, for logs and printed sheets only."""
    return f"{_local_time(when):%H:%M}"


def long_moment(when: datetime) -> str:
    """``24 November 2026, 7:30pm``."""
    return f"{long_date(when)}, {time_of_day(when)}"


def short_moment(when: datetime) -> str:
    """``24 November, 7:30pm``, if the year is clear."""
    return f"{day_and_month(when)}, {time_of_day(when)}"


def logged_moment(when: datetime) -> str:
    """``24 November 2026, 19:30``, for logs and administrators only."""
    return f"{long_date(when)}, {time_on_the_clock(when)}"


def moment(when: datetime) -> str:
    """The time of day, with the day if it was not today: ``2:05pm on 21 November``."""
    clock = time_of_day(when)
    return (
        clock if _local_date(when) == timezone.localdate() else f"{clock} on {day_and_month(when)}"
    )


def _local_date(when: date) -> date:
    """The day in the club's own time zone."""
    if not isinstance(when, datetime):
        return when
    return timezone.localtime(when).date() if timezone.is_aware(when) else when.date()


def _local_time(when: datetime | time) -> time:
    """The time of day in the club's own time zone."""
    if isinstance(when, time):
        return when
    return (timezone.localtime(when) if timezone.is_aware(when) else when).time()


def csv_cell(value: FieldValue | None) -> str:
    """A field for a CSV cell: ``yes``, ``2026-11-24``, empty for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else value or ""


def readable_value(value: FieldValue | None) -> str:
    """A field for readers: ``24 November 2026``."""
    return long_date(value) if isinstance(value, date) else csv_cell(value)
