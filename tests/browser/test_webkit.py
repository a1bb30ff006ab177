"""The engine of every iPhone: an evening's road in WebKit, from signing in to the projector.

What a real phone adds (its keyboard, its camera, VoiceOver) is not tried here.
"""

import os
import re
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from clubs.models import Session
from tests.browser import webkit
from tests.browser.test_tiles import MAH_JONG, TOLD
from tests.browser.walks import code_now
from tests.browser.webkit import DESK, PHONE, Window
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import PASSWORD, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OpenWindow = Callable[..., Window]
DAY = date(2026, 11, 17)
ORDINARY = 18  # pixels of a letter, if nothing else is chosen


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A screen for all windows; without WebKit these tests say so and are left out."""
    if not webkit.IS_HERE:
        words = f"There is no WebKit here; install {webkit.PACKAGES}."
        if os.environ.get("TONGBOX_BROWSER") == "required":
            pytest.fail(words)
        pytest.skip(words)
    with webkit.unseen_screen() as name:
        yield name


@pytest.fixture
def open_window(display: str, live_server: LiveServer) -> Iterator[OpenWindow]:
    opened: list[Window] = []

    def window(size: tuple[int, int] = PHONE) -> Window:
        opened.append(Window(display, live_server.url, size))
        return opened[-1]

    yield window
    for shown in opened:
        shown.close()


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
        desk.reads(f"{number} checked in")
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
    phone.tap("main form button")
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
