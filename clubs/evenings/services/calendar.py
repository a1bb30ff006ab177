"""The calendar, substitutes, seating preferences, tables planned with them; table money."""

from datetime import date, time, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from clubs.core.locks import lock_club, lock_player, reload_or_refuse
from clubs.evenings.selectors.calendar import Pattern, pattern_days
from clubs.evenings.selectors.seating import (
    preferences_for,
    preferences_of,
    seating_memory,
    wishes_on,
)
from clubs.models import (
    Answer,
    Club,
    Holiday,
    Invitation,
    Player,
    Series,
    Session,
    StandBy,
    TableMoney,
    User,
    Wish,
    WishKind,
)
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.seating.history import meeting_weights, turns_due
from clubs.seating.wishes import (
    Split,
    contradiction,
    preferred_sizes,
    select_wishes,
    splits_of,
    usual_split,
    wish_sentence,
)
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refusal, Refused, refuse

MAX_EVENINGS = 400
SERIES_COLUMNS = (
    *("name", "place", "first_on", "last_on", "every", "weeks", "starts_at", "ends_at"),
    *("version", "changed_at"),
)
MAX_SERIES_LENGTH = timedelta(days=3660)
PLANNING_SECONDS = 2
MUTUAL_KINDS = (WishKind.APART, WishKind.TOGETHER)


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
    """Create or change a series; evenings already opened stay. Refused as ``check_series`` is."""
    lock_club(club.pk)
    if series is not None:
        reload_or_refuse(series, f"“{series.name}” is no longer in the calendar.")
    check_series(pattern=pattern, starts_at=starts_at, ends_at=ends_at)
    saved_series = series or Series(club=club)
    saved_series.name, saved_series.place = name.strip(), place.strip()
    saved_series.first_on, saved_series.last_on = pattern.first_on, pattern.last_on
    saved_series.every, saved_series.weeks = pattern.every, sorted(set(pattern.weeks))
    saved_series.starts_at, saved_series.ends_at = starts_at, ends_at
    if series:
        saved_series.version, saved_series.changed_at = saved_series.version + 1, timezone.now()
    saved_series.save(update_fields=SERIES_COLUMNS if series else None)
    return saved_series


def check_series(*, pattern: Pattern, starts_at: time, ends_at: time) -> None:
    """Raises ``Refused`` as ``check_pattern`` does, and for a last day many years ahead."""
    check_pattern(pattern=pattern, starts_at=starts_at, ends_at=ends_at)
    if pattern.last_on > timezone.localdate() + MAX_SERIES_LENGTH:
        raise refuse("too_far", "Choose a last day within the next few years.", "last_on")


def check_pattern(*, pattern: Pattern, starts_at: time, ends_at: time) -> None:
    """Raises ``Refused`` if it has no evening, more than 400, or ends before it begins."""
    if pattern.last_on < pattern.first_on:
        raise refuse("bad_days", "The last day cannot be before the first.", "last_on")
    if ends_at <= starts_at:
        raise refuse("bad_times", "The end time must be after the start time.", "ends_at")
    count = len(pattern_days(pattern))
    if not count:
        message = "No evening falls between these dates. Choose a later last date."
        raise refuse("no_days", message, "last_on")
    if count > MAX_EVENINGS:
        message = (
            f"That would be over {MAX_EVENINGS} evenings. Choose a last day within the next few "
            "years."
        )
        raise refuse("too_many", message, "last_on")


@transaction.atomic
def delete_row(*, row: Series | Holiday | Wish) -> None:
    """Delete a series (evenings that were opened from it stay), closed dates or a preference."""
    club = lock_club(row.club_id)
    row.delete()
    if isinstance(row, Holiday):
        _change_calendars(club)


@transaction.atomic
def add_holiday(*, club: Club, name: str, first_on: date, last_on: date) -> Holiday:
    lock_club(club.pk)
    if last_on < first_on:
        raise refuse("bad_days", "The last day cannot be before the first.", "last_on")
    _change_calendars(club)
    return Holiday.objects.create(club=club, name=name.strip(), first_on=first_on, last_on=last_on)


def _change_calendars(club: Club) -> None:
    """Let the calendars that follow the club's evenings know that a date has changed."""
    club.series.update(version=F("version") + 1, changed_at=timezone.now())


@transaction.atomic
def set_stand_by(*, player: Player, is_glad: bool) -> None:
    lock_club(player.club_id)
    if is_glad:
        lock_player(player)
        StandBy.objects.get_or_create(player=player, defaults={"club_id": player.club_id})
    else:
        StandBy.objects.filter(player=player).delete()


@transaction.atomic
def invite_substitute(*, club: Club, held_on: date, player: Player, asked_by: User) -> Invitation:
    """Get or create the link where someone answers whether they will come."""
    if player.club_id != club.pk:
        raise refuse("other_club", f"{player.name} is not on this club’s list.")
    lock_player(player)
    _check_not_past(held_on)
    invitation, _ = Invitation.objects.get_or_create(
        club=club, held_on=held_on, player=player, defaults={"asked_by": asked_by}
    )
    return invitation


@transaction.atomic
def save_answer(*, invitation: Invitation, choice: Answer) -> None:
    """Record the answer; it can be changed until the day is over."""
    lock_club(invitation.club_id)
    _check_not_past(invitation.held_on)
    invitation.answer, invitation.answered_at = choice, timezone.now()
    row = Invitation.objects.filter(pk=invitation.pk)
    if not row.update(answer=choice, answered_at=invitation.answered_at):
        raise refuse("gone", "This invitation was withdrawn. Ask the club’s secretary.")


def _check_not_past(held_on: date) -> None:
    if held_on < timezone.localdate():
        raise refuse("day_over", "That date has passed, so you cannot change anything.")


def plan_evening(
    session: Session, players: tuple[str, ...], split: Split, *, draw: int = 0
) -> Plan:
    """A seating of these players (ids as text), with fair turns and new company this season.

    Another ``draw`` is another seating, where several are as good. Preferences that cannot be met
    are left out. Raises ``Refused`` if nobody can be seated.
    """
    seats = rule_set(session.plays).seats
    if split and split not in splits_of(len(players), seats):
        raise refuse(
            "bad_split",
            "Those tables no longer fit the number of people checked in. Choose the tables again.",
        )
    sizes, memory = preferred_sizes(seats), seating_memory(session)
    meetings = meeting_weights(memory.past_evenings, players)
    wishes = preferences_for(session).wishes
    try:
        wish_selection = select_wishes(
            wishes, players, split or usual_split(len(players), sizes), meetings
        )
        return plan(
            Request(
                players=players,
                rounds=1,
                seed=session.pk + draw,
                seconds=PLANNING_SECONDS,
                table_sizes=sizes,
                split=split,
                apart=wish_selection.apart,
                together=wish_selection.together,
                fixed_table=wish_selection.fixed_table,
                past_meetings=meetings,
                turns=turns_due(memory.season, players),
            )
        )
    except BadRequest as bad:
        problems = [Refusal(problem.code, problem.message) for problem in bad.problems]
        raise Refused(problems) from bad


@transaction.atomic
def add_wish(
    *,
    club: Club,
    kind: WishKind,
    player: Player,
    other: Player | None = None,
    table: int | None = None,
    until: date | None = None,
    reason: str = "",
    made_by: User | None = None,
) -> Wish:
    """Add a seating preference. Raises ``Refused`` if it exists already or contradicts another.

    An expired one like it is replaced.
    """
    lock_club(club.pk)
    if other and kind in MUTUAL_KINDS and other.pk < player.pk:
        player, other = other, player
    wish = Wish(club=club, kind=kind, player=player, other=other, table=table)
    wish.until, wish.reason, wish.made_by = until, reason, made_by
    for person in filter(None, (player, other)):
        if person.club_id != club.pk:
            raise refuse("other_club", f"{person.name} is not on this club’s list.")
    if player == other:
        raise refuse("same_player", "Choose two different people.", "other")
    for person in filter(None, (player, other)):
        lock_player(person)
    club.wishes.filter(until__lt=timezone.localdate()).filter(_same_wish(wish)).delete()
    if club.wishes.filter(_same_wish(wish)).exists():
        names = player.name if kind == WishKind.TABLE else f"{player.name} and {wish.other}"
        raise refuse("noted", f"There is already a preference like this for {names}.")
    _check_against_others(wish)
    wish.save()
    return wish


def _same_wish(wish: Wish) -> Q:
    """Filters the preferences of which there can only be one: same kind, same people."""
    same_people = Q(player=wish.player)
    if wish.kind != WishKind.TABLE:
        same_people &= Q(other=wish.other)
    if wish.kind in MUTUAL_KINDS:
        same_people |= Q(player=wish.other, other=wish.player)
    return Q(kind=wish.kind) & same_people


def _check_against_others(wish: Wish) -> None:
    """Raises ``Refused`` if this contradicts the preferences that apply today or later."""
    preferences = preferences_of([*wishes_on(wish.club_id, timezone.localdate()), wish])
    *other_wishes, new = preferences.wishes
    opposing_wishes = contradiction(other_wishes, new)
    if opposing_wishes is None:
        return
    if not opposing_wishes:
        raise refuse("too_many", "More than four people would have to sit at one table.")
    sentences = dict.fromkeys(
        wish_sentence(conflict, preferences.names) for conflict in opposing_wishes
    )
    conflicts = " ".join(sentences)
    raise refuse("contradicts", f"This conflicts with a preference you already have: {conflicts}")


@transaction.atomic
def record_payment(*, session: Session, player: Player, taken_by: User) -> TableMoney:
    """Record that someone has paid tonight's price; idempotent."""
    club = lock_club(session.club_id)
    if not club.table_money:
        raise refuse("no_price", "Set the price per person first.", "price")
    session.refresh_from_db(fields=["state"])
    if session.is_cancelled:
        message = "This evening was cancelled, so no table money is taken for it."
        raise refuse("session_cancelled", message)
    if not session.attendances.filter(player=player).exists():
        raise refuse("not_here", f"{player.name} must be checked in first.")
    paid, _ = TableMoney.objects.get_or_create(
        session=session, player=player, defaults={"pence": club.table_money, "taken_by": taken_by}
    )
    return paid


@transaction.atomic
def remove_payment(*, session: Session, player: Player) -> None:
    lock_club(session.club_id)
    TableMoney.objects.filter(session=session, player=player).delete()


@transaction.atomic
def set_table_money(
    *, club: Club, pence: int | None = None, year_begins: int | None = None
) -> None:
    """Set the price per person, or the month from which a year of table money is added up.

    None: it stays as it is. Payments already recorded stay.
    """
    locked_club = lock_club(club.pk)
    locked_club.table_money = locked_club.table_money if pence is None else pence
    locked_club.year_begins = year_begins or locked_club.year_begins
    locked_club.save(update_fields=["table_money", "year_begins"])
