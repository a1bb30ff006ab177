"""The lists of evenings and the league over the API need the same queries however long they are."""

from collections.abc import Callable
from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Season, Session
from scoring.scorebook.models import HandState
from tests.api import api_client
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import Cast, make_player

DAY = date(2026, 11, 17)
CLUB = "/api/v1/clubs/riverside/"


def evening_of(club: Club, tables: int) -> Session:
    """An evening with so many tables, a hand at each of which nobody agrees."""
    players = make_players(club, 4 * tables)
    session = night(club, DAY, *(players[at : at + 4] for at in range(0, len(players), 4)))
    for table in session.tables.all():
        (hand,) = post(table, SECOND_WINS)
        hand.state = HandState.DISPUTED
        hand.save()
    return session


def evenings(cast: Cast, count: int) -> str:
    for day in range(1, count + 1):
        night(cast.club, DAY.replace(day=day), list(cast.club.players.all()[:4]))
    return "evenings/"


def seasons(cast: Cast, count: int) -> str:
    for month in range(1, count + 1):
        days = {"starts_on": date(2026, month, 1), "ends_on": date(2026, month, 28)}
        make_season(cast.club, name=f"Month {month}", **days)
    return "seasons/"


def of_evening(part: str) -> Callable[[Cast, int], str]:
    def made(cast: Cast, count: int) -> str:
        return f"evenings/{evening_of(cast.club, count).pk}/{part}"

    return made


def door(cast: Cast, count: int) -> str:
    for at in range(count):
        make_player(cast.club, f"Member {at}")
    return f"evenings/{cast.club.sessions.create(held_on=DAY).pk}/door/"


def table_of_season(cast: Cast, count: int) -> str:
    season: Season = make_season(cast.club)
    evening_of(cast.club, count)
    return f"seasons/{season.pk}/"


LISTS: dict[str, tuple[Callable[[Cast, int], str], int]] = {
    "evenings": (evenings, 6),
    "seasons": (seasons, 6),
    "door": (door, 5),
    "result": (of_evening("result/"), 5),
    "floor": (of_evening("floor/"), 7),
    "disputes": (of_evening("disputes/"), 8),
    "sheets": (of_evening("sheets/"), 8),
    "repairs": (of_evening("repairs/"), 6),
    "papers": (of_evening("papers/"), 5),
    "links": (of_evening("links/"), 7),
    "league": (table_of_season, 7),
}


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_needs_the_same_queries_however_long_it_is(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, name: str, rows: int
) -> None:
    make, queries = LISTS[name]
    address = f"{CLUB}{make(cast, rows)}"
    client = api_client(cast.secretary)
    with django_assert_num_queries(queries):
        answer = client.get(address)
    assert answer.status_code == 200
