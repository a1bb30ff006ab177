"""Two players on their own phones: what one says of a hand the other reads without a touch."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.reports import Report
from tests.browser.reading import look
from tests.clubs.tables import seated_evening
from tests.people import make_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOUTH_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
A_WHILE = 15_000
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def table() -> SessionTable:
    return seated_evening(make_club()).tables.get()


@pytest.fixture
def hand(table: SessionTable) -> Hand:
    return at_table.post_hand(
        table=EveningTable(table),
        submission_id=uuid4(),
        number=1,
        report=SOUTH_WINS,
        sent_by="table 1",
    ).hand


@pytest.fixture
def open_phone(
    live_server: LiveServer, table: SessionTable, hand: Hand, context: BrowserContext
) -> Callable[[int | None], Page]:
    """A phone that shows the table once a hand is in, or the page of one seat."""

    def opened(seat: int | None = None) -> Page:
        key = table.link_key if seat is None else seat_key(table, seat)
        page = context.new_page()
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        page.goto(f"{live_server.url}{reverse('table', args=[key])}")
        return page

    return opened


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def test_what_one_says_the_other_reads_and_loses_nothing_typed(
    open_phone: Callable[..., Page], hand: Hand
) -> None:
    mine, shared = open_phone(3), open_phone()
    shared.locator("#id_score_1").fill("46")
    look(mine)
    press(mine, "I agree")
    expect(mine.get_by_text("You have agreed", exact=True)).to_be_visible()
    look(mine)
    expect(shared.get_by_text("has agreed. Not yet:")).to_be_visible(timeout=A_WHILE)
    expect(shared.locator("#id_score_1")).to_have_value("46")
    expect(shared.get_by_text("Something has changed")).to_have_count(0)
    press(shared, "All agree")
    expect(shared.get_by_text("Hand 1 agreed by the table.")).to_be_visible()
    look(shared)
    assert Hand.objects.get(pk=hand.pk).state == HandState.AGREED


def test_a_dispute_and_the_scorers_word_are_on_every_phone(
    open_phone: Callable[..., Page], table: SessionTable, hand: Hand
) -> None:
    mine, shared = open_phone(3), open_phone()
    mine.get_by_role("link", name="Report a problem").click()
    look(mine)
    mine.get_by_label("My score is wrong").check()
    mine.get_by_label("In your own words").fill("mine was 18")
    press(mine, "Tell the scorer")
    expect(mine.get_by_text("The scorer will check it.")).to_be_visible()
    look(mine)
    words = shared.get_by_text("“My score is wrong: mine was 18”")
    expect(words).to_be_visible(timeout=A_WHILE)
    at_table.decide(
        table=EveningTable(table), hand_id=hand.pk, reason="as on the sheet", made_by="user 1"
    )
    ruling = shared.get_by_text("The scorer kept hand 1 as entered: as on the sheet")
    expect(ruling).to_be_visible(timeout=A_WHILE)
    look(shared)


def test_a_hand_is_taken_back_put_right_and_saved_again(open_phone: Callable[..., Page]) -> None:
    shared, other = open_phone(), open_phone(2)
    shared.get_by_role("link", name="Undo hand 1").click()
    look(shared)
    press(shared, "Undo hand 1")
    expect(shared.get_by_text("Correct it below.")).to_be_visible()
    expect(shared.locator("#id_score_2")).to_have_value("60")
    look(shared)
    again = other.get_by_role("link", name="Enter again")
    expect(again).to_be_visible(timeout=A_WHILE)
    shared.locator("#id_score_2").fill("64")
    press(shared, "Check hand 1")
    press(shared, "Save")
    expect(shared.get_by_text("Hand 1 saved.")).to_be_visible()
    assert Hand.objects.get(is_current=True).scores[2] == 64
    expect(again).to_have_count(0, timeout=A_WHILE)


def test_each_on_their_own_phone(open_phone: Callable[..., Page]) -> None:
    shared = open_phone()
    shared.get_by_role("link", name="Use your own phones").click()
    look(shared)
    expect(shared.locator(".qr")).to_have_count(4)


def test_a_press_counts_while_news_arrives(open_phone: Callable[..., Page], hand: Hand) -> None:
    mine, other = open_phone(3), open_phone(2)
    mine.get_by_role("button", name="I agree").hover()
    mine.mouse.down()
    press(other, "I agree")
    expect(other.get_by_text("You have agreed", exact=True)).to_be_visible()
    with mine.expect_response(lambda answer: "?v=" in answer.url and answer.ok):
        pass
    mine.wait_for_timeout(200)
    mine.mouse.up()
    expect(mine.get_by_text("You have agreed", exact=True)).to_be_visible()
    expect(other.get_by_text("have agreed. Not yet:")).to_be_visible(timeout=A_WHILE)
