"""A round is started and closed; after the last one the tournament is finished."""

from django.db import transaction
from django.utils import timezone

from clubs.core.audit_log import name_in_line
from clubs.core.stale_forms import Shown
from clubs.models import News
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.models import Call, Round, RoundState, Tournament, TournamentState
from tournaments.selectors import desk
from tournaments.services.locks import lock, move, touch
from tournaments.services.stages import check_shown
from tournaments.services.telling import tell_of


@transaction.atomic
def start_round(
    *, tournament: Tournament, clock_waits: bool = False, shown: Shown | None = None
) -> Round:
    """Open the next round that is seated; one round is played at a time.

    Its clock starts with it, unless it waits until everyone sits.
    """
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
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
    name_in_line("round", round_.number)
    tell_of(News.ROUND_STARTED, tournament, round=round_.number)
    return round_


@transaction.atomic
def close_round(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """Close the round that is being played; refuses with a line for everything that is missing.

    Whoever still calls the director calls no more.
    """
    playing = Round.objects.filter(tournament=tournament, state=RoundState.PLAYING)
    games = Game.objects.filter(tournament_table__round__in=playing)
    scorebook.lock_games(games)
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    round_ = playing.first()
    if round_ is None:
        raise refuse("no_round", "No round is being played.")
    if missing := desk.missing_in(round_):
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
    name_in_line("round", round_.number)
    tell_of(News.ROUND_CLOSED, tournament, round=round_.number)


@transaction.atomic
def finish_tournament(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """All rounds are closed: the standings are final."""
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
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
    move(tournament, TournamentState.FINISHED)
    tell_of(News.TOURNAMENT_FINISHED, tournament)
