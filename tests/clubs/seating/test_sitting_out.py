"""Where some sit out in turn: as few repeats as anybody knows, and fair turns."""

import json
from collections import Counter
from itertools import combinations
from time import process_time

import pytest

from clubs.seating import Plan
from clubs.seating.sitting_out import CATALOGUE, PLAYER_LETTERS
from tests.clubs.seating.recount import meetings, numbered_names, places, repeats, seat

# Players, rounds, and the fewest repeats known: those of the stored plans.
KNOWN = [
    *((7, 3, 2), (7, 4, 5), (7, 5, 9), (7, 6, 15), (9, 4, 15), (9, 5, 24), (10, 5, 16)),
    *((11, 7, 29), (12, 5, 24), (13, 6, 30), (13, 7, 48), (14, 5, 11), (14, 6, 19)),
    *((14, 7, 35), (14, 8, 53), (14, 11, 107), (15, 6, 9), (15, 7, 21), (15, 8, 39)),
    *((15, 10, 75), (17, 5, 1), (17, 6, 14), (17, 7, 32), (17, 9, 80), (17, 10, 104)),
    *((17, 11, 128), (18, 5, 0), (18, 6, 5), (18, 7, 17), (18, 8, 39), (18, 9, 63)),
    *((18, 10, 87), (18, 11, 111), (19, 6, 1), (19, 7, 6), (19, 8, 21), (19, 9, 45)),
    *((19, 10, 69), (19, 11, 93), (19, 12, 117), (20, 11, 140), (21, 6, 1), (21, 7, 13)),
    *((21, 8, 32), (21, 9, 60), (21, 10, 90), (21, 11, 120), (22, 7, 7), (22, 8, 20)),
    *((22, 9, 40), (22, 10, 69), (22, 11, 99), (22, 12, 129), (23, 8, 7), (23, 9, 22)),
    *((23, 10, 47), (23, 11, 77), (23, 12, 107), (25, 9, 30), (25, 10, 60), (25, 11, 96)),
    *((25, 12, 132), (26, 8, 4), (26, 9, 17), (26, 10, 35), (26, 11, 71), (26, 12, 107)),
    *((27, 11, 46), (27, 12, 81)),
]
SLOWEST = 3.0  # seconds of the processor


def stored_plans() -> dict[str, list[str]]:
    plans: dict[str, list[str]] = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return plans


def turns_after_each_round(seating_plan: Plan) -> list[Counter[str]]:
    """How often each has sat out by the end of every round."""
    turns = Counter(dict.fromkeys(places(seating_plan.rounds[0]), 0))
    counts = []
    for round_ in seating_plan.rounds:
        turns.update(round_.sitting_out)
        counts.append(Counter(turns))
    return counts


@pytest.mark.sampled(days=3)
@pytest.mark.parametrize(("players", "rounds", "known_repeats"), KNOWN)
def test_as_few_meet_again_as_is_known_to_be_possible(
    players: int, rounds: int, known_repeats: int
) -> None:
    start = process_time()
    seating_plan = seat(players, rounds, seed=players)
    assert process_time() - start <= SLOWEST
    assert repeats(seating_plan.rounds) == seating_plan.report.repeated_meetings <= known_repeats
    assert max(meetings(seating_plan.rounds).values()) <= 3
    assert seating_plan.report.wind_imbalance == 0
    for number, turns in enumerate(turns_after_each_round(seating_plan), start=1):
        assert turns.total() == number * (players % 4)
        assert max(turns.values()) - min(turns.values()) <= 1
    for round_ in seating_plan.rounds:
        assert places(round_) == sorted(numbered_names(players))


@pytest.mark.parametrize("name", stored_plans())
def test_a_stored_plan_is_whole(name: str) -> None:
    players, rounds = map(int, name.split("x"))
    letter_rows = stored_plans()[name]
    assert len(letter_rows) == rounds
    for word in letter_rows:
        assert sorted(map(PLAYER_LETTERS.index, word)) == list(range(players))
    turns = Counter(dict.fromkeys(PLAYER_LETTERS[:players], 0))
    for word in letter_rows:
        turns.update(word[players - players % 4 :])
        assert max(turns.values()) - min(turns.values()) <= 1


@pytest.mark.parametrize("name", stored_plans())
def test_a_stored_plan_is_as_good_as_any_that_is_known(name: str) -> None:
    known_repeats = {f"{players}x{rounds}": repeats for players, rounds, repeats in KNOWN}
    players = int(name.split("x", maxsplit=1)[0])
    seats = players - players % 4
    meeting_counts = Counter(
        pair
        for word in stored_plans()[name]
        for start in range(0, seats, 4)
        for pair in combinations(sorted(word[start : start + 4]), 2)
    )
    assert meeting_counts.total() - len(meeting_counts) <= known_repeats[name]


def test_who_has_which_place_of_a_stored_plan_is_drawn_by_the_seed() -> None:
    first, same_rounds, other_rounds = (seat(18, 5, seed=seed).rounds for seed in (1, 1, 2))
    assert first == same_rounds
    assert first != other_rounds


def test_team_mates_stay_apart_in_a_stored_plan() -> None:
    teams = {f"P{number}": f"T{number % 5}" for number in range(1, 18)}
    report = seat(18, 5, teams=teams, apart=(("P1", "P2"),)).report
    assert (report.team_meetings, report.broken) == (0, ())


@pytest.mark.parametrize(
    ("players", "rounds", "most"),
    [
        (14, 4, 2),
        (17, 4, 2),
        (17, 8, 2),
        (18, 8, 2),
        (21, 6, 1),
        (22, 9, 2),
        (26, 6, 2),
        (30, 8, 2),
    ],
)
def test_turns_at_tables_of_three_are_even(players: int, rounds: int, most: int) -> None:
    seating_plan = seat(players, rounds, table_sizes=(4, 3))
    turns = Counter(dict.fromkeys(numbered_names(players), 0))
    for round_ in seating_plan.rounds:
        for table in round_.tables:
            if len(table.seats) == 3:
                turns.update(table.names)
    assert max(turns.values()) - min(turns.values()) <= 2
    assert seating_plan.report.wind_imbalance == 0
