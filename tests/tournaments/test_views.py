"""A director's day on the pages: make it, enter, seat, start, close, finish; and who looks on."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.models import Club
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    make_cup,
    page_of,
    play_round,
    post,
    seated_cup,
    tables,
)
from tournaments.models import Placement, Tournament, TournamentState
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services


def test_a_director_runs_a_tournament_from_the_pages(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=4, rounds=1, hands=1, club=cast.club)
    cup_url = page_of(cup)
    assertContains(director.get(cup_url), "Seat the round")
    assertRedirects(director.post(f"{cup_url}seat/"), cup_url)
    assertContains(director.get(cup_url), "Start round 1")
    assertRedirects(director.post(f"{cup_url}start/"), cup_url)
    post(tables(cup)[0], SECOND_WINS)
    assertContains(director.get(cup_url), "All tables have finished.")
    assertRedirects(director.post(f"{cup_url}close/"), cup_url)
    assertRedirects(director.post(f"{cup_url}finish/"), cup_url)
    desk = director.get(cup_url)
    assertContains(desk, "The tournament is finished")
    paper = reverse("standings-pdf", args=[cast.club.slug, cup.pk])
    assertContains(desk, f'href="{paper}">The final standings on paper')
    assert Tournament.objects.get().state == TournamentState.FINISHED


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("start", "A round is being played. Close it first."),
        ("seat", "Hands have been recorded, so the seating can no longer be changed."),
        ("clear", "Hands have been recorded, so the seating can no longer be changed."),
        ("finish", "Round 1 has not been closed."),
    ],
)
def test_a_step_out_of_turn_says_why_not(
    director: Client, cast: Cast, action: str, message: str
) -> None:
    cup = seated_cup(rounds=1, club=cast.club)
    post(tables(cup)[0], DRAWN)
    assertContains(director.post(f"{page_of(cup)}{action}/"), message, status_code=422)


def test_the_seating_is_taken_away_and_entries_are_open_again(director: Client, cast: Cast) -> None:
    cup = seated_cup(rounds=1, club=cast.club)
    assertRedirects(director.post(page_of(cup, "clear/")), page_of(cup))
    assert Tournament.objects.get().state == TournamentState.ENTERING


def test_a_player_sees_the_tables_and_no_button(cast: Cast) -> None:
    cup = seated_cup(rounds=1, club=cast.club)
    page = Visitor(cast.player).get(page_of(cup))
    assertContains(page, "Table 1")
    assertContains(page, "Player 3")
    for button in ("Close round", "Clear the seating", page_of(cup, "rounds/"), "Entries"):
        assertNotContains(page, button)


def test_a_scorer_sees_what_is_missing_and_opens_a_table(cast: Cast) -> None:
    cup = seated_cup(rounds=1, club=cast.club)
    page = Visitor(cast.scorer).get(page_of(cup))
    assertContains(page, "not started")
    assertContains(page, page_of(cup, "rounds/1/tables/1/"))
    assertNotContains(page, "Close round")


@pytest.mark.parametrize("page", ["", "standings/"])
def test_a_live_page_answers_only_when_there_is_news(
    director: Client, cast: Cast, page: str
) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    address = f"{page_of(cup)}{page}"
    assert director.get(address, {"v": cup.version}).status_code == 204
    play_round(cup, SECOND_WINS)
    news = director.get(address, {"v": cup.version})
    assertContains(news, "+240")
    assertNotContains(news, "<html")


def test_seating_finds_a_player_and_says_how_fair_it_is(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=15, rounds=5, club=cast.club)
    setup_services.enter_entrant(tournament=cup, name="Zoë Łukasiewicz")
    empty = director.get(page_of(cup, "seating/"))
    assertContains(empty, "No seating yet")
    assertContains(empty, f'href="{page_of(cup)}">Go to the desk</a>')
    seating.seat_rounds(tournament=cup)
    page = director.get(page_of(cup, "seating/"), {"find": "lukas"})
    assertContains(page, "No one meets anyone twice.")
    assertContains(page, "<strong>Zoë Łukasiewicz</strong>: round 1 at table")
    first = Placement.objects.get(round__number=1, entrant__name="Zoë Łukasiewicz")
    wind = ("East", "South", "West", "North")[first.seat.number - 1]
    assertContains(page, f"round 1 at table <strong>{first.table.number}</strong> as {wind},")
    assertContains(page, 'class="found"', count=1)
    missing = director.get(page_of(cup, "seating/"), {"find": "<b>"})
    assertContains(missing, "No one found called “&lt;b&gt;”.")


def test_who_withdrew_is_marked_at_the_desk_and_in_the_seating_until_the_round_is_closed(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=8, rounds=2, hands=1, club=cast.club)
    leaver = cup.entrants.get(name="Player 3")
    setup_services.withdraw(tournament=cup, entrant=leaver)
    marked_name = "Player 3 (withdrew)"
    assertContains(director.get(page_of(cup)), marked_name, count=1)
    page = director.get(page_of(cup, "seating/"), {"find": "player 3"})
    assertContains(page, marked_name, count=4)  # found, in the list, and in both rounds
    changes.set_substitute(tournament=cup, entrant=leaver, name="Sue Sub", number=2)
    assertContains(director.get(page_of(cup, "seating/")), marked_name, count=2)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    assertNotContains(director.get(page_of(cup, "seating/")), marked_name)


def test_a_number_that_fills_no_tables_leads_to_house_players(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=2, hands=1, club=cast.club)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Player 3"))
    changing = page_of(cup, "seating/changes/")
    page = director.get(changing)
    assertContains(page, "15 players do not fill tables of four.")
    assertContains(page, f'href="{page_of(cup, "entrants/")}#way-rules"')
    assertNotContains(page, "Preview the options")
    assertContains(director.get(page_of(cup, "entrants/")), 'id="way-rules"')
    setup_services.set_entry_rules(tournament=cup, odd_number="house", places=None)
    assertContains(director.get(changing), "Preview the options")


def test_standings_find_a_player_and_stay_provisional(director: Client, cast: Cast) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    address = page_of(cup, "standings/")
    assertContains(director.get(address), "Nothing has been played yet")
    play_round(cup, SECOND_WINS)
    page = director.get(address, {"find": "player 2"})
    assertContains(page, "provisional: round 1 is being played")
    assertContains(page, "<strong>Player 2</strong>: place")
    assertContains(page, 'class="found"', count=1)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    assertNotContains(director.get(address), "provisional")


def make_cups(club: Club, count: int) -> None:
    for number in range(1, count + 1):
        cup = setup_services.make_tournament(
            club=club, name=f"Cup {number}", held_on=date(2026, 11, number)
        )
        make_player(club, f"Member {number}")
        setup_services.enter_names(tournament=cup, names=[f"Member {number}"])


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_is_as_many_queries_for_one_tournament_as_for_three(
    director: Client, cast: Cast, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_cups(cast.club, count)
    director.get("/c/riverside/tournaments/")
    with django_assert_num_queries(4):
        page = director.get("/c/riverside/tournaments/")
    assertContains(page, "1 player, 5 rounds of 8 hands", count=count)


def test_an_empty_list_offers_the_first_tournament_to_the_director(cast: Cast) -> None:
    address = "/c/riverside/tournaments/"
    assertContains(Visitor(cast.director).get(address), f"{address}new/")
    assertNotContains(Visitor(cast.player).get(address), f"{address}new/")
