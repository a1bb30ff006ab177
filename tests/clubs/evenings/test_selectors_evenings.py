"""Reading an evening: the list at the door, the tables, the result, a player's page."""

from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services import evenings
from clubs.members.selectors import members, player_view
from clubs.models import Club, PlayerKind
from tests.clubs.nights import DRAWN, NAMES, SECOND_WINS, make_players, night, post
from tests.people import make_club, make_player
from tests.scoring.scorebook.book import dispute

LAST_WEEK, TUESDAY = date(2026, 11, 10), date(2026, 11, 17)
pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


def test_the_most_regular_are_first_on_the_list_at_the_door(club: Club) -> None:
    _, ben, cy, di = make_players(club, 4)
    night(club, LAST_WEEK, (cy, di, ben))
    session = night(club, TUESDAY, (ben, cy, di))
    guest = evenings.add_guest(session=session, name="Beryl")
    assert [
        (row.name, row.is_guest, row.is_here, row.table) for row in rows.tick_list(session)
    ] == [
        ("Ben", False, True, 1),
        ("Cy", False, True, 1),
        ("Di", False, True, 1),
        ("Beryl", True, True, None),
        ("Ann", False, False, None),
    ]
    assert guest.kind == PlayerKind.GUEST


def test_who_has_left_the_club_is_not_on_the_list_at_the_door(club: Club) -> None:
    make_player(club, "Gone", is_active=False)
    session = evenings.open_session(club=club, held_on=TUESDAY)
    assert rows.tick_list(session) == ()


def test_the_tables_show_places_hands_and_what_is_disputed(club: Club) -> None:
    session = night(club, TUESDAY, make_players(club, 5))
    hands = post(session.tables.get(), SECOND_WINS, DRAWN)
    dispute(hands[1], 2)
    (table,) = rows.tables_of(session)
    assert (table.hands, table.disputed, table.is_closed) == (2, (2,), False)
    assert [(place.wind, place.name, place.points) for place in table.places] == [
        ("E", "Ann", -64),
        ("S", "Ben", 240),
        ("W", "Cy", -80),
        ("N", "Di", -96),
        ("", "Ed", 0),
    ]


def test_a_table_is_seen_with_names_winds_and_who_pays_whom(club: Club) -> None:
    session = night(club, TUESDAY, make_players(club, 4))
    table = session.tables.get()
    post(table, SECOND_WINS)
    table.refresh_from_db()
    view = rows.view_of(table)
    assert (view.title, view.event) == ("Table 1", "Tuesday 17 November")
    assert [(seat.name, seat.wind, seat.is_dealer) for seat in view.playing] == [
        ("Ben", "E", True),
        ("Cy", "S", False),
        ("Di", "W", False),
        ("Ann", "N", False),
    ]
    (hand,) = view.hands
    assert [paid.sentence for paid in hand.transfers] == [
        "Ann pays Ben 120",
        "Cy pays Ben 60",
        "Di pays Ben 60",
        "Cy pays Ann 24",
        "Di pays Ann 32",
        "Di pays Cy 4",
    ]


def test_the_result_is_one_list_over_all_tables(club: Club) -> None:
    players = make_players(club, 8)
    session = night(club, TUESDAY, players[:4], players[4:])
    for table in session.tables.all():
        post(table, SECOND_WINS)
    assert [(row.place, row.is_tied, row.name, row.table) for row in rows.result_of(session)][
        :3
    ] == [(1, True, "Ben", 1), (1, True, "Flo", 2), (3, True, "Ann", 1)]


def test_a_players_page_has_every_evening(club: Club) -> None:
    ann, ben, cy, di = make_players(club, 4)
    for day in (LAST_WEEK, TUESDAY):
        post(night(club, day, (ann, ben, cy, di)).tables.get(), SECOND_WINS, DRAWN)
    view = player_view(ben)
    assert [row.held_on for row in view.evenings] == [TUESDAY, LAST_WEEK]
    assert [(row.points, row.mahjongs, row.hands) for row in view.evenings] == [(240, 1, 2)] * 2
    assert (view.best_hand, view.pays) == (60, True)


def test_the_list_of_members_says_how_often_and_when_last(club: Club) -> None:
    ann, ben, cy, _ = make_players(club, 4)
    for day in (LAST_WEEK, TUESDAY):
        night(club, day, (ann, ben, cy))
    assert [(row.name, row.evenings, row.last_seen) for row in members(club)] == [
        ("Ann", 2, TUESDAY),
        ("Ben", 2, TUESDAY),
        ("Cy", 2, TUESDAY),
        ("Di", 0, None),
    ]


@pytest.mark.parametrize("tables", [1, 3])
def test_an_evening_costs_as_much_with_three_tables_as_with_one(
    club: Club, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    players = make_players(club, len(NAMES))
    seated = [players[number * 4 : number * 4 + 4] for number in range(tables)]
    session = night(club, TUESDAY, *seated)
    for table in session.tables.all():
        post(table, SECOND_WINS)
    with django_assert_num_queries(3):
        rows.tables_of(session)
    with django_assert_num_queries(1):
        rows.tick_list(session)
    with django_assert_num_queries(1):
        rows.result_of(session)


@pytest.mark.parametrize("count", [1, 3])
def test_people_cost_one_query(
    club: Club, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    players = make_players(club, 4)
    for day in (date(2026, 11, 3), LAST_WEEK, TUESDAY)[:count]:
        post(night(club, day, players).tables.get(), SECOND_WINS)
    with django_assert_num_queries(1):
        members(club)
    with django_assert_num_queries(1):
        player_view(players[0])
