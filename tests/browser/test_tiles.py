"""Tiles tapped on a telephone: quick, steady under the finger, and read aloud.

A hand by itself, and four phones that tap their own tiles at one table: nothing twice, nothing
lost. ``pytest -s`` prints the taps and the seconds.
"""

from collections.abc import Callable
from time import monotonic

import pytest
from django.urls import reverse
from playwright.sync_api import APIResponse, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.building import read_draft
from scoring.scorebook.models import Hand, TappedHand
from tests.browser.conftest import PHONE, OpenBrowser
from tests.browser.reading import faults
from tests.browser.telling import choose
from tests.scoring.scorebook.book import SOUTH_WINS, record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_MINUTE = 60
TARGET = 48
MAH_JONG = ("B1", "B1", "B1", "DR", "DR", "DR", "B4", "B5", "B6", "WE", "WE", "WE", "O2", "O2")
WHOLE = "?hand=EE.B456WeeeO22-B111~Drrrr.F1.won-discard-O2"
STATES = {
    "empty": "bmja/",
    "half": "bmja/?hand=EE.B1112C5-Dggg.F2.won",
    "whole": f"bmja/{WHOLE}",
    "impossible": "bmja/?hand=EE.B123234C999O111Dgg..won-wall",
    "too many": "bmja/?hand=EE.B123234C999O111Dggg..won-wall",
    "fishing": "bmja/?hand=SE.B33444888Dgg-B222..lost",
    "goulash": "bmja/?hand=EEg.B11Jkk-B44Jk.F2.won",
    "unreadable": "bmja/?hand=EE",
    "Safalra's": "safalra/?hand=EE.B111222C345C999O11.F1.won",
    "tallies": "tallies/?hand=SE.B111222345C999O11..lost",
    "Baggaley's": "baggaley/?hand=EE.B123456789O11C222.F1234.won-wall-B9",
    "English": "english/?hand=WE.B19C19O19WeswnDrgw..lost",
    "link": f"bmja/link/{WHOLE}",
}


TILES = (
    *("B1",) * 3, *("DR",) * 4, "B4", "B5", "B6", *("WE",) * 3, "O2", "O2", "F2", "S3",
)  # fmt: skip
TOLD = ("expose:B111", "way:discard", "last:O2")
SIZES = ((320, 640), (390, 844), (1280, 900))
A_DESK = 992  # pixels: everything of a hand is on one page


class Finger:
    """A finger on a phone; every press is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, *taps: str) -> None:
        for tap in taps:
            self.page.locator(f'button[name=tap][value="{tap}"]:not(:disabled)').first.click()
            self.taps += 1

    def shows(self, total: str, state: str) -> None:
        expect(self.page.locator(".dock__state")).to_have_text(state)
        expect(self.page.locator(".dock__total b")).to_have_text(total)

    def press(self, name: str, *, exact: bool = False) -> None:
        self.page.get_by_role("button", name=name, exact=exact).first.click()
        self.taps += 1

    def go_on(self, times: int = 1) -> None:
        """From the tiles to the sets, and on to the last tile, at a table."""
        for _ in range(times):
            self.press("Next", exact=True)

    def is_kept(self) -> None:
        expect(self.page.locator("[data-built]:not([data-busy])")).to_be_attached()


@pytest.fixture
def score(live_server: LiveServer) -> str:
    return f"{live_server.url}{reverse('score')}"


@pytest.fixture
def finger(score: str, context: BrowserContext) -> Finger:
    page = context.new_page()
    page.goto(score)
    return Finger(page)


def test_a_full_mah_jong_takes_seventeen_taps_and_no_minute(finger: Finger) -> None:
    began = monotonic()
    finger.tap(*MAH_JONG)
    finger.tap(*TOLD)
    finger.shows("320", "Mah-Jong.")
    assert finger.taps == 17
    assert monotonic() - began < A_MINUTE


def test_a_pung_is_one_tap_where_a_tap_adds_a_pung(finger: Finger) -> None:
    finger.page.get_by_role("radio", name="Pung").check()
    finger.tap("B1", "DR")
    expect(finger.page.locator(".group__turn")).to_have_count(2)
    finger.page.get_by_role("radio", name="Chow").check()
    expect(finger.page.get_by_text("Tap the lowest tile of the chow.")).to_be_visible()
    finger.tap("B4")
    finger.shows("32", "5 more tiles: one more set and a pair.")


def held_back(page: Page) -> list[Route]:
    """From now on every question of the page waits for the test to let it pass."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if "hx-request" in route.request.headers:
            routes.append(route)
        else:
            route.continue_()

    page.route("**/score/**", hold)
    return routes


def test_a_tile_stands_there_before_the_server_has_answered(finger: Finger) -> None:
    held_back(finger.page)
    finger.tap("B1", "B1")
    expect(finger.page.locator(".dock [data-coming] .tile")).to_have_count(2)
    expect(finger.page.locator(".key[value=B1] .key__held")).to_have_text("2 in this hand")


def test_a_slow_answer_never_hides_what_was_tapped_since(finger: Finger) -> None:
    routes = held_back(finger.page)
    finger.tap("B1")
    wait_for(finger.page, lambda: len(routes) == 1)
    finger.tap("B2", "B3")
    routes.pop().continue_()
    expect(finger.page.locator(".dock .tile")).to_have_count(3)
    wait_for(finger.page, lambda: len(routes) == 1)
    assert routes[0].request.url.count("tap=") == 2
    routes.pop().continue_()
    finger.shows("0", "11 more tiles: three more sets and a pair.")
    expect(finger.page.locator(".group")).to_have_count(1)


def wait_for(page: Page, condition: Callable[[], bool]) -> None:
    for _ in range(100):
        if condition():
            return
        page.wait_for_timeout(50)
    pytest.fail("It never came.")


def test_a_network_that_goes_and_comes_loses_no_tap(finger: Finger) -> None:
    finger.tap("B1")
    finger.shows("0", "13 more tiles: four more sets and a pair.")
    finger.page.context.set_offline(True)
    finger.tap("B1", "B1")
    expect(finger.page.locator("[data-said]")).to_contain_text("You are offline.")
    finger.page.context.set_offline(False)
    finger.shows("8", "11 more tiles: three more sets and a pair.")


def test_undo_and_used_up_tiles(finger: Finger) -> None:
    finger.tap("DR", "DR", "DR", "DR")
    key = finger.page.locator(".key[value=DR]")
    expect(key).to_be_disabled()
    expect(key).to_contain_text("none left")
    expect(finger.page.get_by_text("split the kong")).to_be_visible()
    finger.tap("undo")
    expect(key).to_be_enabled()
    finger.shows("16", "11 more tiles: three more sets and a pair.")


def test_what_happened_is_read_aloud(finger: Finger) -> None:
    finger.tap("B2", "B2")
    announcement = finger.page.locator("[data-said]")
    expect(announcement).to_have_text("2 of bamboos added, pair. 0 points so far.")
    assert announcement.get_attribute("role") == "status"


def test_the_keyboard_stays_where_it_is(finger: Finger) -> None:
    finger.tap("B1", "B1", "B1")
    turn = finger.page.locator(".group__turn")
    expect(turn).to_have_accessible_name("Pung of 1s of bamboos, concealed: expose")
    turn.focus()
    finger.page.keyboard.press("Enter")
    expect(turn).to_have_accessible_name("Pung of 1s of bamboos, exposed: conceal")
    expect(turn).to_be_focused()


def test_the_keys_stay_under_the_finger_while_the_hand_grows(finger: Finger) -> None:
    key = finger.page.locator(".key[value=WN]")
    key.scroll_into_view_if_needed()
    finger.page.evaluate("scrollBy({top: 200, behavior: 'instant'})")
    top_before = top(finger.page, "WN")
    finger.tap("WN", "WS", "WW", "WE", "WN")
    finger.shows("0", "9 more tiles: four more sets.")
    assert abs(top(finger.page, "WN") - top_before) < 2


def top(page: Page, code: str) -> float:
    box = page.locator(f".key[value={code}]").bounding_box()
    assert box is not None
    return box["y"]


def test_jokers_come_with_a_goulash(finger: Finger) -> None:
    finger.tap("B1", "goulash:yes")
    expect(finger.page.locator(".key[value=JK]")).to_be_visible()
    finger.tap("undo")
    expect(finger.page.locator(".key[value=JK]")).to_have_count(0)


def test_the_address_holds_the_hand(finger: Finger) -> None:
    finger.tap("B1", "B1", "B1")
    finger.shows("8", "11 more tiles: three more sets and a pair.")
    finger.page.reload()
    finger.shows("8", "11 more tiles: three more sets and a pair.")


def test_a_page_that_is_loaded_again_can_undo_and_adds_what_it_added(finger: Finger) -> None:
    finger.page.get_by_role("radio", name="Pair").check()
    finger.tap("B1", "DR")
    finger.is_kept()
    finger.page.reload()
    expect(finger.page.get_by_role("radio", name="Pair")).to_be_checked()
    for tiles in (4, 2, 0):
        expect(finger.page.locator(".dock .tile")).to_have_count(tiles)
        if tiles:
            finger.tap("undo")
    expect(finger.page.locator(".dock__undo")).to_be_disabled()


def test_the_link_is_copied(finger: Finger) -> None:
    finger.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    finger.tap("B1")
    finger.shows("0", "13 more tiles: four more sets and a pair.")
    finger.page.get_by_role("button", name="Copy the link").click()
    expect(finger.page.get_by_text("The link is copied.")).to_be_attached()
    copied_link = finger.page.evaluate("navigator.clipboard.readText()")
    assert copied_link.endswith("/score/bmja/?hand=EE.B1..won")


def test_undo_goes_to_the_other_thumb_and_stays_there(finger: Finger) -> None:
    def is_left() -> bool:
        undo, total = (finger.page.locator(part) for part in (".dock__undo", ".dock__total"))
        undo_box, total_box = undo.bounding_box(), total.bounding_box()
        return bool(undo_box and total_box and undo_box["x"] < total_box["x"])

    assert not is_left()
    address = finger.page.url
    finger.page.get_by_role("link", name="Display settings").click()
    finger.page.get_by_role("button", name="The left hand").click()
    finger.page.goto(address)
    assert is_left()


def test_everything_works_without_a_script(score: str, open_browser: OpenBrowser) -> None:
    finger = Finger(open_browser(viewport=PHONE, java_script_enabled=False).new_page())
    finger.page.goto(score)
    finger.tap("DR", "DR", "DR", "DR")
    finger.shows("64", "11 more tiles: three more sets and a pair.")
    finger.page.go_back()
    finger.shows("16", "11 more tiles: three more sets and a pair.")
    finger.tap("expose:Drrr", "undo")
    finger.shows("16", "11 more tiles: three more sets and a pair.")
    expect(finger.page.get_by_role("button", name="Copy the link")).to_have_count(0)


LOOKS = {
    "320 px": {"viewport": {"width": 320, "height": 640}, "color_scheme": "light"},
    "dark, 390 px": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1280, "height": 900}, "contrast": "more"},
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_state_can_be_read_by_everybody(
    score: str, open_browser: OpenBrowser, look: str
) -> None:
    page = open_browser(reduced_motion="reduce", **LOOKS[look]).new_page()
    faults_by_page = {}
    for name, address in STATES.items():
        page.goto(f"{score}{address}")
        if wrong := [*faults(page), *small_targets(page)]:
            faults_by_page[name] = wrong
    assert faults_by_page == {}


def small_targets(page: Page) -> list[str]:
    """The buttons of the builder that are smaller than a thumb."""
    boxes = page.locator(".builder :is(button:not(.hidden-text), .chip)").evaluate_all(
        "found => found.map(one => [one.value || one.textContent, one.getBoundingClientRect()])"
        ".map(([name, box]) => [name.trim(), box.width, box.height])"
    )
    return [name for name, width, height in boxes if min(width, height) < TARGET - 0.5]


@pytest.mark.parametrize("width", [320, 390])
def test_letters_of_twice_the_size_fit(score: str, open_browser: OpenBrowser, width: int) -> None:
    page = open_browser(viewport={"width": width, "height": 844}).new_page()
    page.goto(f"{score}{STATES['whole']}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.fixture
def at_seat(table: SessionTable, context: BrowserContext) -> Callable[[int], Finger]:
    def open_phone(seat: int) -> Finger:
        page = context.new_page()
        page.goto(reverse("table-tiles", args=[table.link_key, seat]))
        return Finger(page)

    return open_phone


def stored_draft(table: SessionTable, seat: int) -> str:
    return TappedHand.objects.get(game=table.game, seat=seat).draft


def test_a_full_mah_jong_is_tapped_and_saved_within_a_minute(
    table: SessionTable, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(reverse("table", args=[table.link_key]))
    finger, began = Finger(page), monotonic()
    choose(page, 1)
    page.locator(".entry__row").nth(1).get_by_role("button", name="Tap the tiles of").click()
    finger.taps += 2
    finger.tap(*TILES)
    finger.go_on()
    exposed, *ending_taps = TOLD
    finger.tap(exposed)
    finger.go_on()
    finger.tap(*ending_taps)
    expect(page.locator(".dock__total b")).to_have_text("576")
    page.locator(".dock__done").click()
    build_seconds = monotonic() - began
    finger.press("Check hand 1")
    finger.press("Save")
    finger.taps += 1
    expect(page.get_by_text("Hand 1 saved.")).to_be_visible()
    seconds = monotonic() - began
    print(
        f"\na Mah-Jong in tiles: {finger.taps} taps, {build_seconds:.1f} s to build, {seconds:.1f} "
        "s saved"
    )
    assert seconds < A_MINUTE
    assert Hand.objects.get().lines["2"]["total"] == 576


def test_done_says_first_what_the_hand_lacks(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    """Also where it is pressed while the last tap is on its way; pressed again it leads on."""
    finger = at_seat(1)
    finger.tap(*MAH_JONG)
    finger.go_on()
    finger.press("Mah-Jong", exact=True)
    finger.go_on()
    finger.tap("way:discard")
    tiles, done_button = finger.page.url, finger.page.locator(".dock__done")
    done_button.click()
    warning = finger.page.locator("[data-unfinished]")
    expect(warning).to_contain_text("Choose the last tile. Or press “Done” again")
    expect(warning).to_be_visible()
    assert finger.page.url == tiles
    done_button.click()
    expect(finger.page.get_by_text("No score yet")).to_be_visible()
    assert stored_draft(table, 1).endswith(".won-discard")


def test_a_refused_tap_is_forgotten_once_something_else_is_done(
    at_seat: Callable[[int], Finger],
) -> None:
    finger = at_seat(1)
    state = finger.page.locator(".dock__state")
    finger.tap("B1", "B1", "B1")
    finger.is_kept()
    finger.page.get_by_role("radio", name="Kong").check()
    finger.tap("B1")
    expect(state).to_have_text("Only 1 of the 4 tiles “1 of bamboos” is left.")
    finger.page.get_by_role("radio", name="Pair").check()
    expect(state).to_have_text("Not Mah-Jong.")
    finger.tap("B1")
    expect(state).to_have_text("Only 1 of the 4 tiles “1 of bamboos” is left.")
    finger.go_on()
    expect(state).to_have_text("Not Mah-Jong.")
    expect(finger.page.locator(".tray .notice")).to_have_count(0)
    expect(
        finger.page.get_by_text("Tap a set to expose it, or to conceal it again.")
    ).to_be_visible()


def test_a_phone_that_is_loaded_again_can_undo(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(1)
    finger.page.get_by_role("radio", name="Pair").check()
    finger.tap("B1", "DR")
    finger.is_kept()
    finger.page.reload()
    expect(finger.page.get_by_role("radio", name="Pair")).to_be_checked()
    finger.tap("undo")
    wait_for(finger.page, lambda: "r" not in stored_draft(table, 1))


def test_an_impossible_story_is_said_on_the_phone_before_it_is_saved(
    at_seat: Callable[[int], Finger],
) -> None:
    """Ann robs a kong of a tile that she holds twice."""
    finger = at_seat(1)
    finger.tap(*("B1",) * 3, *("C5",) * 3, *("O7",) * 3, *("WN",) * 3, "O2", "O2")
    finger.go_on()
    finger.press("Mah-Jong", exact=True)
    finger.go_on()
    finger.tap("way:robbed_kong", "last:O2")
    warning = "The other three tiles of a robbed kong are in the kong"
    expect(finger.page.locator(".notice--warning")).to_contain_text(warning)
    expect(finger.page.locator(".dock__state")).to_have_text("Mah-Jong. Read the warning.")
    finger.page.locator(".dock__done").click()
    finger.press("Check hand 1")
    expect(finger.page.get_by_role("heading", name="Check this hand")).to_be_visible()
    expect(finger.page.locator(".notice--warning")).to_contain_text(warning)
    assert Hand.objects.count() == 0


def test_four_phones_tap_at_once_and_none_takes_another_s_tile(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    fingers = [at_seat(seat) for seat in (1, 2, 3, 4)]
    for finger in fingers:
        finger.tap("F1")
    for finger in fingers:
        finger.is_kept()
    notices = [finger.page.locator(".tray .notice").all_text_contents() for finger in fingers]
    assert sorted(notices) == [
        [],
        *[["There is only 1 tile “flower 1”, and it is already used."]] * 3,
    ]
    for finger in fingers:
        finger.tap("DR")
    for finger in fingers:
        finger.is_kept()
    held_tiles = [
        [*read_draft(stored_draft(table, seat)).tile_counts.elements()] for seat in (1, 2, 3, 4)
    ]
    assert sorted(held_tiles, key=len) == [["DR"], ["DR"], ["DR"], ["DR", "F1"]]


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
    second_finger = at_seat(2)
    second_finger.is_kept()
    expect(second_finger.page.locator(".group__turn")).to_have_count(1)
    assert stored_draft(table, 2) == "SE.B123..lost"


def test_an_answer_that_is_lost_taps_nothing_twice(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(2)
    lost_responses: list[APIResponse] = []

    def lose_the_first(route: Route) -> None:
        if route.request.method == "POST" and not lost_responses:
            lost_responses.append(route.fetch())
            return route.abort()
        return route.continue_()

    finger.page.route("**/tiles/2/", lose_the_first)
    finger.tap("B1")
    expect(finger.page.locator("[data-said]")).to_contain_text("You are offline.")
    finger.tap("C9")
    finger.is_kept()
    assert (stored_draft(table, 2), len(lost_responses)) == ("SE.B1C9..lost", 1)


def test_an_answer_that_comes_under_a_finger_loses_no_tap(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(2)
    finger.tap("B1", "B1", "B1")
    finger.is_kept()
    held_answers: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if route.request.method == "POST" and not held_answers:
            held_answers.append((route, route.fetch()))
        else:
            route.continue_()

    finger.page.route("**/tiles/2/", hold_the_first)
    finger.tap("C9")
    finger.go_on()
    turn = finger.page.locator('button[value="expose:B111"]')
    turn.scroll_into_view_if_needed()
    turn.hover()
    finger.page.mouse.down()
    wait_for(finger.page, lambda: len(held_answers) == 1)
    ((route, answer),) = held_answers
    route.fulfill(response=answer)
    finger.page.wait_for_timeout(500)
    finger.page.mouse.up()
    finger.is_kept()
    pung_button = finger.page.get_by_role("button", name="Pung of 1s of bamboos, exposed: conceal")
    expect(pung_button).to_be_visible()


def test_whoever_leaves_at_once_leaves_no_tap_behind(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(3)
    finger.tap("C1", "C1", "C1")
    finger.page.get_by_role("link", name="Go back").click()
    finger.page.wait_for_url(lambda address: "/tiles/" not in address)
    assert stored_draft(table, 3) == "WE.C111..lost"


def test_a_hand_saved_meanwhile_leads_back_to_the_table(
    at_seat: Callable[[int], Finger], table: SessionTable
) -> None:
    finger = at_seat(3)
    record(table.game, 1, SOUTH_WINS)
    finger.tap("C1")
    expect(
        finger.page.get_by_text("Hand 1 is not the current hand: the next one is 2.")
    ).to_be_visible()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_page_fits_and_reads_well(
    open_browser: OpenBrowser, table: SessionTable, width: int, height: int
) -> None:
    page = open_browser(viewport={"width": width, "height": height}).new_page()
    address = reverse("table", args=[table.link_key])
    page.goto(f"{address}tiles/2/?winner=2")
    finger, (exposed, *ending_taps) = Finger(page), TOLD
    for taps in (TILES, (exposed,), ending_taps):
        finger.tap(*taps)
        finger.is_kept()
        assert faults(page) == [], taps
        if width < A_DESK and taps != ending_taps:
            finger.go_on()
    for url in (page.url, f"{address}tiles/1/", f"{address}?way=tiles&number=1"):
        page.goto(url)
        assert faults(page) == [], url
