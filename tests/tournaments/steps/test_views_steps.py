"""The page before a step: what it does, what is not in order, what can be undone."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests.people import Cast
from tests.scoring.scorebook.book import decide, dispute
from tests.tournaments.cups import DRAWN, make_cup, play_round, post, seated_cup, tables
from tournaments.models import Entrant, RoundState, Table, Tournament, TournamentState
from tournaments.results import services as results_services
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.steps.selectors import PAGES, before_withdrawing, preflight

UNPAID = "Player 10, Player 11, Player 12, Player 5, Player 6, Player 7"


def at(cup: Tournament, step: str) -> str:
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/{step}/"


def worries(cup: Tournament, step: str) -> list[str]:
    told = preflight(Tournament.objects.get(pk=cup.pk), step)
    return [worry.sentence for worry in told.worries]


@pytest.mark.django_db
def test_who_is_not_here_and_who_has_not_paid_is_named_before_the_seating() -> None:
    cup = make_cup(entrants=12, rounds=1)
    assert worries(cup, "seat") == [
        "All 12 players are not checked in.",
        "All 12 players are not marked as paid.",
    ]
    cup.entrants.update(has_paid=True, is_here=True)
    cup.entrants.filter(number__lte=2).update(is_here=False)
    cup.entrants.filter(number__gte=5).update(has_paid=False)
    assert worries(cup, "seat") == [
        "2 players are not checked in: Player 1 and Player 2.",
        f"8 players are not marked as paid: {UNPAID} and 2 more.",
    ]


@pytest.mark.django_db
def test_before_a_round_is_closed_calls_and_unagreed_hands_are_told() -> None:
    cup = seated_cup(entrants=8, rounds=1, hands=1)
    play_round(cup, DRAWN)
    services.call_director(table=tables(cup)[1])
    assert worries(cup, "close") == [
        "Table 2 has called the director.",
        "2 hands have not been agreed by the players, at 2 tables. What was entered counts.",
    ]


@pytest.mark.django_db
def test_before_the_end_disputes_and_what_is_hidden_are_told() -> None:
    cup = seated_cup(entrants=8, rounds=1, hands=1)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    results_services.hide_last_round(tournament=cup)
    hand = tables(cup)[1].game.hands.get()
    dispute(hand)
    assert worries(cup, "finish") == [
        "Round 1, table 2: hand 1 is not agreed.",
        "1 hand has not been agreed by the players, at 1 table. What was entered counts.",
        "The last round is still hidden: only officials can see it.",
    ]


@pytest.mark.django_db
def test_whoever_withdraws_with_a_seat_leaves_a_gap_and_the_first_who_waits_moves_up() -> None:
    cup = make_cup(entrants=4, rounds=2)
    setup_services.set_entry_rules(tournament=cup, odd_number="wait", places=4)
    late = setup_services.enter(tournament=cup, name="Late Larry")
    leaving = Entrant.objects.get(number=1)
    told = before_withdrawing(leaving)
    assert (told.worries, told.does[1]) == (
        (),
        "Late Larry is first on the waiting list and gets the place.",
    )
    seating.seat_rounds(tournament=cup)
    (worry,) = before_withdrawing(leaving).worries
    assert worry.sentence.startswith("Player 1 has a seat in rounds 1, 2.")
    assert before_withdrawing(late).worries == ()


@pytest.mark.parametrize("step", PAGES)
@pytest.mark.parametrize("moment", ["entering", "seated", "played", "finished"])
def test_every_step_has_a_page_at_every_time(
    director: Client, cast: Cast, step: str, moment: str
) -> None:
    cup = at_the_moment(make_cup(entrants=4, rounds=1, hands=1, club=cast.club), moment)
    told = preflight(cup, step)
    page = director.get(at(cup, ADDRESSES[step]))
    assertContains(page, told.title)
    assert ('id="go"' in page.content.decode()) is told.can_go


ADDRESSES = {
    "seat": "seat",
    "clear": "clear",
    "start": "start",
    "unstart": "start/back",
    "close": "close",
    "reopen": "close/back",
    "finish": "finish",
    "resume": "finish/back",
    "publish": "results/publish",
}


def at_the_moment(cup: Tournament, moment: str) -> Tournament:
    """The tournament of one round and one table, brought so far."""
    if moment != "entering":
        seating.seat_rounds(tournament=cup)
    if moment in {"played", "finished"}:
        services.start_round(tournament=cup)
        play_round(cup, DRAWN)
    if moment == "finished":
        services.close_round(tournament=cup)
        services.finish_tournament(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


def test_a_way_back_asks_why_and_keeps_what_was_typed(director: Client, cast: Cast) -> None:
    cup = at_the_moment(make_cup(entrants=4, rounds=1, hands=1, club=cast.club), "finished")
    refused = director.post(at(cup, "finish/back"), {"reason": " "})
    assertContains(refused, "Enter a reason", status_code=422)
    long = director.post(at(cup, "finish/back"), {"reason": "x" * 201})
    assertContains(long, f'value="{"x" * 201}"', status_code=422)
    home = f"/c/riverside/tournaments/{cup.pk}/"
    assertRedirects(director.post(at(cup, "finish/back"), {"reason": "a slip in hand 1"}), home)
    assert Tournament.objects.get().state == TournamentState.PLAYING
    assertContains(director.get(home), "a slip in hand 1")


def test_looking_at_a_step_takes_it_not(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=4, rounds=1, club=cast.club)
    director.get(at(cup, "seat"))
    assert cup.rounds.count() == 0


def test_the_closing_page_leads_to_every_table_and_lets_one_stop(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=12, rounds=1, hands=2, club=cast.club)
    first, second, third = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    dispute(post(third, DRAWN)[0])
    page = director.get(at(cup, "close"))
    assertContains(page, "2 tables keep the round from closing")
    assertContains(page, "/rounds/1/tables/2/")
    assertContains(page, "Mark as stopped<")
    assertNotContains(page, 'id="stopped-3"')
    assertNotContains(page, 'id="go"')
    answer = director.post(at(cup, "close/stopped/2"), follow=True)
    assertContains(answer, "Table 2 has stopped.")
    assertContains(answer, "1 table keeps the round from closing")
    assert Table.objects.get(number=2).stopped_at is not None
    decide(third.game.hands.get())
    director.post(at(cup, "close/stopped/3"))
    director.post(at(cup, "close"))
    assert cup.rounds.get().state == RoundState.CLOSED


@pytest.mark.parametrize("entrants", [4, 12])
def test_the_page_before_closing_is_as_many_queries_for_one_table_as_for_three(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    cup = seated_cup(entrants=entrants, rounds=1)
    for table in tables(cup):
        services.call_director(table=table)
    with django_assert_num_queries(7):
        preflight(cup, "close")
