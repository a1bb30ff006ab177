"""How many queries the lists of a tournament's API need: as many for one row as for three."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.api import api_client
from tests.people import Cast, make_player
from tests.tournaments.cups import DRAWN, make_cup, post, seated_cup, tables
from tournaments.models import Drawing, SeatingChange
from tournaments.results import services

# The key, the club, the role in it, the count of a paged list, the list itself and what it reads.
LISTS = {
    "entrants/": 8,
    "entrants/members/": 6,
    "entrants/terms/": 4,
    "seating/": 9,
    "seating/why/": 9,
    "seating/draws/": 5,
    "seating/changes/": 6,
    "desk/": 12,
    "prizes/": 7,
    "results/": 7,
    "records/": 6,
    "standings/": 6,
    "papers/": 5,
    "rounds/1/sheets/": 8,
    "rounds/1/links/": 8,
    "repairs/": 6,
}


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_asks_as_much_for_one_row_as_for_three(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, name: str, rows: int
) -> None:
    cup = seated_cup(club=cast.club, entrants=4 * rows, rounds=rows, hands=1)
    for number in range(rows):
        make_player(cast.club, f"Zoë {number}")
        services.save_prize(tournament=cup, kind="place", place=number + 1)
        SeatingChange.objects.create(tournament=cup, what="A change", before=[], made_by="test")
        Drawing.objects.create(tournament=cup, first_round=1, last_round=1, asked={})
    for table in tables(cup):
        post(table, DRAWN)
    director = api_client(cast.director)
    with django_assert_num_queries(LISTS[name]):
        answer: Any = director.get(f"/api/v1/clubs/riverside/tournaments/{cup.pk}/{name}")
    assert answer.status_code == 200


@pytest.mark.parametrize("rows", [1, 3])
def test_names_to_find_ask_the_same(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, rows: int
) -> None:
    cup = make_cup(club=cast.club, entrants=rows)
    with django_assert_num_queries(3):
        api_client(None).get(f"/api/v1/e/{cup.wall_key}/find/")
