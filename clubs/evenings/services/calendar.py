"""The calendar, and substitutes for a date."""

from datetime import date, time, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.core.locks import lock_club, lock_player, read_again
from clubs.evenings.recurrence import Pattern, days_of
from clubs.models import Answer, Club, Holiday, Invitation, Player, Series, StandBy, User
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
    """Create or change a series; evenings already opened stay as they are.

    Raises ``Refused`` as ``check_series`` does.
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
    """Raises ``Refused`` if it has no evening, more than 400, or ends before it begins."""
    if pattern.last_on < pattern.first_on:
        raise refuse("bad_days", "The last day cannot be before the first.", "last_on")
    if ends_at <= starts_at:
        raise refuse("bad_times", "The end time must be after the start time.", "ends_at")
    count = len(days_of(pattern))
    if not count:
        sentence = "No evening falls between these dates. Choose a later last date."
        raise refuse("no_days", sentence, "last_on")
    if count > MOST_EVENINGS:
        sentence = f"That would be {count} evenings. Choose a last day within the next few years."
        raise refuse("too_many", sentence, "last_on")
    if pattern.last_on > timezone.localdate() + FURTHEST:
        raise refuse("too_far", "Choose a last day within the next few years.", "last_on")


@transaction.atomic
def remove_series(*, series: Series) -> None:
    """Delete a series; evenings that were opened from it stay."""
    lock_club(series.club_id)
    series.delete()


@transaction.atomic
def add_holiday(*, club: Club, name: str, first_on: date, last_on: date) -> Holiday:
    """Closed dates, first and last included."""
    lock_club(club.pk)
    if last_on < first_on:
        raise refuse("bad_days", "The last day cannot be before the first.", "last_on")
    return Holiday.objects.create(club=club, name=name.strip(), first_on=first_on, last_on=last_on)


@transaction.atomic
def remove_holiday(*, holiday: Holiday) -> None:
    """Delete closed dates."""
    lock_club(holiday.club_id)
    holiday.delete()


@transaction.atomic
def set_stand_by(*, player: Player, is_glad: bool) -> None:
    """Put someone on the list of substitutes, or take them off."""
    lock_club(player.club_id)
    if is_glad:
        lock_player(player)
        StandBy.objects.get_or_create(player=player, defaults={"club_id": player.club_id})
    else:
        StandBy.objects.filter(player=player).delete()


@transaction.atomic
def ask_to_come(*, club: Club, held_on: date, player: Player, asked_by: User) -> Invitation:
    """Get or create the link where someone answers whether they will come."""
    if player.club_id != club.pk:
        raise refuse("other_club", f"{player.name} is not on this club’s list.")
    lock_player(player)
    _still_to_come(held_on)
    invitation, _ = Invitation.objects.get_or_create(
        club=club, held_on=held_on, player=player, defaults={"asked_by": asked_by}
    )
    return invitation


@transaction.atomic
def answer(*, invitation: Invitation, choice: Answer) -> None:
    """Record the answer; it can be changed until the day is over."""
    lock_club(invitation.club_id)
    _still_to_come(invitation.held_on)
    invitation.answer, invitation.answered_at = choice, timezone.now()
    row = Invitation.objects.filter(pk=invitation.pk)
    if not row.update(answer=choice, answered_at=invitation.answered_at):
        raise refuse("gone", "This invitation was withdrawn. Ask the club’s secretary.")


def _still_to_come(held_on: date) -> None:
    if held_on < timezone.localdate():
        raise refuse("day_over", "That date has passed, so you cannot change anything.")
