"""Where some sit at tables of three: as few repeats as anybody knows, and fair turns."""

import json
from collections import Counter
from itertools import combinations
from time import process_time

import pytest

from clubs.seating import Plan
from clubs.seating.request import table_sizes_for
from clubs.seating.sitting_out import PLAYER_LETTERS
from clubs.seating.threes import CATALOGUE
from tests.clubs.seating.recount import numbered_names, places, repeats, seat

# Players, rounds, the fewest repeats known, and by how much turns at a table of three then differ.
# Thirteen over four rounds: every plan without a repeat has one player at a table of three three
# times more often than another, as trying all ways to fill the tables shows.
KNOWN = [
    *((13, 3, 0, 2), (13, 4, 0, 3), (13, 5, 4, 2), (13, 6, 12, 2), (13, 7, 27, 1)),
    *((14, 4, 0, 2), (14, 7, 35, 0), (15, 4, 0, 1)),
    *((17, 2, 0, 2), (17, 3, 0, 1), (17, 4, 0, 1), (17, 5, 0, 1), (17, 6, 3, 1), (17, 7, 13, 2)),
    *((18, 4, 0, 1), (18, 5, 0, 1), (18, 6, 3, 2), (18, 7, 17, 2), (19, 4, 0, 1)),
    *((21, 5, 0, 1), (21, 6, 0, 1), (21, 7, 0, 0), (22, 5, 0, 1), (22, 6, 0, 2), (23, 6, 0, 1)),
    *((25, 5, 0, 1), (25, 6, 0, 1), (25, 7, 0, 1), (26, 6, 0, 1), (27, 6, 0, 1)),
]
SIZES = (4, 3)
SLOWEST = 3.0  # seconds of the processor


def stored_plans() -> dict[str, list[str]]:
    plans: dict[str, list[str]] = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return plans


def turns_at_threes(seating_plan: Plan) -> Counter[str]:
    turns = Counter(dict.fromkeys(places(seating_plan.rounds[0]), 0))
    for round_ in seating_plan.rounds:
        for table in round_.tables:
            if len(table.seats) == 3:
                turns.update(table.names)
    return turns


@pytest.mark.sampled(days=3)
@pytest.mark.parametrize(("players", "rounds", "known_repeats", "turn_gap"), KNOWN)
def test_as_few_meet_again_as_is_known_and_turns_are_even(
    players: int, rounds: int, known_repeats: int, turn_gap: int
) -> None:
    start = process_time()
    seating_plan = seat(players, rounds, seed=players, table_sizes=SIZES)
    assert process_time() - start <= SLOWEST
    assert repeats(seating_plan.rounds) == seating_plan.report.repeated_meetings <= known_repeats
    turns = turns_at_threes(seating_plan).values()
    assert max(turns) - min(turns) <= turn_gap
    assert seating_plan.report.wind_imbalance == 0
    for round_ in seating_plan.rounds:
        assert places(round_) == sorted(numbered_names(players))


@pytest.mark.parametrize("name", stored_plans())
def test_a_stored_plan_is_whole_and_as_good_as_any_that_is_known(name: str) -> None:
    players, rounds = map(int, name.split("x"))
    letter_rows = stored_plans()[name]
    assert len(letter_rows) == rounds
    meeting_counts: Counter[tuple[str, str]] = Counter()
    turns = Counter(dict.fromkeys(PLAYER_LETTERS[:players], 0))
    for word in letter_rows:
        assert sorted(map(PLAYER_LETTERS.index, word)) == list(range(players))
        start = 0
        for size in table_sizes_for(players, SIZES):
            table = word[start : start + size]
            meeting_counts.update(combinations(sorted(table), 2))
            turns.update(table if size == 3 else "")
            start += size
    [(known_repeats, turn_gap)] = [row[2:] for row in KNOWN if row[:2] == (players, rounds)]
    assert meeting_counts.total() - len(meeting_counts) == known_repeats
    assert max(turns.values()) - min(turns.values()) <= turn_gap


def test_who_has_which_place_of_such_a_plan_is_drawn_by_the_seed() -> None:
    first, same_rounds, other_rounds = (
        seat(17, 4, seed=seed, table_sizes=SIZES).rounds for seed in (1, 1, 2)
    )
    assert first == same_rounds
    assert first != other_rounds


def test_team_mates_stay_apart_at_tables_of_three_too() -> None:
    teams = {f"P{number}": f"T{number % 5}" for number in range(1, 18)}
    report = seat(17, 4, teams=teams, table_sizes=SIZES).report
    assert report.team_meetings == 0
