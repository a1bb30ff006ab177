"""The first evening of a club from an empty installation, as a stranger plays it.

``pytest -s`` prints the presses, fields, scrolls and seconds of each part. The pages count the
presses. The road leads from the empty installation to a member who reads the league at home.
"""

from typing import Any

import pytest
from django.urls import reverse
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
MOST_PRESSES, MOST_SCROLLS = 25, 12  # of the road
ROAD = (
    *("set up the club", "import thirteen members", "create a season", "seat twelve people"),
    *("print the cards", "finish the evening", "publish the results", "a member reads the league"),
)
NAMES = [" ".join(reversed(name.split(";"))) for name in PEOPLE]
LIST = "\n".join(
    ["Hill Top Tiles – members;;", ";;", "Surname;First name;Paid"]
    + [f"{name};yes" for name in PEOPLE]
    + ["Total;;13", ""]
)


@pytest.fixture
def stranger() -> Stranger:
    return Stranger()


@pytest.fixture
def page(stranger: Stranger, open_browser: OpenBrowser, settings: Any) -> Page:
    """The secretary's computer, on which Tongbox has just been started."""
    settings.SITE_ADDRESS = ""
    return stranger.sits_at(open_browser(viewport=DESK, reduced_motion="reduce"))


def test_a_stranger_plays_the_first_evening(
    stranger: Stranger, page: Page, open_browser: OpenBrowser
) -> None:
    found_a_club(stranger, page)
    import_members(stranger, page)
    create_a_season(stranger, page)
    session = seat_everybody(stranger, page)
    print_cards(stranger, page)
    welcome_a_late_arrival(stranger, page)
    phones = [
        stranger.sits_at(open_browser(viewport=PHONE, reduced_motion="reduce", has_touch=True))
        for _ in session.tables.all()
    ]
    for phone, table in zip(phones, session.tables.order_by("number"), strict=True):
        phone.goto(reverse("table", args=[table.link_key]))
    play(stranger, phones)
    page.goto(reverse("evening", args=[session.club.slug, session.pk]))
    finish(stranger, page)
    publish(stranger, page)
    look_in(stranger, stranger.sits_at(open_browser(viewport=PHONE, reduced_motion="reduce")))
    practise(stranger, page)
    road = stranger.together("the road to the league at home", ROAD)
    print(f"\n{stranger.report(road)}")
    efforts = {effort.part: effort for effort in stranger.efforts}
    at_the_tables = efforts["twelve hands on three phones"]
    assert (at_the_tables.presses, at_the_tables.scrolls) == (12 * PRESSES_OF_A_HAND, 0)
    assert {effort.part for effort in stranger.efforts} >= set(ROAD)
    assert road.presses <= MOST_PRESSES
    assert road.scrolls <= MOST_SCROLLS


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
        stranger.fill(page.get_by_label("Or paste a list"), LIST)
        stranger.button(page, "Check the list")
        expect(page.get_by_role("heading", name="Check your import")).to_be_visible()
        stranger.button(page, "Import")
        expect(page.get_by_text("13 people were added.")).to_be_visible()


def create_a_season(stranger: Stranger, page: Page) -> None:
    with stranger.doing("create a season"):
        stranger.button(page, "Create a season")
        stranger.button(page, "Save season")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Club league, 20")


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
    """Twelve are there when the tables are made; the thirteenth has said that she comes later."""
    with stranger.doing("seat twelve people"):
        stranger.button(page, "Start today’s evening")
        stranger.button(page, "Check in all 13 members")
        expect(page.locator("#here")).to_have_text("13 of 13 people checked in")
        stranger.press(page.locator("#door").get_by_role("button", name=NAMES[-1]))
        expect(page.locator("#here")).to_have_text("12 of 13 people checked in")
        stranger.button(page, "Seat 12 people")
        expect(page.get_by_role("heading", name="Table 3")).to_be_visible()
    return Session.objects.get(club__rehearsal_of=None)


def print_cards(stranger: Stranger, page: Page) -> None:
    with stranger.doing("print the cards"):
        url = page.get_by_role("link", name="Print table cards").get_attribute("href")
        with page.expect_download() as download_info:
            stranger.button(page, "Print table cards")
        assert str(url) in download_info.value.url


def welcome_a_late_arrival(stranger: Stranger, page: Page) -> None:
    with stranger.doing("add a late arrival"):
        stranger.press(page.locator("summary").filter(has_text="Check in"))
        stranger.press(page.locator("#door").get_by_role("button", name=NAMES[-1]))
        expect(page.locator("#here").first).to_contain_text("13 of 13 people checked in")
        stranger.button(page, "Late arrivals and departures")
        stranger.fill(page.get_by_label("Player", exact=True), "Xenia Vine")
        stranger.press(page.get_by_label("Table 2, which becomes a five"))
        stranger.button(page, "Preview")
        stranger.button(page, "Confirm")
        expect(page.get_by_text("Xenia Vine (")).to_be_visible()


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
        stranger.button(page, "Finish evening")
        expect(page.get_by_text("The evening is finished. It counts")).to_be_visible()


def publish(stranger: Stranger, page: Page) -> None:
    with stranger.doing("publish the results"):
        stranger.button(page, "Publish results and league")
        expect(page.get_by_text("The public sees the results and the league.")).to_be_visible()


def look_in(stranger: Stranger, page: Page) -> None:
    """A member at home, who has not signed in."""
    with stranger.doing("a member reads the league"):
        page.goto("/c/hill-top-tiles/")
        stranger.button(page, "Club league, 20")
        expect(page.get_by_role("table").get_by_role("row")).to_have_count(1 + len(PEOPLE))
