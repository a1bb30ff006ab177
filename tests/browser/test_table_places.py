"""The frame of the phone at the table: a small head, one screen, and four places below it."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from clubs.models import SessionTable
from clubs.table.event import seat_key
from tests.browser.conftest import FIVE_SECONDS
from tests.browser.reading import COUNT_SHIFTS, jumps, look_by_day_and_night, small_targets
from tests.clubs.nights import SECOND_WINS, post
from tests.tournaments.cups import seated_cup, tables

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLACES = {
    "Hand": "",
    "Scores": "standings/",
    "Hands so far": "hands/",
    "More for this table": "more/",
}
SIZES = {(390, 844): 56, (320, 568): 64}  # how high the head may be
BAR, REACH = 60, 48
MEASURED = """() => {
  const [head, bar] = [".phone-head", ".places"].map((part) => document.querySelector(part));
  const { height, bottom } = bar.getBoundingClientRect();
  const wide = document.documentElement.scrollWidth;
  return { head: head.offsetHeight, bar: height, foot: bottom, wide };
}"""


def addresses(table: SessionTable) -> Iterator[str]:
    """The table by its own link, by a seat's, and a table of a tournament against the clock."""
    yield reverse("table", args=[table.link_key])
    yield reverse("table", args=[seat_key(table, 2)])
    cup = seated_cup(entrants=8, rounds=1, hands=2, club=table.session.club)
    cup.minutes_a_round = 60
    cup.save()
    yield reverse("round-table", args=[tables(cup)[0].link_key])


def test_head_and_places_leave_the_screen_to_the_hand(
    context: BrowserContext, table: SessionTable
) -> None:
    page = context.new_page()
    page.add_init_script(COUNT_SHIFTS)
    post(table, SECOND_WINS)
    for address in addresses(table):
        for (width, height), most in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for name, path in PLACES.items():
                page.goto(f"{address}{path}")
                measures = page.evaluate(MEASURED)
                assert measures["head"] <= most, (address, name, measures)
                assert measures["bar"] <= BAR
                assert measures["foot"] == height, "the places are under the thumb"
                assert measures["wide"] == width
                assert small_targets(page, REACH) == []
                assert list(jumps(page)) == []


def test_each_place_is_one_touch_away_and_says_so(
    context: BrowserContext, table: SessionTable
) -> None:
    page, address = context.new_page(), reverse("table", args=[table.link_key])
    page.goto(address)
    for name, path in list(PLACES.items())[::-1]:
        place = page.get_by_role("link", name=name, exact=True)
        place.click()
        expect(page).to_have_url(f"{page.url.partition('/t/')[0]}{address}{path}")
        expect(place).to_have_attribute("aria-current", "page")
        look_by_day_and_night(page)


def test_the_largest_letters_lie_over_nothing(context: BrowserContext, table: SessionTable) -> None:
    page, address = context.new_page(), reverse("table", args=[table.link_key])
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(address)
    page.evaluate("document.documentElement.dataset.letters = 'largest'")
    assert page.locator(".places").evaluate("bar => getComputedStyle(bar).position") == "static"
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_hands_so_far_follow_and_keep_open_what_is_read(
    context: BrowserContext, table: SessionTable
) -> None:
    post(table, SECOND_WINS)
    page = context.new_page()
    page.goto(reverse("table-hands", args=[table.link_key]))
    page.locator("summary", has_text="Hand 1").click()
    post(table, SECOND_WINS, SECOND_WINS)
    expect(page.locator("#hand-2")).to_be_visible(timeout=2 * FIVE_SECONDS)
    expect(page.locator("#hand-1")).to_have_attribute("open", "")


def settled_in(context: BrowserContext, table: SessionTable) -> Page:
    """The table's page, once the phone has all of it and its places."""
    page = context.new_page()
    page.goto(reverse("table", args=[table.link_key]))
    page.locator("[data-net][data-knows][data-put-away]").wait_for()
    return page


def test_every_place_opens_offline_as_it_was(context: BrowserContext, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    page = settled_in(context, table)
    context.set_offline(True)
    status = page.locator("[data-net] [role=status]")
    for name in ("Hands so far", "Scores", "More for this table", "Hand"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator("[aria-current=page]")).to_have_text(name)
        expect(status).to_contain_text("OFFLINE")
        expect(status).to_contain_text("as of")
    page.get_by_role("link", name="Hands so far").click()
    expect(page.locator("#hand-1")).to_contain_text("Hand 1")
    for (width, height), most in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(MEASURED)["head"] <= most
    page.locator("[data-net] > summary").click()
    expect(status).to_contain_text("You are offline. Last updated at")
