"""A real Chromium against a real server: what only a browser can show."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect, sync_playwright

from config import warming
from scoring import rule_set
from tests.browser.chromium import CHROMIUM, NO_SANDBOX

HERE = Path(__file__).parent
PHONE = ViewportSize(width=390, height=844)
BUSY_MACHINE = 20_000  # milliseconds that a page may take where a test does not say otherwise

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright runs a loop of its own


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All that is played in a browser is long: a share of it each day, and a whole evening."""
    for item in items:
        if item.path.parent == HERE and item.path.stem != "test_evening":
            item.add_marker(pytest.mark.sampled(law="plays in a browser"))


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
