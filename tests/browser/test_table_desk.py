"""A scorer types a paper sheet in, without touching the mouse, in a real browser."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.scorebook.models import Hand
from tests.browser.reading import look
from tests.clubs.tables import seated_evening
from tests.people import make_cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def desk(live_server: LiveServer, context: BrowserContext) -> Page:
    cast = make_cast()
    table: SessionTable = seated_evening(cast.club).tables.get()
    client = Client()
    client.force_login(cast.scorer)
    cookie: Any = {
        "name": "sessionid",
        "value": client.cookies["sessionid"].value,
        "url": live_server.url,
    }
    context.add_cookies([cookie])
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    where = reverse("evening-table", args=["riverside", table.session_id, table.number])
    page.goto(f"{live_server.url}{where}")
    return page


def type_hand(page: Page, *scores: int) -> None:
    """South goes Mah-Jong; then the scores in the order of the sheet."""
    expect(page.locator("input[name=winner]").first).to_be_focused()
    for key in ("ArrowDown", "Tab", "Tab"):
        page.keyboard.press(key)
    for score in scores:
        page.keyboard.type(str(score))
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"Hand \d saved\."))).to_be_visible()


def test_a_sheet_is_typed_by_keyboard_alone(desk: Page) -> None:
    for _ in range(2):
        type_hand(desk, 20, 60, 8, 4)
    told = [(hand.number, hand.scores) for hand in Hand.objects.order_by("number")]
    assert told == [(1, {1: 20, 2: 60, 3: 8, 4: 4}), (2, {1: 4, 2: 20, 3: 60, 4: 8})]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everybody_can_use_the_desk_and_correct_a_hand(desk: Page, width: int) -> None:
    type_hand(desk, 20, 60, 8, 4)
    desk.set_viewport_size({"width": width, "height": 900})
    look(desk)
    desk.get_by_role("link", name="Correct hand 1").click()
    look(desk)
    desk.get_by_label("Reason for the change").fill("misread")
    desk.get_by_role("button", name="Preview changes").click()
    look(desk)
    desk.get_by_role("button", name="Correct hand 1").click()
    expect(desk.get_by_text("Hand 1 corrected.")).to_be_visible()
    look(desk)
