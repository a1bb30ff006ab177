"""Another way to tell a hand is one tap away: counted sticks and bare winners, on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.scorebook.models import Hand
from tests.clubs.tables import seated_evening
from tests.people import make_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table() -> SessionTable:
    return seated_evening(make_club()).tables.get()


@pytest.fixture
def phone(live_server: LiveServer, table: SessionTable, context: BrowserContext) -> Page:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}{reverse('table', args=[table.link_key])}")
    return page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def count(page: Page, *counts: int) -> None:
    """South says Mah-Jong, and everyone counts, East first."""
    page.locator("label.seat").nth(1).click()
    for field, points in zip(page.locator(".entry input").all(), counts, strict=True):
        field.fill(str(points))
    press(page, "Check hand 1")


def is_accessible(page: Page) -> bool:
    return bool(Axe().run(page).violations_count == 0)


def test_a_miscount_is_found_and_put_right_by_one_tap(phone: Page) -> None:
    press(phone, "Counted sticks")
    expect(phone.get_by_text("had 2,000")).to_have_count(4)
    assert is_accessible(phone)
    count(phone, 1936, 2240, 1920, 1894)
    expect(phone.get_by_role("alert")).to_contain_text("10 are missing")
    assert is_accessible(phone)
    phone.get_by_role("button", name="1,904").click()
    expect(phone.get_by_role("heading", name="went Mah-Jong with 60")).to_be_visible()
    assert is_accessible(phone)
    press(phone, "Save")
    expect(phone.get_by_role("status").first).to_contain_text("Hand 1 saved.")
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_only_the_winner_is_four_taps(phone: Page) -> None:
    press(phone, "Winner only")
    phone.locator("label.seat").nth(1).click()
    press(phone, "Check hand 1")
    press(phone, "Save")
    expect(phone.get_by_role("status").first).to_contain_text("Hand 1 saved.")
    assert Hand.objects.get().report == {"winner": 2, "only_winner": True}


def test_the_sticks_to_pass_are_folded_below_the_sentences(phone: Page) -> None:
    phone.locator("label.seat").nth(1).click()
    for field, points in zip(phone.locator(".entry input").all(), (20, 60, 8, 4), strict=True):
        field.fill(str(points))
    press(phone, "Check hand 1")
    phone.get_by_text("Which sticks to pass").click()
    expect(phone.locator(".handings > li")).to_have_count(6)
    assert is_accessible(phone)
