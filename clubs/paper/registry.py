"""The papers that an event offers, and those of a season that were made and kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from clubs.models import JobState, Season
from clubs.paper.fonts import unprintable

PACKED = "Seating, every score sheet so far, standings, blank sheets, tally sheets and rules"
TENTS = "Folding cards with the name on both sides, table and wind"


class Paper(NamedTuple):
    """A paper: the name of its address, its title, a note, whether it is offered before others.

    ``has_code`` where it can be had with the table's code to scan.
    """

    name: str
    title: str
    note: str
    is_first: bool = False
    has_code: bool = False


class Offer(NamedTuple):
    """A paper with its address."""

    paper: Paper
    address: str


def unprinted(words: Iterable[str]) -> list[tuple[str, str]]:
    """Names with letters that no face on paper has, each with those letters."""
    found = {word: unprintable(word) for word in words}
    return [(word, letters) for word, letters in found.items() if letters]


def offered(papers: Iterable[Paper], club: str, pk: int) -> list[Offer]:
    """The papers of what has that key in the club."""
    return [Offer(paper, reverse(paper.name, args=[club, pk])) for paper in papers]


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
