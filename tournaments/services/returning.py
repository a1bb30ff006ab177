"""The way back out of every step: a round not started after all, a round or the end reopened."""

from django.db import transaction
from django.db.models import QuerySet

from clubs.core.audit_log import name_in_line
from clubs.core.stale_forms import Shown
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import refuse
from tournaments.models import Round, RoundState, StepBack, Table, Tournament, TournamentState
from tournaments.services.laying import has_hands
from tournaments.services.locks import lock, move, touch
from tournaments.services.stages import check_shown


@transaction.atomic
def unstart_round(*, tournament: Tournament, shown: Shown | None = None) -> Round:
    """The round being played is as it was before its start; refused once a hand is recorded."""
    playing = tournament.rounds.filter(state=RoundState.PLAYING)
    games = _locked_games(playing)
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    round_ = playing.first()
    if round_ is None:
        raise refuse("no_round", "No round is being played.")
    if has_hands(games):
        raise refuse(
            "hands_recorded",
            f"Round {round_.number} already has a hand or a ruling, so its start cannot be undone.",
        )
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
    name_in_line("round", round_.number)
    return round_


@transaction.atomic
def reopen_round(
    *, tournament: Tournament, reason: str, made_by: str, shown: Shown | None = None
) -> Round:
    """The last closed round takes hands again, until a later one has begun."""
    closed = tournament.rounds.filter(state=RoundState.CLOSED)
    _locked_games(closed)
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    round_ = closed.last()
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
    _keep(tournament, f"Round {round_.number} reopened", reason, made_by)
    scorebook.reopen_games(Game.objects.filter(tournament_table__round=round_))
    round_.state, round_.closed_at = RoundState.PLAYING, None
    round_.save(update_fields=["state", "closed_at"])
    touch(tournament)
    name_in_line("round", round_.number)
    return round_


@transaction.atomic
def reopen_tournament(
    *, tournament: Tournament, reason: str, made_by: str, shown: Shown | None = None
) -> None:
    """The standings are provisional again; published results are taken back."""
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    if tournament.state != TournamentState.FINISHED:
        raise refuse("not_finished", "The tournament is not finished, so it is still open.")
    was_public = tournament.published_at is not None
    what = "Tournament reopened"
    _keep(tournament, f"{what}, its results unpublished" if was_public else what, reason, made_by)
    tournament.published_at = None
    tournament.save(update_fields=["published_at"])
    move(tournament, TournamentState.PLAYING)


def _locked_games(rounds: QuerySet[Round]) -> QuerySet[Game]:
    games = Game.objects.filter(tournament_table__round__in=rounds)
    scorebook.lock_games(games)
    return games


def _keep(tournament: Tournament, what: str, reason: str, made_by: str) -> None:
    StepBack.objects.create(
        tournament=tournament, what=what, reason=scorebook.reason_of(reason), made_by=made_by
    )
