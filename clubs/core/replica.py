"""What may be a second old is read from a replica, where TONGBOX_REPLICA_DATABASE_URL names one.

Only views that say so, and only for onlookers: nobody who is signed in, no program with a key, and
nobody who saved something within ``SECONDS_AFTER_SAVING``. All that such a request reads comes from
one server, as what is cached by a version must not be older than the version.
"""

import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    InterfaceError,
    OperationalError,
    connection,
    connections,
)
from django.http import HttpRequest, HttpResponse

REPLICA: Final = "replica"
READ_METHODS: Final = frozenset({"GET", "HEAD"})
SAVED_COOKIE: Final = "saved"  # the cookie of somebody who has just saved something
SECONDS_AFTER_SAVING: Final = 10  # more than a replica may be behind
CHECK_SECONDS: Final = 1.0  # seconds
ABSENCE_SECONDS: Final = 5.0
# Still fed, and either nothing is left to do or what was done last is no more than two seconds old.
# A replica that has become the first server is as new as can be.
LAG_QUERY: Final = """
    SELECT NOT pg_is_in_recovery() OR (
        EXISTS (SELECT FROM pg_stat_wal_receiver)
        AND (pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()
             OR now() - pg_last_xact_replay_timestamp() < interval '2 seconds'))
"""

_reads_replica: ContextVar[bool] = ContextVar("whether the replica is read", default=False)


class Router:
    """Django's database router: reads of such a request go to the replica, all else does not."""

    def db_for_read(self, model: Any, **hints: Any) -> str:  # noqa: ARG002
        """Within a transaction it is the first server that is read, as it may hold changes."""
        is_replica = _reads_replica.get() and not connection.in_atomic_block
        return REPLICA if is_replica else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:  # noqa: ARG002
        return DEFAULT_DB_ALIAS

    def allow_relation(self, row: Any, other_row: Any, **hints: Any) -> bool:  # noqa: ARG002
        """Rows of both are the same rows."""
        return True

    def allow_migrate(self, database: str, app_label: str, **hints: Any) -> bool | None:  # noqa: ARG002
        return False if database == REPLICA else None


class _Closeness(threading.local):
    """Until when the replica of this thread's connection counts as close behind."""

    expires_at = 0.0


class _Absence:
    """Until when no thread asks a replica that did not answer, or was too far behind."""

    expires_at = 0.0


_closeness, _absence = _Closeness(), _Absence()


def replica_fault() -> str:
    """Whether the replica answers and is close behind; empty if so."""
    try:
        with connections[REPLICA].cursor() as cursor:
            cursor.execute(LAG_QUERY)
            (is_close,) = cursor.fetchone()
    except (DatabaseError, InterfaceError):
        connections[REPLICA].close()
        return "not responding: pages are read from the first server"
    return "" if is_close else "too far behind: pages are read from the first server"


def _is_set_up() -> bool:
    return REPLICA in settings.DATABASES


def _is_close_behind() -> bool:
    """Asks at most once a second in each thread."""
    now = time.monotonic()
    if now < _absence.expires_at:
        return False
    if now > _closeness.expires_at:
        if replica_fault():
            _absence.expires_at = now + ABSENCE_SECONDS
            return False
        _closeness.expires_at = now + CHECK_SECONDS
    return True


def _may_read_replica(request: HttpRequest) -> bool:
    cookies = request.COOKIES.keys() & {settings.SESSION_COOKIE_NAME, SAVED_COOKIE}
    return request.method in READ_METHODS and not cookies and "Authorization" not in request.headers


def reads_from_replica(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For a page that writes nothing; if the replica fails meanwhile, it is drawn once more."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if _is_set_up() and _may_read_replica(request) and _is_close_behind():
            token = _reads_replica.set(True)
            try:
                return view(request, *args, **kwargs)
            except (OperationalError, InterfaceError):
                _absence.expires_at = time.monotonic() + ABSENCE_SECONDS
            finally:
                _reads_replica.reset(token)
        return view(request, *args, **kwargs)

    inner.is_read_from_replica = True  # type: ignore[attr-defined]
    return inner


def replica_middleware(
    answer: Callable[[HttpRequest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Middleware: whoever saves something reads the first server for a while, so as to see it."""

    def inner(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if request.method not in READ_METHODS:
            response.set_cookie(
                SAVED_COOKIE,
                "1",
                max_age=SECONDS_AFTER_SAVING,
                secure=request.is_secure(),
                httponly=True,
                samesite="Lax",
            )
        return response

    return inner
