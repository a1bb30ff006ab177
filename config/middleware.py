"""What is done around every request: timed, numbered, checked for size, given its headers."""

import re
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address
from threading import BoundedSemaphore, Lock
from time import perf_counter
from typing import Any, Final
from uuid import uuid4

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from structlog.contextvars import bind_contextvars, clear_contextvars

from clubs.api.answers import PROBLEM_JSON, problem_details
from clubs.api.callers import Caller, is_within_rate
from clubs.core.addresses import is_served_host
from clubs.language.words import whole_number
from config import env
from config.views import busy, too_many_pages, too_many_visitors
from scoring.scorebook.metrics import Counter, Gauge, Histogram

ANSWER_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)  # seconds

_answer_seconds = Histogram(
    "tongbox_answer_seconds", "Time to answer", ["view"], buckets=ANSWER_BUCKETS
)
_answers = Counter("tongbox_answers", "Requests answered", ["view", "status"])
_in_hand = Gauge("tongbox_in_hand", "Requests not answered yet", multiprocess_mode="livesum")
BUSY_REQUESTS: Final = 6  # requests in hand at once
RETRY_SECONDS: Final = 8  # seconds
SAFE_METHODS: Final = {"GET", "HEAD", "OPTIONS"}
THREADS: Final = env.thread_count()
MAX_WRITERS: Final = 16  # on SQLite some threads are left; on PostgreSQL nobody waits for a disk
VISITOR_THREADS: Final = THREADS * 2 // 3  # their pages drawn or waiting
MAX_PAGES_DRAWN: Final = max(THREADS // 6, 3)
WAIT_SECONDS: Final = 5  # seconds
VISITOR_PATHS: Final = ("/c/", "/api/v1/clubs/")
PAGES_OF_CLUBS: Final = ("/c/", "/cal/")
NEWS_PAGES: Final = {"evening", "result", "season", "standings", "tournament"}
REQUEST_ID_HEADER: Final = "X-Request-ID"
VALID_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)

BROWSER_FEATURES: Final = """
    accelerometer browsing-topics camera display-capture geolocation gyroscope hid magnetometer
    microphone midi payment serial usb
"""
PERMISSIONS_POLICY: Final = ", ".join(f"{power}=()" for power in BROWSER_FEATURES.split())


def measure_requests(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: each request is timed and counted once it is answered."""

    def inner(request: HttpRequest) -> HttpResponse:
        started_at = perf_counter()
        with _in_hand.track_inprogress():
            response = answer(request)
        view = request.resolver_match.view_name if request.resolver_match else "none"
        _answer_seconds.labels(view).observe(perf_counter() - started_at)
        _answers.labels(view, f"{response.status_code // 100}xx").inc()
        return response

    return inner


class SlowPolling:
    """Middleware: while a process has its hands full, pages are told to ask for news less often.

    A page asks for a part of itself, or sends the version that it shows, and heeds
    ``Retry-After`` (``static/js/pace.js``).
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer
        self.in_hand = 0
        self.lock = Lock()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and count how many others are being answered meanwhile."""
        with self.lock:
            self.in_hand += 1
            is_busy = self.in_hand >= BUSY_REQUESTS
        try:
            response = self.answer(request)
        finally:
            with self.lock:
                self.in_hand -= 1
        is_news = request.method == "GET" and (
            "HX-Request" in request.headers or "v" in request.GET
        )
        if is_busy and is_news and response.status_code in (200, 204):
            response.headers.setdefault("Retry-After", str(RETRY_SECONDS))
        return response


class WriterLimit:
    """Middleware: while the disk stalls, those who save leave some threads to those who read.

    One too many gets 503 before anything is done; phones and programs then send again.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer
        self.places = BoundedSemaphore(MAX_WRITERS)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, unless as many as may save are being answered already."""
        if request.method in SAFE_METHODS:
            return self.answer(request)
        if not self.places.acquire(blocking=False):
            return busy(request)
        try:
            return self.answer(request)
        finally:
            self.places.release()


class VisitorLimit:
    """Middleware: a crowd that looks at a club's pages leaves threads to the phones at its tables.

    Pages for visitors are drawn a few at a time, others wait their turn; one too many gets 503.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer
        self.places = BoundedSemaphore(VISITOR_THREADS)
        self.turns = BoundedSemaphore(MAX_PAGES_DRAWN)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, a visitor once it is their turn."""
        if not is_visitor_page(request):
            return self.answer(request)
        if not self.places.acquire(blocking=False):
            return too_many_visitors(request)
        try:
            if not self.turns.acquire(timeout=WAIT_SECONDS):
                return too_many_visitors(request)
            try:
                return self.answer(request)
            finally:
                self.turns.release()
        finally:
            self.places.release()


def is_visitor_page(request: HttpRequest) -> bool:
    """Whether someone without a sign-in or a program's key looks at a page of a club."""
    is_known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    looks = request.method in SAFE_METHODS and request.path.startswith(VISITOR_PATHS)
    return looks and not is_known


class VisitorRateLimit:
    """Middleware: 429 for a visitor whose network asked for too many pages of clubs this minute.

    A whole hall may be behind one address, and phones there keep asking for news: a page that has
    some is not counted where ``VisitorLimit`` holds for it.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, unless this minute's limit is reached."""
        return too_many_pages(request) if is_over_limit(request) else self.answer(request)


def is_over_limit(request: HttpRequest) -> bool:
    """Counts a visitor's request; never one of this machine, nor of somebody who is signed in.

    The cookie of a session that there is not makes nobody known.
    """
    if not request.path.startswith(PAGES_OF_CLUBS) or (
        settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    ):
        return False
    network = ip_address(get_ip(request))  # of IPv6 the household's: of ::1 that is ::
    if network.is_loopback or network.is_unspecified or is_news_request(request):
        return False
    return not is_within_rate(Caller("visitor", str(network)))


def is_news_request(request: HttpRequest) -> bool:
    """Whether a visitor opens one of the pages ``NEWS_PAGES``."""
    if not is_visitor_page(request):
        return False
    try:
        return resolve(request.path_info).url_name in NEWS_PAGES
    except Resolver404:
        return False


def assign_request_id(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: the number that the web server before us gave, if it is one, else a new one.

    It lasts until the answer is closed, for what is wrong with an answer is logged after this.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        text = request.headers.get(REQUEST_ID_HEADER, "")
        number = text if VALID_REQUEST_ID.fullmatch(text) else uuid4().hex
        clear_contextvars()
        bind_contextvars(request_id=number)
        response = answer(request)
        response[REQUEST_ID_HEADER] = number
        return response

    return inner


def forget_request_id(**_: Any) -> None:
    """The answer is closed: the next request has a number of its own."""
    clear_contextvars()


request_finished.connect(forget_request_id)


def check_host(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: 400 for a host that is not ours, also with ``nearby``, where Django asks none."""

    def inner(request: HttpRequest) -> HttpResponse:
        host, _ = split_domain_port(request.get_host())
        if not is_served_host(host):
            raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}.")
        return answer(request)

    return inner


def redirect_to_page_above(
    answer: Callable[[HttpRequest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Middleware: who visits an address that only takes a form is led to the page above it.

    Back and a bookmark lead there; programs still get 405.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        is_visit = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not is_visit:
            return response
        return redirect(page_above(request.path))

    return inner


def page_above(path: str) -> str:
    """The nearest address above that there is: ``/c/riverside/messages/5/`` of its ``…/send/``."""
    parent_path = path.rstrip("/")
    while parent_path:
        parent_path = parent_path.rpartition("/")[0]
        try:
            resolve(f"{parent_path}/")
        except Resolver404:
            continue
        return f"{parent_path}/"
    return "/"


def protect_response(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: no camera and the like for any page; nothing of anyone's in a shared cache.

    What someone who is signed in reads is not kept at all, unless the view says otherwise: on the
    club's laptop nobody goes back to it after signing out.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        # Whether the session was read and is someone's; it is not read for this.
        is_someones = request.session.accessed and "_auth_user_id" in request.session
        cache_control = "private, no-store" if is_someones else "private, no-cache"
        response.headers.setdefault("Cache-Control", cache_control)
        return response

    return inner


def limit_body_size(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: 413 and a sentence for a body of more than ``MOST_SENT`` bytes.

    A body that does not say how long it is counts as empty for everything behind this.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        value = request.META.get("CONTENT_LENGTH") or "0"
        if whole_number(value, most=settings.MOST_SENT) is not None:
            return answer(request)
        most = f"{settings.MOST_SENT // 1_000_000} MB"
        message = f"That is too large. You can send up to {most} at once. Nothing has changed."
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if request.path.startswith("/api/"):
            problem = {"code": "too_large", "where": "", "message": message}
            details = problem_details([problem], status)
            return JsonResponse(details, status=status, content_type=PROBLEM_JSON)
        return render(request, "413.html", {"sentence": message}, status=status)

    return inner
