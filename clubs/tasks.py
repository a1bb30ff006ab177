"""Work behind the pages: a job is a row, and the broker only wakes whoever does it."""

from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.db.models import F
from django.utils import timezone

from clubs.models import Club, Job, JobState, User

SILENT_AFTER = timedelta(minutes=2)
MOST_TRIES = 3


def make_job(*, club: Club, kind: str, about: int, asked_by: User | None = None) -> Job:
    """A waiting job; call ``wake`` once the transaction has ended."""
    return Job.objects.create(club=club, kind=kind, about=about, asked_by=asked_by)


def wake(job: Job) -> None:
    """Tell a worker that a job waits; if nobody hears, the minute's sweep finds it."""
    run_job.delay(str(job.pk))


@shared_task
def run_job(job_id: str) -> None:
    """Do one job, unless somebody else does it or has done it."""
    from clubs.services import jobs

    jobs.run(UUID(job_id))


@shared_task
def wake_waiting_jobs() -> None:
    """Wake jobs that nobody began, and those whose worker fell silent."""
    silent = timezone.now() - SILENT_AFTER
    Job.objects.filter(state=JobState.RUNNING, heard_at__lt=silent, tries__gte=MOST_TRIES).update(
        state=JobState.FAILED, message="This was tried three times without success."
    )
    Job.objects.filter(state=JobState.RUNNING, heard_at__lt=silent).update(
        state=JobState.WAITING, heard_at=F("heard_at")
    )
    for job_id in Job.objects.filter(state=JobState.WAITING).values_list("pk", flat=True):
        run_job.delay(str(job_id))


@shared_task
def wipe_unused_rehearsals() -> None:
    """Wipe the rehearsals in which nothing has happened for seven days."""
    from clubs.services import rehearsal

    rehearsal.wipe_unused(now=timezone.now())


@shared_task
def let_go_what_is_due() -> None:
    """Keep to the clubs' retention timetables: each once a day, nothing where none was agreed."""
    from clubs.services import keeping

    keeping.run_all(today=timezone.localdate())
