"""Work behind the pages: a job is a row, and the broker only wakes whoever does it."""

import logging
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from celery import Task, shared_task
from django.db.models import F
from django.utils import timezone
from kombu.exceptions import OperationalError

from clubs.apart import across_clubs
from clubs.models import Club, Job, JobState, User

SILENT_AFTER = timedelta(minutes=2)
MOST_TRIES = 3

log = logging.getLogger(__name__)


def make_job(*, club: Club, kind: str, about: int, asked_by: User | None = None) -> Job:
    """A waiting job; call ``wake`` once the transaction has ended."""
    return Job.objects.create(club=club, kind=kind, about=about, asked_by=asked_by)


def wake(job: Job) -> None:
    """Tell a worker that a job waits."""
    call(run_job, str(job.pk))


def call(task: Task[Any, Any], *told: int | str) -> None:
    """Tell a worker what to do; if nobody can be told, the minute's sweep finds the row."""
    try:
        task.delay(*told)
    except OperationalError as gone:
        log.warning("no worker could be told of %s: %s", task.name, gone)


@shared_task
def run_job(job_id: str) -> None:
    """Do one job, unless someone else does it or has done it."""
    from clubs.services import jobs

    jobs.run(UUID(job_id))


@shared_task
def wake_waiting_jobs() -> None:
    """Wake jobs that nobody began, and those whose worker fell silent."""
    with across_clubs():
        for job_id in _waiting(silent=timezone.now() - SILENT_AFTER):
            run_job.delay(str(job_id))


def _waiting(silent: datetime) -> list[UUID]:
    """The jobs that wait, those among them whose worker has not been heard of since."""
    Job.objects.filter(state=JobState.RUNNING, heard_at__lt=silent, tries__gte=MOST_TRIES).update(
        state=JobState.FAILED, message="This was tried three times without success."
    )
    Job.objects.filter(state=JobState.RUNNING, heard_at__lt=silent).update(
        state=JobState.WAITING, heard_at=F("heard_at")
    )
    return list(Job.objects.filter(state=JobState.WAITING).values_list("pk", flat=True))


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


@shared_task
def let_go_of_answers() -> None:
    """Delete what programs were answered more than a day ago, and news of a month ago."""
    from clubs.services import answers, deliveries

    answers.let_go_of_answers(now=timezone.now())
    deliveries.let_go_of_news(now=timezone.now())


@shared_task
def send_news(delivery_id: int) -> None:
    """Tell another program one piece of news, unless someone else does or has done."""
    from clubs.services import deliveries

    deliveries.send(delivery_id=delivery_id, now=timezone.now())


@shared_task
def send_waiting_news() -> None:
    """Wake the news whose time has come: those that nobody sent, and those to be tried again."""
    from clubs.services import deliveries

    for delivery_id in deliveries.waiting(now=timezone.now()):
        send_news.delay(delivery_id)
