"""The sample club as pictures show it: at an address of its own, on the same evening every time."""

from datetime import UTC, datetime
from typing import Final

from playwright.sync_api import Browser, BrowserType, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import CHROMIUM, NO_SANDBOX
from tests.browser.tour import visit

HOST: Final = "tongbox.example.org"
ADDRESS: Final = f"http://{HOST}"
TONIGHT: Final = datetime(2026, 11, 17, 20, 30, tzinfo=UTC)  # a Tuesday


def launch(chromium: BrowserType, server: LiveServer) -> Browser:
    """A Chromium that finds the server at that address."""
    rules = f"--host-resolver-rules=MAP {HOST}:80 {server.thread.host}:{server.thread.port}"
    return chromium.launch(executable_path=CHROMIUM, args=[*NO_SANDBOX, rules])


def page_of(browser: Browser, who: str, size: ViewportSize, server: str = ADDRESS) -> Page:
    """A page of someone who has signed in on that evening (nobody: an empty name)."""
    page = visit(browser, server, who, viewport=size, reduced_motion="reduce")
    page.clock.install(time=TONIGHT)
    return page
