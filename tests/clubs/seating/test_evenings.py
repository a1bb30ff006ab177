"""A club night: one round after another, last week's companions, sitting out in turn."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from time import process_time

import pytest

from clubs.seating import Plan, Request, Round, plan
from tests.clubs.seating.recount import companies, numbered, seats_held


def evening(players: int, met: Counter[frozenset[str]] | None = None, seed: int = 0) -> Plan:
    request = Request(
        players=numbered(players), rounds=1, table_sizes=(4, 5, 3), met=met or {}, seed=seed
    )
    return plan(request)


def remembered(rounds: tuple[Round, ...]) -> Counter[frozenset[str]]:
    pairs = (frozenset(p) for one in rounds for c in companies(one) for p in combinations(c, 2))
    return Counter(pairs)


@pytest.mark.parametrize("players", [16, 21, 24, 30])
def test_nobody_sits_with_last_weeks_companions(players: int) -> None:
    last_week = remembered(evening(players).rounds)
    tonight = remembered(evening(players, last_week, seed=1).rounds)
    assert tonight & last_week == Counter()


@pytest.mark.parametrize("players", [3, 5, 6, 7, 13, 20, 29, 50, 100])
def test_an_evening_is_seated_while_they_hang_up_their_coats(players: int) -> None:
    met: Counter[frozenset[str]] = Counter()
    for week in range(4):
        met += remembered(evening(players, met, seed=week).rounds)
    began = process_time()
    made = evening(players, met, seed=4)
    assert process_time() - began < 1
    assert (made.report.cut_short, made.rounds[0].sitting_out) == (False, ())


@pytest.mark.parametrize(("players", "rounds"), [(13, 13), (14, 7), (15, 5), (6, 6), (5, 10)])
def test_they_sit_out_in_turn(players: int, rounds: int) -> None:
    made = plan(Request(players=numbered(players), rounds=rounds, seconds=0.2))
    turns: Counter[str] = Counter(dict.fromkeys(numbered(players), 0))
    for one in made.rounds:
        assert len(one.sitting_out) == players % 4
        turns.update(one.sitting_out)
        assert max(turns.values()) - min(turns.values()) <= 1


def test_who_sat_out_already_sits_now() -> None:
    first = plan(Request(players=numbered(7), rounds=1))
    second = plan(Request(players=numbered(7), rounds=1, played=first.rounds))
    out = [set(one.sitting_out) for one in second.rounds]
    assert (len(out[0]), len(out[1]), out[0] & out[1]) == (3, 3, set())


@pytest.mark.parametrize(("players", "sizes"), [(8, (4,)), (16, (4,)), (24, (4,)), (15, (5,))])
def test_rounds_played_count_for_winds(players: int, sizes: tuple[int, ...]) -> None:
    wish = Request(numbered(players), rounds=len(sizes) * 4, table_sizes=sizes, seconds=0.1)
    afternoon = plan(replace(wish, played=plan(wish).rounds))
    turns = [Counter(held) for held in seats_held(afternoon.rounds).values()]
    assert afternoon.report.wind_imbalance == 0
    assert all(max(turn.values()) <= 2 for turn in turns)


def test_rounds_played_count_for_tables() -> None:
    names = numbered(32)
    first = plan(Request(players=names, rounds=1))
    both = plan(Request(players=names, rounds=1, played=first.rounds))
    assert both.report.table_revisits == 0
