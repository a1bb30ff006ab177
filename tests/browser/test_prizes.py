"""Prizes and a round by standing in the browser, with scripts and without."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.reading import look_by_day_and_night
from tests.browser.tour import PASSWORD, visit
from tests.people import make_cast
from tests.tournaments.seating.test_by_standings import correct_first_hand, cup_of_a_final
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW = {"width": 320, "height": 640}


@pytest.fixture
def club() -> Club:
    cast = make_cast()
    cast.director.email = "director@example.org"
    cast.director.set_password(PASSWORD)
    cast.director.save()
    return cast.club


@pytest.fixture
def cup(club: Club) -> Tournament:
    """Round 1 is closed, round 2 is to be seated by standings."""
    return cup_of_a_final(club)


@pytest.mark.parametrize("has_script", [True, False])
def test_a_round_is_looked_at_seated_and_undone(
    live_server: LiveServer, browser: Browser, cup: Tournament, has_script: bool
) -> None:
    page = visit(browser, live_server.url, "director", java_script_enabled=has_script)
    page.goto(f"{live_server.url}/c/riverside/tournaments/{cup.pk}/")
    page.get_by_role("link", name="Seat round 2 by standings").click()
    expect(page.get_by_role("heading", name="Round 2, by standings")).to_be_visible()
    expect(page.get_by_text("No one meets anyone twice.")).to_be_visible()
    page.get_by_role("button", name="Use this seating for round 2").click()
    expect(page.get_by_text("Round 2 seated by standings.")).to_be_visible()
    page.get_by_role("link", name="How round 2 was seated").click()
    expect(page.get_by_text("This round is seated according to the standings.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: Round 2 seated by standings.")).to_be_visible()
    assert cup.rounds.count() == 1
    page.context.close()


def test_a_round_by_standing_is_read_on_a_narrow_phone(
    live_server: LiveServer, browser: Browser, cup: Tournament
) -> None:
    page = visit(browser, live_server.url, "director", viewport=NARROW)
    address = f"{live_server.url}/c/riverside/tournaments/{cup.pk}/seating/standing/"
    page.goto(address)
    expect(page.get_by_role("button", name="Use this seating for round 2")).to_be_visible()
    look_by_day_and_night(page)
    page.get_by_role("button", name="Use this seating for round 2").click()
    expect(page.get_by_text("Round 2 seated by standings.")).to_be_visible()
    correct_first_hand(cup)
    page.goto(address)
    expect(page.get_by_role("button", name="Reseat round")).to_be_visible()
    page.get_by_text("Who would change tables").click()
    look_by_day_and_night(page)
    page.context.close()


def test_a_prize_asks_for_no_more_than_it_needs(
    live_server: LiveServer, browser: Browser, cup: Tournament
) -> None:
    page = visit(browser, live_server.url, "director", viewport=NARROW)
    page.goto(f"{live_server.url}/c/riverside/tournaments/{cup.pk}/prizes/")
    page.get_by_role("button", name="Use these prizes").click()
    expect(page.get_by_text("5 prizes added.")).to_be_visible()
    kind, place = page.get_by_label("Prize for"), page.get_by_label("Place", exact=True)
    expect(place).to_be_visible()
    kind.select_option("The most special hands")
    expect(place).to_be_hidden()
    kind.select_option("Director’s choice")
    page.get_by_label("Winner", exact=True).select_option("Player 3")
    page.get_by_label("Prize name").fill("Best hat")
    page.get_by_label("What the winner receives").fill("A feather")
    page.get_by_role("button", name="Add prize").click()
    expect(page.get_by_text("Best hat added.")).to_be_visible()
    page.get_by_role("button", name="Move Best hat Up").click()
    expect(page.get_by_text("Best hat moved up.")).to_be_visible()
    assert list(cup.prizes.values_list("name", flat=True))[-2:] == ["Best hat", "Most Mah-Jongs"]
    page.context.close()
