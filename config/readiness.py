"""Whether this process can serve, and what people read when it cannot.

Only what stops hands from being recorded makes it not ready; the rest is a warning.
"""

import sys
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network
from shutil import disk_usage
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest
from django.utils import timezone
from psycopg.errors import DiskFull, LockNotAvailable
from redis.exceptions import RedisError

from clubs.language.moments import long_date
from clubs.models import Backup
from config.celery import BEAT, WORKER, silence
from scoring.scorebook.apps import applied_in, half_migrated

FINE: Final = "ok"
SECONDS_TO_ANSWER: Final = 2
LEAST_ROOM: Final = 50 * 2**20  # bytes: less, and the next hand may not fit
LITTLE_ROOM: Final = 2 * 2**30  # bytes
OLD_BACKUP: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, what is wrong (empty: nothing), and whether that stops hands."""

    name: str
    fault: str
    stops: bool = False

    @property
    def words(self) -> str:
        return self.fault or FINE

    @property
    def mark(self) -> str:
        """``fine``, ``stops`` or ``warning``."""
        if not self.fault:
            return "fine"
        return "stops" if self.stops else "warning"


def readiness() -> list[Check]:
    """What this process leans on, one line each; a few queries, nothing that takes long.

    Where Redis is used, nothing is known of the worker and the clock without it.
    """
    database = database_fault()
    checks = [Check("database", database, stops=True)]
    if not database:
        checks.append(Check("migrations", migrations_fault(), stops=True))
        checks.append(Check("backup", backup_fault()))
    free = disk_usage(settings.VAR_DIR).free
    room = f"{free / 2**20:,.0f} MiB free" if free < LITTLE_ROOM else ""
    checks.append(Check("disk", room, stops=free < LEAST_ROOM))
    if settings.REDIS_URL:
        checks.append(Check("redis", redis_fault()))
    if not (settings.REDIS_URL and checks[-1].fault):
        checks += [Check("worker", silence(WORKER)), Check("clock", silence(BEAT))]
    return checks


def is_watched_from(request: HttpRequest) -> bool:
    """Whether the caller may see details: this machine, and the networks in TONGBOX_WATCHERS."""
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


def database_fault() -> str:
    """Whether the database answers; empty if so, as for all these faults."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return "not responding"
    return ""


def migrations_fault() -> str:
    """Whether every migration is applied, and none by half."""
    try:
        applied = applied_in(connection)
    except (DatabaseError, InterfaceError):
        return "not known"
    loader = MigrationLoader(None)
    if any(half_migrated(loader, applied)):
        return "partly applied"
    waiting = len(set(loader.graph.nodes) - applied)
    return f"{waiting} not applied" if waiting else ""


def backup_fault() -> str:
    """Whether there is a good backup of the last two days."""
    try:
        last = Backup.objects.filter(is_good=True).order_by("-made_at").first()
    except (DatabaseError, InterfaceError):
        return "not known"
    if last is None:
        return "no good backup yet"
    is_old = timezone.now() - last.made_at > OLD_BACKUP
    return f"the last good backup is of {long_date(last.made_at)}" if is_old else ""


def redis_fault() -> str:
    patience = {"socket_timeout": SECONDS_TO_ANSWER, "socket_connect_timeout": SECONDS_TO_ANSWER}
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **patience) as client:
            client.ping()
    except RedisError:
        return "not responding: hands are still recorded, but email and printing are on hold"
    return ""


SECONDS_TO_WAIT = 5


@dataclass(frozen=True, slots=True)
class Outage:
    """Why it cannot be done now: a code for programs, sentences for people."""

    code: str
    heading: str
    sentence: str


FULL = Outage(
    "disk_full",
    "Storage is full",
    "There is no disk space left, so what you sent was not saved. Everything saved earlier is "
    "safe. Tell your Tongbox administrator, then send it again.",
)
BUSY = Outage(
    "busy",
    "Tongbox is busy",
    "Too many people were saving at once, so what you sent was not saved. Please try again.",
)
AWAY = Outage(
    "book_away",
    "Tongbox cannot reach its database",
    "What you sent may not have been saved. Everything saved earlier is safe. Try again in a "
    "minute: sending a hand twice does not record it twice.",
)


def outage_now() -> Outage | None:
    """The outage behind the error that is being answered; None where it is another kind."""
    return outage_of(sys.exception())


def outage_of(raised: BaseException | None) -> Outage | None:
    """Which outage an error means; None where it means none."""
    if not isinstance(raised, (OperationalError, InterfaceError)):
        return None
    cause, words = raised.__cause__, str(raised).lower()
    if isinstance(cause, DiskFull) or "disk is full" in words or "no space left" in words:
        return FULL
    if isinstance(cause, LockNotAvailable) or "database is locked" in words:
        return BUSY
    return AWAY
