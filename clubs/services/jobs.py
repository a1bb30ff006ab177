"""Doing the background work: claim the row, work, say how far, keep the result."""

import logging
from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.core.files.base import ContentFile
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from clubs import tasks
from clubs.models import Job, JobState, Season, Session, User
from clubs.pdf.pack import season_pack
from clubs.rows import signed
from clubs.selectors import evenings

log = logging.getLogger(__name__)

Work = Callable[[Job], None]


@transaction.atomic
def ask_for_pack(*, season: Season, asked_by: User) -> Job:
    """Start making a season's pack, or point to the one that is being made."""
    club = season.league.club
    under_way = Job.objects.filter(
        club=club,
        kind="season pack",
        about=season.pk,
        state__in=[JobState.WAITING, JobState.RUNNING],
    ).first()
    if under_way is not None:
        return under_way
    job = tasks.make_job(club=club, kind="season pack", about=season.pk, asked_by=asked_by)
    transaction.on_commit(partial(tasks.wake, job), robust=True)
    return job


def run(job_id: UUID) -> None:
    """Claim a waiting job and do it; a failure is kept on the row in words and in the log."""
    claimed = Job.objects.filter(pk=job_id, state=JobState.WAITING).update(
        state=JobState.RUNNING, tries=F("tries") + 1, done=0, heard_at=timezone.now()
    )
    if not claimed:
        return
    job = Job.objects.select_related("club").get(pk=job_id)
    try:
        WORK[job.kind](job)
    except Exception:
        log.exception("job %s failed", job_id)
        finish(job, JobState.FAILED, "Something went wrong. Please try again.")
    else:
        finish(job, JobState.DONE, job.message)


def finish(job: Job, state: JobState, message: str) -> None:
    """The last word on a job."""
    job.state, job.message = state, message
    job.save(update_fields=["state", "message", "heard_at"])


def say(job: Job, *, done: int, total: int) -> None:
    """How far the job has come, for whoever watches; a sign of life for the sweep."""
    job.done, job.total = done, total
    job.save(update_fields=["done", "total", "heard_at"])


def make_pack(job: Job) -> None:
    """The league table and every evening's result as one PDF."""
    season = Season.objects.select_related("league__club").get(pk=job.about, league__club=job.club)
    paper = season_pack(season, progress=lambda done, total: say(job, done=done, total=total))
    job.result.save(f"{job.pk}.pdf", ContentFile(paper), save=False)
    job.save(update_fields=["result"])


def mail_result(job: Job) -> None:
    """The evening's result to every member who asked for it, each address by itself."""
    session = Session.objects.select_related("club").get(pk=job.about, club=job.club)
    rows = evenings.result_of(session)
    lines = [f"{row.place:>3}  {row.name}  {signed(row.points)}" for row in rows]
    readers = list(
        session.club.players.filter(wants_results=True, is_active=True).exclude(email="")
    )
    with get_connection() as connection:
        for done, reader in enumerate(readers, start=1):
            EmailMessage(
                subject=f"{session.club.name}: result of {session.held_on:%d %B %Y}",
                body="\n".join([f"Dear {reader.name},", "", *lines, "", session.club.name]),
                to=[reader.email],
                connection=connection,
            ).send()
            say(job, done=done, total=len(readers))
    job.message = f"Sent to {len(readers)} member{'' if len(readers) == 1 else 's'}."


WORK: dict[str, Work] = {
    "season pack": make_pack,
    "session result by e-mail": mail_result,
}
