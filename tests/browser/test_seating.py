"""Seating by hand in the browser: what it costs is said as one chooses."""

import re

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.tour import PASSWORD, visit
from tests.people import make_cast
from tests.tournaments.cups import fours, seated_cup
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cup() -> Tournament:
    cast = make_cast()
    for user, name in ((cast.director, "director"), (cast.player, "player")):
        user.email = f"{name}@example.org"
        user.set_password(PASSWORD)
        user.save()
    return seated_cup(entrants=16, rounds=2, club=cast.club)


def address(cup: Tournament, room: str) -> str:
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/seating/{room}/"


@pytest.mark.parametrize("has_script", [True, False])
def test_two_seats_exchanged_by_hand(
    live_server: LiveServer, browser: Browser, cup: Tournament, has_script: bool
) -> None:
    before = fours(cup, 2)
    one, other = before[0][0], before[1][0]
    page = visit(browser, live_server.url, "director", java_script_enabled=has_script)
    page.goto(f"{live_server.url}{address(cup, 'by-hand/2')}")
    page.get_by_label("Table 1, East").select_option(other)
    if not has_script:
        page.get_by_role("button", name="Preview").click()
    cost = page.locator("#cost")
    expect(cost).to_contain_text(
        f"{other} has more than one seat: at table 1 as East and at table 2 as East."
    )
    expect(cost).to_contain_text(f"{one} has no seat.")
    page.get_by_label("Table 2, East").select_option(one)
    if not has_script:
        page.get_by_role("button", name="Preview").click()
    expect(cost).to_contain_text("Effect of this seating")
    page.get_by_role("button", name="Save this seating").click()
    expect(page.get_by_text("Round 2 seated manually. This is the new seating.")).to_be_visible()
    assert fours(cup, 2)[0][0] == other
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: Round 2 seated manually"))).to_be_visible()
    assert fours(cup, 2) == before
    page.context.close()


def test_a_player_finds_out_whom_they_meet_when(
    live_server: LiveServer, browser: Browser, cup: Tournament
) -> None:
    page = visit(browser, live_server.url, "player")
    page.goto(f"{live_server.url}{address(cup, 'why')}")
    page.get_by_label("Your name").select_option("Player 7")
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_role("heading", name="Player 7")).to_be_visible()
    expect(page.locator(".meetings__chosen")).to_have_count(2)
    title = page.locator(".meetings svg .once title").first
    expect(title).to_have_text(re.compile(r"^Player \d+ and Player \d+: round [12]$"))
    page.context.close()
