"""The club's year: series of evenings and the days without one."""

from datetime import date, time, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.core.locks import lock_club, read_again
from clubs.models import Club, Holiday, Series
from clubs.recurring import Pattern, days_of
from scoring.scorebook.refusals import refuse

MOST_EVENINGS = 400
COLUMNS = ("name", "place", "first_on", "last_on", "every", "weeks", "starts_at", "ends_at")
FURTHEST = timedelta(days=3660)


@transaction.atomic
def save_series(
    *,
    club: Club,
    series: Series | None,
    name: str,
    place: str,
    pattern: Pattern,
    starts_at: time,
    ends_at: time,
) -> Series:
    """A series of evenings, made or changed; evenings that are open already stay as they are.

    Refused where it has no evening or more than 400, or ends before it begins.
    """
    lock_club(club.pk)
    if series is not None:
        read_again(series, f"“{series.name}” is no longer in the calendar.")
    check_series(pattern=pattern, starts_at=starts_at, ends_at=ends_at)
    saved = series or Series(club=club)
    saved.name, saved.place = name.strip(), place.strip()
    saved.first_on, saved.last_on = pattern.first_on, pattern.last_on
    saved.every, saved.weeks = pattern.every, sorted(set(pattern.weeks))
    saved.starts_at, saved.ends_at = starts_at, ends_at
    saved.save(update_fields=COLUMNS if series else None)
    return saved


def check_series(*, pattern: Pattern, starts_at: time, ends_at: time) -> None:
    """Raises ``Refused`` for what keeps such a series from being saved."""
    if pattern.last_on < pattern.first_on:
        raise refuse("bad_days", "The last day cannot be before the first.", "last_on")
    if ends_at <= starts_at:
        raise refuse("bad_times", "The end time must be after the start time.", "ends_at")
    count = len(days_of(pattern))
    if not count:
        said = "No evening falls between these dates. Choose a later last date."
        raise refuse("no_days", said, "last_on")
    if count > MOST_EVENINGS:
        said = f"That would be {count} evenings. Choose a last day within the next few years."
        raise refuse("too_many", said, "last_on")
    if pattern.last_on > timezone.localdate() + FURTHEST:
        raise refuse("too_far", "Choose a last day within the next few years.", "last_on")


@transaction.atomic
def remove_series(*, series: Series) -> None:
    """Take a series off the calendar; evenings that were opened from it stay."""
    lock_club(series.club_id)
    series.delete()


@transaction.atomic
def add_holiday(*, club: Club, name: str, first_on: date, last_on: date) -> Holiday:
    """Days without an evening, the first and the last among them."""
    lock_club(club.pk)
    if last_on < first_on:
        raise refuse("bad_days", "The last day cannot be before the first.", "last_on")
    return Holiday.objects.create(club=club, name=name.strip(), first_on=first_on, last_on=last_on)


@transaction.atomic
def remove_holiday(*, holiday: Holiday) -> None:
    """The club meets on these days after all."""
    lock_club(holiday.club_id)
    holiday.delete()
