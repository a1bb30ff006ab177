"""A tournament in a real browser: the director's day, the wall, and no script at all."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Role
from tests.people import PASSWORD, make_club, make_user
from tests.tournaments.cups import SECOND_WINS, play_round, post, seated_cup, tables
from tournaments.models import Tournament, TournamentState

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = ViewportSize(width=1280, height=800)
HALL = ViewportSize(width=1920, height=1080)
FIVE_SECONDS = 5000
NAMES = "Ann Abbott\nBen Brown\n\nZoë Łukasiewicz\nDi Dyer"


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_user(club, "Dev", Role.DIRECTOR)
    return club


def signed_in(browser: Browser, server: LiveServer, *, scripts: bool = True) -> Page:
    """The director's computer."""
    page = browser.new_context(
        viewport=DESK, locale="en-GB", base_url=server.url, java_script_enabled=scripts
    ).new_page()
    page.goto(reverse("account_login"))
    page.fill("input[name=login]", "dev@example.org")
    page.fill("input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_load_state()
    return page


@pytest.fixture
def desk(browser: Browser, live_server: LiveServer, club: Club) -> Iterator[Page]:
    page = signed_in(browser, live_server)
    yield page
    page.context.close()


@pytest.fixture
def plain(browser: Browser, live_server: LiveServer, club: Club) -> Iterator[Page]:
    """The same without JavaScript."""
    page = signed_in(browser, live_server, scripts=False)
    yield page
    page.context.close()


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def take(page: Page, link: str, button: str = "") -> None:
    """Look at the page before a step, then take it."""
    page.get_by_role("link", name=link, exact=True).click()
    press(page, button or link)


def run_a_tournament(page: Page) -> Tournament:
    """From an empty list to the final standings; the hands come from the table."""
    page.goto("/c/riverside/tournaments/new/")
    page.get_by_label("Name", exact=True).fill("Spring Open")
    page.get_by_label("Rounds", exact=True).fill("1")
    page.get_by_label("Hands per round").fill("1")
    press(page, "Create tournament")
    page.get_by_label("Names, one per line").fill(NAMES)
    press(page, "Add all")
    expect(page.get_by_role("status")).to_contain_text("4 players have been entered.")
    page.get_by_role("link", name="Continue to seating").click()
    take(page, "Seat the round", "Draw the seating")
    take(page, "Start round 1")
    page.get_by_role("link", name="Close round 1").click()
    expect(page.get_by_role("link", name="Table 1")).to_be_visible()
    expect(page.get_by_text("0 of 1 hands entered.")).to_be_visible()
    made = Tournament.objects.get()
    play_round(made, SECOND_WINS)
    page.goto(f"/c/riverside/tournaments/{made.pk}/")
    take(page, "Close round 1")
    take(page, "Finish the tournament")
    expect(page.get_by_role("heading", name="The tournament is finished")).to_be_visible()
    return Tournament.objects.get()


def test_a_director_runs_a_whole_tournament(desk: Page) -> None:
    assert run_a_tournament(desk).state == TournamentState.FINISHED


def test_a_tournament_is_run_without_javascript(plain: Page) -> None:
    assert run_a_tournament(plain).state == TournamentState.FINISHED


def test_the_desk_and_the_standings_follow_the_tables_within_five_seconds(
    desk: Page, club: Club
) -> None:
    cup = seated_cup(rounds=1, hands=2, club=club)
    desk.goto(f"/c/riverside/tournaments/{cup.pk}/")
    looking_on = desk.context.new_page()
    post(tables(cup)[0], SECOND_WINS)
    expect(desk.get_by_text("hand 1 of 2")).to_be_visible(timeout=FIVE_SECONDS)
    looking_on.goto(f"/c/riverside/tournaments/{cup.pk}/standings/")
    expect(looking_on.get_by_role("cell", name="+240", exact=True)).to_be_visible()
    post(tables(cup)[0], SECOND_WINS, SECOND_WINS)
    expect(looking_on.get_by_role("cell", name="+240", exact=True)).to_be_hidden(
        timeout=FIVE_SECONDS
    )


def test_news_on_the_desk_leave_the_keyboard_where_it_was(desk: Page, club: Club) -> None:
    cup = seated_cup(rounds=1, hands=2, club=club)
    desk.goto(f"/c/riverside/tournaments/{cup.pk}/")
    desk.get_by_role("link", name="Table 1").focus()
    post(tables(cup)[0], SECOND_WINS)
    expect(desk.get_by_text("hand 1 of 2")).to_be_visible(timeout=FIVE_SECONDS)
    expect(desk.get_by_role("link", name="Table 1")).to_be_focused()


def test_the_wall_keeps_its_picture_when_the_line_drops(
    browser: Browser, live_server: LiveServer, club: Club
) -> None:
    cup = seated_cup(rounds=1, hands=2, club=club)
    context = browser.new_context(viewport=HALL, locale="en-GB", base_url=live_server.url)
    wall = context.new_page()
    wall.goto(f"{reverse('tournament-wall', args=[cup.wall_key])}?show=tables")
    expect(wall.get_by_role("heading", name="Table 1")).to_be_visible()
    context.set_offline(True)
    expect(wall.get_by_text("Offline. Last updated at")).to_be_visible(timeout=2 * FIVE_SECONDS)
    expect(wall.get_by_role("heading", name="Table 1")).to_be_visible()
    context.set_offline(False)
    post(tables(cup)[0], SECOND_WINS)
    expect(wall.get_by_text("hand 1 of 2")).to_be_visible(timeout=2 * FIVE_SECONDS)
    expect(wall.get_by_text("Offline. Last updated at")).to_be_hidden()
    context.close()
