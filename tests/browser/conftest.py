"""A real Chromium against a real server: what only a browser can show."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable, User
from config import warming
from scoring import rule_set
from tests.browser.chromium import CHROMIUM, NO_SANDBOX
from tests.clubs.tables import seated_evening
from tests.people import make_club, session_key_of

HERE = Path(__file__).parent
PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1280, height=900)
TABLETS = (ViewportSize(width=768, height=1024), ViewportSize(width=1024, height=768))
TABLET = ViewportSize(width=820, height=1180)
NARROW = ViewportSize(width=320, height=640)
EVERY_DAY = {"test_evening", "test_firefox", "test_layout", "test_letters", "test_webkit"}
FIVE_SECONDS = 5000  # within which what happens at a table is seen elsewhere
OpenBrowser = Callable[..., BrowserContext]
SignIn = Callable[..., Page]
BUSY_MACHINE = 20_000  # milliseconds that a page may take where a test does not say otherwise

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright runs a loop of its own


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All that is played in a browser is long: a share of it each day, but in each engine some."""
    for item in items:
        if item.path.parent == HERE and item.path.stem not in EVERY_DAY:
            item.add_marker(pytest.mark.sampled(law="plays in a browser"))


def leave_out(reason: str) -> NoReturn:
    """Skip what needs a browser that is not here; fail where all of them have to be."""
    if os.environ.get("TONGBOX_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine; without one the browser tests say so and are left out."""
    if not CHROMIUM.exists():
        leave_out(f"There is no Chromium at {CHROMIUM}; set TONGBOX_CHROMIUM to where it is.")
    warming.compute_totals(rule_set("bmja"))
    expect.set_options(timeout=BUSY_MACHINE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=NO_SANDBOX)
        yield chromium
        chromium.close()
        # While Playwright's loop runs, this thread has connections of its own, which nothing finds
        # any more once it has ended: a database with an open one cannot be dropped.
        connections.close_all()


@pytest.fixture
def open_browser(browser: Browser, live_server: LiveServer) -> Iterator[OpenBrowser]:
    """Opens a browser of someone's own at our address; all are closed after the test."""
    contexts: list[BrowserContext] = []

    def context_of(**looks: Any) -> BrowserContext:
        contexts.append(browser.new_context(locale="en-GB", base_url=live_server.url, **looks))
        return contexts[-1]

    yield context_of
    for context in contexts:
        context.close()


@pytest.fixture
def context(open_browser: OpenBrowser) -> BrowserContext:
    """A phone held upright, with nothing left over from another test."""
    return open_browser(viewport=PHONE, reduced_motion="reduce")


@pytest.fixture
def table() -> SessionTable:
    """Four people at the one table of an evening."""
    return seated_evening(make_club()).tables.get()


@pytest.fixture
def sign_in(open_browser: OpenBrowser, live_server: LiveServer) -> SignIn:
    """A page of a fresh browser in which this user has signed in; at a desk, if nothing is said."""

    def page_of(user: User, **looks: Any) -> Page:
        key = session_key_of(user)
        context = open_browser(**{"viewport": DESK, "reduced_motion": "reduce", **looks})
        context.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
        return context.new_page()

    return page_of
