"""A hosted address on a phone, from the front page to the first evening; the operator's pages."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from playwright.sync_api import Page, expect

from clubs.models import Club, User
from tests.browser.conftest import DESK, NARROW, PHONE, OpenBrowser
from tests.browser.reading import look_by_day_and_night, out_of_reach
from tests.clubs.hosting.conftest import make_operator, texts_folder
from tests.people import PASSWORD, session_key_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW = "seven lucky sparrows"
LINK = re.compile(r"http://\S+(/start/link/\S+/)")

__all__ = ["texts_folder"]


@pytest.fixture
def phone(open_browser: OpenBrowser, texts_folder: Path) -> Page:
    """The phone of someone who has heard of the address."""
    return open_browser(viewport=PHONE, reduced_motion="reduce").new_page()


@pytest.fixture
def desk(open_browser: OpenBrowser, texts_folder: Path) -> Page:
    """The computer of an operator who is signed in."""
    context = open_browser(viewport=DESK, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/")
    key = session_key_of(make_operator())
    context.add_cookies([{"name": "sessionid", "value": key, "url": page.url}])
    return page


def look(page: Page) -> None:
    """At every size, by day and night, with everything within reach."""
    size_before = page.viewport_size
    for size in (NARROW, PHONE, DESK):
        page.set_viewport_size(size)
        look_by_day_and_night(page)
        assert list(out_of_reach(page)) == []
    assert size_before
    page.set_viewport_size(size_before)


def fill(page: Page, **texts: str) -> None:
    for label, text in texts.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(text)


def test_a_club_is_started_on_a_phone_and_plays_its_first_evening(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_role("link", name="Start a club").click()
    look(phone)
    fill(phone, Club_name="Seaside Tiles", Your_name="Ann Shore")
    phone.get_by_role("button", name="Email me the link").click()
    expect(phone.get_by_role("alert").first).to_contain_text("Enter your email address.")
    fill(phone, Your_email_address="ann@example.org")
    phone.get_by_label("I agree to the terms").check()
    phone.get_by_role("button", name="Email me the link").click()
    expect(phone.get_by_role("heading", name="Check your email")).to_be_visible()
    look(phone)
    link_match = LINK.search(str(mail.outbox[-1].body))
    assert link_match
    phone.goto(link_match[1])
    look(phone)
    fill(phone, Choose_a_password=NEW, Confirm_password=NEW)
    phone.get_by_role("button", name="Start club").click()
    expect(phone.get_by_text("Welcome to Seaside Tiles.")).to_be_visible()
    _add_members(phone)
    _play_first_evening(phone)
    phone.goto(link_match[1])
    expect(phone.get_by_role("heading", name="This link does not work")).to_be_visible()
    look(phone)


def _add_members(phone: Page) -> None:
    for name in ("Ann Shore", "Ben Sand", "Cy Shell", "Di Wave"):
        phone.goto("/c/seaside-tiles/members/add/")
        phone.get_by_label("Name", exact=True).fill(name)
        phone.locator("main form button[type=submit]").first.click()
        expect(phone.get_by_text(f"{name} added.")).to_be_visible()


def _play_first_evening(phone: Page) -> None:
    phone.goto("/c/seaside-tiles/")
    phone.get_by_role("button", name="Start today’s evening").click()
    for name in ("Ann Shore", "Ben Sand", "Cy Shell", "Di Wave"):
        phone.get_by_role("button", name=name).click()
        expect(phone.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    phone.get_by_role("button", name="Seat 4 people").click()
    expect(phone.get_by_role("heading", name="Table 1")).to_be_visible()


@pytest.mark.parametrize("name", ["terms", "privacy"])
def test_the_texts_can_be_read_by_everybody(phone: Page, name: str) -> None:
    phone.goto(f"/{name}/")
    look(phone)


def test_an_operator_closes_a_club_and_has_it_deleted(desk: Page) -> None:
    Club.objects.create(name="Seaside Tiles", slug="seaside")
    desk.goto("/operator/")
    look(desk)
    desk.get_by_role("link", name="Seaside Tiles").click()
    look(desk)
    desk.get_by_label("Why?").fill("The hall is shut.")
    desk.get_by_role("button", name="Close club").click()
    desk.get_by_label("Password", exact=True).fill(PASSWORD)
    desk.get_by_role("button", name="Continue").click()
    expect(desk.get_by_text("Seaside Tiles is closed.")).to_be_visible()
    desk.get_by_role("button", name="Delete club on that day").click()
    expect(desk.get_by_text("To be deleted on")).to_be_visible()
    desk.get_by_role("link", name="Open the club").click()
    expect(desk.get_by_text("so nothing can be changed. The hall is shut.")).to_be_visible()
    look(desk)
    desk.get_by_role("link", name="See what to download").click()
    look(desk)


def test_someone_signed_in_starts_another_club(
    open_browser: OpenBrowser, texts_folder: Any
) -> None:
    context = open_browser(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/")
    key = session_key_of(User.objects.get(email="someone@example.org"))
    context.add_cookies([{"name": "sessionid", "value": key, "url": page.url}])
    page.goto("/")
    page.get_by_role("link", name="Start a club").click()
    look(page)
    fill(page, Club_name="Second Tiles")
    page.get_by_label("I agree to the terms").check()
    page.get_by_role("button", name="Start club").click()
    expect(page.get_by_text("Welcome to Second Tiles.")).to_be_visible()
