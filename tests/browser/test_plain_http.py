"""A hall's own Wi-Fi, where pages come over plain http: browsers allow no worker there.

A page is gone when it is reloaded offline, so the phone says to keep it open, but only then.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.scorebook.models import Hand
from tests.browser.at_the_club import ADDRESS, HOST, launch
from tests.browser.conftest import NARROW, PHONE
from tests.browser.reading import look_by_day_and_night
from tests.browser.telling import tell
from tests.browser.test_offline import fill, keep, strip, unfold

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEEP_OPEN = "Keep this page open."


@pytest.fixture
def hall(browser: Browser, live_server: LiveServer, settings: Any) -> Iterator[BrowserContext]:
    """A phone that reaches the laptop over plain http."""
    settings.ALLOWED_HOSTS = [HOST, "localhost"]
    launched_browser = launch(browser.browser_type, live_server)
    yield launched_browser.new_context(
        base_url=ADDRESS, viewport=PHONE, locale="en-GB", reduced_motion="reduce"
    )
    launched_browser.close()


@pytest.fixture
def page(hall: BrowserContext, table: SessionTable) -> Page:
    """The table's page, once the phone knows what it needs for the hands to come."""
    table_page = hall.new_page()
    table_page.goto(reverse("table", args=[table.link_key]))
    assert table_page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    table_page.locator("[data-net][data-knows]").wait_for()
    expect(strip(table_page)).to_have_text("ONLINE", use_inner_text=True)
    return table_page


def lose_the_network(page: Page) -> None:
    page.context.set_offline(True)
    expect(strip(page)).to_contain_text("OFFLINE")


def closes_at_once(page: Page) -> None:
    """Someone closes the page, and nothing is asked."""
    with page.expect_event("close"):
        page.close(run_before_unload=True)


def asks_before_it_closes(page: Page) -> None:
    """Someone is about to close the page, is asked, and stays."""
    with page.expect_event("dialog") as dialog_info:
        page.close(run_before_unload=True)
    assert dialog_info.value.type == "beforeunload"
    dialog_info.value.dismiss()


def test_a_hand_is_played_without_a_word_about_the_network(page: Page) -> None:
    tell(page, 1, 20, 60, 8, 4)
    for press in ("Check hand 1", "Save", "All agree"):
        page.get_by_role("button", name=press).click()
    expect(page.get_by_text("Hand 1 agreed by the table.")).to_be_visible()
    assert [hand.gains for hand in Hand.objects.all()] == [{1: -64, 2: 240, 3: -80, 4: -96}]
    expect(strip(page)).to_have_text("ONLINE", use_inner_text=True)
    closes_at_once(page)


def test_a_phone_says_to_keep_the_page_open_while_it_is_offline(page: Page) -> None:
    lose_the_network(page)
    expect(page.get_by_text(KEEP_OPEN, exact=True)).to_be_visible()
    fill(page, 1, 2)
    expect(page.get_by_text("Keep this page open until the hand is sent.")).to_be_visible()
    for size in (NARROW, PHONE):
        page.set_viewport_size(size)
        look_by_day_and_night(page)
    page.context.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.get_by_text(KEEP_OPEN, exact=True)).to_be_hidden()
    closes_at_once(page)


def test_a_page_with_hands_that_wait_is_not_lost_by_a_slip(page: Page) -> None:
    lose_the_network(page)
    keep(page, 1, 2)
    keep(page, 2, 1)
    expect(page.get_by_text("2 hands. Keep this page open.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Scores").click()
    expect(strip(page)).to_contain_text("You need to be online for that.")
    asks_before_it_closes(page)
    expect(page.locator("[name=number]")).to_have_value("3")
    page.context.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[data-agreeing]")).to_contain_text("Hand 2 is saved.")
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [2, 1]
    page.get_by_role("link", name="Scores").click()
    expect(page.get_by_role("heading", name="Scores").first).to_be_visible()


def test_hands_that_wait_are_read_in_full(page: Page) -> None:
    lose_the_network(page)
    unfold(page)
    expect(strip(page)).to_contain_text("Keep this page open until they are sent.")
    keep(page, 1, 2)
    unfold(page)
    expect(strip(page)).to_contain_text("Keep this page open until it is sent.")
    keep(page, 2, 1)
    unfold(page)
    expect(strip(page)).to_contain_text("Keep this page open until they are sent.")
    look_by_day_and_night(page)


def test_every_script_of_a_table_works_there(page: Page, table: SessionTable) -> None:
    script_errors: list[str] = []
    page.on("pageerror", lambda error: script_errors.append(f"{page.url}: {error}"))
    key = table.link_key
    for name in ("table-standings", "table-hands", "table-more", "table-seats", "table-aid"):
        page.goto(reverse(name, args=[key]))
    page.goto(reverse("table-tiles", args=[key, 1]))
    page.goto(reverse("wall", args=[table.session.wall_key]))
    expect(page.get_by_text("Last update")).to_be_visible()
    page.goto(
        f"{reverse('score-rules', args=['bmja'])}?hand=EE.B456WeeeO22-B111~Drrrr.F1.won-discard-O2"
    )
    page.get_by_role("button", name="Copy the link").click()
    page.wait_for_url("**/link/**")
    assert script_errors == []
