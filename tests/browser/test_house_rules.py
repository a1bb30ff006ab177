"""A secretary writes the club's own rules and a director plays a tournament by them."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.people import PASSWORD, make_cast
from tests.tournaments.cups import DRAWN, post, seated_cup, tables

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = ViewportSize(width=320, height=640)


@pytest.fixture
def page(live_server: LiveServer, browser: Browser) -> Iterator[Page]:
    """Alice the secretary with her phone."""
    make_cast()
    opened = browser.new_context(locale="en-GB", viewport=PHONE).new_page()
    opened.goto(f"{live_server.url}/accounts/login/")
    opened.fill("input[name=login]", "alice@example.org")
    opened.fill("input[name=password]", PASSWORD)
    opened.click("main button[type=submit]")
    opened.wait_for_load_state()
    yield opened
    opened.context.close()


def is_readable(page: Page) -> bool:
    """Nothing that axe finds, and nothing off the side."""
    found = [rule["id"] for rule in Axe().run(page).response["violations"]]
    width = page.evaluate("document.documentElement.scrollWidth")
    return (found, width) == ([], page.evaluate("document.documentElement.clientWidth"))


def test_a_club_writes_its_rules_looks_at_them_and_chooses_them(
    page: Page, live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/c/riverside/settings/rules/")
    page.get_by_role("link", name="Add house rules").click()
    expect(page.get_by_role("heading", name="House rules")).to_be_visible()
    page.get_by_label("Name of your house rules").fill("Quick rules")
    page.get_by_label("The limit of a hand").fill("")
    page.get_by_text("Triple Knitting", exact=True).click()
    page.get_by_role("button", name="Preview rules").click()
    expect(page.get_by_role("heading", name="There is a problem")).to_be_visible()
    expect(page.get_by_label("Triple Knitting", exact=True)).to_be_checked()
    assert is_readable(page)
    page.get_by_label("The limit of a hand").fill("500")
    page.get_by_role("button", name="Preview rules").click()
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    expect(page.get_by_text("In the rule book: A hand scores 1,000 at most.")).to_be_visible()
    assert is_readable(page)
    page.get_by_role("button", name="Save house rules").click()
    expect(page.get_by_text("Quick rules saved.")).to_be_visible()
    page.locator(".choice", has_text="Quick rules").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Club rules saved.")).to_be_visible()


def test_the_settings_say_since_when_the_rules_are_frozen(
    page: Page, live_server: LiveServer
) -> None:
    cup = seated_cup(club=Club.objects.get(slug="riverside"))
    page.goto(f"{live_server.url}/c/riverside/tournaments/{cup.pk}/")
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_role("group", name="Scoring rules")).to_be_visible()
    post(tables(cup)[0], DRAWN)
    page.get_by_label("Name").fill("Renamed meanwhile")
    page.get_by_text("Safalra's rules", exact=True).last.click()
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator(".error-summary")).to_contain_text(
        "This cannot change after the first hand"
    )
    expect(page.get_by_label("Name")).to_have_value("Renamed meanwhile")
    assert is_readable(page)
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_role("heading", name="Renamed meanwhile")).to_be_visible()
