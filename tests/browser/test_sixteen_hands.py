"""Four phones at one table: an evening of sixteen hands, and presses at the very same moment.

``pytest -s`` shows taps and seconds; ``TONGBOX_EVENINGS=25`` presses for two hundred hands.
``benchmarks/README.md`` keeps what was printed.
"""

import os
import time
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import NamedTuple

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, expect

from clubs.models import SessionTable
from clubs.table.event import seat_key
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.selectors import progress
from scoring.scorebook.verifying import recount
from tests.browser.conftest import PHONE, OpenBrowser
from tests.browser.telling import begin
from tests.clubs.tables import seated_evening
from tests.people import make_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_TAPS = 12
SEATS = (1, 2, 3, 4)


class Dealt(NamedTuple):
    """A hand as it is told: who goes Mah-Jong (None: nobody), and the scores of seats 1 to 4."""

    winner: int | None
    scores: tuple[int, int, int, int] = (0, 0, 0, 0)


EVENING = (
    Dealt(2, (20, 60, 8, 4)),
    Dealt(2, (0, 84, 16, 32)),
    Dealt(4, (8, 12, 24, 104)),
    Dealt(None),
    Dealt(1, (152, 0, 4, 96)),
    Dealt(3, (16, 16, 208, 0)),
    Dealt(3, (2, 40, 64, 128)),
    Dealt(1, (1000, 8, 8, 8)),
    Dealt(2, (64, 48, 0, 2)),
    Dealt(4, (6, 10, 14, 416)),
    Dealt(None),
    Dealt(None),
    Dealt(4, (32, 4, 80, 56)),
    Dealt(3, (0, 0, 44, 0)),
    Dealt(1, (296, 20, 256, 12)),
    Dealt(2, (48, 88, 18, 72)),
)


def settle_hand(dealt_hand: Dealt, east: int) -> dict[int, int]:
    """Who gains what, after the British rules as they stand in Gregory’s book, reckoned apart."""
    gains = dict.fromkeys(SEATS, 0)
    if dealt_hand.winner is None:
        return gains
    for first_seat, second_seat in combinations(SEATS, 2):
        if dealt_hand.winner in {first_seat, second_seat}:
            payee = dealt_hand.winner
            due = dealt_hand.scores[payee - 1]
        else:
            payee = max(first_seat, second_seat, key=lambda seat: dealt_hand.scores[seat - 1])
            due = abs(dealt_hand.scores[first_seat - 1] - dealt_hand.scores[second_seat - 1])
        due *= 2 if east in {first_seat, second_seat} else 1
        gains[payee] += due
        gains[first_seat if payee == second_seat else second_seat] -= due
    return gains


@dataclass
class Phone:
    """One player's phone, opened by the link of their own seat."""

    seat: int
    page: Page
    taps: int = 0

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1

    def press(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name))

    def tell(self, number: int, dealt_hand: Dealt) -> None:
        expect(self.page.get_by_role("heading", name=f"Hand {number}: who")).to_be_visible()
        if dealt_hand.winner is None:
            self.press("Nobody (drawn hand)")
        else:
            self.tap(self.page.locator(f"label.seat:has(input[value='{dealt_hand.winner}'])"))
            rows = self.page.locator(".entry input")
            for offset_from_last, figure in enumerate(rows.all(), start=1 - rows.count()):
                name = figure.get_attribute("name") or ""
                self.page.keyboard.type(str(dealt_hand.scores[int(name[-1]) - 1] or ""))
                if offset_from_last:
                    self.tap(self.page.get_by_role("button", name="Next", exact=True))
            self.press(f"Check hand {number}")
        self.press("Save")
        expect(self.page.get_by_text(f"Hand {number} saved.")).to_be_visible()

    def agree(self) -> None:
        self.press("I agree")
        expect(self.page.get_by_role("button", name="I agree")).to_have_count(0)


@pytest.fixture
def browsers(open_browser: OpenBrowser) -> list[BrowserContext]:
    """Four phones of four people, each a browser of its own."""
    return [open_browser(viewport=PHONE) for _ in SEATS]


def sit_down(browsers: list[BrowserContext], table: SessionTable) -> list[Phone]:
    """Everyone opens the link of their own seat."""
    phones = []
    for seat, browser in zip(SEATS, browsers, strict=True):
        page = browser.new_page()
        page.goto(reverse("table", args=[seat_key(table, seat)]))
        phones.append(Phone(seat, page))
    return phones


def test_an_evening_of_sixteen_hands(browsers: list[BrowserContext]) -> None:
    table = seated_evening(make_club()).tables.get()
    phones = sit_down(browsers, table)
    taps: list[int] = []
    seconds: list[float] = []
    gains = dict.fromkeys(SEATS, 0)
    for number, dealt_hand in enumerate(EVENING, start=1):
        east = progress(table.game).deals[-1].dealer
        teller, *other_phones = phones[number % 4 :] + phones[: number % 4]
        began = time.monotonic()
        teller.tell(number, dealt_hand)
        for phone in other_phones:
            phone.agree()
        expect(teller.page.get_by_text(f"Hand {number}: Agreed by the table.")).to_be_visible()
        seconds.append(time.monotonic() - began)
        taps.append(sum(phone.taps for phone in phones) - sum(taps))
        gains = {seat: gains[seat] + gain for seat, gain in settle_hand(dealt_hand, east).items()}
    print(f"\nTaps a hand beside the digits, all four phones together: {taps}")
    print(f"Seconds a hand: median {median(seconds):.1f}, longest {max(seconds):.1f}")
    hands = Hand.objects.filter(is_current=True).order_by("number")
    assert [hand.number for hand in hands] == [*range(1, 17)]
    assert {hand.state for hand in hands} == {HandState.AGREED}
    assert {seat.number: seat.points for seat in table.game.seats.all()} == gains
    assert max(taps) <= MOST_TAPS
    assert recount().differences == ()


HANDS = 8
EVENINGS = int(os.environ.get("TONGBOX_EVENINGS", "1"))
TOGETHER = """([name, at]) => {
  const all = [...document.querySelectorAll("button")];
  const button = all.find((one) => one.textContent.trim() === name);
  setTimeout(() => button.click(), at - Date.now());
}"""
A_MOMENT = 120  # milliseconds until all four press


def press_together(phones: list[Phone], name: str) -> None:
    press_time = time.time() * 1000 + A_MOMENT
    for phone in phones:
        phone.page.evaluate(TOGETHER, [name, press_time])


def test_four_phones_press_at_the_same_moment_and_each_hand_is_there_once(
    browsers: list[BrowserContext],
) -> None:
    began = time.monotonic()
    for club in range(EVENINGS):
        session = seated_evening(make_club(f"Club {club}", f"club-{club}"))
        phones = sit_down(browsers, session.tables.get())
        for number in range(1, HANDS + 1):
            tell_together(phones, number)
        for phone in phones:
            phone.page.close()
    print(f"\n{EVENINGS * HANDS} hands, four presses each: {time.monotonic() - began:.0f} s")
    for game in Game.objects.all():
        hands = game.hands.order_by("pk")
        assert [(hand.number, hand.is_current) for hand in hands] == [
            (number, True) for number in range(1, HANDS + 1)
        ]


def tell_together(phones: list[Phone], number: int) -> None:
    """All four tell the same hand; it is in the book once, and nobody is shown an error."""
    for phone in phones:
        begin(phone.page)
        phone.press("Nobody (drawn hand)")
        expect(phone.page.get_by_role("button", name="Save")).to_be_visible()
    press_together(phones, "Save")
    for phone in phones:
        status = phone.page.get_by_role("status").filter(has_text=f"Hand {number} ")
        expect(status.first).to_contain_text(f"Hand {number} ")
        expect(phone.page.locator(".notice--error, .error-summary")).to_have_count(0)
