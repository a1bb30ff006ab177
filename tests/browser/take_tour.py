"""Take a picture of every page of the sample club: phone, desk and projector screen.

``make tour`` takes them all; ``make tour PAGES="club evening"`` takes the named stops or detours.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
import time_machine
from PIL import Image
from playwright.sync_api import Browser, Error, Page, ViewportSize, sync_playwright

os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.test_settings",
    "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
}
django.setup()

from django.test.utils import (  # noqa: E402
    override_settings,
    setup_databases,
    setup_test_environment,
    teardown_databases,
)
from pytest_django.live_server_helper import LiveServer  # noqa: E402

from clubs.tenancy import across_clubs  # noqa: E402
from tests.browser.at_the_club import ADDRESS, HOST, TONIGHT, launch, page_of, refresh, screen  # noqa: E402
from tests.browser.detours import DETOURS  # noqa: E402
from tests.browser.tour import Stop, stops  # noqa: E402
from tests.sample import lay_down_sample_club  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "tour"
FIRST_LOOK = ROOT / "docs" / "tour" / "first-look.png"
FIRST_LOOK_BYTES = 250_000
SIZES = {
    "phone": ViewportSize(width=390, height=844),
    "desk": ViewportSize(width=1280, height=800),
    "wall": ViewportSize(width=1920, height=1080),
}
GAP = 20
BONE = "#d9c8a5"


SET_UP = Stop("set-up", "", "/set-up/")


@contextmanager
def installation() -> Iterator[LiveServer]:
    """A server without a club yet, always on the same evening."""
    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    at_home = override_settings(ALLOWED_HOSTS=[HOST], SITE_ADDRESS=ADDRESS)
    with time_machine.travel(TONIGHT), at_home, across_clubs():
        server = LiveServer("localhost")
        try:
            yield server
        finally:
            server.stop()
    teardown_databases(databases, verbosity=0)


def take(browser: Browser, chosen_stops: list[Stop]) -> None:
    """One picture a stop and size, signed in once for each person and size."""
    pages: dict[tuple[str, str], Page] = {}
    for stop in chosen_stops:
        for size in stop.sizes:
            key = (stop.person, size)
            if key not in pages:
                pages[key] = page_of(browser, stop.person, SIZES[size])
            pages[key].goto(f"{ADDRESS}{stop.address}")
            path = FOLDER / f"{stop.name}-{size}.png"
            pages[key].screenshot(path=path, full_page=size != "wall")


def take_detours(browser: Browser, names: list[str]) -> Iterator[str]:
    """A picture of each state that a detour comes to; the detours that did not get to their end."""
    for person, detour, sizes in DETOURS:
        if names and detour.__name__ not in names:
            continue
        for size in sizes:
            page = page_of(browser, person, SIZES[size])
            try:
                for name in detour(page, ADDRESS):
                    page.screenshot(path=FOLDER / f"{name}-{size}.png", full_page=True)
            except Error as failure:
                yield f"{detour.__name__} ({size}): {failure.message}"
            page.context.close()


def compose_first_look(browser: Browser) -> Image.Image:
    """The projector screen above the director's desk; beside them two screens of a phone."""
    wall = shot(browser, "tournament-wall-seats", ViewportSize(width=960, height=540))
    desk = shot(browser, "tournament", ViewportSize(width=1280, height=853))
    desk = desk.resize((960, 640), Image.Resampling.LANCZOS)
    small = ViewportSize(width=390, height=(wall.height + desk.height) // 2)
    agreeing = shot(browser, "table", small)
    entering = shot(browser, "table", small, press="[data-next-hand]")
    desk_top, phone_left = wall.height + GAP, wall.width + GAP
    together = Image.new("RGB", (phone_left + agreeing.width, desk_top + desk.height), BONE)
    together.paste(wall, (0, 0))
    together.paste(desk, (0, desk_top))
    together.paste(entering, (phone_left, 0))
    together.paste(agreeing, (phone_left, together.height - agreeing.height))
    return together


def shot(browser: Browser, name: str, size: ViewportSize, *, press: str = "") -> Image.Image:
    """The screen of a stop, after a press on ``press``, if given."""
    stop = next(stop for stop in stops() if stop.name == name)
    page = page_of(browser, stop.person, size)
    page.goto(f"{ADDRESS}{stop.address}")
    if press:
        page.click(press)
    picture = screen(page)
    page.context.close()
    return picture


def main() -> None:
    """The whole tour, or the stops and detours named on the command line."""
    names = sys.argv[1:]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with installation() as server, sync_playwright() as playwright:
        browser = launch(playwright.chromium, server)
        if not names or SET_UP.name in names:
            take(browser, [SET_UP])
        lay_down_sample_club()
        if not names or "first-look" in names:
            is_new = refresh(FIRST_LOOK, compose_first_look(browser), FIRST_LOOK_BYTES)
            print(f"{FIRST_LOOK.relative_to(ROOT)}: {'taken again' if is_new else 'unchanged'}")
        take(browser, [stop for stop in stops() if not names or stop.name in names])
        failures = list(take_detours(browser, names))
        browser.close()
    print(f"The tour is in {FOLDER.relative_to(ROOT)}/")
    if failures:
        sys.exit("\n".join(["Some pages could not be reached:", *failures]))


main()
