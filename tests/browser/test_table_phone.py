"""Four people and one phone between them, in a real browser; each way to enter a hand.

With phones of their own, what one says of a hand the other reads without a touch.
"""

import re
from collections.abc import Callable
from functools import partial

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from clubs.table.event import seat_key
from scoring.scorebook.models import Game, Hand, HandState
from tests.browser.conftest import FIVE_SECONDS, OpenBrowser
from tests.browser.reading import faults, look, look_by_day_and_night
from tests.browser.telling import choose
from tests.clubs.nights import SECOND_WINS, post

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A_MOMENT = 300  # milliseconds
A_WHILE = 15_000
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

    def press(self, *names: str) -> None:
        for name in names:
            self.tap(self.page.get_by_role("button", name=name))

    def tell(self, winner: int, *scores: int) -> None:
        """Tap the winner's seat (East is 0) and type the scores, East first."""
        self.tap(self.page.locator("label.seat").nth(winner))
        self.type(*scores)

    def type(self, *figures: int) -> None:
        """Each figure into the row that is active, then on to the next."""
        for offset_from_last, figure in enumerate(figures, start=1 - len(figures)):
            self.page.keyboard.type(str(figure))
            if offset_from_last:
                self.tap(self.page.get_by_role("button", name="Next", exact=True))

    def tell_by(self, recording: str) -> None:
        """Another way to enter the hand; the scores' screen offers it."""
        self.tap(self.page.locator(".deal__other > summary"))
        self.press(recording)


@pytest.fixture
def open_phone(table: SessionTable, context: BrowserContext) -> Callable[[], Phone]:
    return lambda: Phone(context.new_page(), reverse("table", args=[table.link_key]))


@pytest.fixture
def phone(open_phone: Callable[[], Phone]) -> Phone:
    return open_phone()


def gains() -> list[dict[int, int]]:
    return [hand.gains for hand in Hand.objects.order_by("number")]


def test_a_hand_takes_few_taps_beside_the_digits(phone: Phone) -> None:
    phone.tell(1, 20, 60, 8, 4)
    phone.press("Check hand 1")
    expect(phone.page.get_by_role("heading", name="Check this hand")).to_be_visible()
    phone.press("Save", "All agree")
    # The page says it beside the hand, and in a message where its script came after the press.
    agreed_notice = phone.page.get_by_text(
        re.compile("Hand 1:? agreed by the table", re.IGNORECASE)
    )
    expect(agreed_notice.filter(visible=True)).to_have_count(1)
    assert gains() == [{1: -64, 2: 240, 3: -80, 4: -96}]
    assert phone.taps == 7 <= MOST_TAPS


def test_all_agree_is_confirmed_beside_hands_that_wait(phone: Phone) -> None:
    phone.press("Nobody (drawn hand)", "Save", "Enter hand 2", "Nobody (drawn hand)", "Save")
    phone.press("All agree")
    expect(phone.page.get_by_text("1 earlier hand is not agreed yet")).to_be_visible()
    agreed_notice = phone.page.get_by_text("Hand 2 agreed by the table.")
    expect(agreed_notice.filter(visible=True)).to_have_count(1)


def test_a_drawn_hand_is_two_taps(phone: Phone) -> None:
    phone.press("Nobody (drawn hand)", "Save")
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    assert (phone.taps, gains()) == (2, [{1: 0, 2: 0, 3: 0, 4: 0}])
    phone.press("Enter hand 2")
    expect(phone.page.get_by_text("This hand is a goulash")).to_be_visible()


def test_the_enter_key_checks_and_never_draws(phone: Phone) -> None:
    phone.tell(1, 20, 60, 8, 4)
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("heading", name="went Mah-Jong with 60")).to_be_visible()


def test_a_double_tap_is_one_hand(phone: Phone) -> None:
    phone.tell(0, 64, 0, 0, 0)
    phone.press("Check hand 1")
    phone.page.get_by_role("button", name="Save").dblclick()
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    assert gains() == [{1: 384, 2: -128, 3: -128, 4: -128}]


def test_change_keeps_what_was_typed(phone: Phone) -> None:
    phone.tell(3, 20, 8, 4, 60)
    phone.press("Check hand 1", "Edit")
    expect(phone.page.locator(".entry input")).to_have_count(4)
    fields = phone.page.locator(".entry input").all()
    assert [field.input_value() for field in fields] == ["20", "8", "4", "60"]
    phone.press("Go back")
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
    expect(typing.page.get_by_text("Hand 1 has been entered.")).to_be_visible()
    expect(typing.page.locator(".entry input").first).to_have_value("64")
    expect(idle.page.get_by_role("button", name="Enter hand 2")).to_be_visible()


def test_news_never_cuts_off_a_press_that_is_on_its_way(
    open_browser: OpenBrowser, table: SessionTable
) -> None:
    without_worker = open_browser(service_workers="block")
    address, on_its_way = reverse("table", args=[table.link_key]), list[Route]()
    page = Phone(without_worker.new_page(), address).page
    page.route(f"**{address}", partial(list.append, on_its_way))
    with page.expect_response(lambda response: "?v=" in response.url and response.status == NEWS):
        page.get_by_role("button", name="Nobody (drawn hand)").click(no_wait_after=True)
        post(table, SECOND_WINS)
    page.wait_for_timeout(A_MOMENT)
    on_its_way.pop(0).continue_()
    expect(page.get_by_role("heading", name="was already entered")).to_be_visible()


def test_a_save_that_takes_long_says_so_until_it_is_answered(
    open_browser: OpenBrowser, table: SessionTable
) -> None:
    without_worker = open_browser(service_workers="block")
    address, on_its_way = reverse("table", args=[table.link_key]), list[Route]()
    page = Phone(without_worker.new_page(), address).page
    saving = page.get_by_role("status").filter(has_text="Saving…")
    page.get_by_role("button", name="Nobody (drawn hand)").click()
    page.route(f"**{address}send/", partial(list.append, on_its_way))
    page.get_by_role("button", name="Save", exact=True).click(no_wait_after=True)
    expect(saving).to_be_visible()
    on_its_way.pop(0).fulfill(status=503, headers={"Retry-After": "1"})
    expect(saving).to_be_visible()
    page.unroute(f"**{address}send/")
    for route in on_its_way:
        route.continue_()
    agree = page.get_by_role("button", name="Agree").first
    expect(agree).to_be_visible()
    expect(saving).to_have_count(0)
    page.route("**/agree/", partial(list.append, on_its_way))
    agree.click(no_wait_after=True)
    expect(saving).to_be_visible()
    on_its_way.pop().continue_()
    expect(saving).to_have_count(0)


def test_the_standings_follow_within_five_seconds(phone: Phone, table: SessionTable) -> None:
    phone.page.get_by_role("link", name="Scores").click()
    figures = phone.page.get_by_role("cell", name="+240")
    expect(figures).to_have_count(0)
    post(table, SECOND_WINS)
    for figure in (figures.first, figures.last):  # this table's totals, and everybody's
        expect(figure).to_be_visible(timeout=FIVE_SECONDS)
    expect(figures).to_have_count(2)


def test_without_scripts_the_hand_is_saved_all_the_same(
    open_browser: OpenBrowser, table: SessionTable
) -> None:
    page = open_browser(java_script_enabled=False).new_page()
    phone = Phone(page, reverse("table", args=[table.link_key]))
    phone.tap(page.locator("label.seat").nth(1))
    for field, score in zip(page.locator(".entry input").all(), (20, 60, 8, 4), strict=True):
        field.fill(str(score))
    phone.press("Check hand 1", "Save")
    expect(page.get_by_text("Hand 1 saved.")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everybody_can_use_every_page_of_the_table(phone: Phone, width: int) -> None:
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
    phone.page.get_by_role("link", name="Scores").click()
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
    phone.type(100)
    assert faults(phone.page) == []
    phone.press("Check hand 1", "Save", "All agree")
    expect(phone.page.get_by_text("Hand 1 agreed by the table.")).to_be_visible()
    assert gains() == [{1: 0, 2: 200, 3: -200, 4: 0}]
    assert phone.taps == 5


def test_a_miscount_is_found_and_put_right_by_one_tap(phone: Phone) -> None:
    phone.tap(phone.page.locator("label.seat").nth(1))
    phone.tell_by("Counted sticks")
    expect(phone.page.get_by_text("had 2,000")).to_have_count(4)
    look(phone.page)
    phone.type(1936, 2240, 1920, 1894)
    phone.press("Check hand 1")
    expect(phone.page.get_by_role("alert")).to_contain_text("10 are missing")
    look(phone.page)
    phone.press("1,904")
    expect(phone.page.get_by_role("heading", name="went Mah-Jong with 60")).to_be_visible()
    look(phone.page)
    phone.press("Save")
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    assert gains() == [{1: -64, 2: 240, 3: -80, 4: -96}]


def test_only_the_winner_is_five_taps(phone: Phone) -> None:
    winner = phone.page.locator("label.seat").nth(1)
    name = winner.locator(".seat__name").inner_text()
    phone.tap(winner)
    phone.tell_by("Winner only")
    winner_line = phone.page.locator(".entry__winner--alone:visible")
    expect(winner_line).to_have_text(f"{name} went Mah-Jong.")
    phone.press("Check hand 1", "Save")
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    assert Hand.objects.get().report == {"winner": 2, "only_winner": True}
    assert phone.taps == 5


def test_the_sticks_to_pass_are_folded_below_the_sentences(phone: Phone) -> None:
    phone.tell(1, 20, 60, 8, 4)
    phone.press("Check hand 1")
    phone.page.get_by_text("Which sticks to pass").click()
    expect(phone.page.locator(".handings > li")).to_have_count(6)
    look(phone.page)


@pytest.fixture
def hand(table: SessionTable) -> Hand:
    return post(table, SECOND_WINS)[0]


@pytest.fixture
def open_page(
    table: SessionTable, hand: Hand, context: BrowserContext
) -> Callable[[int | None], Page]:
    """A phone that shows the table once a hand is in, or the page of one seat."""

    def open_table_page(seat: int | None = None) -> Page:
        key = table.link_key if seat is None else seat_key(table, seat)
        page = context.new_page()
        page.goto(reverse("table", args=[key]))
        return page

    return open_table_page


def press(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_role("button", name=name).click()


def test_what_one_says_the_other_reads_and_loses_nothing_typed(
    open_page: Callable[..., Page], hand: Hand
) -> None:
    own_page, shared_page = open_page(3), open_page()
    press(shared_page, "Enter hand 2")
    choose(shared_page, 0)
    shared_page.locator("#id_score_1").fill("46")
    look(own_page)
    press(own_page, "I agree")
    expect(own_page.get_by_text("You have agreed", exact=True)).to_be_visible()
    look(own_page)
    expect(shared_page.get_by_text("has agreed. Not yet:")).to_have_count(1, timeout=A_WHILE)
    expect(shared_page.locator("#id_score_1")).to_have_value("46")
    expect(shared_page.get_by_text("Something has changed")).to_have_count(0)
    press(shared_page, "Go back", "Go back", "All agree")
    expect(shared_page.get_by_text("Hand 1 agreed by the table.")).to_be_visible()
    look(shared_page)
    assert Hand.objects.get(pk=hand.pk).state == HandState.AGREED


def test_a_dispute_and_the_scorers_word_are_on_every_phone(
    open_page: Callable[..., Page], table: SessionTable, hand: Hand
) -> None:
    own_page, shared_page = open_page(3), open_page()
    own_page.get_by_role("link", name="Report a problem").click()
    look(own_page)
    own_page.get_by_label("My score is wrong").check()
    own_page.get_by_label("In your own words").fill("mine was 18")
    press(own_page, "Tell the scorer")
    expect(own_page.get_by_text("The scorer will check it.")).to_be_visible()
    look(own_page)
    dispute = shared_page.get_by_text("“My score is wrong: mine was 18”")
    expect(dispute).to_be_visible(timeout=A_WHILE)
    at_table.confirm_hand(
        table=EveningTable(table), hand_id=hand.pk, reason="as on the sheet", made_by="user 1"
    )
    ruling = shared_page.get_by_text("The scorer kept hand 1 as entered: as on the sheet")
    expect(ruling).to_be_visible(timeout=A_WHILE)
    look(shared_page)


def test_a_hand_is_taken_back_put_right_and_saved_again(open_page: Callable[..., Page]) -> None:
    shared_page, other_page = open_page(), open_page(2)
    shared_page.get_by_role("link", name="Undo hand 1").click()
    look(shared_page)
    press(shared_page, "Undo hand 1")
    expect(shared_page.get_by_text("Correct it below.")).to_be_visible()
    expect(shared_page.locator("#id_score_2")).to_have_value("60")
    look(shared_page)
    reentry_link = other_page.get_by_role("link", name="Enter again")
    expect(reentry_link).to_be_visible(timeout=A_WHILE)
    shared_page.locator("#id_score_2").fill("64")
    press(shared_page, "Check hand 1", "Save")
    expect(shared_page.get_by_text("Hand 1 saved.")).to_be_visible()
    assert Hand.objects.get(is_current=True).scores[2] == 64
    expect(reentry_link).to_have_count(0, timeout=A_WHILE)


def test_each_on_their_own_phone(open_page: Callable[..., Page]) -> None:
    shared_page = open_page()
    shared_page.get_by_role("link", name="More").click()
    shared_page.get_by_role("link", name="Use your own phones").click()
    look(shared_page)
    expect(shared_page.locator(".qr")).to_have_count(4)


def test_a_press_counts_while_news_arrives(open_page: Callable[..., Page], hand: Hand) -> None:
    own_page, other_page = open_page(3), open_page(2)
    own_page.get_by_role("button", name="I agree").hover()
    own_page.mouse.down()
    press(other_page, "I agree")
    expect(other_page.get_by_text("You have agreed", exact=True)).to_be_visible()
    with own_page.expect_response(lambda answer: "?v=" in answer.url and answer.ok):
        pass
    own_page.wait_for_timeout(200)
    own_page.mouse.up()
    expect(own_page.get_by_text("You have agreed", exact=True)).to_be_visible()
    expect(other_page.get_by_text("have agreed. Not yet:")).to_be_visible(timeout=A_WHILE)
