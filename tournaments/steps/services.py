"""Starts and closes rounds, handles the clock and calls, and takes steps back."""

from datetime import datetime
from math import ceil

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.core.audit_log import log_detail
from clubs.core.forms import ShownState
from clubs.language.words import count_words
from clubs.models import News
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.core import emit_tournament_event, lock_tournament, set_state, touch
from tournaments.models import Call, Round, RoundState, StepBack, Table, Tournament, TournamentState
from tournaments.rounds import selectors
from tournaments.rounds.clock import Clock, clock_of
from tournaments.rounds.services import has_hands, set_aside_games
from tournaments.rounds.steps import check_shown

MAX_MINUTES_AT_ONCE, MAX_MINUTES_ADDED = 600, 30_000


@transaction.atomic
def start_round(
    *, tournament: Tournament, clock_waits: bool = False, page_state: ShownState | None = None
) -> Round:
    """Start the next seated round, one at a time; its clock too, unless it waits for all to sit."""
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    if tournament.rounds.filter(state=RoundState.PLAYING).exists():
        raise refuse("round_open", "A round is being played. Close it first.")
    round_ = tournament.rounds.filter(state=RoundState.SEATED).order_by("number").first()
    if round_ is None:
        raise refuse("no_round", "There are no more rounds to start.")
    round_.state = RoundState.PLAYING
    round_.started_at = timezone.now()
    round_.paused_at = round_.started_at if clock_waits else None
    round_.save(update_fields=["state", "started_at", "paused_at"])
    touch(tournament)
    log_detail("round", round_.number)
    emit_tournament_event(News.ROUND_STARTED, tournament, round=round_.number)
    return round_


@transaction.atomic
def close_round(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Close the round being played, and its calls; refused with a line for all that is missing."""
    playing = Round.objects.filter(tournament=tournament, state=RoundState.PLAYING)
    games = _locked_games(playing)
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    round_ = playing.first()
    if round_ is None:
        raise refuse("no_round", "No round is being played.")
    if missing := selectors.unfinished_tables(round_):
        raise Refused(
            [
                Refusal("round_incomplete", f"Table {table.number}: {table.lacks}.")
                for table in missing
            ]
        )
    scorebook.close_games(games)
    now = timezone.now()
    Call.objects.filter(table__round=round_, answered_at=None).update(answered_at=now)
    round_.state = RoundState.CLOSED
    round_.closed_at = now
    round_.save(update_fields=["state", "closed_at"])
    touch(tournament)
    log_detail("round", round_.number)
    emit_tournament_event(News.ROUND_CLOSED, tournament, round=round_.number)


@transaction.atomic
def finish_tournament(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Finish a tournament whose rounds are all closed: the standings are final."""
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    if tournament.state == TournamentState.FINISHED:
        return
    open_rounds = tournament.rounds.exclude(state=RoundState.CLOSED)
    if tournament.state == TournamentState.ENTERING:
        raise refuse("not_seated", "No round has been seated yet.")
    if (number := tournament.rounds.count() + 1) <= tournament.rounds_planned:
        raise refuse("not_seated", f"Round {number} has not been seated.")
    if numbers := list(open_rounds.values_list("number", flat=True)):
        raise Refused(
            [Refusal("round_open", f"Round {number} has not been closed.") for number in numbers]
        )
    set_state(tournament, TournamentState.FINISHED)
    emit_tournament_event(News.TOURNAMENT_FINISHED, tournament)


@transaction.atomic
def unstart_round(*, tournament: Tournament, page_state: ShownState | None = None) -> Round:
    """Return the current round to its state before the start; refused once a hand is recorded."""
    playing = tournament.rounds.filter(state=RoundState.PLAYING)
    games = _locked_games(playing)
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    round_ = playing.first()
    if round_ is None:
        raise refuse("no_round", "No round is being played.")
    if has_hands(games):
        raise refuse(
            "hands_recorded",
            f"Round {round_.number} already has a hand or a ruling, so its start cannot be undone.",
        )
    set_aside_games(Table.objects.filter(round=round_))
    Table.objects.filter(round=round_).update(minutes_added=0, stopped_at=None)
    playing.update(
        state=RoundState.SEATED,
        started_at=None,
        paused_at=None,
        resumed_at=None,
        paused_seconds=0,
        minutes_added=0,
        rung_at=None,
    )
    touch(tournament)
    log_detail("round", round_.number)
    return round_


@transaction.atomic
def reopen_round(
    *, tournament: Tournament, reason: str, made_by: str, page_state: ShownState | None = None
) -> Round:
    """Reopen the last closed round for hands, unless a later one has begun."""
    closed_rounds = tournament.rounds.filter(state=RoundState.CLOSED)
    _locked_games(closed_rounds)
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    round_ = closed_rounds.last()
    if tournament.state == TournamentState.FINISHED:
        raise refuse(
            "tournament_finished", "The tournament is finished. Reopen the tournament first."
        )
    if playing := tournament.rounds.filter(state=RoundState.PLAYING).first():
        raise refuse(
            "round_open",
            f"Round {playing.number} has started, so earlier rounds cannot be reopened. "
            "You can still correct their hands.",
        )
    if round_ is None:
        raise refuse("no_round", "No round has been closed.")
    _record_step_back(tournament, f"Round {round_.number} reopened", reason, made_by)
    scorebook.reopen_games(Game.objects.filter(tournament_table__round=round_))
    round_.state, round_.closed_at = RoundState.PLAYING, None
    round_.save(update_fields=["state", "closed_at"])
    touch(tournament)
    log_detail("round", round_.number)
    return round_


@transaction.atomic
def reopen_tournament(
    *, tournament: Tournament, reason: str, made_by: str, page_state: ShownState | None = None
) -> None:
    """Make the standings provisional again; unpublishes results."""
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    if tournament.state != TournamentState.FINISHED:
        raise refuse("not_finished", "The tournament is not finished, so it is still open.")
    was_public = tournament.published_at is not None
    description = "Tournament reopened"
    _record_step_back(
        tournament,
        f"{description}, its results unpublished" if was_public else description,
        reason,
        made_by,
    )
    tournament.published_at = None
    tournament.save(update_fields=["published_at"])
    set_state(tournament, TournamentState.PLAYING)


def _locked_games(rounds: QuerySet[Round]) -> QuerySet[Game]:
    games = Game.objects.filter(tournament_table__round__in=rounds)
    scorebook.lock_games(games)
    return games


def _record_step_back(tournament: Tournament, description: str, reason: str, made_by: str) -> None:
    StepBack.objects.create(
        tournament=tournament,
        what=description,
        reason=scorebook.clean_reason(reason),
        made_by=made_by,
    )


@transaction.atomic
def pause_clock(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Stop the clock; idempotent."""
    round_, clock, now = _lock_clock(tournament, page_state)
    if clock.has_rung:
        raise refuse("bell_rung", "The bell has already rung.")
    if round_.paused_at is not None:
        return
    round_.paused_at = now
    _save_clock(round_, "paused_at")


@transaction.atomic
def resume_clock(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Resume or start the clock; idempotent."""
    round_, _, now = _lock_clock(tournament, page_state)
    if round_.paused_at is None:
        return
    round_.paused_seconds += round((now - round_.paused_at).total_seconds())
    round_.paused_at, round_.resumed_at = None, now
    _save_clock(round_, "paused_at", "paused_seconds", "resumed_at")


@transaction.atomic
def add_minutes(
    *,
    tournament: Tournament,
    minutes: int,
    table: Table | None = None,
    seen: int | None = None,
    page_state: ShownState | None = None,
) -> int:
    """Add minutes (negative: remove) for every table or for one; returns how many were added.

    Minutes added after the bell count from now. ``seen`` is what had been added when the button was
    shown: if more has been added since, it is a repeated press and adds nothing.
    """
    round_, clock, _ = _lock_clock(tournament, page_state, table)
    current = round_ if table is None else Table.objects.get(pk=table.pk)
    if not minutes or (seen is not None and seen != current.minutes_added):
        return 0
    overrun = ceil(-clock.seconds_left / 60) if minutes > 0 and clock.has_rung else 0
    _check_minutes(clock, minutes, current.minutes_added + overrun)
    current.minutes_added += overrun + minutes
    current.save(update_fields=["minutes_added"])
    touch(round_.tournament)
    return minutes


def _check_minutes(clock: Clock, minutes: int, minutes_added: int) -> None:
    if clock.is_rung_by_hand:
        raise refuse("bell_rung", "The bell was rung manually. Undo that first.", "minutes")
    if abs(minutes) > MAX_MINUTES_AT_ONCE or minutes_added + minutes > MAX_MINUTES_ADDED:
        message = f"Add or remove {MAX_MINUTES_AT_ONCE} minutes or fewer at a time."
        raise refuse("bad_value", message, "minutes")
    if minutes < 0 and clock.seconds_left <= -60 * minutes:
        time_left = count_words(max(0, clock.seconds_left) // 60, "minute")
        message = f"Only {time_left} are left. To end the time now, ring the bell."
        raise refuse("bad_value", message, "minutes")


@transaction.atomic
def ring_bell(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """End the time now, for every table."""
    round_, clock, now = _lock_clock(tournament, page_state)
    if clock.has_rung:
        return
    round_.rung_at = now
    _save_clock(round_, "rung_at")


@transaction.atomic
def undo_bell(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Undo ringing the bell by hand: the clock continues as if it had not rung."""
    round_, clock, _ = _lock_clock(tournament, page_state)
    if clock.is_rung_by_hand:
        round_.rung_at = None
        _save_clock(round_, "rung_at")


@transaction.atomic
def stop_table(*, table: Table, page_state: ShownState | None = None) -> None:
    """The table plays no more hands in this round; its points count."""
    table = _open_table(table)
    check_shown(table.round.tournament, page_state)
    if table.stopped_at is None:
        table.stopped_at = timezone.now()
        table.save(update_fields=["stopped_at"])
        touch(table.round.tournament)


@transaction.atomic
def stop_tables(*, tournament: Tournament, page_state: ShownState | None = None) -> list[int]:
    """Every table that keeps the round open plays no more hands; a disputed one waits for a ruling.

    Returns the numbers of the tables that stopped now.
    """
    playing = Round.objects.filter(tournament=tournament, state=RoundState.PLAYING)
    _locked_games(playing)
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    round_ = playing.first()
    if round_ is None:
        raise refuse("no_round", "No round is being played.")
    numbers = [row.number for row in selectors.unfinished_tables(round_) if not row.disputed_hands]
    if numbers:
        tables = Table.objects.filter(round=round_, number__in=numbers, stopped_at=None)
        tables.update(stopped_at=timezone.now())
        touch(tournament)
    return numbers


@transaction.atomic
def play_on(*, table: Table) -> None:
    table = _open_table(table)
    if table.stopped_at is not None:
        table.stopped_at = None
        table.save(update_fields=["stopped_at"])
        touch(table.round.tournament)


def _open_table(table: Table) -> Table:
    """The current table, its game locked, so that no hand comes in between."""
    scorebook.lock_game(table.game_id)
    table = selectors.tables_with_games().get(pk=table.pk)
    if table.round.state != RoundState.PLAYING:
        raise refuse("round_not_open", selectors.not_open_message(table.round))
    return table


def _lock_clock(
    tournament: Tournament, page_state: ShownState | None, table: Table | None = None
) -> tuple[Round, Clock, datetime]:
    """The current round with the tournament locked, its clock (or the table's), and the time."""
    tournament, now = lock_tournament(tournament.pk), timezone.now()
    check_shown(tournament, page_state)
    round_ = tournament.rounds.filter(state=RoundState.PLAYING).first()
    if round_ is None or (table is not None and table.round_id != round_.pk):
        raise refuse("round_not_open", "No round is in progress, so there is no clock.")
    round_.tournament = tournament
    at_table = None if table is None else Table.objects.get(pk=table.pk)
    clock = clock_of(round_, now=now, table=at_table)
    if clock is None:
        raise refuse("no_clock", "This tournament is played without a clock.")
    return round_, clock, now


def _save_clock(round_: Round, *fields: str) -> None:
    round_.save(update_fields=fields)
    touch(round_.tournament)


@transaction.atomic
def call_director(*, table: Table, reason: str = "") -> Call:
    """Call the director to the table; repeated calls, also from two phones, count as one."""
    tournament = lock_tournament(table.round.tournament_id)
    round_ = tournament.rounds.select_related("tournament").get(pk=table.round_id)
    if round_.state == RoundState.CLOSED:
        raise refuse("round_not_open", selectors.not_open_message(round_))
    if waiting_call := table.calls.filter(answered_at=None).first():
        return waiting_call
    touch(tournament)
    return Call.objects.create(table=table, what=reason, called_at=timezone.now())


@transaction.atomic
def answer_call(*, table: Table, answered_by: str, call: int | None = None) -> bool:
    """Close the table's call, with its key no later one; returns whether there was one."""
    tournament = lock_tournament(table.round.tournament_id)
    calls = table.calls.filter(answered_at=None)
    calls = calls if call is None else calls.filter(pk=call)
    if not calls.exists():
        return False
    calls.update(answered_at=timezone.now(), answered_by=answered_by)
    touch(tournament)
    return True
