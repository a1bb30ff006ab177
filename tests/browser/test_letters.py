"""A hand entered with letters of every size, on phones of every size: all of it can be read.

Each screen holds the longest figure, breaks no ordinary name, and has the button that leads on in
sight.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from tests.browser.conftest import PHONE, OpenBrowser
from tests.browser.layout import broken_words, cut_figures
from tests.browser.reading import IN_SIGHT
from tests.browser.telling import begin, choose, tell_by
from tests.clubs.nights import night
from tests.people import make_club, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ("Margaret", "W. H. Holroyd", "Christopher", "Ilse")
LONGEST_FIGURE, LONGEST_WORD = "−12,345", 11  # a word as long as Christopher
LETTERS = ("", "letters-large", "letters-largest")
PHONES = tuple(
    ViewportSize(width=width, height=height)
    for width, height in ((320, 568), (360, 740), (375, 667), (390, 844), (412, 915), (430, 932))
)
NAMES = ".seat__name, .entry__who, .sums__who, .agree__name, .racks__name, .entry__winner"


class Screen(NamedTuple):
    """A screen of the flow: its name, and what has to be in sight when it comes."""

    name: str
    in_sight: tuple[Locator, ...]


def screens(page: Page, table: SessionTable) -> Iterator[Screen]:
    """The screens of a hand in turn, from who went Mah-Jong to all agree."""
    seats = tuple(page.locator("label.seat").nth(seat) for seat in range(4))
    fields = tuple(page.locator(".entry input").nth(row) for row in range(4))
    page.goto(reverse("table", args=[table.link_key]))
    begin(page)
    yield Screen("who", (*seats, _button(page, "Nobody (drawn hand)")))
    choose(page, 1)
    expect(fields[0]).to_be_visible()
    yield Screen("scores", (*fields, page.locator(".pad .button:visible")))
    tell_by(page, "Counted sticks")
    expect(page.get_by_text("had 2,000")).to_have_count(4)
    yield Screen("sticks", (*fields, page.locator(".pad .button:visible")))
    tell_by(page, "Scores")
    expect(page.locator("#id_score_1")).to_be_visible()
    for field, score in zip(fields, (8, 1000, 16, 4), strict=True):
        field.fill(str(score))
    _button(page, "Check hand 1").click()
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    yield Screen("check", (_button(page, "Save"), _button(page, "Edit")))
    _button(page, "Save").click()
    expect(_button(page, "All agree")).to_be_visible()
    yield Screen("agree", (_button(page, "All agree"),))
    page.goto(f"{reverse('table-tiles', args=[table.link_key, 2])}?winner=2")
    yield Screen("tiles", (page.locator("[data-screen-next]"),))
    for place in ("table-hands", "table-standings"):
        page.goto(reverse(place, args=[table.link_key]))
        yield Screen(place, ())


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def faults(page: Page, screen: Screen) -> Iterator[str]:
    """What cannot be read or pressed on this screen as it comes, on each phone."""
    for phone in PHONES:
        page.set_viewport_size(phone)
        page.evaluate("scrollTo(0, 0)")
        prefix = f"{screen.name}, {phone['width']} × {phone['height']}: "
        for target in screen.in_sight:
            if not target.evaluate(IN_SIGHT):
                name = target.evaluate("one => one.textContent.trim() || one.name")
                yield f"{prefix}{name} is out of sight"
        yield from (f"{prefix}{fault}" for fault in cut_figures(page, LONGEST_FIGURE))
        yield from (f"{prefix}{fault}" for fault in broken_words(page, NAMES, LONGEST_WORD))
        if page.evaluate("document.documentElement.scrollWidth") > phone["width"]:
            yield f"{prefix}runs off the side"


@pytest.fixture
def phone(open_browser: OpenBrowser, live_server: LiveServer) -> Callable[[str], Page]:
    def with_letters(letters: str) -> Page:
        context = open_browser(viewport=PHONE, reduced_motion="reduce", has_touch=True)
        if letters:
            context.add_cookies([{"name": "looks", "value": letters, "url": live_server.url}])
        return context.new_page()

    return with_letters


@pytest.mark.parametrize("letters", LETTERS)
def test_each_screen_of_a_hand_can_be_read_and_pressed(
    phone: Callable[[str], Page], letters: str
) -> None:
    club = make_club()
    people = [make_player(club, name) for name in PEOPLE]
    page = phone(letters)
    all_faults: list[str] = []
    for screen in screens(page, night(club, date(2026, 11, 17), people).tables.get()):
        page.wait_for_load_state("networkidle")
        all_faults += faults(page, screen)
        page.set_viewport_size(PHONE)
    assert all_faults == [], "\n".join(all_faults)


def test_a_usual_phone_shows_every_tile_at_once(phone: Callable[[str], Page]) -> None:
    club = make_club()
    people = [make_player(club, name) for name in PEOPLE]
    table = night(club, date(2026, 11, 17), people).tables.get()
    page = phone("")
    page.goto(f"{reverse('table-tiles', args=[table.link_key, 2])}?winner=2")
    page.wait_for_load_state("networkidle")
    keys = page.locator(".key").all()
    assert len(keys) == 42
    assert [key.get_attribute("value") for key in keys if not key.evaluate(IN_SIGHT)] == []
