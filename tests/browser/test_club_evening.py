"""A club night in a real browser: at the door, on the floor, on the wall."""

from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.evenings.services import evenings
from clubs.models import Session
from tests.browser.reading import faults, faults_in_the_dark
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import Cast, make_cast, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAY = date(2026, 11, 17)
TEN_SECONDS = 10_000
NARROW = ViewportSize(width=320, height=640)
PAGES = (
    "home",
    "rules",
    "club",
    "members",
    "member-add",
    "members-import",
    "player",
    "member-change",
    "evenings",
    "evening",
    "result",
    "seasons",
    "season",
    "season-add",
    "wall",
)


@pytest.fixture
def people() -> Cast:
    return make_cast()


@pytest.fixture
def page(context: BrowserContext, live_server: LiveServer, people: Cast) -> Page:
    """The secretary's browser."""
    client = Client()
    client.force_login(people.secretary, backend="django.contrib.auth.backends.ModelBackend")
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
    return context.new_page()


@pytest.fixture
def played(people: Cast) -> Session:
    """A season's evening with one table and one hand."""
    make_season(people.club)
    session = night(people.club, DAY, make_players(people.club, 4))
    post(session.tables.get(), SECOND_WINS)
    return session


def address(name: str, session: Session) -> str:
    """Where the page of that name is."""
    club = session.club
    given: dict[str, list[Any]] = {
        "home": [],
        "rules": ["bmja"],
        "wall": [session.wall_key],
        "player": [club.slug, club.players.get(name="Ben").pk],
        "member-change": [club.slug, club.players.get(name="Ben").pk],
        "evening": [club.slug, session.pk],
        "result": [club.slug, session.pk],
        "season": [club.slug, session.season_id],
    }
    return reverse(name, args=given.get(name, [club.slug]))


def test_a_tick_counts_without_leaving_the_page(
    page: Page, live_server: LiveServer, people: Cast
) -> None:
    session = evenings.open_session(club=people.club, held_on=DAY)
    page.goto(live_server.url + reverse("evening", args=["riverside", session.pk]))
    for name in ("Alice", "Dev", "Pat"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, pressed=True)).to_be_visible()
    expect(page.locator("#here")).to_have_text("3 checked in")
    expect(page.get_by_role("button", name="Seat 3 people")).to_be_enabled()
    assert session.attendances.count() == 3


def test_two_letters_and_enter_tick_a_name(
    page: Page, live_server: LiveServer, people: Cast
) -> None:
    session = evenings.open_session(club=people.club, held_on=DAY)
    zoe = make_player(people.club, "Margaret Łukasiewicz")
    page.goto(live_server.url + reverse("evening", args=["riverside", session.pk]))
    find = page.get_by_label("Find a name")
    find.fill("lu")
    expect(page.locator("#door button:visible")).to_have_text(["Margaret Łukasiewicz"])
    find.press("Enter")
    expect(page.locator("#here")).to_have_text("1 checked in")
    expect(find).to_have_value("")
    assert [row.player for row in session.attendances.all()] == [zoe]


def test_the_floor_and_the_result_follow_the_hands(
    page: Page, live_server: LiveServer, played: Session
) -> None:
    page.goto(live_server.url + address("evening", played))
    expect(page.locator("#floor .tag")).to_have_text("1 hand")
    post(played.tables.get(), SECOND_WINS, SECOND_WINS)
    expect(page.locator("#floor .tag")).to_have_text("2 hands", timeout=TEN_SECONDS)
    expect(page.locator("#rows tbody tr").first).to_contain_text("Ben", timeout=TEN_SECONDS)


def test_the_wall_keeps_its_picture_when_the_line_drops(
    context: BrowserContext, live_server: LiveServer, played: Session
) -> None:
    wall = context.new_page()
    wall.goto(live_server.url + address("wall", played))
    told = wall.locator("#wall-told")
    context.set_offline(True)
    expect(told).to_contain_text("Offline. Last updated at", timeout=TEN_SECONDS)
    expect(wall.get_by_role("heading", name="Table 1")).to_be_visible()
    context.set_offline(False)
    expect(told).to_contain_text("Last update", timeout=TEN_SECONDS)


def test_the_walls_pages_turn_by_key(
    context: BrowserContext, live_server: LiveServer, played: Session
) -> None:
    wall = context.new_page()
    wall.goto(live_server.url + address("wall", played))
    wall.keyboard.press("Space")
    expect(wall.locator("#wall-told")).to_contain_text("Paused")
    wall.keyboard.press("ArrowRight")
    expect(wall.locator(".wall__what:visible")).to_contain_text("Result so far")
    wall.keyboard.press("ArrowRight")
    expect(wall.locator(".wall__what:visible")).to_contain_text("Seating")


def test_every_page_is_sound_at_320_pixels(
    page: Page, live_server: LiveServer, played: Session
) -> None:
    page.set_viewport_size(NARROW)
    found = {}
    for name in PAGES:
        page.goto(live_server.url + address(name, played))
        found[name] = faults(page) + faults_in_the_dark(page)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
