"""From an empty installation to a club's home page, in a real browser."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Membership
from tests.browser.conftest import DESK, NARROW, PHONE, OpenBrowser
from tests.browser.reading import look_by_day_and_night, out_of_reach

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "seven lucky sparrows"
TYPED = {
    "Club name": "Hill Top Tiles",
    "Your name": "Margaret Hill",
    "Your email address": "margaret@example.org",
    "Choose a password": PASSWORD,
    "Confirm password": PASSWORD,
    "Place": "Village Hall",
}
STEPS = [
    "Add your members",
    "Create a season",
    "Run a practice evening (optional)",
    "Start your first evening",
    "Publish results",
    "Invite a helper",
]


@pytest.fixture
def page(open_browser: OpenBrowser, live_server: LiveServer, settings: Any) -> Page:
    """The secretary's computer, on which Tongbox has just been started."""
    settings.SITE_ADDRESS = ""
    return open_browser(viewport=DESK, reduced_motion="reduce").new_page()


def test_a_secretary_sets_up_a_club_and_sees_what_to_do_next(page: Page) -> None:
    page.goto("/")
    for size in (NARROW, PHONE, DESK):
        page.set_viewport_size(size)
        look_by_day_and_night(page)
        assert list(out_of_reach(page)) == []
    for label, text in TYPED.items():
        page.get_by_label(label).fill(text)
    page.get_by_label("Confirm password").fill("another")
    page.get_by_role("radio", name="English house rules").check()
    page.get_by_label("Day of the week").select_option("Tuesday")
    page.get_by_role("button", name="Set up club").click()
    expect(page.get_by_role("alert").first).to_contain_text("not the same")
    assert not Club.objects.exists()
    expect(page.get_by_label("Club name")).to_have_value("Hill Top Tiles")
    for label in ("Choose a password", "Confirm password"):
        page.get_by_label(label).fill(PASSWORD)
    page.get_by_role("button", name="Set up club").click()
    expect(page.get_by_text("Welcome to Hill Top Tiles.")).to_be_visible()
    expect(page.locator(".first-steps__title")).to_have_text(STEPS)
    expect(page.get_by_text("The next evening is Tuesday")).to_be_visible()
    for size in (NARROW, PHONE, DESK):
        page.set_viewport_size(size)
        look_by_day_and_night(page)
        assert list(out_of_reach(page)) == []
    assert Membership.objects.get().club.rules == "english"
    page.get_by_role("button", name="Hide this list").click()
    expect(page.locator(".first-steps__title")).to_have_count(0)
    assert page.request.get("/set-up/").status == 404
