"""A real Chromium against a real server: what only a browser can show."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect, sync_playwright

from config import warming
from scoring import rule_set
from tests.browser.chromium import CHROMIUM, NO_SANDBOX

PHONE = ViewportSize(width=390, height=844)
BUSY_MACHINE = 20_000  # milliseconds that a page may take where a test does not say otherwise

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright runs a loop of its own


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine; without one the browser tests say so and are left out."""
    if not CHROMIUM.exists():
        said = f"There is no Chromium at {CHROMIUM}; set TONGBOX_CHROMIUM to where it is."
        if os.environ.get("TONGBOX_BROWSER") == "required":
            pytest.fail(said)
        pytest.skip(said)
    warming.reckon(rule_set("bmja"))
    expect.set_options(timeout=BUSY_MACHINE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=NO_SANDBOX)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A phone held upright, with nothing left over from another test."""
    opened = browser.new_context(viewport=PHONE, locale="en-GB", reduced_motion="reduce")
    yield opened
    opened.close()
