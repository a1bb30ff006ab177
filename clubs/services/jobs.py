"""Doing the background work: claim the row, work, keep the result."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from clubs.core.queue import TakenOver, TryLater, finish
from clubs.league.services import make_book, make_pack
from clubs.messages.selectors import SENDING
from clubs.messages.services import send_batch
from clubs.models import Job, JobState
from clubs.models.tenancy import across_clubs, within
from clubs.paper.registry import BOOK, PACK

SILENT_AFTER: Final = timedelta(minutes=2)
MOST_TRIES: Final = 3
WORK: Final[dict[str, Callable[[Job], str]]] = {
    PACK: make_pack,
    BOOK: make_book,
    SENDING: send_batch,
}

log = logging.getLogger(__name__)


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
        tried = job.tries >= MOST_TRIES
        finish(job, JobState.FAILED if tried else JobState.WAITING, str(later))
    except Exception:
        log.exception("job %s failed", job.pk)
        finish(job, JobState.FAILED, "Something went wrong. Please try again.")


def waiting(*, now: datetime) -> list[UUID]:
    """The keys of jobs that wait; those whose worker fell silent wait again, or have failed."""
    with across_clubs():
        silent = Job.objects.filter(state=JobState.RUNNING, heard_at__lt=now - SILENT_AFTER)
        silent.filter(tries__gte=MOST_TRIES).update(
            state=JobState.FAILED, message="This was tried three times without success."
        )
        silent.update(state=JobState.WAITING, heard_at=F("heard_at"))
        return list(Job.objects.filter(state=JobState.WAITING).values_list("pk", flat=True))
