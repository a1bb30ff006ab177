"""A tournament in a real browser: the director's day at the desk, and what its tables see of it.

With scripts and without: a whole tournament, a round by standings, seats exchanged by hand.
"""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from clubs.models import Club, User
from scoring.scorebook.models import Hand
from tests.browser.conftest import FIVE_SECONDS, NARROW, PHONE, OpenBrowser, SignIn
from tests.browser.reading import look, look_by_day_and_night
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    correct,
    fours,
    make_cup,
    play_round,
    post,
    seated_cup,
    tables,
)
from tests.tournaments.seating.test_by_standings import cup_of_a_final
from tournaments.models import Round, RoundState, Table, Tournament, TournamentState
from tournaments.steps import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = "Ann Abbott\nBen Brown\n\nZoë Łukasiewicz\nDi Dyer"
COUNT_RINGS = """() => {
  window.rings = 0;
  document.addEventListener("tongbox:bell", () => { window.rings += 1; });
}"""


@pytest.fixture
def club(cast: Cast) -> Club:
    return cast.club


@pytest.fixture
def director(cast: Cast) -> User:
    return cast.director


@pytest.fixture
def desk(sign_in: SignIn, director: User) -> Page:
    """The director's computer."""
    return sign_in(director)


def tournament_url(cup: Tournament, name: str = "tournament", *url_args: int) -> str:
    """Where a page of the tournament is."""
    return reverse(name, args=["riverside", cup.pk, *url_args])


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
    page.get_by_text("Rounds, ranking and seating").click()
    page.get_by_label("Rounds", exact=True).fill("1")
    page.get_by_label("Hands per round").fill("1")
    press(page, "Create tournament")
    page.get_by_label("Names, one per line").fill(NAMES)
    press(page, "Check the list")
    press(page, "Import 4 entries")
    expect(page.get_by_role("status")).to_contain_text("4 entries imported.")
    page.get_by_role("link", name="Continue to seating").click()
    take(page, "Seat the round", "Draw the seating")
    take(page, "Start round 1")
    page.get_by_role("link", name="Close round 1").click()
    expect(page.get_by_role("link", name="Table 1")).to_be_visible()
    expect(page.get_by_text("0 of 1 hands entered.")).to_be_visible()
    tournament = Tournament.objects.get()
    play_round(tournament, SECOND_WINS)
    page.goto(tournament_url(tournament))
    take(page, "Close round 1")
    take(page, "Finish the tournament")
    expect(page.get_by_role("heading", name="The tournament is finished")).to_be_visible()
    return Tournament.objects.get()


@pytest.mark.parametrize("has_script", [True, False])
def test_a_director_runs_a_whole_tournament(
    sign_in: SignIn, director: User, has_script: bool
) -> None:
    page = sign_in(director, java_script_enabled=has_script)
    assert run_a_tournament(page).state == TournamentState.FINISHED


def test_the_desk_and_the_standings_follow_the_tables_within_five_seconds(
    desk: Page, club: Club
) -> None:
    cup = seated_cup(rounds=1, hands=2, club=club)
    desk.goto(tournament_url(cup))
    looking_on = desk.context.new_page()
    post(tables(cup)[0], SECOND_WINS)
    expect(desk.get_by_text("hand 1 of 2")).to_be_visible(timeout=FIVE_SECONDS)
    looking_on.goto(tournament_url(cup, "standings"))
    expect(looking_on.get_by_role("cell", name="+240", exact=True)).to_be_visible()
    post(tables(cup)[0], SECOND_WINS, SECOND_WINS)
    expect(looking_on.get_by_role("cell", name="+240", exact=True)).to_be_hidden(
        timeout=FIVE_SECONDS
    )


@pytest.mark.parametrize("players", [16, 64, 400])
def test_the_clock_the_next_step_and_the_tables_fit_on_a_desk(
    desk: Page, club: Club, players: int
) -> None:
    cup = seated_cup(entrants=players, rounds=1, hands=8, club=club, minutes_a_round=75)
    for table in tables(cup)[:3]:
        post(table, SECOND_WINS)
    desk.set_viewport_size({"width": 1280, "height": 800})
    desk.goto(tournament_url(cup))
    expect(desk.get_by_role("link", name="Close round 1")).to_be_in_viewport(ratio=1)
    expect(desk.get_by_role("group", name="Clock of round 1")).to_be_in_viewport(ratio=1)
    rows = desk.locator(".hall__row")
    expect(rows).to_have_count(players // 4)
    for row in (rows.first, rows.last if players <= 64 else rows.nth(11)):
        expect(row).to_be_in_viewport(ratio=1)
    look_by_day_and_night(desk)


@pytest.mark.parametrize("width", [320, 390])
def test_a_long_surname_on_the_desk_stays_off_the_wind_beside_it(
    desk: Page, club: Club, width: int
) -> None:
    surname = "Llanfairpwllgwyngyllgogerychwyrndrobwlll"
    cup = seated_cup(
        names=[f"{first} {surname}" for first in ("Ann", "Ben", "Cy", "Di")], club=club
    )
    desk.set_viewport_size({"width": width, "height": 800})
    desk.goto(tournament_url(cup))
    names = desk.locator(".hall__seats li > span:last-child")
    expect(names).to_have_count(4)
    assert (
        names.evaluate_all(
            "names => names.filter((name) => name.scrollWidth > name.clientWidth).length"
            " + names.filter((name) => name.getBoundingClientRect().right >"
            " name.parentElement.getBoundingClientRect().right + 1).length"
        )
        == 0
    )


def test_news_on_the_desk_leave_the_keyboard_where_it_was(desk: Page, club: Club) -> None:
    cup = seated_cup(rounds=1, hands=2, club=club)
    desk.goto(tournament_url(cup))
    desk.get_by_role("link", name="Table 1").focus()
    post(tables(cup)[0], SECOND_WINS)
    expect(desk.get_by_text("hand 1 of 2")).to_be_visible(timeout=FIVE_SECONDS)
    expect(desk.get_by_role("link", name="Table 1")).to_be_focused()


@pytest.fixture
def cup(club: Club) -> Tournament:
    """Two tables of two hands, in the one round."""
    return seated_cup(entrants=8, rounds=1, hands=2, club=club)


def test_a_call_from_the_phone_reaches_the_desk_and_is_answered(
    desk: Page, context: BrowserContext, cup: Tournament
) -> None:
    desk.goto(tournament_url(cup))
    expect(desk.get_by_text("No tables need attention")).to_be_visible()
    phone = context.new_page()
    table = tables(cup)[1]
    phone.goto(reverse("round-table", args=[table.link_key]))
    phone.get_by_role("link", name="More").click()
    look(phone)
    phone.get_by_role("button", name="We do not agree").click()
    expect(phone.get_by_text("You called the director")).to_be_visible()
    look(phone)
    expect(desk.get_by_role("heading", name="1 table needs attention")).to_be_visible(
        timeout=2 * FIVE_SECONDS
    )
    expect(desk).to_have_title("(1) Autumn Cup – Riverside Mah-Jong Club")
    look(desk)
    desk.get_by_role("button", name="Mark as dealt with").click()
    expect(desk.get_by_text("Call from table 2 dealt with.")).to_be_visible()
    expect(phone.get_by_text("Call the director")).to_be_visible(timeout=4 * FIVE_SECONDS)


def type_row(page: Page, *keys: str) -> None:
    """What is typed in each column, in the order of the paper; Enter goes on."""
    for text in keys:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


def test_a_sheet_is_typed_by_keyboard_and_saved_in_one_go(desk: Page, cup: Tournament) -> None:
    desk.goto(tournament_url(cup))
    desk.get_by_label("Table", exact=True).fill("2")
    desk.get_by_role("button", name="Enter paper score sheet").click()
    expect(desk.locator("[name='1-score_1']")).to_be_focused()
    type_row(desk, "20", "60.", "8", "4")
    expect(desk.get_by_text("Save 1 hand")).to_be_visible()
    expect(desk.get_by_text("+240").first).to_be_visible()
    expect(desk.locator("[name='2-score_1']")).to_be_focused()
    type_row(desk, "-")
    expect(desk.get_by_text("Save 2 hands")).to_be_visible()
    look(desk)
    type_row(desk, "++", "", "", "", "")
    expect(desk.get_by_role("button", name="Save 2 hands")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Table 2: 2 hands saved.")).to_be_visible()
    hand_winners = Hand.objects.order_by("number").values_list("number", "winner")
    assert list(hand_winners) == [(1, 2), (2, None)]
    desk.get_by_role("link", name="← Table 1").click()
    expect(desk.get_by_role("heading", name="Paper score sheet: table 1")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_a_wrong_row_is_told_while_the_sheet_is_typed(
    desk: Page, cup: Tournament, width: int
) -> None:
    desk.set_viewport_size({"width": width, "height": 844})
    desk.goto(tournament_url(cup, "tournament-sheet", 1, 1))
    cell = desk.locator("[name='1-score_2']")
    desk.locator(".mark--won").nth(1).click()
    cell.fill("37")
    desk.keyboard.press("Tab")
    expect(desk.get_by_text("37 cannot be scored")).to_be_visible()
    look(desk)
    desk.get_by_role("button", name="Save").click()
    expect(cell).to_have_value("37")
    look(desk)


def test_the_closing_page_leads_to_what_is_missing(desk: Page, cup: Tournament) -> None:
    first, second = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    desk.goto(tournament_url(cup))
    desk.get_by_role("link", name="Close round 1").click()
    expect(
        desk.get_by_role("heading", name="1 table must finish before the round can close")
    ).to_be_visible()
    look(desk)
    expect(desk.get_by_role("button", name="Close round 1")).to_have_count(0)
    desk.get_by_role("link", name="Table 2").click()
    expect(desk.get_by_role("heading", name="Table 2", exact=True)).to_be_visible()
    desk.go_back()
    desk.get_by_role("button", name="Mark as stopped").click()
    expect(desk.get_by_text("Table 2 has stopped.")).to_be_visible()
    desk.get_by_role("button", name="Close round 1").click()
    expect(desk.get_by_text("Round closed.")).to_be_visible()
    assert cup.rounds.get().state == RoundState.CLOSED
    assert Table.objects.get(number=2).stopped_at is not None


@pytest.fixture
def timed_cup(club: Club) -> Tournament:
    """A tournament against the clock with a few seconds over a minute left to play."""
    cup = seated_cup(hands=8, club=club)
    Tournament.objects.update(minutes_a_round=75, hands_a_round=None)
    leave(65)
    return Tournament.objects.get(pk=cup.pk)


def leave(seconds: float) -> None:
    """So much time is left in the round that is played."""
    started_at = timezone.now() - timedelta(minutes=75) + timedelta(seconds=seconds)
    Round.objects.filter(number=1).update(started_at=started_at)


@pytest.fixture
def phone(context: BrowserContext, timed_cup: Tournament) -> Page:
    page = context.new_page()
    page.goto(reverse("round-table", args=[tables(timed_cup)[0].link_key]))
    return page


def test_the_clock_counts_down_and_a_reload_keeps_it(phone: Page, timed_cup: Tournament) -> None:
    clock = phone.locator("[data-clock]")
    expect(clock).to_contain_text("left until")
    expect(clock).to_contain_text("Less than a minute left", timeout=15000)
    phone.reload()
    expect(clock).to_contain_text("Less than a minute left")


def test_without_a_network_a_reload_counts_from_when_the_page_was_read(
    phone: Page, timed_cup: Tournament
) -> None:
    leave(42 * 60 + 31)
    phone.clock.install()
    phone.reload()
    digits = phone.locator("[data-clock-digits]")
    expect(digits).to_have_text(re.compile(r"42:[23]\d"))
    phone.locator("[data-net][data-knows][data-put-away]").wait_for()
    phone.context.set_offline(True)
    phone.clock.fast_forward("02:09")
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("data-as-of", re.compile(r"\d+"))
    expect(digits).to_have_text(re.compile(r"40:[0-2]\d|39:[3-5]\d"))


SLEEPER = """
  let ahead = 0, isHidden = false;
  const now = Date.now.bind(Date);
  Date.now = () => now() + ahead;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  function turn(hidden) {
    isHidden = hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }
  self.setTheTime = (milliseconds) => (ahead += milliseconds);
  self.sleep = (milliseconds) => {
    turn(true);
    ahead += milliseconds;
    turn(false);
  };
"""


def test_the_clock_of_a_phone_that_slept_without_a_network_is_right_at_once(
    phone: Page, timed_cup: Tournament
) -> None:
    """Its steady clock stood still meanwhile; that its time of day is set changes nothing."""
    leave(42 * 60 + 31)
    phone.add_init_script(SLEEPER)
    phone.reload()
    digits = phone.locator("[data-clock-digits]")
    expect(digits).to_have_text(re.compile(r"42:[0-3]\d"))
    phone.context.set_offline(True)
    phone.evaluate("sleep(10 * 60 * 1000)")
    clock_pattern = re.compile(r"32:[0-3]\d|31:[3-5]\d")
    assert clock_pattern.fullmatch(digits.inner_text())
    for minutes in (-60, 0.5):
        phone.evaluate(f"setTheTime({minutes} * 60 * 1000)")
        phone.wait_for_timeout(1000)
        assert clock_pattern.fullmatch(digits.inner_text())


def test_a_page_that_the_worker_missed_is_put_away_all_the_same(phone: Page) -> None:
    phone.locator("[data-net][data-put-away]").wait_for()
    phone.wait_for_function("navigator.serviceWorker.controller !== null")
    phone.evaluate("caches.delete('tongbox-tables')")
    net = phone.locator("[data-net]")
    net.evaluate("net => net.removeAttribute('data-put-away')")
    shell = phone.locator("script[src*=outbox-shell]").get_attribute("src")
    phone.add_script_tag(url=shell)
    phone.locator("[data-net][data-put-away]").wait_for()
    assert net.evaluate("async net => Boolean(await caches.match(net.dataset.link))")


def test_at_the_bell_the_picture_changes_once_and_says_what_to_do(
    phone: Page, timed_cup: Tournament
) -> None:
    leave(4)
    phone.reload()
    phone.evaluate(COUNT_RINGS)
    clock = phone.locator("[data-clock]")
    expect(clock).to_have_class("clock clock--last")
    expect(clock).to_have_class("clock clock--rung", timeout=8000)
    expect(clock).to_contain_text("The bell has rung at")
    expect(clock.get_by_role("status")).to_have_text(
        "Finish this hand and enter it. Then you are done."
    )
    phone.wait_for_timeout(3500)
    assert phone.evaluate("window.rings") == 1


def test_a_wall_with_two_pictures_of_the_clock_rings_once(
    phone: Page, timed_cup: Tournament
) -> None:
    leave(6)
    phone.goto(reverse("tournament-wall", args=[timed_cup.wall_key]))
    phone.evaluate(COUNT_RINGS)
    expect(phone.locator("[data-clock].clock--rung").first).to_be_attached(timeout=15000)
    phone.wait_for_timeout(5000)
    assert phone.locator("[data-clock]").count() > 1
    assert phone.evaluate("window.rings") == 1


def test_a_table_stops_and_plays_on_after_all(phone: Page, timed_cup: Tournament) -> None:
    post(tables(timed_cup)[0], SECOND_WINS)
    phone.reload()
    phone.get_by_role("link", name="More").click()
    phone.locator("summary", has_text="Stop playing").click()
    phone.get_by_role("button", name="Stop playing", exact=True).click()
    expect(phone.get_by_text("This table stopped at")).to_be_visible()
    expect(phone.locator("[data-entry]")).to_have_count(0)
    phone.get_by_role("button", name="Resume play").click()
    expect(phone.get_by_role("button", name="Enter hand 2")).to_be_visible()


def test_after_the_bell_one_hand_is_entered_and_the_phone_is_done(
    phone: Page, timed_cup: Tournament
) -> None:
    leave(-10)
    phone.reload()
    phone.get_by_role("button", name="Nobody (drawn hand)").click()
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_text("the last hand is in")).to_be_visible()
    expect(phone.get_by_role("button", name="All agree")).to_be_visible()
    expect(phone.locator("[data-entry]")).to_have_count(0)


def test_the_director_sets_the_clock_and_phones_follow(
    desk: Page, phone: Page, timed_cup: Tournament
) -> None:
    desk.goto(tournament_url(timed_cup))
    desk.get_by_role("button", name="Add 5 minutes: all tables").click()
    expect(desk.get_by_text("5 added so far")).to_be_visible()
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("[data-clock]")).to_contain_text("5 minutes left")
    desk.get_by_role("button", name="Pause clock").click()
    expect(desk.locator("[data-clock]")).to_contain_text("Paused")
    desk.get_by_role("button", name="Resume clock").click()
    expect(desk.locator("[data-clock]")).to_contain_text("left until")


def test_the_bell_is_heard_once_somebody_wants_it(desk: Page, timed_cup: Tournament) -> None:
    desk.goto(tournament_url(timed_cup))
    sound = desk.locator("[data-clock-sound]")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_text("Turn bell sound on")


def test_without_scripts_the_clock_says_until_when(
    open_browser: OpenBrowser, timed_cup: Tournament
) -> None:
    page = open_browser(java_script_enabled=False).new_page()
    page.goto(reverse("round-table", args=[tables(timed_cup)[0].link_key]))
    expect(page.locator("[data-clock]")).to_contain_text("1 minute left until")
    services.ring_bell(tournament=timed_cup)
    page.reload()
    expect(page.locator("[data-clock]")).to_contain_text("The bell has rung at")


def test_somebody_is_withdrawn_on_a_phone_without_a_sideways_slide(
    sign_in: SignIn, director: User, club: Club
) -> None:
    page = sign_in(director, viewport=PHONE)
    page.goto(tournament_url(make_cup(entrants=5, club=club), "entrants"))
    expect(page.get_by_role("heading", name="5 entered")).to_be_visible()
    inside = page.get_by_role("region", name="Entry list")
    assert inside.evaluate("list => list.scrollWidth <= list.clientWidth")
    link = page.get_by_role("link", name="Withdraw Player 3", exact=True)
    link.scroll_into_view_if_needed()
    box = link.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"]
    link.click()
    page.get_by_role("button", name="Withdraw Player 3").click()
    expect(page.get_by_role("heading", name="4 entered")).to_be_visible()


@pytest.fixture
def by_standings(club: Club) -> Tournament:
    """Round 1 is closed, round 2 is to be seated by standings."""
    return cup_of_a_final(club)


@pytest.mark.parametrize("has_script", [True, False])
def test_a_round_is_looked_at_seated_and_undone(
    sign_in: SignIn, director: User, by_standings: Tournament, has_script: bool
) -> None:
    page = sign_in(director, java_script_enabled=has_script)
    page.goto(tournament_url(by_standings))
    page.get_by_role("link", name="Seat round 2 by standings").click()
    expect(page.get_by_role("heading", name="Round 2, by standings")).to_be_visible()
    expect(page.get_by_text("No one meets anyone twice.")).to_be_visible()
    page.get_by_role("button", name="Use this seating for round 2").click()
    expect(page.get_by_text("Round 2 seated by standings.")).to_be_visible()
    page.get_by_role("link", name="How round 2 was seated").click()
    expect(page.get_by_text("This round is seated according to the standings.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: Round 2 seated by standings.")).to_be_visible()
    assert by_standings.rounds.count() == 1


def test_a_round_by_standing_is_read_on_a_narrow_phone(
    sign_in: SignIn, director: User, by_standings: Tournament
) -> None:
    page = sign_in(director, viewport=NARROW)
    address = tournament_url(by_standings, "round-by-standing")
    page.goto(address)
    expect(page.get_by_role("button", name="Use this seating for round 2")).to_be_visible()
    look_by_day_and_night(page)
    page.get_by_role("button", name="Use this seating for round 2").click()
    expect(page.get_by_text("Round 2 seated by standings.")).to_be_visible()
    correct(tables(by_standings)[0], DRAWN)
    page.goto(address)
    expect(page.get_by_role("button", name="Reseat round")).to_be_visible()
    page.get_by_text("Who would change tables").click()
    look_by_day_and_night(page)


def test_a_prize_asks_for_no_more_than_it_needs(
    sign_in: SignIn, director: User, by_standings: Tournament
) -> None:
    page = sign_in(director, viewport=NARROW)
    page.goto(tournament_url(by_standings, "prizes"))
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
    assert list(by_standings.prizes.values_list("name", flat=True))[-2:] == [
        "Best hat",
        "Most Mah-Jongs",
    ]


@pytest.fixture
def rounds(club: Club) -> Tournament:
    """Sixteen over two rounds, both seated."""
    return seated_cup(entrants=16, rounds=2, club=club)


@pytest.mark.parametrize("has_script", [True, False])
def test_two_seats_exchanged_by_hand(
    sign_in: SignIn, director: User, rounds: Tournament, has_script: bool
) -> None:
    seating_before = fours(rounds, 2)
    player, other_player = seating_before[0][0], seating_before[1][0]
    page = sign_in(director, java_script_enabled=has_script)
    page.goto(tournament_url(rounds, "seating-by-hand", 2))
    page.get_by_label("Table 1, East").select_option(other_player)
    if not has_script:
        page.get_by_role("button", name="Preview").click()
    cost = page.locator("#cost")
    expect(cost).to_contain_text(
        f"{other_player} has more than one seat: at table 1 as East and at table 2 as East."
    )
    expect(cost).to_contain_text(f"{player} has no seat.")
    page.get_by_label("Table 2, East").select_option(player)
    if not has_script:
        page.get_by_role("button", name="Preview").click()
    expect(cost).to_contain_text("Effect of this seating")
    page.get_by_role("button", name="Save this seating").click()
    expect(page.get_by_text("Round 2 seated manually. This is the new seating.")).to_be_visible()
    assert fours(rounds, 2)[0][0] == other_player
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(re.compile("^Undone: Round 2 seated manually"))).to_be_visible()
    assert fours(rounds, 2) == seating_before


def test_a_player_finds_out_whom_they_meet_when(
    sign_in: SignIn, cast: Cast, rounds: Tournament
) -> None:
    page = sign_in(cast.player)
    page.goto(tournament_url(rounds, "seating-why"))
    page.get_by_label("Your name").select_option("Player 7")
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_role("heading", name="Player 7")).to_be_visible()
    expect(page.locator(".meetings__chosen")).to_have_count(2)
    title = page.locator(".meetings svg .once title").first
    expect(title).to_have_text(re.compile(r"^Player \d+ and Player \d+: round [12]$"))
