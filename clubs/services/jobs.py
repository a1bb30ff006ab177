"""Doing the background work: claim the row, work, say how far, keep the result."""

import logging
from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from clubs import tasks
from clubs.apart import across_clubs, within
from clubs.models import Job, JobState, Season, User
from clubs.pdf.book import book_pdf
from clubs.pdf.formats import USUAL, Format, format_said
from clubs.pdf.pack import season_pack
from clubs.selectors.kept import BOOK, PACK
from clubs.selectors.outbox import SENDING
from clubs.selectors.yearbook import yearbook_of
from clubs.services.mailing import send_batch
from clubs.services.progress import TakenOver, TryLater, finish, say

log = logging.getLogger(__name__)

Work = Callable[[Job], str]


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
    job = tasks.make_job(club=club, kind=kind, about=season.pk, asked_by=asked_by)
    transaction.on_commit(partial(tasks.wake, job), robust=True)
    return job


def run(job_id: UUID) -> None:
    """Claim a waiting job and do it; a failure is kept on the row in words and in the log."""
    with across_clubs():
        job = _claimed(job_id)
    if job is not None:
        with within(job.club_id):
            _do(job)


def _claimed(job_id: UUID) -> Job | None:
    claimed = Job.objects.filter(pk=job_id, state=JobState.WAITING).update(
        state=JobState.RUNNING, tries=F("tries") + 1, done=0, heard_at=timezone.now()
    )
    return Job.objects.select_related("club").get(pk=job_id) if claimed else None


def _do(job: Job) -> None:
    try:
        finish(job, JobState.DONE, WORK[job.kind.split(", ")[0]](job))
    except TakenOver:
        log.warning("job %s was taken over by another worker", job.pk)
    except TryLater as later:
        log.warning("job %s is put off: %s", job.pk, later, exc_info=True)
        tried = job.tries >= tasks.MOST_TRIES
        finish(job, JobState.FAILED if tried else JobState.WAITING, str(later))
    except Exception:
        log.exception("job %s failed", job.pk)
        finish(job, JobState.FAILED, "Something went wrong. Please try again.")


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


WORK: dict[str, Work] = {
    PACK: make_pack,
    BOOK: make_book,
    SENDING: send_batch,
}
