"""What Prometheus reads: what was counted, then how things are now."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from math import inf
from shutil import disk_usage
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Count, Max, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from clubs.backup.away_news import away_news_at
from clubs.core.access import public_view
from clubs.core.queue import UNFINISHED_STATES
from clubs.models import Backup, Delivery, Job, JobState, Message, MessageState, Webhook
from clubs.tenancy import across_clubs
from config import caching
from config.celery import BEAT_KEY, WORKER_KEY, app
from config.metrics import shared
from config.views import is_watched_from

RECENT_PERIOD: Final = timedelta(days=30)  # letters of before wait for nobody
CONNECTIONS_SQL: Final = (
    "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity"
    " WHERE datname = current_database()"
)

OLDEST_JOB_METRIC: Final = "jobs_oldest_seconds"

Figure = tuple[str, str, float | None]
Figures = Iterator[Figure]

disable_created_metrics()  # type: ignore[no-untyped-call]


class MetricsCollector:
    """Of all services that live, each with its name, or of this one process."""

    def collect(self) -> Iterator[Metric]:
        yield from (
            _service_metrics() if shared.METRICS_VARIABLE in os.environ else REGISTRY.collect()
        )
        for name, documentation, value in current_figures():
            if value is not None:
                yield GaugeMetricFamily(f"tongbox_{name}", documentation, value=value)


def metrics_text() -> bytes:
    return generate_latest(MetricsCollector())


def _service_metrics() -> Iterator[Metric]:
    metrics_by_name: dict[str, Metric] = {}
    for folder in shared.live_services():
        files = sorted(str(file) for file in folder.glob("*.db"))
        with suppress(FileNotFoundError):  # it ends just now
            for part in MultiProcessCollector.merge(files):  # type: ignore[no-untyped-call]
                metric = Metric(part.name, part.documentation, part.type)
                metric = metrics_by_name.setdefault(part.name, metric)
                for sample in part.samples:
                    labels = sample.labels | {"service": folder.name}
                    metric.samples.append(sample._replace(labels=labels))
    yield from metrics_by_name.values()


@public_view
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """What was counted and how things are now, for Prometheus."""
    if not is_watched_from(request):
        raise Http404
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)


def current_figures() -> Figures:
    """How things are at this moment: a handful of statements, which PostgreSQL ends after 2 s.

    Name, words and value of each; None for what there is not, or is not known now.
    """
    try:
        with across_clubs(), _short_statements():
            result = [*_club_figures(), *_installation_figures()]
    except (DatabaseError, InterfaceError):
        result = []
    yield "database_up", "1 where the database answers", float(bool(result))
    yield from result
    yield (
        "worker_silent_seconds",
        "Since a worker was heard of",
        _age_seconds(cache.get(WORKER_KEY)),
    )
    yield "clock_silent_seconds", "Since the clock was heard of", _age_seconds(cache.get(BEAT_KEY))
    url, queue = settings.REDIS_URL, app.conf.task_default_queue
    yield (
        "queue_tasks",
        "Tasks that the broker holds",
        caching.queue_length(url, queue) if url else None,
    )
    yield "disk_free_bytes", "Free space where the files are", disk_usage(settings.VAR_DIR).free


@contextmanager
def _short_statements() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '2s'")
        yield


def _club_figures() -> Figures:
    """What waits or fails in any club."""
    rows = Job.objects.filter(state__in=UNFINISHED_STATES).order_by()
    jobs = {
        state: job_figures
        for state, *job_figures in rows.values_list("state", Count("pk"), Min("made_at"))
    }
    waiting, oldest_made_at = jobs.get(JobState.WAITING, (0, None))
    yield "jobs_waiting", "Jobs that wait for a worker", waiting
    yield "jobs_running", "Jobs in a worker’s hands", jobs.get(JobState.RUNNING, (0, None))[0]
    yield OLDEST_JOB_METRIC, "How long the oldest job waits", _age_seconds(oldest_made_at, never=0)
    sending = Delivery.objects.filter(try_at__isnull=False, webhook__is_active=True)
    deliveries = sending.aggregate(all=Count("pk"), tried=Count("pk", filter=Q(tries__gt=0)))
    stopped_webhooks = Webhook.objects.filter(is_active=False).exclude(stopped_because="")
    yield "news_waiting", "Webhook deliveries under way", deliveries["all"]
    yield "news_failing", "Webhook deliveries being retried", deliveries["tried"]
    yield (
        "programs_given_up",
        "Webhooks stopped because nothing was delivered",
        stopped_webhooks.count(),
    )
    cutoff = timezone.now() - RECENT_PERIOD
    letters = Message.objects.filter(state=MessageState.WAITING, batch__made_at__gt=cutoff)
    yield "letters_waiting", "Messages waiting to be sent", letters.count()


def _installation_figures() -> Figures:
    """Its backups; with PostgreSQL, its connections as well."""
    yield from _backup_figures()
    used, most = None, None
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(CONNECTIONS_SQL)
            used, most = cursor.fetchone()
    yield "database_connections", "Connections to our database", used
    yield "database_connections_most", "Connections that the server allows", most


def _backup_figures() -> Figures:
    backups: dict[str, Any] = Backup.objects.order_by().aggregate(
        good=Max("made_at", filter=Q(is_good=True)), bad=Max("made_at", filter=Q(is_good=False))
    )
    good, bad = backups["good"], backups["bad"]
    is_good = good is not None and (bad is None or bad < good)
    yield "backup_age_seconds", "How old the last good backup is", _age_seconds(good)
    yield "backup_is_good", "1 where the last one that was tried is good", float(is_good)
    copies = [copy.made_at for copy in away_news_at(timezone.now())]
    oldest = _age_seconds(None if None in copies else min(filter(None, copies))) if copies else None
    yield "away_copy_age_seconds", "How old the last backup is that every other place has", oldest


def _age_seconds(start: datetime | None, *, never: float = inf) -> float:
    return never if start is None else (timezone.now() - start).total_seconds()
