"""Pages that belong to no app: whether it can serve, the style guide, and what to read if not.

Only what stops hands from being recorded makes it not ready; the rest is a warning.
"""

import sys
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from itertools import islice
from math import ceil
from shutil import disk_usage
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from clubs.api.answers import PROBLEM_JSON, problem_details
from clubs.api.callers import CallerThrottle, until_next_minute
from clubs.backup.away_news import away_news_at
from clubs.core.access import public_view
from clubs.core.addresses import is_forwarded
from clubs.core.files import StorageUnavailable
from clubs.core.replica import REPLICA, replica_fault
from clubs.core.tries import seconds_to_wait, wait_sentence
from clubs.core.versioned_cache import get_or_compute
from clubs.house.showcase import showcase_context
from clubs.language.moments import long_date
from clubs.models import Backup
from clubs.tenancy import ClubClosed
from config import caching
from config.apidocs import areas
from config.celery import BEAT_KEY, WORKER_KEY, silence_text
from config.logs import READ_ONLY_STATE, current_request_id
from scoring.scorebook.apps import applied_migrations, partly_migrated_apps

FINE_TEXT: Final = "ok"
REDIS_TIMEOUT: Final = 2
SCHEMA_CACHE_SECONDS: Final = 24 * 60 * 60  # seconds
MIN_FREE_SPACE: Final = 50 * 2**20  # bytes: less, and the next hand may not fit
LOW_FREE_SPACE: Final = 2 * 2**30  # bytes
OLD_BACKUP: Final = timedelta(days=2)

# By the words of libpq and PostgreSQL: what whoever set DATABASE_URL can do about it.
CONNECTION_REASONS: Final = {
    "server does not support SSL": "it does not offer TLS, which DATABASE_URL requires",
    "certificate": "its certificate is not one that DATABASE_URL trusts",
    "session is read-only": "no server of DATABASE_URL takes writes; promote the replica",
    "password authentication failed": "it refuses the password in DATABASE_URL",
}

# PostgreSQL's SQLSTATEs
DISK_FULL, LOCK_NOT_AVAILABLE = "53100", "55P03"

OUR_FAULT: Final = ("error", "Something went wrong. That is our fault.")


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, what is wrong (empty: nothing), and whether that stops hands."""

    name: str
    fault: str
    stops: bool = False

    @property
    def text(self) -> str:
        return self.fault or FINE_TEXT

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
    checks = [Check("database", database_fault() or flush_fault(), stops=True)]
    if not checks[0].fault:
        checks.append(Check("migrations", migrations_fault(), stops=True))
        checks.append(Check("backup", backup_fault()))
        if settings.BACKUPS_AWAY:
            checks.append(Check("copies of backups", copies_fault()))
    if REPLICA in settings.DATABASES:
        checks.append(Check("replica", replica_fault()))
    free = disk_usage(settings.VAR_DIR).free
    room = f"{free / 2**20:,.0f} MiB free" if free < LOW_FREE_SPACE else ""
    checks.append(Check("disk", room, stops=free < MIN_FREE_SPACE))
    if settings.REDIS_URL:
        checks.append(Check("redis", redis_fault()))
    if not (settings.REDIS_URL and checks[-1].fault):
        checks += [
            Check("worker", silence_text(WORKER_KEY)),
            Check("clock", silence_text(BEAT_KEY)),
        ]
    return checks


def is_watched_from(request: HttpRequest) -> bool:
    """Whether the caller may see details: this machine, and the networks in TONGBOX_WATCHERS."""
    # The caller's address; a proxy on this machine says whose it is in the last place.
    remote_address: str = request.META.get("REMOTE_ADDR", "")
    text = request.headers.get("X-Forwarded-For", "")
    is_proxy = remote_address in {"127.0.0.1", "::1", ""}
    if is_proxy and not text and is_forwarded(request):
        return False
    try:
        asked_from = ip_address(
            text.rpartition(",")[2].strip() if text and is_proxy else remote_address
        )
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
    except (DatabaseError, InterfaceError) as why:
        reasons = (reason for sign, reason in CONNECTION_REASONS.items() if sign in str(why))
        return ": ".join(["not responding", *islice(reasons, 1)])
    return ""


def flush_fault() -> str:
    """Whether the disk took what SQLite saved; the gate of the file knows."""
    if not getattr(connection, "has_failed", False):
        return ""
    return "the disk did not take what was saved: check it, and restart Tongbox"


def migrations_fault() -> str:
    """Whether every migration is applied, and none by half."""
    try:
        migrations = applied_migrations(connection)
    except (DatabaseError, InterfaceError):
        return "not known"
    loader = MigrationLoader(None)
    if any(partly_migrated_apps(loader, migrations)):
        return "partly applied"
    waiting = len(set(loader.graph.nodes) - migrations)
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
    return f"the last good backup was made on {long_date(last.made_at)}" if is_old else ""


def copies_fault() -> str:
    """Whether every place has an encrypted copy of a backup of the last three days."""
    try:
        news = away_news_at(timezone.now())
    except (DatabaseError, InterfaceError):
        return "not known"
    return " ".join(copy.trouble for copy in news if copy.trouble)


def redis_fault() -> str:
    if caching.is_redis_up(settings.REDIS_URL, seconds=REDIS_TIMEOUT):
        return ""
    return "not responding: hands are still recorded, but email and printing are on hold"


@dataclass(frozen=True, slots=True)
class Outage:
    """Why it cannot be done now: a code for programs, sentences for people, when to try again."""

    code: str
    heading: str
    message: str
    seconds: int = 5


DISK_OUTAGE = Outage(
    "disk_full",
    "Storage is full",
    "There is no disk space left, so what you sent was not saved. Everything saved earlier is "
    "safe. Tell your Tongbox administrator, then send it again.",
)
WRITERS_OUTAGE = Outage(
    "busy",
    "Tongbox is busy",
    "Too many people were saving at once, so what you sent was not saved. Please try again.",
    seconds=1,
)
VISITORS_OUTAGE = Outage(
    "crowded",
    "Tongbox is busy",
    "Many people are looking at once. Try again in a moment.",
    seconds=2,
)
RATE_LIMIT_OUTAGE = Outage(
    "too_many_requests",
    "Too many pages in one minute",
    "More pages were opened from your network than Tongbox allows in a minute. Wait a minute, then "
    "try again.",
    seconds=60,
)
DATABASE_OUTAGE = Outage(
    "book_away",
    "Tongbox cannot reach its database",
    "What you sent may not have been saved. Everything saved earlier is safe. Try again in a "
    "minute: sending a hand twice does not record it twice.",
)


STORAGE_OUTAGE = Outage(
    "files_away",
    "Printouts are out of reach",
    "The storage for printouts does not respond. Everything saved earlier is safe. Try again in a "
    "minute.",
)


def outage_of(error: BaseException | None) -> Outage | None:
    """Which outage an error means; None where it means none."""
    cause = error.__cause__ if error else None
    if isinstance(error, StorageUnavailable):
        return STORAGE_OUTAGE
    if getattr(cause, "sqlstate", None) == READ_ONLY_STATE:
        return DATABASE_OUTAGE  # a replica that nobody has promoted
    if not isinstance(error, (OperationalError, InterfaceError)):
        return None
    message, state = str(error).lower(), getattr(cause, "sqlstate", None)
    if state == DISK_FULL or "disk is full" in message or "no space left" in message:
        return DISK_OUTAGE
    if state == LOCK_NOT_AVAILABLE or "database is locked" in message:
        return WRITERS_OUTAGE
    return DATABASE_OUTAGE


@public_view
def liveness_check(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answers as long as the process does."""
    return HttpResponse("ok", content_type="text/plain")


@public_view
@never_cache
def readiness_check(request: HttpRequest) -> HttpResponse:
    """For whoever watches the machine: 200, or 503 where hands cannot be recorded; and why."""
    checks = readiness()
    is_ready = all(check.mark != "stops" for check in checks)
    status = 200 if is_ready else 503
    if not is_watched_from(request):
        word = "ready" if is_ready else "not ready"
        return HttpResponse(word, content_type="text/plain", status=status)
    if request.get_preferred_type(["application/json", "text/html"]) == "text/html":
        context = {"checks": checks, "is_ready": is_ready}
        return render(request, "ready.html", context, status=status)
    return JsonResponse({check.name: check.text for check in checks}, status=status)


@public_view
def metrics_missing(request: HttpRequest) -> HttpResponse:
    """Where the client of Prometheus is not installed: what to install."""
    if not is_watched_from(request):
        raise Http404
    text = "Nothing is counted here. For Prometheus, install tongbox[server].\n"
    return HttpResponse(text, content_type="text/plain", status=404)


@public_view
def style_guide(request: HttpRequest) -> HttpResponse:
    """Every component in every state, for whoever builds pages."""
    return render(request, "style_guide.html", showcase_context())


@public_view
def api_docs(request: HttpRequest) -> HttpResponse:
    """The API's description, to be read: what it is about, area by area."""
    return render(request, "api.html", {"areas": areas()})


@public_view
def api_docs_area(request: HttpRequest, area: str) -> HttpResponse:
    """Everything that a program can ask of one area."""
    result = next((item for item in areas() if item.slug == area), None)
    if result is None:
        raise Http404
    crumbs = [{"label": "API documentation", "url": reverse("api-docs")}, {"label": result.title}]
    return render(request, "api_area.html", {"area": result, "breadcrumbs": crumbs})


class SchemaView(SpectacularAPIView):
    """The API's description, which anyone may read: the same until the next release."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    throttle_classes = (CallerThrottle,)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """It takes a second of processor, so it is put together once."""
        renderer: Any = request.accepted_renderer
        describe: Any = super().get

        def put_together() -> tuple[bytes, dict[str, str]]:
            answer = describe(request, *args, **kwargs)
            content = force_bytes(renderer.render(answer.data, renderer.media_type, {}))
            return content, {"Content-Disposition": answer.headers["Content-Disposition"]}

        name = f"api-schema-{renderer.format}-{renderer.media_type}"
        content, headers = get_or_compute(name, put_together, seconds=SCHEMA_CACHE_SECONDS)
        return HttpResponse(content, content_type=renderer.media_type, headers=headers)


describe_api = public_view(SchemaView.as_view())


def forbidden(request: HttpRequest, exception: PermissionDenied) -> HttpResponse:
    """403 with the sentence that the door gave."""
    context = {"reason": str(exception), "is_closed": isinstance(exception, ClubClosed)}
    return render(request, "403.html", context, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """404: nothing here, or nothing of yours."""
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: what was sent could not be read, or was sent to a host that is not ours."""
    host = request.META.get("HTTP_HOST", "") if isinstance(exception, DisallowedHost) else ""
    return render(request, "400.html", {"not_ours": host}, status=400)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429: tried too often, and how long to wait."""
    wait = seconds_to_wait(request)
    answer = render(request, "429.html", {"sentence": wait_sentence(wait)}, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def server_error(request: HttpRequest) -> HttpResponse:
    """503 while the database is away or full; else 500: our mistake, without a traceback."""
    return _error_response(request, outage_of(sys.exception()))


def busy(request: HttpRequest) -> HttpResponse:
    """503 while too many others save."""
    return _error_response(request, WRITERS_OUTAGE)


def too_many_visitors(request: HttpRequest) -> HttpResponse:
    """503 while too many visitors look at a club's pages."""
    return _error_response(request, VISITORS_OUTAGE)


def too_many_pages(request: HttpRequest) -> HttpResponse:
    """429 for a network that asked for too many pages of clubs this minute."""
    limit = replace(RATE_LIMIT_OUTAGE, seconds=ceil(until_next_minute()))
    return _error_response(request, limit, HTTPStatus.TOO_MANY_REQUESTS)


def _error_response(
    request: HttpRequest, outage: Outage | None, status: HTTPStatus | None = None
) -> HttpResponse:
    """An error in the form of the API, or a page; an outage is 503 unless ``status`` is given."""
    outage_status, fault = HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.INTERNAL_SERVER_ERROR
    status = status or (outage_status if outage else fault)
    if request.path.startswith("/api/v"):
        code, message = (outage.code, outage.message) if outage else OUR_FAULT
        problem = {"code": code, "where": "", "message": message}
        details = problem_details([problem], status)
        answer: HttpResponse = JsonResponse(details, content_type=PROBLEM_JSON, status=status)
    else:
        context = {"outage": outage, "request_id": current_request_id()}
        answer = render(request, "503.html" if outage else "500.html", context, status=status)
    if outage:
        answer["Retry-After"] = str(outage.seconds)
    return answer
