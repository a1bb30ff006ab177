"""The engine of every iPhone: an evening's road in WebKit, from signing in to the projector.

What a real phone adds (its keyboard, its camera, VoiceOver) is not tried here.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from clubs.models import Session, SessionTable
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand, HandState
from tests.browser import webkit
from tests.browser.conftest import leave_out
from tests.browser.detours import code_now
from tests.browser.gate import Gate
from tests.browser.test_tiles import MAH_JONG, TOLD
from tests.browser.webkit import DESK, PHONE, Window
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import PASSWORD, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OpenWindow = Callable[..., Window]
PUT_AWAY = "[data-net][data-knows][data-put-away]"  # all that the phone needs without a network
DAY = date(2026, 11, 17)
ORDINARY = 18  # pixels of a letter, if nothing else is chosen


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A screen for all windows; without WebKit these tests say so and are left out."""
    if not webkit.IS_HERE:
        leave_out(f"There is no WebKit here; install {webkit.PACKAGES}.")
    with webkit.unseen_screen() as name:
        yield name


@pytest.fixture
def gate(live_server: LiveServer) -> Iterator[Gate]:
    """The network between the phones and the server."""
    network_gate = Gate(live_server.thread.host, live_server.thread.port)
    yield network_gate
    network_gate.close()


@pytest.fixture
def open_window(display: str, gate: Gate) -> Iterator[OpenWindow]:
    windows: list[Window] = []

    def window(size: tuple[int, int] = PHONE) -> Window:
        windows.append(Window(display, gate.url, size))
        return windows[-1]

    yield window
    for opened_window in windows:
        opened_window.close()


def test_a_secretary_plays_an_evening_from_check_in_to_the_league(
    open_window: OpenWindow, cast: Cast
) -> None:
    season = make_season(cast.club)
    make_players(cast.club, 4)
    desk = open_window(DESK)
    desk.sign_in(cast.secretary)
    desk.go(reverse("evenings", args=[cast.club.slug]))
    desk.press("Create evening")
    for number, name in enumerate(("Ann", "Ben", "Cy", "Di"), start=1):
        desk.press(name)
        desk.reads(f"{number} of 8 people checked in")
    desk.press("Seat 4 people")
    desk.reads("Table 1")
    session = Session.objects.get(club=cast.club)
    post(session.tables.get(), SECOND_WINS)
    desk.go(reverse("evening", args=[cast.club.slug, session.pk]))
    desk.press("Finish evening")
    desk.reads("Finish this evening?")
    desk.press("Finish evening")
    desk.reads("The evening is finished")
    desk.go(reverse("season", args=[cast.club.slug, season.pk]))
    desk.reads("+240")
    assert desk.overflow == 0


def test_the_projector_follows_the_hands(open_window: OpenWindow, cast: Cast) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    wall = open_window((1280, 720))
    wall.go(reverse("wall", args=[session.wall_key]))
    wall.reads("Table 1")
    post(session.tables.get(), SECOND_WINS)
    wall.reads("+240")
    assert wall.overflow == 0


def test_the_calculator_counts_what_is_tapped(open_window: OpenWindow, db: None) -> None:
    phone = open_window()
    phone.go(reverse("score"))
    for tap in (*MAH_JONG, *TOLD):
        phone.tap(f'button[name=tap][value="{tap}"]:not(:disabled)')
    phone.reads("Mah-Jong.")
    phone.wait(lambda: phone.first(".dock__total b").text == "320", "320 points")
    assert phone.overflow == 0


def test_someone_signs_in_with_a_code_from_an_email(open_window: OpenWindow, cast: Cast) -> None:
    phone = open_window()
    phone.go(reverse("account_request_login_code"))
    phone.type("main input[type=email]", cast.player.email)
    phone.press("Send me a code")
    phone.reads("Enter your code")
    code = re.search(r"^ {4}(\S+)$", str(mail.outbox[0].body), re.MULTILINE)
    assert code is not None
    phone.type("main input[name=code]", code[1])
    phone.tap("main form button")
    phone.reads(cast.club.name)


def test_someone_signs_in_with_a_code_from_an_app(open_window: OpenWindow, cast: Cast) -> None:
    secret = generate_totp_secret()
    TOTP.activate(cast.player, secret)
    phone = open_window()
    phone.go(reverse("account_login"))
    phone.type("main input[name=login]", cast.player.email)
    phone.type("main input[name=password]", PASSWORD)
    phone.tap("main form button[type=submit]")
    phone.reads("Enter your 6-digit code")
    phone.type("main input[name=code]", code_now(secret))
    phone.tap("main form button")
    phone.reads(cast.club.name)


@pytest.mark.parametrize("size", [PHONE, (320, 640)])
def test_the_largest_letters_lose_nothing(
    open_window: OpenWindow, cast: Cast, size: tuple[int, int]
) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    phone = open_window(size)
    phone.go("/display/")
    phone.press("Largest")
    phone.reads("150%")
    for name in ("table", "table-standings", "table-seats", "table-aid"):
        phone.go(reverse(name, args=[session.tables.get().link_key]))
        letters = phone.run("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert letters > 1.4 * ORDINARY, name
        assert phone.overflow == 0, name


class Thumb:
    """Whoever holds a phone at the table."""

    def __init__(self, phone: Window, key: str) -> None:
        self.phone = phone
        phone.go(reverse("table", args=[key]))

    def answer(self, number: int, winner: int, *scores: int) -> None:
        """Answer one question after the other, the scores by the keys of the pad, East first."""
        self.phone.reads(f"Hand {number}: who went Mah-Jong?")
        self.phone.tap(f"label.seat[data-seat='{winner}']")
        for offset_from_last, score in enumerate(scores, start=1 - len(scores)):
            for digit in str(score):
                self.phone.tap(f"[data-key='{digit}']")
            if offset_from_last:
                self.phone.tap("[data-pad-next]")

    def enter(self, number: int, winner: int, *scores: int) -> None:
        """The same, and press on to what the hand comes to."""
        self.answer(number, winner, *scores)
        self.phone.press(f"Check hand {number}")
        self.phone.reads("Check this hand")


def gains() -> list[dict[int, int]]:
    return [hand.gains for hand in Hand.objects.order_by("number")]


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """Ann, Ben, Cy and Di at a table of which nothing is entered."""
    return night(cast.club, DAY, make_players(cast.club, 4)).tables.get()


def test_a_hand_is_entered_agreed_by_four_and_the_next_is_asked_for(
    open_window: OpenWindow, table: SessionTable
) -> None:
    phone = open_window()
    thumb = Thumb(phone, table.link_key)
    thumb.enter(1, 2, 20, 60, 8, 4)
    phone.press("Save")
    phone.reads("Hand 1 is saved.")
    for name in ("Ann", "Ben", "Cy", "Di"):
        phone.press(f"{name} agrees")
    phone.reads("Hand 2: who went Mah-Jong?")
    assert gains() == [{1: -64, 2: 240, 3: -80, 4: -96}]
    assert Hand.objects.get().state == HandState.AGREED


def test_a_hand_of_one_phone_is_agreed_on_another(
    open_window: OpenWindow, table: SessionTable
) -> None:
    shared_window, own_window = open_window(), open_window()
    own_window.go(reverse("table", args=[seat_key(table, 3)]))
    own_window.reads("Hand 1: who went Mah-Jong?")
    Thumb(shared_window, table.link_key).enter(1, 2, 20, 60, 8, 4)
    shared_window.press("Save")
    shared_window.reads("Hand 1 is saved.")
    own_window.press("I agree")
    own_window.reads("You have agreed")
    shared_window.reads("Cy has agreed")
    assert [voice.seat for voice in Hand.objects.get().agreements.all()] == [3]


def test_a_hand_of_tiles_is_counted_and_saved(open_window: OpenWindow, table: SessionTable) -> None:
    phone = open_window()
    phone.go(reverse("table", args=[table.link_key]))
    phone.tap("label.seat[data-seat='2']")
    phone.tap(".entry__row:nth-child(2) .tapped__open")
    exposed, *ending_taps = TOLD
    for taps in (MAH_JONG, (exposed,), ending_taps):
        for tap in taps:
            phone.tap(f'button[name=tap][value="{tap}"]:not(:disabled)')
            # A script's scroll is lost where an answer comes in the same moment.
            phone.first("[data-built]:not([data-busy])")
        if taps != ending_taps:
            phone.press("Next")
    phone.reads("Mah-Jong.")
    total = phone.wait(lambda: phone.first(".dock__total b").text.strip(" –"), "a total")
    phone.tap(".dock__done")
    phone.press("Check hand 1", "Save")
    phone.reads("Hand 1 is saved.")
    assert Hand.objects.get().scores[2] == int(total)


def test_hands_entered_without_a_network_are_sent_once_it_is_back(
    open_window: OpenWindow, table: SessionTable, gate: Gate
) -> None:
    phone = open_window()
    thumb = Thumb(phone, table.link_key)
    phone.first(PUT_AWAY)
    gate.shut()
    phone.reads("OFFLINE")
    for number in (1, 2):
        thumb.enter(number, number + 1, 20, 60, 8, 4)
        phone.press(f"Save hand {number} on this phone")
    phone.reads("SAVED ON THIS PHONE")
    phone.reads("Hand 3: who went Mah-Jong?")
    assert not Hand.objects.exists()
    gate.open()
    phone.wait(lambda: Hand.objects.count() == 2, "two hands")
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [2, 3]


def test_a_press_as_the_network_goes_loses_nothing(
    open_window: OpenWindow, table: SessionTable, gate: Gate
) -> None:
    phone = open_window()
    thumb = Thumb(phone, table.link_key)
    phone.first(PUT_AWAY)
    thumb.answer(1, 2, 20, 60, 8, 4)
    phone.wait(lambda: phone.run("Line.check()"), "an answer just now")
    gate.shut()
    phone.press("Check hand 1")
    phone.reads("OFFLINE")
    figures = "[...document.querySelectorAll('.entry input')].map((figure) => figure.value).join()"
    phone.wait(lambda: phone.run(figures) == "20,60,8,4", "the figures")
