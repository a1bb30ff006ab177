"""How much is asked of the database: as much for one table and round as for three."""

from collections.abc import Callable
from typing import Final

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.cups import SECOND_WINS, fresh, make_cup, play_round, seated_cup, tables
from tournaments.desk.selectors import desk_state
from tournaments.models import OddNumber, Tournament
from tournaments.results.selectors.standings import board_of, standings_of
from tournaments.rounds.selectors import entry_list, linked_tables, rounds_of
from tournaments.seating.selectors import changes_by_hand, drawings_of, round_by_hand, seated_rounds
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services, written_entries
from tournaments.setup.selectors import fixed_settings
from tournaments.steps import services
from tournaments.steps.selectors import preflight
from tournaments.wall.selectors import find_names

pytestmark = pytest.mark.django_db

READS: Final[dict[str, tuple[Callable[[Tournament], object], int]]] = {
    "standings": (standings_of, 2),
    "board": (board_of, 2),
    "rounds": (rounds_of, 5),
    "floor": (desk_state, 6),
    "floor, watched": (lambda cup: desk_state(cup, watched_at=timezone.now()), 7),
    "settled": (fixed_settings, 2),
    "before closing": (lambda cup: preflight(cup, "close"), 7),
    "tables of a round": (lambda cup: linked_tables(cup, round_number=1), 4),
    "why": (lambda cup: seated_rounds(cup).explanation(), 4),
    "draws": (drawings_of, 1),
    "changes": (lambda cup: changes_by_hand(cup, seated_rounds(cup)), 5),
    "round by hand": (lambda cup: round_by_hand(cup, 2), 3),
    "entry list": (entry_list, 4),
    "names to find": (find_names, 3),
}


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", READS)
def test_reading_asks_as_much_for_one_as_for_three(
    django_assert_num_queries: DjangoAssertNumQueries, name: str, size: int
) -> None:
    cup = seated_cup(entrants=4 * size, rounds=1 + size, hands=1)
    for table in tables(cup):
        services.call_director(table=table)
    play_round(cup, SECOND_WINS)
    read, queries = READS[name]
    cup = fresh(cup)
    with django_assert_num_queries(queries):
        read(cup)


@pytest.mark.parametrize("entrants", [4, 12])
def test_seating_a_tournament_asks_as_much_for_one_table_as_for_three(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = make_cup(entrants=entrants, rounds=3)
    with django_assert_num_queries(33):
        seating.seat_rounds(tournament=cup)


@pytest.mark.parametrize("count", [1, 3])
def test_entering_a_list_asks_as_much_for_one_name_as_for_three(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = make_cup(entrants=4)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=6)
    names = [f"Late {number}" for number in range(count)]
    with django_assert_num_queries(10):
        setup_services.enter_names(tournament=cup, names=names)
    with django_assert_num_queries(8):
        written_entries.try_entries(tournament=fresh(cup), text="name\n" + "\n".join(names))
