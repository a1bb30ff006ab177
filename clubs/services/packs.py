"""A season's pack and its book: made by a job, as one PDF."""

from collections.abc import Callable

from django.core.files.base import ContentFile
from django.db import transaction

from clubs.core.queue import make_job, say, wake
from clubs.models import Job, JobState, Season, User
from clubs.paper.formats import USUAL, Format, format_said
from clubs.paper.registry import PACK
from clubs.pdf.book import book_pdf
from clubs.pdf.pack import season_pack
from clubs.selectors.yearbook import yearbook_of


@transaction.atomic
def ask_for_pack(*, season: Season, asked_by: User, kind: str = PACK, form: Format = USUAL) -> Job:
    """Start making a season's pack or its book, or point to the one that is being made.

    The job's kind says in words what it is printed on: ``season book, Letter, large print``.
    """
    club = season.league.club
    kind = ", ".join(filter(None, (kind, form.said)))
    under_way = Job.objects.filter(
        club=club,
        kind=kind,
        about=season.pk,
        state__in=[JobState.WAITING, JobState.RUNNING],
    ).first()
    if under_way is not None:
        return under_way
    job = make_job(club=club, kind=kind, about=season.pk, asked_by=asked_by)
    wake(job)
    return job


def make_pack(job: Job) -> str:
    """The league table and every evening's result as one PDF; the message stays empty."""
    return _keep(job, season_pack(_season(job), progress=_progress(job), form=_form(job)))


def make_book(job: Job) -> str:
    """The season's book, evening by evening, as one PDF; the message stays empty."""
    progress = _progress(job)
    book = yearbook_of(_season(job), progress=progress)
    paper = book_pdf(book, _form(job))
    progress(job.total, job.total)
    return _keep(job, paper)


def _season(job: Job) -> Season:
    seasons = Season.objects.select_related("league__club")
    return seasons.get(pk=job.about, league__club=job.club)


def _form(job: Job) -> Format:
    return format_said(job.kind.partition(", ")[2])


def _progress(job: Job) -> Callable[[int, int], None]:
    return lambda done, total: say(job, done=done, total=total)


def _keep(job: Job, paper: bytes) -> str:
    job.result.save(f"{job.pk}.pdf", ContentFile(paper), save=False)
    return ""
