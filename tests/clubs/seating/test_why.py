"""Why this seating: the counts of every player, and the sentences beside them."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import Plan, PlannedTable, Request, Round, explain_plan, plan, plan_by_standing
from tests.clubs.seating.recount import meetings, numbered_names, seat, seats_held, tables_of


def lines(players: int, rounds: int, **wishes: object) -> tuple[str, ...]:
    return sentences(seat(players, rounds, **wishes), numbered_names(players))


def sentences(seating_plan: Plan, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(line.sentence for line in explain_plan(seating_plan, names).remarks)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(6, 60), st.integers(1, 6), st.sampled_from([(4,), (4, 3), (4, 5, 3)]))
def test_the_detail_says_of_everybody_what_the_rounds_say(
    players: int, rounds: int, sizes: tuple[int, ...]
) -> None:
    names = numbered_names(players)
    seating_plan = plan(Request(names, rounds, table_sizes=sizes, seconds=0.05))
    explanation, meeting_counts = explain_plan(seating_plan, names), meetings(seating_plan.rounds)
    seats_by_name = seats_held(seating_plan.rounds)
    for row, player in enumerate(explanation.players):
        seats = seats_by_name.get(player.name, [])
        assert player.winds == tuple(seats.count(seat) for seat in ("E", "S", "W", "N", "fifth"))
        assert [table for table in player.tables if table] == tables_of(
            seating_plan.rounds, player.name
        )
        rounds_sat_out = [
            n
            for n, round_ in enumerate(seating_plan.rounds, 1)
            if player.name in round_.sitting_out
        ]
        assert list(player.sits_out) == rounds_sat_out
        assert len(rounds_sat_out) + len(seats) == rounds
        for column, other_name in enumerate(names):
            pair = (min(player.name, other_name), max(player.name, other_name))
            assert explanation.meetings[row][column] == meeting_counts[pair]
    assert seating_plan.report.repeated_meetings >= explanation.least_possible


def test_a_perfect_plan_has_nothing_to_excuse() -> None:
    assert lines(20, 5) == (
        "No one meets anyone twice.",
        "Everyone starts in each wind equally often, as far as the number of rounds allows.",
        "No one returns to a table.",
    )


@pytest.mark.parametrize(
    ("players", "rounds", "meeting_count", "how_near", "most"),
    [
        (16, 6, 24, ", as few as there can be", "twice"),
        (12, 4, 15, "; unavoidable: 6", "3 times"),
        (20, 6, 6, "; unavoidable: none", "twice"),
    ],
)
def test_how_far_from_the_bound_is_said(
    players: int, rounds: int, meeting_count: int, how_near: str, most: str
) -> None:
    line = lines(players, rounds)[0]
    start = f"{meeting_count} meetings are with someone met before"
    assert line == f"{start}{how_near}; no two meet more than {most}."


def test_nobody_is_north_at_a_table_of_three() -> None:
    start = "Everyone starts in each wind equally often, as far as possible: "
    assert lines(7, 4, table_sizes=(4, 3))[1] == (f"{start}no one is North at a table of three.")


@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "message"),
    [
        (5, 5, (4,), "Everyone sits out once."),
        (6, 4, (4,), "Everyone sits out once or twice."),
        (13, 4, (4,), "No one sits out more than once."),
        (5, 5, (5,), "At tables of five a fifth player starts without a seat, 5 times in all."),
    ],
)
def test_turns_without_a_seat_are_said(
    players: int, rounds: int, sizes: tuple[int, ...], message: str
) -> None:
    assert message in lines(players, rounds, table_sizes=sizes)


def test_what_a_final_traded_stands_among_the_lines() -> None:
    names = ("Ann", "Ben", "Cy", "Di")
    round_before = Round((PlannedTable(1, dict(zip("ESWN", names, strict=True))),))
    plan_lines = sentences(plan_by_standing(names, (round_before,), bands=(1,)), names)
    assert "Ann and Ben meet again; they met in round 1." in plan_lines


def test_a_wish_that_is_not_kept_is_among_the_lines() -> None:
    plan_lines = lines(4, 1, apart=(("P1", "P2"),), teams={"P3": "Bath", "P4": "Bath"})
    assert plan_lines[-2:] == (
        "Teammates meet once.",
        "P1 and P2 are to be kept apart, but meet in round 1.",
    )


def test_a_search_that_was_cut_is_among_the_lines() -> None:
    assert lines(12, 5, seconds=0)[-1] == (
        "The search reached its time limit. A longer search might find a better seating."
    )
