"""Rounds seated after others: the plan that was begun goes on, and nothing is promised falsely."""

from collections import Counter

import pytest

from clubs.seating import Request, plan
from tests.clubs.seating.recount import numbered, repeats, seat


@pytest.mark.parametrize(("players", "first", "more"), [(16, 2, 3), (32, 4, 4), (40, 3, 4)])
def test_a_perfect_plan_is_carried_on(players: int, first: int, more: int) -> None:
    begun = seat(players, first, seed=3)
    whole = seat(players, more, seed=3, played=begun.rounds)
    assert repeats(whole.rounds) == 0
    assert whole.report.wind_imbalance == 0


def test_a_search_that_time_cuts_says_so() -> None:
    made = seat(12, 6, seconds=0)
    assert made.report.cut_short
    assert made.report.wind_imbalance == 0


@pytest.mark.parametrize(("players", "sizes"), [(12, (4,)), (13, (4, 5, 3)), (13, (4, 3))])
def test_the_bound_on_seconds_does_not_change_what_is_found(
    players: int, sizes: tuple[int, ...]
) -> None:
    names = numbered(players)
    brief, long = (
        plan(Request(names, 2, table_sizes=sizes, seconds=seconds)) for seconds in (20, 90)
    )
    assert (brief.rounds, brief.report.cut_short) == (long.rounds, False)


def test_memory_of_people_who_stayed_at_home_is_passed_over() -> None:
    met = {frozenset(("P1", "Zoë")): 9, frozenset(("P1", "P2")): 1}
    [tonight] = plan(Request(numbered(8), 1, met=met)).rounds
    assert all(not {"P1", "P2"} <= set(table.names) for table in tonight.tables)


def test_five_weeks_bring_ever_new_companions() -> None:
    met: Counter[frozenset[str]] = Counter()
    for week in range(5):
        [tonight] = plan(Request(numbered(16), 1, seed=week, met=dict(met))).rounds
        for table in tonight.tables:
            for one in table.names:
                met.update(frozenset((one, other)) for other in table.names if other < one)
    assert sum(met.values()) == 120
    assert len(met) >= 108
    assert max(met.values()) <= 2
