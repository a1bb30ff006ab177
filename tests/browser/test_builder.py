"""A hand tapped together on a telephone: quick, steady under the finger, and read aloud."""

from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_MINUTE = 60
TARGET = 48
TILES = ("B1", "B1", "B1", "DR", "DR", "DR", "B4", "B5", "B6", "WE", "WE", "WE", "O2", "O2")
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


class Finger:
    """A finger on the page; counts its taps."""

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
    finger.tap(*TILES)
    finger.tap("expose:B111", "way:discard", "last:O2")
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
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "hx-request" in route.request.headers:
            held.append(route)
        else:
            route.continue_()

    page.route("**/score/**", hold)
    return held


def test_a_tile_stands_there_before_the_server_has_answered(finger: Finger) -> None:
    held_back(finger.page)
    finger.tap("B1", "B1")
    expect(finger.page.locator(".dock [data-coming] .tile")).to_have_count(2)
    expect(finger.page.locator(".key[value=B1] .key__held")).to_have_text("2 in this hand")


def test_a_slow_answer_never_hides_what_was_tapped_since(finger: Finger) -> None:
    held = held_back(finger.page)
    finger.tap("B1")
    wait_for(finger.page, lambda: len(held) == 1)
    finger.tap("B2", "B3")
    held.pop().continue_()
    expect(finger.page.locator(".dock .tile")).to_have_count(3)
    wait_for(finger.page, lambda: len(held) == 1)
    assert held[0].request.url.count("tap=") == 2
    held.pop().continue_()
    finger.shows("0", "11 more tiles: three more sets and a pair.")
    expect(finger.page.locator(".group")).to_have_count(1)


def wait_for(page: Page, met: Callable[[], bool]) -> None:
    for _ in range(100):
        if met():
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
    said = finger.page.locator("[data-said]")
    expect(said).to_have_text("2 of bamboos added, pair. 0 points so far.")
    assert said.get_attribute("role") == "status"


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
    stood = top(finger.page, "WN")
    finger.tap("WN", "WS", "WW", "WE", "WN")
    finger.shows("0", "9 more tiles: four more sets.")
    assert abs(top(finger.page, "WN") - stood) < 2


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


def test_the_link_is_copied(finger: Finger) -> None:
    finger.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    finger.tap("B1")
    finger.shows("0", "13 more tiles: four more sets and a pair.")
    finger.page.get_by_role("button", name="Copy the link").click()
    expect(finger.page.get_by_text("The link is copied.")).to_be_attached()
    copied = finger.page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("/score/bmja/?hand=EE.B1..won")


def test_undo_goes_to_the_other_thumb_and_stays_there(finger: Finger) -> None:
    def is_left() -> bool:
        undo, total = (finger.page.locator(part) for part in (".dock__undo", ".dock__total"))
        at, beside = undo.bounding_box(), total.bounding_box()
        return bool(at and beside and at["x"] < beside["x"])

    assert not is_left()
    address = finger.page.url
    finger.page.get_by_role("link", name="Display settings").click()
    finger.page.get_by_role("button", name="The left hand").click()
    finger.page.goto(address)
    assert is_left()


@pytest.fixture
def without_script(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    yield opened
    opened.close()


def test_everything_works_without_a_script(score: str, without_script: BrowserContext) -> None:
    finger = Finger(without_script.new_page())
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
def test_every_state_can_be_read_by_everybody(score: str, browser: Browser, look: str) -> None:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **LOOKS[look])  # type: ignore[arg-type]
    page = context.new_page()
    found = {}
    for name, address in STATES.items():
        page.goto(f"{score}{address}")
        wrong = [fault["id"] for fault in Axe().run(page).response["violations"]]
        if sideways(page):
            wrong.append("runs off the side")
        wrong += small_targets(page)
        if wrong:
            found[name] = wrong
    context.close()
    assert found == {}


def sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def small_targets(page: Page) -> list[str]:
    """The buttons of the builder that are smaller than a thumb."""
    boxes = page.locator(".builder :is(button:not(.hidden-text), .chip)").evaluate_all(
        "found => found.map(one => [one.value || one.textContent, one.getBoundingClientRect()])"
        ".map(([name, box]) => [name.trim(), box.width, box.height])"
    )
    return [name for name, width, height in boxes if min(width, height) < TARGET - 0.5]


@pytest.mark.parametrize("width", [320, 390])
def test_letters_of_twice_the_size_fit(score: str, browser: Browser, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(f"{score}{STATES['whole']}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not sideways(page)
    context.close()
