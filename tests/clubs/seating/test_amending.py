"""Whoever comes late or leaves moves as few as can be, and hardly anybody meets twice for it."""

from collections import Counter

import pytest

from clubs.seating import Request, Round
from clubs.seating.amending import amend_rounds
from tests.clubs.seating.recount import numbered_names, places, repeats, seat

LATE = "Late"


def event_with_a_change(
    players: int, rounds: int, played_count: int, *, comes: bool
) -> tuple[Request, tuple[Round, ...]]:
    """The request for the rounds that wait once one comes or leaves, and those rounds as seated."""
    event, names = seat(players, rounds, seed=1).rounds, numbered_names(players)
    waiting = range(played_count + 1, rounds + 1)
    request = Request(
        players=(*names, LATE) if comes else names,
        rounds=rounds - played_count,
        seed=1,
        played=event[:played_count],
        absent=dict.fromkeys(waiting, () if comes else names[4:5]),
    )
    return request, event[played_count:]


def seats(round_: Round) -> set[tuple[int, str, str]]:
    return {
        (table.number, wind, name) for table in round_.tables for wind, name in table.seats.items()
    }


@pytest.mark.parametrize(
    ("players", "rounds", "played_count", "comes", "move_count"),
    [
        *((28, 7, 1, True, 6), (28, 7, 2, True, 5), (28, 7, 3, True, 4)),
        *((28, 7, 2, False, 0), (28, 7, 3, False, 0), (16, 5, 2, False, 0), (20, 5, 2, False, 0)),
        *((24, 6, 2, False, 0), (24, 6, 2, True, 4), (40, 8, 2, False, 0)),
        *((64, 8, 2, True, 6), (100, 8, 3, True, 5)),
    ],
)
def test_nobody_meets_twice_and_hardly_anybody_moves(
    players: int, rounds: int, played_count: int, *, comes: bool, move_count: int
) -> None:
    request, waiting = event_with_a_change(players, rounds, played_count, comes=comes)
    amended_plan = amend_rounds(request, waiting)
    assert amended_plan is not None
    assert repeats(amended_plan.rounds) == 0
    pairs = zip(waiting, amended_plan.new_rounds, strict=True)
    assert sum(len(seats(new) - seats(old)) for old, new in pairs) == move_count
    for number, round_ in enumerate(amended_plan.new_rounds, start=played_count + 1):
        assert places(round_) == sorted(request.roster(number))
    assert amended_plan.rounds == amend_rounds(request, waiting).rounds  # type: ignore[union-attr]


@pytest.mark.parametrize(("players", "played_count"), [(28, 1), (24, 1), (17, 2), (18, 3)])
def test_whoever_comes_late_rests_last_of_all(players: int, played_count: int) -> None:
    request, waiting = event_with_a_change(players, played_count + 3, played_count, comes=True)
    amended_plan = amend_rounds(request, waiting)
    assert amended_plan is not None
    turns: Counter[str] = Counter()
    for round_ in amended_plan.rounds:
        turns.update(round_.sitting_out)
    assert turns[LATE] == 0
    assert max(turns.values()) == 1


@pytest.mark.parametrize("seed", [2, 3, 5, 8])
def test_whatever_the_seed_a_late_arrival_moves_only_those_who_rest(seed: int) -> None:
    event, names = seat(28, 7, seed=seed).rounds, numbered_names(28)
    waiting = event[1:]
    request = Request(players=(*names, LATE), rounds=6, seed=seed, played=event[:1])
    amended_plan = amend_rounds(request, waiting)
    assert amended_plan is not None
    assert repeats(amended_plan.rounds) == 0
    pairs = zip(waiting, amended_plan.new_rounds, strict=True)
    assert sum(len(seats(new) - seats(old)) for old, new in pairs) == 6


@pytest.mark.parametrize(("played_count", "comes", "move_count"), [(1, True, 6), (2, False, 0)])
def test_in_teams_of_four_hardly_anybody_moves_either(
    played_count: int, *, comes: bool, move_count: int
) -> None:
    names = numbered_names(28)
    teams = {name: f"Team {index % 7}" for index, name in enumerate(names)}
    apart_pairs = (("P1", "P6"),)
    event = seat(28, 7, seed=1, teams=teams, apart=apart_pairs).rounds
    request = Request(
        players=(*names, LATE) if comes else names,
        rounds=7 - played_count,
        seed=1,
        played=event[:played_count],
        absent=dict.fromkeys(range(played_count + 1, 8), () if comes else names[4:5]),
        teams=teams,
        apart=apart_pairs,
    )
    amended_plan = amend_rounds(request, event[played_count:])
    assert amended_plan is not None
    assert (
        amended_plan.report.team_meetings,
        amended_plan.report.broken,
        repeats(amended_plan.rounds),
    ) == (0, (), 0)
    pairs = zip(event[played_count:], amended_plan.new_rounds, strict=True)
    assert sum(len(seats(new) - seats(old)) for old, new in pairs) == move_count
