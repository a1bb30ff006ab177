"""The scorer puts several hands right in a real browser, and takes it back."""

from datetime import date
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.scorebook.verifying import recount
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import make_cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(live_server: LiveServer) -> SessionTable:
    """Two hands of Ann, Ben, Cy and Di; Ben went Mah-Jong in both, East in the second."""
    cast = make_cast()
    make_season(cast.club)
    players = make_players(cast.club, 8)
    evening = night(cast.club, date(2026, 11, 17), players[:4], players[4:])
    for played in evening.tables.all():
        post(played, SECOND_WINS, SECOND_WINS)
    return evening.tables.get(number=1)


@pytest.fixture
def desk(table: SessionTable, live_server: LiveServer, context: BrowserContext) -> Page:
    """The organisers' page of the table on a phone, with the scorer signed in."""
    client = Client()
    client.force_login(table.session.club.memberships.get(role="scorer").user)
    cookie: Any = {
        "name": "sessionid",
        "value": client.cookies["sessionid"].value,
        "url": live_server.url,
    }
    context.add_cookies([cookie])
    page = context.new_page()
    where = reverse("evening-table", args=["riverside", table.session_id, table.number])
    page.goto(f"{live_server.url}{where}")
    return page


def look(page: Page) -> None:
    """No finding of axe, and nothing that has to be pushed sideways at 320 px."""
    page.wait_for_load_state()
    page.set_viewport_size({"width": 320, "height": 700})
    found = [(fault["id"], len(fault["nodes"])) for fault in Axe().run(page).response["violations"]]
    sideways = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert (found, sideways) == ([], False)


def test_wrong_seats_since_hand_2_are_put_right_and_taken_back(
    desk: Page, table: SessionTable
) -> None:
    desk.get_by_role("link", name="Correct several hands").click()
    look(desk)
    desk.get_by_role("link", name="Two players sat in each other’s seats").click()
    desk.get_by_role("group", name="First player").get_by_text("Ben").click()
    desk.get_by_role("group", name="Second player").get_by_text("Cy").click()
    desk.get_by_label("From which hand?").select_option("2")
    look(desk)
    desk.get_by_role("button", name="Preview changes").click()
    expect(desk.get_by_text("Choose whether the names or the winds are right.")).to_have_count(2)
    desk.get_by_text("The winds:").click()
    desk.get_by_role("button", name="Preview changes").click()
    expect(desk.get_by_text("Step 3 of 4")).to_be_visible()
    look(desk)
    desk.get_by_role("button", name="Save correction").click()
    expect(desk.get_by_text("Enter a reason for the correction.").first).to_be_visible()
    look(desk)
    desk.get_by_label("Reason for the correction").fill("Both say so")
    desk.get_by_role("button", name="Save correction").click()
    expect(desk.get_by_text("Corrected. Ben and Cy sat in each other’s seats")).to_be_visible()
    assert table.game.seats.get(number=3).mahjongs == 1
    look(desk)
    desk.locator(".repair__list").get_by_role("link", name="Undo").click()
    expect(desk.get_by_role("heading", name="Undo this correction?")).to_be_visible()
    look(desk)
    desk.get_by_role("button", name="Undo correction").click()
    expect(desk.get_by_text("Correction undone: Ben and Cy")).to_be_visible()
    assert table.game.seats.get(number=3).mahjongs == 0
    assert recount().differences == ()
