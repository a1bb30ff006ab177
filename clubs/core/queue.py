"""Sends tasks to a worker by their registered names, so that no sender imports the work."""

import logging
from functools import partial
from typing import Final

from celery import signature
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from clubs.models import Club, Job, JobState, User

log: Final = logging.getLogger(__name__)


def send(name: str, *ids: int | str) -> None:
    """Send the task of this name to a worker once the transaction is committed.

    If the broker does not answer, the log says so; the minute's sweep finds the row.
    """
    transaction.on_commit(partial(_publish, name, ids), robust=True)


def _publish(name: str, ids: tuple[int | str, ...]) -> None:
    try:
        signature(name, args=ids).delay()
    except OperationalError as error:
        log.warning("no worker could be told of %s: %s", name, error)


class TakenOver(Exception):
    """The sweep took this worker for dead, and another does the job now."""


class TryLater(Exception):
    """The work cannot go on now but may in a minute; the words say why and how far it came."""


def make_job(*, club: Club, kind: str, about: int, asked_by: User | None = None) -> Job:
    """A waiting job; ``wake`` it, or the minute's sweep will."""
    return Job.objects.create(club=club, kind=kind, about=about, asked_by=asked_by)


def wake(job: Job) -> None:
    """Tell a worker of the job once the transaction is committed."""
    send("clubs.tasks.run_job", str(job.pk))


def say(job: Job, *, done: int, total: int) -> None:
    """How far the job has come, for whoever watches; a sign of life for the sweep.

    Raises TakenOver where the job has been given to another worker.
    """
    held = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, tries=job.tries)
    if not held.update(done=done, total=total, heard_at=timezone.now()):
        raise TakenOver
    job.done, job.total = done, total


def finish(job: Job, state: JobState, message: str) -> None:
    """The last word of this try; nothing where another worker has taken the job over."""
    held = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, tries=job.tries)
    held.update(state=state, message=message[:200], result=job.result.name, heard_at=timezone.now())
