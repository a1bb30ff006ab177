"""Whether this process can serve: what it leans on, asked one by one.

Only what stops hands from being recorded makes it not ready; the rest is told as a warning.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network
from shutil import disk_usage
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest
from django.utils import timezone
from redis.exceptions import RedisError

from clubs.language.moments import long_date
from clubs.models import Backup
from config.heartbeat import BEAT, WORKER, silence
from scoring.scorebook.checks import applied_in, half_migrated

FINE: Final = "ok"
SECONDS_TO_ANSWER: Final = 2
LEAST_ROOM: Final = 50 * 2**20  # bytes: less, and the next hand may not fit
LITTLE_ROOM: Final = 2 * 2**30  # bytes
OLD_BACKUP: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Check:
    """What was asked, what is wrong (empty: nothing), and whether that stops hands."""

    name: str
    fault: str
    stops: bool = False

    @property
    def words(self) -> str:
        """``ok``, or what is wrong."""
        return self.fault or FINE

    @property
    def mark(self) -> str:
        """``fine``, ``stops`` or ``warning``."""
        if not self.fault:
            return "fine"
        return "stops" if self.stops else "warning"


def readiness() -> list[Check]:
    """What this process leans on, one line each; a few queries, nothing that takes long."""
    database = _database()
    checks = [Check("database", database, stops=True)]
    if not database:
        checks += [Check("migrations", _migrations(), stops=True), Check("backup", _backup())]
    return [*checks, *_disk(), *_helpers()]


def is_watched_from(request: HttpRequest) -> bool:
    """Whether details may be told: to this machine, and to the networks in TONGBOX_WATCHERS."""
    try:
        # The caller's address; a proxy on this machine says whose it is in the last place.
        at: str = request.META.get("REMOTE_ADDR", "")
        text = request.headers.get("X-Forwarded-For", "")
        is_proxy = at in {"127.0.0.1", "::1", ""}
        asked_from = ip_address(text.rpartition(",")[2].strip() if text and is_proxy else at)
    except ValueError:
        return False
    return asked_from.is_loopback or any(
        asked_from in ip_network(net, strict=False) for net in settings.WATCHERS
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return "not responding"
    return ""


def _migrations() -> str:
    try:
        applied = applied_in(connection)
    except (DatabaseError, InterfaceError):
        return "not known"
    loader = MigrationLoader(None)
    if any(half_migrated(loader, applied)):
        return "partly applied"
    waiting = len(set(loader.graph.nodes) - applied)
    return f"{waiting} not applied" if waiting else ""


def _backup() -> str:
    try:
        last = Backup.objects.filter(is_good=True).order_by("-made_at").first()
    except (DatabaseError, InterfaceError):
        return "not known"
    if last is None:
        return "no good backup yet"
    is_old = timezone.now() - last.made_at > OLD_BACKUP
    return f"the last good backup is of {long_date(last.made_at)}" if is_old else ""


def _disk() -> Iterator[Check]:
    free = disk_usage(settings.VAR_DIR).free
    text = f"{free / 2**20:,.0f} MiB free" if free < LITTLE_ROOM else ""
    yield Check("disk", text, stops=free < LEAST_ROOM)


def _helpers() -> Iterator[Check]:
    """Redis where it is used; the worker and its clock are heard of by way of it."""
    if settings.REDIS_URL:
        away = _redis()
        yield Check("redis", away)
        if away:
            return
    yield Check("worker", silence(WORKER))
    yield Check("clock", silence(BEAT))


def _redis() -> str:
    patience = {"socket_timeout": SECONDS_TO_ANSWER, "socket_connect_timeout": SECONDS_TO_ANSWER}
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **patience) as client:
            client.ping()
    except RedisError:
        return "not responding: hands are still recorded, but email and printing are on hold"
    return ""
