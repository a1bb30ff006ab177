"""The clock of the round being played: it stands, goes on, is set, rings; a table stops."""

from datetime import datetime
from math import ceil

from django.db import transaction
from django.utils import timezone

from clubs.core.stale_forms import Shown
from clubs.language.words import counted
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import refuse
from tournaments.models import Round, RoundState, Table, Tournament
from tournaments.selectors import desk
from tournaments.selectors.clock import Clock, clock_of
from tournaments.services.locks import lock, touch
from tournaments.services.stages import check_shown

MOST_AT_ONCE, MOST_ADDED = 600, 30_000


@transaction.atomic
def pause_clock(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """The clock stands from now on; one that stands already goes on standing."""
    round_, clock, now = _read(tournament, shown)
    if clock.has_rung:
        raise refuse("bell_rung", "The bell has already rung.")
    if round_.paused_at is not None:
        return
    round_.paused_at = now
    _keep(round_, "paused_at")


@transaction.atomic
def resume_clock(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """The clock goes on from where it stood, or begins; one that goes already goes on."""
    round_, _, now = _read(tournament, shown)
    if round_.paused_at is None:
        return
    round_.paused_seconds += round((now - round_.paused_at).total_seconds())
    round_.paused_at, round_.resumed_at = None, now
    _keep(round_, "paused_at", "paused_seconds", "resumed_at")


@transaction.atomic
def add_minutes(
    *,
    tournament: Tournament,
    minutes: int,
    table: Table | None = None,
    seen: int | None = None,
    shown: Shown | None = None,
) -> int:
    """More minutes (fewer: below nothing) for every table or for one; returns how many were added.

    Minutes added after the bell count from now. ``seen`` is what had been added when the button
    was shown: where more has been added since, the same press came twice and adds nothing.
    """
    round_, clock, _ = _read(tournament, shown, table)
    held = round_ if table is None else Table.objects.get(pk=table.pk)
    if not minutes or (seen is not None and seen != held.minutes_added):
        return 0
    late = ceil(-clock.seconds_left / 60) if minutes > 0 and clock.has_rung else 0
    _check_minutes(clock, minutes, held.minutes_added + late)
    held.minutes_added += late + minutes
    held.save(update_fields=["minutes_added"])
    touch(round_.tournament)
    return minutes


def _check_minutes(clock: Clock, minutes: int, added: int) -> None:
    if clock.is_rung_by_hand:
        raise refuse("bell_rung", "The bell was rung manually. Undo that first.", "minutes")
    if abs(minutes) > MOST_AT_ONCE or added + minutes > MOST_ADDED:
        sentence = f"Add or remove {MOST_AT_ONCE} minutes or fewer at a time."
        raise refuse("bad_value", sentence, "minutes")
    if minutes < 0 and clock.seconds_left <= -60 * minutes:
        left = counted(max(0, clock.seconds_left) // 60, "minute")
        sentence = f"Only {left} are left. To end the time now, ring the bell."
        raise refuse("bad_value", sentence, "minutes")


@transaction.atomic
def ring_bell(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """The time is up now, for every table."""
    round_, clock, now = _read(tournament, shown)
    if clock.has_rung:
        return
    round_.rung_at = now
    _keep(round_, "rung_at")


@transaction.atomic
def take_bell_back(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """The bell was not rung by hand after all: the clock is where it would have been."""
    round_, clock, _ = _read(tournament, shown)
    if clock.is_rung_by_hand:
        round_.rung_at = None
        _keep(round_, "rung_at")


@transaction.atomic
def stop_table(*, table: Table, shown: Shown | None = None) -> None:
    """The table plays no further hand in this round; its points count as they are."""
    table = _open_table(table)
    check_shown(table.round.tournament, shown)
    if table.stopped_at is None:
        table.stopped_at = timezone.now()
        table.save(update_fields=["stopped_at"])
        touch(table.round.tournament)


@transaction.atomic
def play_on(*, table: Table) -> None:
    """The table has not stopped after all."""
    table = _open_table(table)
    if table.stopped_at is not None:
        table.stopped_at = None
        table.save(update_fields=["stopped_at"])
        touch(table.round.tournament)


def _open_table(table: Table) -> Table:
    """The table as it is, its game locked, so that no hand comes between."""
    scorebook.lock_game(table.game_id)
    table = desk.tables_with_games().get(pk=table.pk)
    if table.round.state != RoundState.PLAYING:
        raise refuse("round_not_open", desk.why_not_open(table.round))
    return table


def _read(
    tournament: Tournament, shown: Shown | None, table: Table | None = None
) -> tuple[Round, Clock, datetime]:
    """The round being played, with the tournament locked, its clock (or the table's), and now."""
    tournament, now = lock(tournament.pk), timezone.now()
    check_shown(tournament, shown)
    round_ = tournament.rounds.filter(state=RoundState.PLAYING).first()
    if round_ is None or (table is not None and table.round_id != round_.pk):
        raise refuse("round_not_open", "No round is in progress, so there is no clock.")
    round_.tournament = tournament
    at_table = None if table is None else Table.objects.get(pk=table.pk)
    clock = clock_of(round_, now=now, table=at_table)
    if clock is None:
        raise refuse("no_clock", "This tournament is played without a clock.")
    return round_, clock, now


def _keep(round_: Round, *fields: str) -> None:
    round_.save(update_fields=fields)
    touch(round_.tournament)
