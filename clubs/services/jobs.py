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
from clubs.models import Job, JobState, Season, User
from clubs.pdf.pack import season_pack
from clubs.selectors.outbox import SENDING
from clubs.services.mailing import send_batch
from clubs.services.progress import TakenOver, TryLater, finish, say

log = logging.getLogger(__name__)

Work = Callable[[Job], str]


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
        finish(job, JobState.DONE, WORK[job.kind](job))
    except TakenOver:
        log.warning("job %s was taken over by another worker", job_id)
    except TryLater as later:
        log.warning("job %s is put off: %s", job_id, later, exc_info=True)
        tried = job.tries >= tasks.MOST_TRIES
        finish(job, JobState.FAILED if tried else JobState.WAITING, str(later))
    except Exception:
        log.exception("job %s failed", job_id)
        finish(job, JobState.FAILED, "Something went wrong. Please try again.")


def make_pack(job: Job) -> str:
    """The league table and every evening's result as one PDF; the message stays empty."""
    season = Season.objects.select_related("league__club").get(pk=job.about, league__club=job.club)
    paper = season_pack(season, progress=lambda done, total: say(job, done=done, total=total))
    job.result.save(f"{job.pk}.pdf", ContentFile(paper), save=False)
    return ""


WORK: dict[str, Work] = {
    "season pack": make_pack,
    SENDING: send_batch,
}
