"""A table of a tournament told anew, as its paper sheet has it."""

from collections.abc import Sequence

from django.db import transaction

from clubs.table.services import AS_ON_PAPER
from scoring.scorebook import services as scorebook
from scoring.scorebook.reports import Report
from tournaments.models import Table
from tournaments.services.hands import unfinished
from tournaments.services.locks import touch


@transaction.atomic
def tell_hands(
    *, game_id: int, reports: Sequence[Report], seen: Sequence[int], written_by: str
) -> int:
    """The table's game gets just these hands, until the tournament is finished; how many change."""
    table = Table.objects.select_related("round").get(game=game_id)
    tournament = unfinished(table)
    rewriting = scorebook.tell_anew(
        game_id=game_id,
        reports=reports,
        seen=seen,
        written_by=written_by,
        reason=AS_ON_PAPER,
    )
    touch(tournament)
    return len(rewriting.changes)
