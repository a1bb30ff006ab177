"""Four phones tap their own tiles at one table: in a minute, nothing twice, nothing lost.

``pytest -s`` prints the taps and the seconds.
"""

from collections.abc import Callable
from time import monotonic

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.building import read_draft
from scoring.scorebook.models import Hand, TappedHand
from tests.clubs.tables import seated_evening
from tests.people import make_club
from tests.scoring.scorebook.book import SOUTH_WINS, record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_MINUTE = 60
TARGET = 48
TILES = (
    *("B1",) * 3, *("DR",) * 4, "B4", "B5", "B6", *("WE",) * 3, "O2", "O2", "F2", "S3",
)  # fmt: skip
TOLD = ("expose:B111", "way:discard", "last:O2")
SIZES = ((320, 640), (390, 844), (1280, 900))


class Finger:
    """A finger on a phone; every press is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def press(self, name: str, *, exact: bool = False) -> None:
        self.page.get_by_role("button", name=name, exact=exact).first.click()
        self.taps += 1

    def tap(self, *taps: str) -> None:
        for tap in taps:
            self.page.locator(f'button[name=tap][value="{tap}"]:not(:disabled)').first.click()
            self.taps += 1

    def is_kept(self) -> None:
        expect(self.page.locator("[data-built]:not([data-busy])")).to_be_attached()


@pytest.fixture
def table() -> SessionTable:
    return seated_evening(make_club()).tables.get()


@pytest.fixture
def at_seat(
    live_server: LiveServer, table: SessionTable, context: BrowserContext
) -> Callable[[int], Finger]:
    def open_phone(seat: int) -> Finger:
        page = context.new_page()
        page.goto(f"{live_server.url}{reverse('table-tiles', args=[table.link_key, seat])}")
        return Finger(page)

    return open_phone


def kept(table: SessionTable, seat: int) -> str:
    return TappedHand.objects.get(game=table.game, seat=seat).draft


def test_a_full_mah_jong_is_tapped_and_saved_within_a_minute(
    live_server: LiveServer, table: SessionTable, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(f"{live_server.url}{reverse('table', args=[table.link_key])}")
    finger, began = Finger(page), monotonic()
    page.locator("label.seat").nth(1).click()
    finger.press("Tiles", exact=True)
    finger.press("Tap the tiles of")
    page.get_by_role("navigation", name="Everyone’s tiles").get_by_role("link").nth(1).click()
    finger.taps += 2
    finger.tap(*TILES, *TOLD)
    expect(page.locator(".dock__total b")).to_have_text("576")
    page.locator(".dock__done").click()
    built = monotonic() - began
    finger.press("Check hand 1")
    finger.press("Save")
    finger.taps += 1
    expect(page.get_by_text("Hand 1 saved.")).to_be_visible()
    seconds = monotonic() - began
    print(
        f"\na Mah-Jong in tiles: {finger.taps} taps, {built:.1f} s to build, {seconds:.1f} s saved"
    )
    assert seconds < A_MINUTE
    assert Hand.objects.get().lines["2"]["total"] == 576


def test_an_impossible_story_is_said_on_the_phone_before_it_is_saved(
    at_seat: Callable[[int], Finger],
) -> None:
    """Ann robs a kong of a tile that she holds twice."""
    finger = at_seat(1)
    finger.page.set_viewport_size({"width": 390, "height": 844})
    finger.press("Mah-Jong", exact=True)
    finger.tap(*("B1",) * 3, *("C5",) * 3, *("O7",) * 3, *("WN",) * 3, "O2", "O2")
    finger.tap("way:robbed_kong", "last:O2")
    sentence = "The other three tiles of a robbed kong are in the kong"
    expect(finger.page.locator(".notice--warning")).to_contain_text(sentence)
    expect(finger.page.locator(".dock__state")).to_have_text("Mah-Jong. Read the warning.")
    finger.page.locator(".dock__done").click()
    finger.press("Check hand 1")
    expect(finger.page.get_by_role("heading", name="Check this hand")).to_be_visible()
    expect(finger.page.locator(".notice--warning")).to_contain_text(sentence)
    assert Hand.objects.count() == 0


def test_four_phones_tap_at_once_and_none_takes_another_s_tile(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    fingers = [at_seat(seat) for seat in (1, 2, 3, 4)]
    for finger in fingers:
        finger.tap("F1")
    for finger in fingers:
        finger.is_kept()
    told = [finger.page.locator(".tray .notice").all_text_contents() for finger in fingers]
    assert sorted(told) == [[], *[["There is only 1 tile “flower 1”, and it is already used."]] * 3]
    for finger in fingers:
        finger.tap("DR")
    for finger in fingers:
        finger.is_kept()
    held = [[*read_draft(kept(table, seat)).held.elements()] for seat in (1, 2, 3, 4)]
    assert sorted(held, key=len) == [["DR"], ["DR"], ["DR"], ["DR", "F1"]]


def test_taps_without_a_network_wait_also_in_a_closed_page(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(2)
    finger.tap("B1")
    finger.is_kept()
    finger.page.context.set_offline(True)
    finger.tap("B2", "B3")
    expect(finger.page.locator("[data-said]")).to_contain_text("You are offline.")
    finger.page.close()
    finger.page.context.set_offline(False)
    again = at_seat(2)
    again.is_kept()
    expect(again.page.locator(".group__turn")).to_have_count(1)
    assert kept(table, 2) == "SE.B123..lost"


def test_an_answer_that_is_lost_taps_nothing_twice(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(2)
    lost: list[APIResponse] = []

    def lose_the_first(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch())
            return route.abort()
        return route.continue_()

    finger.page.route("**/tiles/2/", lose_the_first)
    finger.tap("B1")
    expect(finger.page.locator("[data-said]")).to_contain_text("You are offline.")
    finger.tap("C9")
    finger.is_kept()
    assert (kept(table, 2), len(lost)) == ("SE.B1C9..lost", 1)


def test_an_answer_that_comes_under_a_finger_loses_no_tap(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(2)
    finger.tap("B1", "B1", "B1")
    finger.is_kept()
    late: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if route.request.method == "POST" and not late:
            late.append((route, route.fetch()))
        else:
            route.continue_()

    finger.page.route("**/tiles/2/", hold_the_first)
    finger.tap("C9")
    turn = finger.page.locator('button[value="expose:B111"]')
    turn.scroll_into_view_if_needed()
    turn.hover()
    finger.page.mouse.down()
    ((route, answer),) = late
    route.fulfill(response=answer)
    finger.page.wait_for_timeout(500)
    finger.page.mouse.up()
    finger.is_kept()
    turned = finger.page.get_by_role("button", name="Pung of 1s of bamboos, exposed: conceal")
    expect(turned).to_be_visible()


def test_whoever_leaves_at_once_leaves_no_tap_behind(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(3)
    finger.tap("C1", "C1", "C1")
    finger.page.locator(".dock__done").click()
    finger.page.wait_for_url(lambda address: "/tiles/" not in address)
    assert kept(table, 3) == "WE.C111..lost"


def test_a_hand_saved_meanwhile_leads_back_to_the_table(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(3)
    record(table.game, 1, SOUTH_WINS)
    finger.tap("C1")
    expect(
        finger.page.get_by_text("Hand 1 is not being played now: the next is 2.")
    ).to_be_visible()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_page_fits_and_reads_well(
    browser: Browser, live_server: LiveServer, table: SessionTable, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    address = f"{live_server.url}{reverse('table', args=[table.link_key])}"
    page.goto(f"{address}tiles/2/?winner=2")
    finger = Finger(page)
    finger.tap(*TILES, *TOLD)
    finger.is_kept()
    for shown in (page.url, f"{address}tiles/1/", f"{address}?way=tiles&number=1"):
        page.goto(shown)
        faults = [rule["id"] for rule in Axe().run(page).response["violations"]]
        assert faults == [], shown
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
