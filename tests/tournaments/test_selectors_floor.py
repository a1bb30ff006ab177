"""The director's floor: the next step from the entry list to the last standing, trouble first."""

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook import services as scorebook
from tests.tournaments.cups import DRAWN, make_cup, play_round, post, seated_cup, tables
from tournaments import services
from tournaments.models import OddNumber, Tournament
from tournaments.selectors.floor import floor_of
from tournaments.selectors.walls import wall_of

pytestmark = pytest.mark.django_db


def step(cup: Tournament) -> tuple[str, str]:
    """What the desk asks for now: title and button."""
    found = floor_of(Tournament.objects.get(pk=cup.pk)).step
    return (found.title, found.button)


@pytest.mark.parametrize(
    ("entered", "text"),
    [
        (0, "Nobody has entered yet. Everybody sits at a table of four: 4 more make 4."),
        (1, "1 has entered. Everybody sits at a table of four: 3 more make 4."),
        (
            7,
            (
                "7 have entered. Everybody sits at a table of four: 1 more makes 8. "
                "Or house players fill in, or players sit out in turn."
            ),
        ),
    ],
)
def test_players_are_asked_for_until_they_fill_tables_of_four(entered: int, text: str) -> None:
    found = floor_of(make_cup(entrants=entered)).step
    assert (found.title, found.address, found.is_link) == ("Who plays?", "entrants", True)
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
    services.set_entry_rules(tournament=cup, odd_number=odd_number, places=None)
    found = floor_of(Tournament.objects.get()).step
    assert found.title == f"{entered} players are ready to be seated"
    assert words in found.text


def test_the_desk_leads_from_the_seating_to_the_last_standing() -> None:
    cup = make_cup(entrants=4, rounds=2, hands=1)
    assert step(cup) == ("4 players are ready to be seated", "Seat the 2 rounds")
    services.seat_rounds(tournament=cup)
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


def test_trouble_stands_above_what_has_not_started_and_what_is_done() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    first, second, _, fourth = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    scorebook.dispute_hand(hand_id=post(fourth, DRAWN)[0].pk)
    floor = floor_of(cup)
    assert [(table.number, table.sign, table.state) for table in floor.tables] == [
        (4, "trouble", "hand 1 not agreed"),
        (3, "idle", "not started"),
        (2, "playing", "hand 1 of 2"),
        (1, "done", "done"),
    ]
    assert floor.step.text == "1 of 4 tables are done."
    assert floor.step.missing == (
        "Table 4: hand 1 is not agreed, 1 of 2 hands are in.",
        "Table 3: 0 of 2 hands are in.",
        "Table 2: 1 of 2 hands are in.",
    )


def test_the_seating_can_be_taken_away_until_the_first_hand() -> None:
    cup = make_cup(entrants=4, rounds=1)
    assert floor_of(cup).can_clear is False
    cup = seated_cup_of(cup)
    assert floor_of(cup).can_clear is True
    post(tables(cup)[0], DRAWN)
    assert floor_of(cup).can_clear is False


def seated_cup_of(cup: Tournament) -> Tournament:
    """The same tournament, seated and started."""
    services.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_floor_is_six_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    with django_assert_num_queries(6):
        floor_of(cup)


def pages(cup: Tournament) -> list[tuple[str, str, int, list[int]]]:
    """The wall's pages: title, note, tables, rows in each column."""
    return [
        (page.title, page.note, len(page.tables), [len(column) for column in page.columns])
        for page in wall_of(Tournament.objects.get(pk=cup.pk)).pages
    ]


def test_the_wall_shows_the_seating_and_then_the_standings_too() -> None:
    cup = make_cup(entrants=40, rounds=1, hands=1)
    assert pages(cup) == []
    services.seat_rounds(tournament=cup)
    assert pages(cup) == [
        ("Round 1 of 1", "seated", 9, []),
        ("Round 1 of 1", "seated", 1, []),
    ]
    services.start_round(tournament=cup)
    play_round(cup, DRAWN)
    standing = "provisional: round 1 is being played"
    assert pages(cup) == [
        ("Round 1 of 1", "being played", 9, []),
        ("Round 1 of 1", "being played", 1, []),
        ("Standings", standing, 0, [10, 10]),
        ("Standings", standing, 0, [10, 10]),
    ]
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    assert pages(cup) == [
        ("Standings", "final", 0, [10, 10]),
        ("Standings", "final", 0, [10, 10]),
    ]


@pytest.mark.parametrize(
    ("asked", "shown", "following"),
    [("2", 2, 1), ("1", 1, 2), ("9", 1, 2), ("٣", 1, 2), ("", 1, 2)],
)
def test_the_wall_begins_with_the_page_asked_for(asked: str, shown: int, following: int) -> None:
    cup = make_cup(entrants=40, rounds=1, hands=1)
    services.seat_rounds(tournament=cup)
    wall = wall_of(Tournament.objects.get(pk=cup.pk), page=asked)
    assert (wall.shown, wall.next) == (shown, following)
