"""The first evening of a club from an empty installation, as a stranger plays it.

``pytest -s`` prints the presses, fields, scrolls and seconds of each part.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.models import Session
from tests.browser.conftest import DESK, PHONE, OpenBrowser
from tests.browser.stranger import Stranger
from tests.browser.test_first_run import TYPED

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = (
    "Hill;Margaret", "Ash;Dilip", "Marsh;Ngaio", "Byrne;Seán", "Łukasiewicz;Zoë", "Okafor;Agnes",
    "Price;Harold", "Quinn;Rose", "Reid;Tom", "Shaw;Una", "Todd;Vera", "Usher;Wilf", "Vine;Xenia",
)  # fmt: skip
PRESSES_OF_A_HAND = 7  # the winner, three times Next, Check, Save, All agree
MOST_PRESSES, MOST_SCROLLS = 145, 20  # of a whole first evening
NAMES = [" ".join(reversed(name.split(";"))) for name in PEOPLE]
LIST = "\n".join(
    ["Hill Top Tiles – members;;", ";;", "Surname;First name;Paid"]
    + [f"{name};yes" for name in PEOPLE]
    + ["Total;;13", ""]
)


@pytest.fixture
def page(open_browser: OpenBrowser, settings: Any) -> Page:
    """The secretary's computer, on which Tongbox has just been started."""
    settings.SITE_ADDRESS = ""
    return open_browser(viewport=DESK, reduced_motion="reduce").new_page()


def test_a_stranger_plays_the_first_evening(page: Page, open_browser: OpenBrowser) -> None:
    stranger = Stranger()
    found_a_club(stranger, page)
    import_members(stranger, page)
    create_a_season(stranger, page)
    practise(stranger, page)
    session = seat_everybody(stranger, page)
    phones = [
        open_browser(viewport=PHONE, reduced_motion="reduce", has_touch=True).new_page()
        for _ in session.tables.all()
    ]
    for phone, table in zip(phones, session.tables.order_by("number"), strict=True):
        phone.goto(reverse("table", args=[table.link_key]))
    play(stranger, phones)
    finish(stranger, page)
    publish(stranger, page)
    look_in(stranger, open_browser(viewport=PHONE, reduced_motion="reduce").new_page())
    print(f"\n{stranger.report()}")
    efforts = {effort.part: effort for effort in stranger.efforts}
    at_the_tables = efforts["twelve hands on three phones"]
    assert (at_the_tables.presses, at_the_tables.scrolls) == (12 * PRESSES_OF_A_HAND, 0)
    assert sum(effort.presses for effort in stranger.efforts) <= MOST_PRESSES
    assert sum(effort.scrolls for effort in stranger.efforts) <= MOST_SCROLLS


def found_a_club(stranger: Stranger, page: Page) -> None:
    page.goto("/")
    with stranger.doing("set up the club"):
        for label, text in TYPED.items():
            stranger.fill(page.get_by_label(label), text)
        stranger.button(page, "Set up club")
        expect(page.get_by_text("Welcome to Hill Top Tiles.")).to_be_visible()


def import_members(stranger: Stranger, page: Page) -> None:
    with stranger.doing("import thirteen members"):
        stranger.button(page, "Add your members")
        stranger.button(page, "Import members")
        stranger.fill(page.get_by_label("Or paste a list"), LIST)
        stranger.button(page, "Check the list")
        expect(page.get_by_role("heading", name="Check your import")).to_be_visible()
        stranger.button(page, "Import")
        expect(page.get_by_text("13 people on the list")).to_be_visible()


def create_a_season(stranger: Stranger, page: Page) -> None:
    with stranger.doing("create a season"):
        stranger.button(page, "Home")
        stranger.button(page, "Create a season")
        stranger.fill(page.get_by_label("Name"), "Winter 2026")
        today = timezone.localdate()
        stranger.fill(page.get_by_label("First day"), today.isoformat())
        stranger.fill(page.get_by_label("Last day"), (today + timedelta(days=120)).isoformat())
        stranger.button(page, "Save season")
        expect(page.get_by_role("heading", level=1)).to_contain_text("20")


def practise(stranger: Stranger, page: Page) -> None:
    with stranger.doing("run a practice evening"):
        stranger.button(page, "Home")
        stranger.button(page, "Run a practice evening")
        stranger.button(page, "Start a practice evening")
        stranger.button(page, "To the evening")
        stranger.button(page, "Seat 12 people")
        expect(page.get_by_role("heading", name="Table 3")).to_be_visible()
        stranger.button(page, "Things to try")
        stranger.button(page, "Play the next hands")
        stranger.button(page, "Back to Hill Top Tiles")


def seat_everybody(stranger: Stranger, page: Page) -> Session:
    """Twelve are there when the tables are made, and the thirteenth comes after."""
    with stranger.doing("seat twelve people"):
        stranger.button(page, "Home")
        stranger.button(page, "Start your first evening")
        stranger.button(page, "Create evening")
        for number, name in enumerate(NAMES[:-1], start=1):
            stranger.press(page.locator("#door").get_by_role("button", name=name))
            expect(page.locator("#here")).to_have_text(f"{number} checked in")
        stranger.button(page, "Seat 12 people")
        expect(page.get_by_role("heading", name="Table 3")).to_be_visible()
    with stranger.doing("add a late arrival"):
        stranger.press(page.locator("summary").filter(has_text="Check in"))
        stranger.press(page.locator("#door").get_by_role("button", name=NAMES[-1]))
        expect(page.locator("#here").first).to_contain_text("13 checked in")
        stranger.button(page, "Late arrivals and departures")
        stranger.fill(page.get_by_label("Player", exact=True), "Xenia Vine")
        stranger.press(page.get_by_label("Table 2, which becomes a five"))
        stranger.button(page, "Preview")
        stranger.button(page, "Confirm")
        expect(page.get_by_text("Xenia Vine (")).to_be_visible()
    return Session.objects.get(club__rehearsal_of=None)


def play(stranger: Stranger, phones: list[Page]) -> None:
    """Four hands at each of three tables, one after another, agreed by all four at once."""
    with stranger.doing("twelve hands on three phones"):
        for number in range(1, 5):
            for table, phone in enumerate(phones):
                play_hand(stranger, phone, number, winner=(number + table) % 4)


def play_hand(stranger: Stranger, phone: Page, number: int, *, winner: int) -> None:
    expect(phone.get_by_role("heading", name=f"Hand {number}: who went")).to_be_visible()
    stranger.press(phone.locator("label.seat").nth(winner))
    losers = iter((20, 8, 4))
    for seat in range(4):
        stranger.tap_digits(phone, 60 if seat == winner else next(losers))
        stranger.button(phone, "Next" if seat < 3 else "Check hand")
    stranger.button(phone, "Save")
    stranger.button(phone, "All agree")


def finish(stranger: Stranger, page: Page) -> None:
    with stranger.doing("finish the evening"):
        page.reload()
        stranger.button(page, "Finish evening")
        expect(page.get_by_role("heading", name="The evening is finished")).to_be_visible()
        stranger.button(page, "See the league")


def publish(stranger: Stranger, page: Page) -> None:
    with stranger.doing("publish the results"):
        stranger.button(page, "Home")
        stranger.button(page, "Publish results")
        stranger.press(page.get_by_label("Results"))
        stranger.press(page.get_by_label("League"))
        stranger.button(page, "Save")
        expect(page.get_by_text("results and the league")).to_be_visible()


def look_in(stranger: Stranger, page: Page) -> None:
    """A member at home, who has not signed in."""
    with stranger.doing("a member reads the league"):
        page.goto("/c/hill-top-tiles/")
        stranger.button(page, "Winter 2026")
        expect(page.get_by_role("table").get_by_role("row")).to_have_count(1 + len(PEOPLE))
