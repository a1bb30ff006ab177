"""A job is a row: how it is begun, how far it is, and whether another worker does it now."""

from django.utils import timezone

from clubs.models import Club, Job, JobState, User
from clubs.queue import send


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
