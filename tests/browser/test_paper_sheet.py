"""A secretary types paper sheets with the number pad alone, beside what the phones sent.

``pytest -s`` shows keys and seconds; ``benchmarks/README.md`` keeps what was printed.
"""

import time

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.models import SessionTable
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.browser.conftest import SignIn
from tests.browser.reading import look
from tests.browser.test_sixteen_hands import EVENING, Dealt
from tests.clubs.nights import post
from tests.clubs.tables import seated_evening
from tests.people import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_KEYS_A_HAND = 16


class NumberPad:
    """Presses one key after another and counts them; there are no others on it."""

    def __init__(self, page: Page) -> None:
        self.page, self.key_count = page, 0

    def type(self, keys: str) -> None:
        """Digits, signs and the point, then Enter."""
        assert set(keys) <= set("0123456789+-.")
        for key in [*keys, "Enter"]:
            self.page.keyboard.press(key)
            self.key_count += 1

    def hand(self, dealt_hand: Dealt) -> None:
        """A row as the paper has it: nothing scored stays empty."""
        if dealt_hand.winner is None:
            self.type("-")
            return
        for seat, score in enumerate(dealt_hand.scores, start=1):
            self.type(f"{score or ''}{'.' if seat == dealt_hand.winner else ''}")


@pytest.fixture
def desk(sign_in: SignIn, cast: Cast) -> Page:
    return sign_in(cast.secretary)


def seat_table(cast: Cast, players: int = 4) -> SessionTable:
    return seated_evening(cast.club, players=players).tables.get()


def sheet_of(table: SessionTable) -> str:
    return reverse("evening-sheet", args=["riverside", table.session_id, table.number])


def report_of(dealt_hand: Dealt) -> Report:
    totals = dict(enumerate(dealt_hand.scores, start=1)) if dealt_hand.winner else {}
    return Report(winner=dealt_hand.winner, totals=totals)


def stands() -> list[Dealt]:
    hands = Hand.objects.filter(is_current=True).order_by("number")
    return [
        Dealt(hand.winner, tuple(hand.scores[seat] for seat in (1, 2, 3, 4)))  # type: ignore[arg-type]
        if hand.winner
        else Dealt(None)
        for hand in hands
    ]


def test_a_sheet_of_sixteen_hands_is_typed_with_the_number_pad_alone(
    desk: Page, cast: Cast
) -> None:
    table = seat_table(cast)
    desk.goto(sheet_of(table))
    pad, began = NumberPad(desk), time.monotonic()
    for dealt_hand in EVENING:
        pad.hand(dealt_hand)
    expect(desk.locator("[name='17-score_1']")).to_be_focused()
    expect(desk.get_by_text("Save 16 hands")).to_be_visible()
    pad.type("++")
    expect(desk.locator("[name='total_1']")).to_be_focused()
    for _ in range(4):
        pad.type("")
    expect(desk.get_by_role("button", name="Save 16 hands")).to_be_focused()
    pad.type("")
    expect(desk.get_by_text("Table 1: 16 hands saved.")).to_be_visible()
    seconds = time.monotonic() - began
    print(
        f"\n16 hands: {pad.key_count} keys, {seconds:.1f} seconds if nobody has to read the paper"
    )
    assert stands() == list(EVENING)
    assert pad.key_count <= MOST_KEYS_A_HAND * len(EVENING)
    assert recount().differences == ()


def test_the_focus_stays_where_it_is_while_rows_are_checked(desk: Page, cast: Cast) -> None:
    desk.goto(sheet_of(seat_table(cast)))
    pad = NumberPad(desk)
    for keys in ("20", "60.", "37", "4", "8"):
        pad.type(keys)
    expect(desk.get_by_text("37 cannot be scored")).to_be_visible()
    expect(desk.locator("[name='2-score_2']")).to_be_focused()
    desk.keyboard.press("ArrowUp")
    desk.keyboard.press("ArrowRight")
    expect(desk.locator("[name='1-score_3']")).to_be_focused()
    pad.type("8")
    expect(desk.locator("#told-1").get_by_text("+240")).to_be_visible()
    look(desk)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_hand_that_the_phones_forgot_and_one_with_other_figures(
    desk: Page, cast: Cast, width: int
) -> None:
    table = seat_table(cast)
    reports = [report_of(dealt_hand) for index, dealt_hand in enumerate(EVENING[:6]) if index != 2]
    reports[3] = Report(winner=1, totals={1: 208, 2: 0, 3: 4, 4: 96})
    post(table, *reports)
    desk.set_viewport_size({"width": width, "height": 900})
    desk.goto(f"{sheet_of(table)}?first=1")
    pad = NumberPad(desk)
    for dealt_hand in EVENING[:6]:
        pad.hand(dealt_hand)
    expect(desk.get_by_text("This hand is not in the score book")).to_be_visible()
    expect(desk.get_by_text("Already recorded as hand 3")).to_be_visible()
    expect(desk.get_by_text("2 places need your decision")).to_be_visible()
    look(desk)
    desk.get_by_text("Add it here").click()
    desk.locator("#told-5").get_by_text("The paper is right").click()
    desk.get_by_role("button", name="Change 2 hands to match the paper").click()
    expect(desk.get_by_text("2 recorded hands changed to match the paper")).to_be_visible()
    assert stands() == list(EVENING[:6])
    assert recount().differences == ()


def test_a_sheet_of_five_players_that_was_left_is_there_again(desk: Page, cast: Cast) -> None:
    desk.goto(sheet_of(seat_table(cast, 5)))
    pad = NumberPad(desk)
    for keys in ("20", "60.", "8", "4", "", "", "16", "84.", "8", "0"):
        pad.type(keys)
    expect(desk.get_by_text("Save 2 hands")).to_be_visible()
    desk.reload()
    expect(desk.get_by_text("You started this sheet")).to_be_visible()
    expect(desk.locator("[name='3-score_1']")).to_be_focused()
    look(desk)
    desk.get_by_role("button", name="Save 2 hands").click()
    expect(desk.get_by_text("2 hands saved.")).to_be_visible()
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [2, 3]


def test_gains_and_losses_alone_and_totals_at_the_foot(desk: Page, cast: Cast) -> None:
    desk.goto(sheet_of(seat_table(cast)))
    desk.get_by_text("Only gains and losses").click()
    desk.locator("[name='1-score_1']").click()
    pad = NumberPad(desk)
    for keys in ("-64", "240.", "-80", "-96", "-", "++", "-64", "240", "-80", "-69"):
        pad.type(keys)
    expect(desk.get_by_text("perhaps two digits were swapped")).to_be_visible()
    look(desk)
    desk.get_by_role("button", name="Save 2 hands").click()
    expect(desk.get_by_text("2 hands saved.")).to_be_visible()
    assert Hand.objects.earliest("number").gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_a_sheet_is_typed_and_saved_without_scripts(sign_in: SignIn, cast: Cast) -> None:
    page = sign_in(cast.secretary, java_script_enabled=False)
    page.goto(sheet_of(seat_table(cast)))
    for seat, keys in enumerate(("20", "60.", "8", "4"), start=1):
        page.locator(f"[name='1-score_{seat}']").fill(keys)
    page.locator("[name='2-score_1']").fill("-")
    page.get_by_role("button", name="Save the sheet").click()
    expect(page.get_by_text("2 hands saved.")).to_be_visible()
