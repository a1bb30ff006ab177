"""How a job tells how far it is, and learns that it is no longer the one that does the work."""

from django.utils import timezone

from clubs.models import Job, JobState


class TakenOver(Exception):
    """The sweep took this worker for dead, and another does the job now."""


class TryLater(Exception):
    """The work cannot go on now but may in a minute; the words say why and how far it came."""


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
