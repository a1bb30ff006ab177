"""However many tables change hands in an evening, the database is asked no more."""

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from clubs.evenings.selectors.evenings import result_of
from clubs.evenings.services import evenings, seats
from clubs.models import Player
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast

pytestmark = pytest.mark.django_db
TUESDAY = date(2026, 11, 17)


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann to Mo."""
    return make_players(cast.club, 13)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_result_asks_no_more_for_more_games(
    cast: Cast, players: list[Player], tables: int, django_assert_num_queries: Any
) -> None:
    session = night(cast.club, TUESDAY, *(players[n * 4 : n * 4 + 4] for n in range(tables)))
    for table in list(session.tables.all()):
        post(table, SECOND_WINS)
        seats.leave(session=session, leaver=players[(table.number - 1) * 4], goes_home=True)
    with django_assert_num_queries(1):
        assert len(result_of(session)) == 4 * tables


@pytest.mark.parametrize("tables", [1, 3])
def test_the_page_of_comings_and_goings_asks_no_more_for_more_tables(
    cast: Cast, players: list[Player], tables: int, django_assert_num_queries: Any
) -> None:
    seated = [players[at : at + 4] for at in range(0, 4 * tables, 4)]
    session = night(cast.club, TUESDAY, *seated)
    evenings.tick(session=session, player=players[12], is_here=True)
    secretary = Visitor(cast.secretary)
    page = reverse("evening-change", args=["riverside", session.pk])
    with django_assert_num_queries(7):
        assert "Mo" in secretary.get(page).text
