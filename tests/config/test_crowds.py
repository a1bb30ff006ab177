"""A crowd that looks at a club's pages keeps no hand waiting."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from rest_framework.settings import api_settings

from clubs.models import Club
from config.middleware import MAX_PAGES_DRAWN, NEWS_PAGES, THREADS, VISITOR_THREADS, VisitorLimit
from tests.config.served import wait_until
from tests.people import Cast, browser_of

LEAGUE = "/api/v1/clubs/riverside/seasons/1/standings/"
Ask = Callable[..., Future[HttpResponse]]


class Slow:
    """Answers that take until ``ends``; how many are being put together."""

    def __init__(self) -> None:
        self.ends, self.lock, self.now, self.most = Event(), Lock(), 0, 0

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/v1/clubs/"):
            return HttpResponse("at once")
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.ends.wait(20)
        with self.lock:
            self.now -= 1
        return HttpResponse("drawn")


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def ask(slow: Slow) -> Iterator[Ask]:
    room, factory = VisitorLimit(slow), RequestFactory()

    def start(path: str, method: str = "get", **options: Any) -> "Future[HttpResponse]":
        request = getattr(factory, method)(path, headers=options.get("headers"))
        request.COOKIES |= options.get("cookies", {})
        return threads.submit(room, request)

    with ThreadPoolExecutor(THREADS * 2) as threads:
        yield start
        slow.ends.set()


def test_visitors_leave_threads_to_the_phones(slow: Slow, ask: Ask) -> None:
    crowd = [ask(LEAGUE) for _ in range(VISITOR_THREADS)]
    assert wait_until(lambda: slow.now == MAX_PAGES_DRAWN)
    one_more = ask(LEAGUE).result(10)
    assert (one_more.status_code, b"crowded" in one_more.content) == (503, True)
    assert one_more["Retry-After"] == "2"
    for path, method in (("/t/key/", "get"), ("/api/v1/games/1/hands/", "post"), ("/", "get")):
        assert ask(path, method).result(10).content == b"at once"
    assert THREADS - VISITOR_THREADS >= 3
    slow.ends.set()
    assert {visitor.result(10).content for visitor in crowd} == {b"drawn"}
    assert slow.most == MAX_PAGES_DRAWN
    assert ask(LEAGUE).result(10).content == b"drawn"


@pytest.mark.parametrize(
    "request_options",
    [
        {"cookies": {settings.SESSION_COOKIE_NAME: "x"}},
        {"headers": {"Authorization": "Bearer tbx_x"}},
    ],
    ids=["signed in", "a program"],
)
def test_who_is_known_does_not_wait_with_the_crowd(
    slow: Slow, ask: Ask, request_options: dict[str, Any]
) -> None:
    crowd = [ask(LEAGUE) for _ in range(VISITOR_THREADS)]
    assert wait_until(lambda: slow.now == MAX_PAGES_DRAWN)
    someone = ask(LEAGUE, **request_options)
    assert wait_until(lambda: slow.now == MAX_PAGES_DRAWN + 1)
    slow.ends.set()
    assert someone.result(10).content == b"drawn"
    assert len([visitor.result(10) for visitor in crowd]) == VISITOR_THREADS


def test_pages_that_phones_ask_for_news_are_not_counted() -> None:
    """A hall that follows the standings is behind one address."""
    pattern = re.compile(r"""hx-get="\{% url '([\w-]+)'[^>]*data-news-every""")
    files = (settings.BASE_DIR / "templates").rglob("*.html")
    names = {name for file in files for name in pattern.findall(file.read_text(encoding="utf-8"))}
    assert names == NEWS_PAGES


SOMEWHERE = "2001:db8:1:2::7"
RATES = api_settings.DEFAULT_THROTTLE_RATES


def test_one_network_asks_for_a_clubs_pages_within_limits(cast: Cast, client: Client) -> None:
    Club.objects.filter(pk=cast.club.pk).update(shows_calendar=True)
    page = "/c/riverside/calendar/"

    def status_for(reader: Client, **options: Any) -> int:
        status: int = reader.get(page, **{"REMOTE_ADDR": SOMEWHERE, **options}).status_code
        return status

    with patch.dict(RATES, visitor="3/min"), patch("clubs.api.callers.time", return_value=1_000.0):
        assert [status_for(client) for _ in range(3)] == [200] * 3
        response = client.get(page, REMOTE_ADDR="2001:db8:1:2::9")
        assert (response.status_code, response["Retry-After"]) == (429, "20")
        assert "Too many pages in one minute" in response.content.decode()
        forged_client = Client()
        forged_client.cookies[settings.SESSION_COOKIE_NAME] = "x"
        assert status_for(forged_client) == 429
        result = reverse("result", args=["riverside", 1])
        assert client.get(result, REMOTE_ADDR=SOMEWHERE).status_code != 429
        assert forged_client.get(result, REMOTE_ADDR=SOMEWHERE).status_code == 429
        for user in (cast.secretary, cast.player):
            assert status_for(browser_of(user)) == 200
        assert status_for(client, REMOTE_ADDR="203.0.113.7") == 200
        for local_address in ("127.0.0.1", "::1"):
            assert {status_for(client, REMOTE_ADDR=local_address) for _ in range(5)} == {200}
        assert client.get("/", REMOTE_ADDR=SOMEWHERE).status_code == 200
