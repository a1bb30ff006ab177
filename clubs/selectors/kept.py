"""Papers of a season that were made behind the pages and are kept."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from clubs.models import JobState, Season

PACK, BOOK = "season pack", "season book"
MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class KeptPaper:
    """A paper that is there: the job that made it, what it is, and when it was asked for."""

    job: UUID
    title: str
    made_at: datetime


def kept_papers(season: Season) -> tuple[KeptPaper, ...]:
    """The packs and books of the season, the newest first; one query."""
    kinds = Q(kind__startswith=PACK) | Q(kind__startswith=BOOK)
    made = season.league.club.jobs.filter(kinds, about=season.pk, state=JobState.DONE)
    rows = made.exclude(result="").values_list("pk", "kind", "made_at")
    return tuple(
        KeptPaper(job, kind[:1].upper() + kind[1:], made_at)
        for job, kind, made_at in rows.order_by("-made_at")[:MOST_SHOWN]
    )
