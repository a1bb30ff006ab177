"""Plans that are known to exist are found, and what must repeat repeats as little as is known."""

import pytest

from clubs.seating.constructions import field_of, perfect_rounds
from tests.clubs.seating.recount import repeats, seat

WITHOUT_A_REPEAT = [
    *((16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (44, 14), (48, 15)),
    *((52, 17), (56, 17), (60, 19), (64, 21), (72, 9), (80, 10), (100, 10), (200, 8), (400, 10)),
]
WITHOUT_A_RETURN = [
    *((20, 5), (24, 5), (28, 7), (32, 8), (36, 9), (40, 9), (44, 11), (48, 11), (56, 12)),
    *((60, 12), (64, 10), (100, 10), (400, 10)),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("players", "rounds"), WITHOUT_A_REPEAT)
def test_nobody_meets_twice(players: int, rounds: int) -> None:
    made = seat(players, rounds, seconds=60)
    assert (repeats(made.rounds), made.report.wind_imbalance) == (0, 0)


@pytest.mark.parametrize(("players", "rounds"), WITHOUT_A_RETURN)
def test_nobody_returns_to_a_table(players: int, rounds: int) -> None:
    report = seat(players, rounds, seconds=60).report
    assert (report.repeated_meetings, report.table_revisits) == (0, 0)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("players", "rounds", "least", "most"),
    [
        *((8, 6, 44, 3), (8, 7, 56, 3), (12, 6, 42, 3), (12, 8, 78, 3), (12, 11, 132, 3)),
        *((16, 6, 24, 2), (16, 8, 72, 2), (16, 10, 120, 2), (20, 7, 20, 2), (20, 8, 50, 2)),
        *((20, 10, 110, 2), (24, 9, 48, 2), (24, 11, 120, 2), (28, 10, 42, 2), (32, 11, 32, 2)),
        *((32, 12, 80, 2), (40, 14, 60, 2)),
    ],
)
def test_forced_repeats_come_to_the_bound(players: int, rounds: int, least: int, most: int) -> None:
    report = seat(players, rounds, seconds=60).report
    found = (report.repeated_meetings, report.least_possible, report.most_meetings)
    assert found == (least, least, most)


@pytest.mark.parametrize(
    ("players", "rounds", "known", "most"), [(12, 4, 15, 3), (20, 6, 6, 2), (24, 8, 18, 2)]
)
def test_where_the_bound_is_not_reached_the_best_known_is(
    players: int, rounds: int, known: int, most: int
) -> None:
    report = seat(players, rounds).report
    assert (report.repeated_meetings, report.most_meetings) == (known, most)


@pytest.mark.parametrize("order", [5, 7, 8, 9, 16, 25, 27])
def test_a_field_divides_by_everything_but_nothing(order: int) -> None:
    field = field_of(order)
    assert field is not None
    every = list(range(order))
    for element in every[1:]:
        assert sorted(field.multiply(element, other) for other in every) == every
        assert sorted(field.add(element, other) for other in every) == every


@pytest.mark.parametrize("order", [1, 6, 10, 12, 100])
def test_there_is_no_field_of_an_order_that_is_no_power_of_a_prime(order: int) -> None:
    assert field_of(order) is None


def test_a_perfect_plan_ends_where_one_more_round_must_repeat() -> None:
    assert [len(perfect_rounds(players, 50)) for players in (8, 16, 20, 40)] == [0, 5, 5, 13]


def test_a_perfect_plan_is_cast_so_that_team_mates_never_meet() -> None:
    teams = {f"P{number}": str(number % 10) for number in range(1, 41)}
    made = seat(40, 8, teams=teams, seconds=60)
    assert (made.report.team_meetings, repeats(made.rounds)) == (0, 0)
