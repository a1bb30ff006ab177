"""How it stands at this moment: what waits, how old the backup is, who was heard of.

A handful of statements, each of which PostgreSQL breaks off after two seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from math import inf
from shutil import disk_usage
from typing import Any, Final

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from redis.exceptions import RedisError

from clubs.models import Backup, Delivery, Job, JobState, Message, MessageState, Webhook
from clubs.tenancy import across_clubs
from config.caching import PATIENCE
from config.celery import app
from config.heartbeat import BEAT, WORKER

OF_LATE: Final = timedelta(days=30)  # letters of before wait for nobody
CONNECTIONS: Final = (
    "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity"
    " WHERE datname = current_database()"
)

Told = Iterator[tuple[str, str, float | None]]


def standing() -> Iterator[Metric]:
    """A gauge each; what cannot be learnt now is left out."""
    for name, words, value in looked_up():
        if value is not None:
            yield GaugeMetricFamily(f"tongbox_{name}", words, value=value)


def looked_up() -> Told:
    """Name, words and value of each; None for what there is not, or is not known now."""
    try:
        with across_clubs(), _not_for_long():
            result = [*_jobs(), *_news(), *_letters(), *_backups(), *_connections()]
    except (DatabaseError, InterfaceError):
        result = []
    yield "database_up", "1 where the database answers", float(bool(result))
    yield from result
    yield "worker_silent_seconds", "Since a worker was heard of", _age(cache.get(WORKER))
    yield "clock_silent_seconds", "Since the clock was heard of", _age(cache.get(BEAT))
    yield "queue_tasks", "Tasks that the broker holds", _queue()
    yield "disk_free_bytes", "Room where our files are", disk_usage(settings.VAR_DIR).free


@contextmanager
def _not_for_long() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '2s'")
        yield


def _jobs() -> Told:
    rows = Job.objects.filter(state__in=[JobState.WAITING, JobState.RUNNING]).order_by()
    result = {
        state: rest for state, *rest in rows.values_list("state", Count("pk"), Min("made_at"))
    }
    waiting, since = result.get(JobState.WAITING, (0, None))
    running, _ = result.get(JobState.RUNNING, (0, None))
    yield "jobs_waiting", "Jobs that wait for a worker", waiting
    yield "jobs_running", "Jobs in a worker's hands", running
    yield "jobs_oldest_seconds", "How long the oldest job waits", _age(since, never=0)


def _news() -> Told:
    rows = Delivery.objects.filter(try_at__isnull=False, webhook__is_active=True)
    result = rows.aggregate(all=Count("pk"), tried=Count("pk", filter=Q(tries__gt=0)))
    stopped = Webhook.objects.filter(is_active=False).exclude(stopped_because="")
    yield "news_waiting", "News on their way to programs", result["all"]
    yield "news_failing", "News that did not arrive and are tried again", result["tried"]
    yield "programs_given_up", "Programs told nothing more, as nothing arrived", stopped.count()


def _letters() -> Told:
    late = timezone.now() - OF_LATE
    waiting = Message.objects.filter(state=MessageState.WAITING, batch__made_at__gt=late)
    yield "letters_waiting", "Letters that wait to be sent", waiting.count()


def _backups() -> Told:
    result: dict[str, Any] = Backup.objects.order_by().aggregate(
        good=Max("made_at", filter=Q(is_good=True)), bad=Max("made_at", filter=Q(is_good=False))
    )
    good, bad = result["good"], result["bad"]
    is_good = good is not None and (bad is None or bad < good)
    yield "backup_age_seconds", "How old the last good backup is", _age(good)
    yield "backup_is_good", "1 where the last one that was tried is good", float(is_good)


def _connections() -> Told:
    used, most = None, None
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(CONNECTIONS)
            used, most = cursor.fetchone()
    yield "database_connections", "Connections to our database", used
    yield "database_connections_most", "Connections that the server allows", most


def _queue() -> float | None:
    """None where no broker is used, or it does not answer."""
    if not settings.REDIS_URL:
        return None
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **PATIENCE) as client:
            waiting: int = client.llen(app.conf.task_default_queue)
            return waiting
    except RedisError:
        return None


def _age(since: datetime | None, *, never: float = inf) -> float:
    return never if since is None else (timezone.now() - since).total_seconds()
