"""Four people and one phone between them, in a real browser; each way to enter a hand."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from scoring.scorebook.models import Game, Hand
from tests.browser.conftest import FIVE_SECONDS
from tests.browser.reading import faults, look, look_by_day_and_night
from tests.clubs.nights import SECOND_WINS, post

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_MOMENT = 300  # milliseconds
NEWS = 200
MOST_TAPS = 12


class Phone:
    """Someone's phone at the table; counts every tap but those on digits."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.taps = 0
        page.goto(address)

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1

    def press(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name))

    def tell(self, winner: int, *scores: int) -> None:
        """Tap the winner's seat (East is 0) and type the scores, East first."""
        self.tap(self.page.locator("label.seat").nth(winner))
        for field, score in zip(self.page.locator(".entry input").all(), scores, strict=True):
            self.tap(field)
            self.page.keyboard.type(str(score))


@pytest.fixture
def open_phone(table: SessionTable, context: BrowserContext) -> Callable[[], Phone]:
    return lambda: Phone(context.new_page(), reverse("table", args=[table.link_key]))


def gains() -> list[dict[int, int]]:
    return [hand.gains for hand in Hand.objects.order_by("number")]


def test_a_hand_takes_few_taps_beside_the_digits(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.tell(1, 20, 60, 8, 4)
    phone.press("Check hand 1")
    expect(phone.page.get_by_role("heading", name="Check this hand")).to_be_visible()
    phone.press("Save")
    phone.press("All agree")
    expect(phone.page.get_by_role("status").first).to_contain_text("Hand 1 agreed by the table.")
    assert gains() == [{1: -64, 2: 240, 3: -80, 4: -96}]
    assert phone.taps == 8 <= MOST_TAPS


def test_a_drawn_hand_is_two_taps(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.press("Nobody (drawn hand)")
    phone.press("Save")
    expect(phone.page.get_by_text("This hand is a goulash")).to_be_visible()
    assert (phone.taps, gains()) == (2, [{1: 0, 2: 0, 3: 0, 4: 0}])


def test_the_enter_key_checks_and_never_draws(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.tell(1, 20, 60, 8, 4)
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", name="went Mah-Jong with 60")).to_be_visible()


def test_a_double_tap_is_one_hand(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.tell(0, 64, 0, 0, 0)
    phone.press("Check hand 1")
    phone.page.get_by_role("button", name="Save").dblclick()
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    assert gains() == [{1: 384, 2: -128, 3: -128, 4: -128}]


def test_change_keeps_what_was_typed(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.tell(3, 20, 8, 4, 60)
    phone.press("Check hand 1")
    phone.press("Edit")
    expect(phone.page.locator(".entry input")).to_have_count(4)
    fields = phone.page.locator(".entry input").all()
    assert [field.input_value() for field in fields] == ["20", "8", "4", "60"]
    expect(phone.page.locator("label.seat input").nth(3)).to_be_checked()


def test_two_phones_at_once(open_phone: Callable[[], Phone]) -> None:
    first, second = open_phone(), open_phone()
    for phone, score in ((first, 64), (second, 84)):
        phone.tell(0, score, 0, 0, 0)
        phone.press("Check hand 1")
    first.press("Save")
    expect(first.page.get_by_text("Hand 1 saved.")).to_be_visible()
    second.press("Save")
    expect(second.page.get_by_role("heading", name="was already entered")).to_be_visible()
    expect(second.page.get_by_role("table").nth(1)).to_contain_text("84")
    assert gains() == [{1: 384, 2: -128, 3: -128, 4: -128}]


def test_news_never_wipes_what_is_half_typed(
    open_phone: Callable[[], Phone], table: SessionTable
) -> None:
    typing, idle = open_phone(), open_phone()
    typing.tell(0, 64, 0, 0, 0)
    post(table, SECOND_WINS)
    expect(typing.page.get_by_text("Hand 1 was entered by someone else.")).to_be_visible()
    expect(typing.page.locator(".entry input").first).to_have_value("64")
    expect(idle.page.get_by_role("button", name="Check hand 2")).to_be_visible()


def test_news_never_cuts_off_a_press_that_is_on_its_way(
    browser: Browser, live_server: LiveServer, table: SessionTable
) -> None:
    without_worker = browser.new_context(service_workers="block")
    address, on_its_way = reverse("table", args=[table.link_key]), list[Route]()
    page = Phone(without_worker.new_page(), f"{live_server.url}{address}").page
    page.route(f"**{address}", partial(list.append, on_its_way))
    with page.expect_response(lambda said: "?v=" in said.url and said.status == NEWS):
        page.get_by_role("button", name="Nobody (drawn hand)").click(no_wait_after=True)
        post(table, SECOND_WINS)
    page.wait_for_timeout(A_MOMENT)
    on_its_way.pop(0).continue_()
    expect(page.get_by_role("heading", name="was already entered")).to_be_visible()
    without_worker.close()


def test_the_standings_follow_within_five_seconds(
    open_phone: Callable[[], Phone], table: SessionTable
) -> None:
    phone = open_phone()
    phone.page.get_by_role("main").get_by_role("link", name="Live standings").click()
    expect(phone.page.get_by_role("cell", name="+240")).to_have_count(0)
    post(table, SECOND_WINS)
    expect(phone.page.get_by_role("cell", name="+240")).to_be_visible(timeout=FIVE_SECONDS)


def test_without_scripts_the_hand_is_saved_all_the_same(
    live_server: LiveServer, table: SessionTable, browser: Any
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    phone = Phone(page, f"{live_server.url}{reverse('table', args=[table.link_key])}")
    phone.tell(1, 20, 60, 8, 4)
    phone.press("Check hand 1")
    phone.press("Save")
    expect(page.get_by_text("Hand 1 saved.")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everybody_can_use_every_page_of_the_table(
    open_phone: Callable[[], Phone], width: int
) -> None:
    phone = open_phone()
    phone.page.set_viewport_size({"width": width, "height": 844})
    phone.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    phone.page.reload()
    look_by_day_and_night(phone.page)
    phone.tell(1, 37, 60, 8, 4)
    phone.press("Check hand 1")
    expect(phone.page.locator(".error-summary")).to_be_visible()
    look_by_day_and_night(phone.page)
    phone.page.locator(".entry input").first.fill("20")
    phone.press("Check hand 1")
    expect(phone.page.get_by_role("heading", name="Check this hand")).to_be_visible()
    look_by_day_and_night(phone.page)
    phone.press("Save")
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    look_by_day_and_night(phone.page)
    phone.page.get_by_role("main").get_by_role("link", name="Live standings").click()
    expect(phone.page.get_by_role("heading", name="Live standings")).to_be_visible()
    look_by_day_and_night(phone.page)


def test_with_tallies_a_hand_takes_fewer_taps_still(
    open_phone: Callable[[], Phone], table: SessionTable
) -> None:
    Game.objects.update(rules="tallies/1")
    phone = open_phone()
    phone.tap(phone.page.locator("label.seat").nth(1))
    own_discard = phone.page.locator("label.choice--2")
    expect(own_discard).to_be_hidden()
    phone.tap(phone.page.locator("label.choice--3"))
    phone.tap(phone.page.locator("#id_score"))
    phone.page.keyboard.type("100")
    assert faults(phone.page) == []
    phone.press("Check hand 1")
    phone.press("Save")
    phone.press("All agree")
    expect(phone.page.get_by_role("status").first).to_contain_text("Hand 1 agreed by the table.")
    assert gains() == [{1: 0, 2: 200, 3: -200, 4: 0}]
    assert phone.taps == 6


def test_a_miscount_is_found_and_put_right_by_one_tap(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.press("Counted sticks")
    expect(phone.page.get_by_text("had 2,000")).to_have_count(4)
    look(phone.page)
    phone.tell(1, 1936, 2240, 1920, 1894)
    phone.press("Check hand 1")
    expect(phone.page.get_by_role("alert")).to_contain_text("10 are missing")
    look(phone.page)
    phone.press("1,904")
    expect(phone.page.get_by_role("heading", name="went Mah-Jong with 60")).to_be_visible()
    look(phone.page)
    phone.press("Save")
    expect(phone.page.get_by_role("status").first).to_contain_text("Hand 1 saved.")
    assert gains() == [{1: -64, 2: 240, 3: -80, 4: -96}]


def test_only_the_winner_is_four_taps(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.press("Winner only")
    phone.tap(phone.page.locator("label.seat").nth(1))
    phone.press("Check hand 1")
    phone.press("Save")
    expect(phone.page.get_by_role("status").first).to_contain_text("Hand 1 saved.")
    assert Hand.objects.get().report == {"winner": 2, "only_winner": True}
    assert phone.taps == 4


def test_the_sticks_to_pass_are_folded_below_the_sentences(open_phone: Callable[[], Phone]) -> None:
    phone = open_phone()
    phone.tell(1, 20, 60, 8, 4)
    phone.press("Check hand 1")
    phone.page.get_by_text("Which sticks to pass").click()
    expect(phone.page.locator(".handings > li")).to_have_count(6)
    look(phone.page)
