"""The director's floor: the next step from the entry list to the last standing, trouble first."""

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.cups import DRAWN, make_cup, play_round, post, seated_cup, tables
from tournaments.desk.selectors import floor_of
from tournaments.models import OddNumber, Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def step(cup: Tournament) -> tuple[str, str]:
    """What the desk asks for now: title and button."""
    found = floor_of(Tournament.objects.get(pk=cup.pk)).step
    return (found.title, found.button)


@pytest.mark.parametrize(
    ("entered", "text"),
    [
        (0, "No entries yet. Tables seat four: 4 more make 4."),
        (1, "1 has entered. Tables seat four: 3 more make 4."),
        (
            7,
            (
                "7 have entered. Tables seat four: 1 more makes 8. "
                "You can also use house players, or let players sit out in turn."
            ),
        ),
    ],
)
def test_players_are_asked_for_until_they_fill_tables_of_four(entered: int, text: str) -> None:
    found = floor_of(make_cup(entrants=entered)).step
    assert (found.title, found.address) == ("Add players", "entrants")
    assert found.text == text


@pytest.mark.parametrize(
    ("entered", "odd_number", "words"),
    [
        (7, OddNumber.HOUSE, "at 2 tables"),
        (7, OddNumber.HOUSE, " 1 house player fills the last table."),
        (6, OddNumber.HOUSE, " 2 house players fill the last table."),
        (7, OddNumber.SIT_OUT, "at 1 table,"),
        (7, OddNumber.SIT_OUT, " 3 players sit out each round, in turn."),
        (5, OddNumber.SIT_OUT, " 1 player sits out each round, in turn."),
    ],
)
def test_the_desk_says_what_is_done_with_an_odd_number(
    entered: int, odd_number: OddNumber, words: str
) -> None:
    cup = make_cup(entrants=entered)
    setup_services.set_entry_rules(tournament=cup, odd_number=odd_number, places=None)
    found = floor_of(Tournament.objects.get()).step
    assert found.title == f"{entered} players are ready to be seated"
    assert words in found.text


def test_the_desk_leads_from_the_seating_to_the_last_standing() -> None:
    cup = make_cup(entrants=4, rounds=2, hands=1)
    assert step(cup) == ("4 players are ready to be seated", "Seat the 2 rounds")
    seating.seat_rounds(tournament=cup)
    assert step(cup) == ("Round 1 of 2 is seated", "Start round 1")
    services.start_round(tournament=cup)
    assert step(cup) == ("Round 1 is being played", "Close round 1")
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    assert step(cup) == ("Round 2 of 2 is seated", "Start round 2")
    services.start_round(tournament=cup)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    assert step(cup) == ("All rounds are closed", "Finish the tournament")
    services.finish_tournament(tournament=cup)
    assert step(cup) == ("The tournament is finished", "")


def test_the_desk_counts_the_tables_that_are_done() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    post(tables(cup)[0], DRAWN, DRAWN)
    assert floor_of(cup).step.text == "1 of 4 tables have finished."


def ways_back_of(cup: Tournament) -> list[str]:
    """The links below the step, in words."""
    return [way.words for way in floor_of(Tournament.objects.get(pk=cup.pk)).back]


def test_every_state_has_a_way_out() -> None:
    cup = make_cup(entrants=4, rounds=2, hands=1)
    assert ways_back_of(cup) == []
    seating.seat_rounds(tournament=cup)
    assert ways_back_of(cup) == ["Clear the seating"]
    services.start_round(tournament=cup)
    assert ways_back_of(cup) == ["Undo the start", "Clear the seating"]
    play_round(cup, DRAWN)
    assert ways_back_of(cup) == []
    services.close_round(tournament=cup)
    assert ways_back_of(cup) == ["Reopen round 1"]
    services.start_round(tournament=cup)
    assert ways_back_of(cup) == ["Undo the start"]
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    assert ways_back_of(cup) == ["Reopen the tournament"]


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_floor_is_eight_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    with django_assert_num_queries(6):
        floor_of(cup)
    with django_assert_num_queries(7):
        floor_of(cup, at=timezone.now())
