"""Standings and the director's desk: what they show, and what they cost to read."""

from fractions import Fraction

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook import services as scorebook
from tests.scoring.scorebook.book import dispute
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    make_cup,
    play_round,
    post,
    seated_cup,
    tables,
)
from tournaments.models import Placement, RoundState, Tournament
from tournaments.results.selectors.standings import standings
from tournaments.rounds.selectors import rounds_of
from tournaments.seating.services import seating

pytestmark = pytest.mark.django_db


def names_by_seat(cup: Tournament) -> list[str]:
    places = Placement.objects.filter(round__tournament=cup).order_by("seat__number")
    return list(places.values_list("entrant__name", flat=True))


def lines(cup: Tournament) -> list[tuple[int, str, Fraction, int, str | None]]:
    return [
        (row.place, row.name, row.table_points, row.total, row.decided_by) for row in standings(cup)
    ]


def test_before_the_first_hand_everybody_shares_the_first_place() -> None:
    rows = standings(make_cup(entrants=4))
    assert [(row.place, row.is_tied, row.rounds) for row in rows] == [(1, True, 0)] * 4


def test_table_points_are_4_2_1_0_once_a_table_has_played_all_its_hands() -> None:
    cup = seated_cup(rounds=1, hands=2)
    east, south, west, north = names_by_seat(cup)
    post(tables(cup)[0], SECOND_WINS)
    assert lines(cup) == [
        (1, south, Fraction(0), 240, None),
        (2, east, Fraction(0), -64, "total"),
        (3, west, Fraction(0), -80, "total"),
        (4, north, Fraction(0), -96, "total"),
    ]
    post(tables(cup)[0], SECOND_WINS, DRAWN)
    assert lines(cup) == [
        (1, south, Fraction(4), 240, None),
        (2, east, Fraction(2), -64, "table_points"),
        (3, west, Fraction(1), -80, "table_points"),
        (4, north, Fraction(0), -96, "table_points"),
    ]


def test_equal_gains_at_a_table_share_their_table_points() -> None:
    cup = seated_cup(rounds=1, hands=1)
    post(tables(cup)[0], DRAWN)
    rows = standings(cup)
    assert [(row.place, row.is_tied, row.table_points) for row in rows] == [
        (1, True, Fraction(7, 4))
    ] * 4


def test_the_same_result_at_four_tables_is_four_shared_places() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    rows = standings(cup)
    assert [row.place for row in rows] == [1] * 4 + [5] * 4 + [9] * 4 + [13] * 4
    assert {row.is_tied for row in rows} == {True}
    assert sum(row.table_points for row in rows) == 28


def test_the_declared_order_ranks() -> None:
    cup = seated_cup(rounds=1, hands=1)
    post(tables(cup)[0], SECOND_WINS)
    Tournament.objects.update(ranks_by=["total"])
    assert [row.decided_by for row in standings(Tournament.objects.get())] == [
        None,
        "total",
        "total",
        "total",
    ]


def test_a_penalty_counts_in_the_standings() -> None:
    cup = seated_cup(rounds=1, hands=1)
    _, south, *_ = names_by_seat(cup)
    post(tables(cup)[0], SECOND_WINS)
    seat = Placement.objects.get(entrant__name=south).seat
    scorebook.adjust(seat=seat, points=-310, written_by="user 1", reason="late twice")
    assert lines(cup)[1] == (2, south, Fraction(2), -70, "table_points")


def test_the_desk_shows_every_table_at_a_glance() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    first, second, third, _ = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    dispute(post(third, DRAWN, DRAWN)[0])
    (view,) = rounds_of(cup)
    assert (view.number, view.state) == (1, RoundState.PLAYING)
    assert [table.state for table in view.tables] == [
        "done",
        "hand 1 of 2",
        "hand 1 not agreed",
        "not started",
    ]
    assert [place.wind for place in view.tables[0].places] == ["E", "S", "W", "N"]


@pytest.mark.parametrize("rounds", [1, 3])
def test_standings_are_two_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    play_round(cup, SECOND_WINS)
    with django_assert_num_queries(2):
        standings(cup)


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_desk_is_five_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    play_round(cup, SECOND_WINS)
    with django_assert_num_queries(5):
        rounds_of(cup)


@pytest.mark.parametrize("entrants", [4, 12])
def test_seating_a_tournament_is_as_many_queries_for_one_table_as_for_three(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = make_cup(entrants=entrants, rounds=3)
    with django_assert_num_queries(32):
        seating.seat_rounds(tournament=cup)
