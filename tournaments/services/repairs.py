"""Several hands of a tournament put right, and that taken back for a day."""

from collections.abc import Sequence

from django.db import transaction

from clubs.models import News
from scoring.scorebook import services as scorebook
from scoring.scorebook.mistakes import Mistake
from scoring.scorebook.models import Repair
from scoring.scorebook.refusals import refuse
from tournaments.models import Table, Tournament, TournamentState
from tournaments.services.locks import lock, touch
from tournaments.services.telling import tell_of


@transaction.atomic
def repair_hands(
    *,
    tournament: Tournament,
    mistake: Mistake,
    words: str,
    reason: str,
    made_by: str,
    mark: str | None = None,
) -> scorebook.Repaired:
    """Put a mistake at one or two tables of one round right, until the tournament is finished.

    Raises ``Refused`` as ``scorebook.repair`` does; the tournament's version goes up.
    """
    _lock(tournament, mistake.game_ids)
    done = scorebook.repair(mistake=mistake, words=words, reason=reason, made_by=made_by, mark=mark)
    touch(tournament)
    tell_of(News.HANDS_REPAIRED, tournament)
    return done


@transaction.atomic
def undo_repair(*, tournament: Tournament, repair: Repair, undone_by: str) -> scorebook.Repaired:
    """Take a repair back, within a day and until the tournament is finished."""
    _lock(tournament, [piece.game_id for piece in repair.games.all()])
    done = scorebook.undo_repair(repair_id=repair.pk, undone_by=undone_by)
    touch(tournament)
    tell_of(News.HANDS_REPAIRED, tournament)
    return done


def _lock(tournament: Tournament, game_ids: Sequence[int]) -> None:
    """Games, their book, the tournament: in the order in which every hand takes them."""
    tables = Table.objects.filter(round__tournament=tournament, game__in=game_ids)
    rounds = list(tables.values_list("round", flat=True))
    if len(rounds) != len(game_ids) or len(set(rounds)) != 1:
        raise refuse("no_table", "Choose a table of this round.", "other")
    scorebook.lock_together(game_ids)
    if lock(tournament.pk).state == TournamentState.FINISHED:
        raise refuse(
            "tournament_finished", "This tournament is finished, so its results cannot change."
        )
