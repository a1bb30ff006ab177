"""Numbers that four does not divide: who sits out does so once, and nobody meets twice."""

from collections import Counter

import pytest

from clubs.seating import Request, plan
from clubs.seating.constructions import resting_rounds
from tests.clubs.seating.recount import numbered, repeats, seat

THREE_SIT_OUT = [(15, 5), (19, 5), (23, 7), (27, 9), (31, 10), (35, 10), (43, 14), (63, 12)]
ONE_SITS_OUT = [(21, 5), (25, 7), (29, 9), (33, 10), (37, 11), (45, 12)]
TWO_SIT_OUT = [(22, 5), (26, 7), (30, 9), (34, 10), (38, 11), (98, 8)]


@pytest.mark.sampled
@pytest.mark.parametrize(("players", "rounds"), [*THREE_SIT_OUT, *ONE_SITS_OUT, *TWO_SIT_OUT])
def test_nobody_meets_twice_or_sits_out_twice(players: int, rounds: int) -> None:
    made = seat(players, rounds)
    turns = Counter(name for one in made.rounds for name in one.sitting_out)
    assert (repeats(made.rounds), made.report.repeated_meetings) == (0, 0)
    assert (max(turns.values()), turns.total()) == (1, players % 4 * rounds)
    assert made.report.wind_imbalance == 0


@pytest.mark.sampled(days=2)
@pytest.mark.parametrize(("players", "rounds", "known"), [(19, 6, 3), (23, 8, 10), (27, 10, 19)])
def test_rounds_beyond_the_plan_add_few_repeats(players: int, rounds: int, known: int) -> None:
    assert repeats(seat(players, rounds).rounds) <= known


@pytest.mark.parametrize(("players", "first", "more"), [(15, 2, 3), (23, 3, 4), (26, 3, 4)])
def test_a_plan_with_turns_at_sitting_out_is_carried_on(
    players: int, first: int, more: int
) -> None:
    begun = seat(players, first + more, seed=3).rounds[:first]
    whole = seat(players, more, seed=3, played=begun)
    turns = Counter(name for one in whole.rounds for name in one.sitting_out)
    assert (repeats(whole.rounds), max(turns.values())) == (0, 1)


def test_whoever_is_to_be_apart_is_so_where_players_sit_out() -> None:
    teams = {f"P{number}": f"T{number % 5}" for number in range(1, 16)}
    made = plan(Request(numbered(15), 4, teams=teams, apart=(("P1", "P2"),)))
    assert (made.report.repeated_meetings, made.report.team_meetings) == (0, 0)
    assert made.report.broken == ()


def test_whoever_comes_later_sits_out_no_sooner_than_others() -> None:
    away = dict.fromkeys(range(1, 3), ("P15",))
    made = plan(Request(numbered(15), 5, absent=away))
    turns = Counter(name for one in made.rounds for name in one.sitting_out)
    assert max(turns.values()) <= 1


@pytest.mark.parametrize("players", [9, 13, 17, 18, 22, 23, 54])
def test_a_plan_seats_everybody_once_a_round(players: int) -> None:
    for rest in resting_rounds(players, 12):
        seated = [place for table in rest.tables for place in table]
        assert sorted([*seated, *rest.out]) == list(range(players))
