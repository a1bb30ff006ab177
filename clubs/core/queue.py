"""Sends background jobs by name, and stores events for webhooks."""

import logging
from functools import partial
from typing import Any, Final
from uuid import uuid4

from celery import signature
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from clubs.core.addresses import site_address
from clubs.core.files import StorageUnavailable
from clubs.models import Club, Delivery, Job, JobState, News, User, Webhook
from clubs.tenancy import club_scope
from scoring.scorebook.prepared import PreparedQuery

log: Final = logging.getLogger(__name__)
CLUB_FILE: Final = "club file"  # the kind of job that writes a whole club
UNFINISHED_STATES: Final = (JobState.WAITING, JobState.RUNNING)
ADDRESSES_WITHOUT_CLUB: Final = frozenset({"api-game"})  # addresses of the API that name no club


def queue_task(name: str, *ids: int | str) -> None:
    """Send the task of this name to a worker once the transaction is committed."""
    transaction.on_commit(partial(queue_task_now, name, *ids), robust=True)


def queue_task_now(name: str, *ids: int | str) -> None:
    """Send the task to a worker.

    If the broker does not respond, that is logged; the minute's sweep finds the row.
    """
    try:
        signature(name, args=ids).delay()
    except OperationalError as error:
        log.warning("no worker could be told of %s: %s", name, error)


class TakenOver(Exception):
    """The job was given to another worker, because this one seemed dead."""


class TryLater(Exception):
    """The work may be possible in a minute; the message says why and how far it is."""


def make_job(*, club: Club, kind: str, subject_key: int, asked_by: User | None = None) -> Job:
    """Create a waiting job; call ``wake``, or the minute's sweep will."""
    return Job.objects.create(club=club, kind=kind, about=subject_key, asked_by=asked_by)


def queue_job(job: Job) -> None:
    """Send the job to a worker once the transaction is committed."""
    queue_task("clubs.tasks.run_job", str(job.pk))


def report_progress(job: Job, *, done: int, total: int) -> None:
    """Store the job's progress, which also tells the sweep that this worker is alive.

    Raises TakenOver if the job has been given to another worker.
    """
    jobs = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, tries=job.tries)
    if not jobs.update(done=done, total=total, heard_at=timezone.now()):
        raise TakenOver
    job.done, job.total = done, total


def store_result(job: Job, name: str, content: "File[bytes]") -> None:
    """Store the file that the job made, with its size; ``finish_job`` writes both to the row."""
    size = content.size
    job.result.save(name, content, save=False)
    job.bytes = size


def store_pdf(job: Job, pdf: bytes) -> str:
    """Store the printout that the job made; the message of such a job is empty.

    Raises ``TryLater`` while the storage does not respond.
    """
    try:
        store_result(job, f"{job.pk}.pdf", ContentFile(pdf))
    except StorageUnavailable as why:
        raise TryLater(
            "It could not be stored, because the storage for printouts does not respond."
        ) from why
    return ""


def finish_job(job: Job, state: JobState, message: str) -> None:
    """Store the outcome of this try, unless another worker has taken over the job."""
    jobs = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, tries=job.tries)
    jobs.update(
        state=state,
        message=message[:200],
        result=job.result.name,
        bytes=job.bytes,
        heard_at=timezone.now(),
    )


def delete_jobs(jobs: QuerySet[Job]) -> bool:
    """Delete these jobs, and on commit the files that they made; whether there were any."""
    files = dict(jobs.values_list("pk", "result"))
    jobs.filter(pk__in=files).delete()
    for name in filter(None, files.values()):
        transaction.on_commit(partial(default_storage.delete, name), robust=True)
    return bool(files)


def _active_webhooks(club: int) -> QuerySet[Webhook]:
    with club_scope(club):
        return Webhook.objects.filter(is_active=True)


def _subscribed_kinds(club: int) -> QuerySet[Webhook, Any]:
    return _active_webhooks(club).values_list("kinds", flat=True)


_KINDS_QUERY = PreparedQuery(_subscribed_kinds, int)


def emit_event(kind: News, *, club: int, route: tuple[Any, ...], **row_keys: int) -> None:
    """Store an event for every webhook of the club (its key) that subscribes to this kind.

    ``route`` is its API address: the URL name and its arguments after the club, if it names one;
    ``row_keys`` names the rows. One query if nobody subscribes.
    """
    if any(kind.value in kinds for kinds in _KINDS_QUERY(club)):
        webhooks = _active_webhooks(club).select_related("club")
        _store_events(
            [webhook for webhook in webhooks if kind.value in webhook.kinds], kind, route, row_keys
        )


def emit_event_to(webhook: Webhook, kind: News, *, route: tuple[Any, ...]) -> Delivery:
    """Store an event for one webhook, whatever it subscribes to; returns the delivery's body."""
    return _store_events([webhook], kind, route, {})[0]


def _store_events(
    webhooks: list[Webhook], kind: News, route: tuple[Any, ...], row_keys: dict[str, int]
) -> list[Delivery]:
    now = timezone.now()
    name, *args = route
    slug = webhooks[0].club.slug
    club_args = [] if name in ADDRESSES_WITHOUT_CLUB else [slug]
    news = {
        "kind": kind.value,
        "at": now.isoformat(),
        "club": slug,
        "about": row_keys,
        "address": site_address() + reverse(name, args=[*club_args, *args]),
    }
    rows = Delivery.objects.bulk_create(
        Delivery(webhook=webhook, kind=kind, payload={"id": str(uuid4()), **news}, try_at=now)
        for webhook in webhooks
    )
    for row in rows:
        queue_task("clubs.tasks.send_news", row.pk)
    return rows
