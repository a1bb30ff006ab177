"""The entry list on a phone: nothing lies off the side of the screen."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Role
from tests.browser.conftest import PHONE
from tests.people import PASSWORD, make_club, make_user
from tests.tournaments.cups import make_cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_somebody_is_withdrawn_on_a_phone_without_a_sideways_slide(
    browser: Browser, live_server: LiveServer
) -> None:
    club = make_club()
    make_user(club, "Dev", Role.DIRECTOR)
    cup = make_cup(entrants=5, club=club)
    page = browser.new_context(viewport=PHONE, base_url=live_server.url).new_page()
    page.goto(reverse("account_login"))
    page.fill("input[name=login]", "dev@example.org")
    page.fill("input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_load_state()
    page.goto(reverse("entrants", args=[club.slug, cup.pk]))
    expect(page.get_by_role("heading", name="5 entered")).to_be_visible()
    inside = page.get_by_role("region", name="Entry list")
    assert inside.evaluate("list => list.scrollWidth <= list.clientWidth")
    link = page.get_by_role("link", name="Withdraw Player 3", exact=True)
    link.scroll_into_view_if_needed()
    box = link.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"]
    link.click()
    page.get_by_role("button", name="Withdraw Player 3").click()
    expect(page.get_by_role("heading", name="4 entered")).to_be_visible()
    page.context.close()
