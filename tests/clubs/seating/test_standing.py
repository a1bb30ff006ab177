"""A round by standing: top with top, in bands or as a final, with few who meet again."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import BadRequest, Plan, PlannedTable, Round, plan, plan_by_standing
from clubs.seating.request import Request
from clubs.seating.why import wind_imbalance, winds_of
from tests.clubs.seating.recount import (
    companies,
    meetings,
    numbered_names,
    places,
    repeats,
    tables_of,
)


def play_rounds(players: int, rounds: int, seed: int = 0) -> tuple[Round, ...]:
    return plan(Request(numbered_names(players), rounds, seed=seed, seconds=0.1)).rounds


def last(seating_plan: Plan) -> Round:
    return seating_plan.rounds[-1]


def seated_fours(seating_plan: Plan) -> list[set[str]]:
    return [set(table.names) for table in last(seating_plan).tables]


def fours_of(players: Sequence[str]) -> Iterator[list[set[str]]]:
    """Every way to seat these players at tables of four."""
    if not players:
        yield []
        return
    first, *other_players = players
    for mates in combinations(other_players, 3):
        for other_fours in fours_of([name for name in other_players if name not in mates]):
            yield [{first, *mates}, *other_fours]


def meeting_again(fours: Sequence[set[str]], meeting_counts: Counter[tuple[str, ...]]) -> int:
    return sum(meeting_counts[pair] for four in fours for pair in combinations(sorted(four), 2))


def fewest_again(players: Sequence[str], meeting_counts: Counter[tuple[str, ...]]) -> int:
    return min(meeting_again(fours, meeting_counts) for fours in fours_of(players))


def test_in_the_first_round_by_standing_the_top_four_sit_at_table_one() -> None:
    order = numbered_names(16)[::-1]
    fours = seated_fours(plan_by_standing(order, ()))
    assert fours == [set(order[start : start + 4]) for start in range(0, 16, 4)]


@pytest.mark.parametrize("players", [16, 17, 18, 19])
def test_a_final_seats_the_first_four_at_table_one_whoever_met(players: int) -> None:
    rounds_before = play_rounds(players, 5)
    order = tuple(reversed(numbered_names(players)))
    seating_plan = plan_by_standing(order, rounds_before, bands=(1,))
    in_order = [name for name in order if name not in last(seating_plan).sitting_out]
    assert seated_fours(seating_plan) == [
        set(in_order[start : start + 4]) for start in range(0, 16, 4)
    ]
    assert in_order[:4] == list(order[:4])


@pytest.mark.parametrize(("players", "rounds"), [(18, 4), (21, 6), (19, 3)])
def test_nobody_rests_twice_in_a_final_before_all_below_the_first_four_have(
    players: int, rounds: int
) -> None:
    rounds_before = play_rounds(players, rounds)
    turns = Counter(name for round_ in rounds_before for name in round_.sitting_out)
    # Those who rested stand lowest, so the standings alone would rest them again.
    order = tuple(sorted(numbered_names(players), key=lambda name: turns[name]))
    sitting_out = last(plan_by_standing(order, rounds_before, bands=(1,))).sitting_out
    assert sitting_out
    assert not set(sitting_out) & set(order[:4])
    fewest = sorted(turns[name] for name in order[4:])[: len(sitting_out)]
    assert sorted(turns[name] for name in sitting_out) == fewest


def test_below_a_final_table_the_others_meet_few_again() -> None:
    rounds_before, order = play_rounds(16, 4), numbered_names(16)
    seating_plan = plan_by_standing(order, rounds_before, bands=(1, 3))
    final, *other_fours = seated_fours(seating_plan)
    assert final == set(order[:4])
    meeting_counts = meetings(rounds_before)
    assert meeting_again(other_fours, meeting_counts) == fewest_again(order[4:], meeting_counts)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.sampled_from([8, 8, 12]), st.integers(0, 4), st.integers(0, 99), st.data())
def test_no_other_tables_would_let_fewer_meet_again(
    players: int, rounds: int, seed: int, data: st.DataObject
) -> None:
    rounds_before = play_rounds(players, rounds, seed)
    order = data.draw(st.permutations(numbered_names(players)))
    seating_plan = plan_by_standing(order, rounds_before)
    meeting_counts = meetings(rounds_before)
    assert meeting_again(seated_fours(seating_plan), meeting_counts) == fewest_again(
        order, meeting_counts
    )


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(8, 60), st.integers(0, 5), st.integers(1, 4), st.integers(0, 99), st.data())
def test_nobody_leaves_their_band(
    players: int, rounds: int, band: int, seed: int, data: st.DataObject
) -> None:
    rounds_before = play_rounds(players, rounds, seed)
    order = data.draw(st.permutations(numbered_names(players)))
    seating_plan = plan_by_standing(order, rounds_before, bands=(band,), seconds=0.2)
    fours = seated_fours(seating_plan)
    seated_names = [name for name in order if name not in last(seating_plan).sitting_out]
    for start in range(0, len(fours), band):
        assert set().union(*fours[start : start + band]) == set(
            seated_names[4 * start : 4 * (start + band)]
        )


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(6, 60), st.integers(0, 5), st.sampled_from([(4,), (4, 3), (4, 5, 3)]), st.data())
def test_a_round_by_standing_gives_everybody_one_place(
    players: int, rounds: int, sizes: tuple[int, ...], data: st.DataObject
) -> None:
    names = numbered_names(players)
    rounds_before = plan(Request(names, rounds, table_sizes=sizes, seconds=0.05)).rounds
    order = data.draw(st.permutations(names))
    seating_plan = plan_by_standing(order, rounds_before, table_sizes=sizes, seconds=0.2)
    assert seating_plan.rounds[:rounds] == rounds_before
    assert places(last(seating_plan)) == sorted(names)
    assert seating_plan.report.repeated_meetings == repeats(seating_plan.rounds)
    best = [min(order.index(name) for name in table.names) for table in last(seating_plan).tables]
    assert best == sorted(best)


@pytest.mark.sampled(law="long plays")
@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(0, 7), st.integers(0, 99), st.data())
def test_no_other_winds_at_a_table_would_be_fairer(
    rounds: int, seed: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(numbered_names(12)))
    rounds_before = tuple(_shuffled_winds(round_, data) for round_ in play_rounds(12, rounds, seed))
    wind_counts = winds_of(rounds_before)
    for table in last(plan_by_standing(order, rounds_before)).tables:
        costs = [
            sum(
                wind_counts[name][wind]
                for wind, name in zip("ESWN", names, strict=True)
                if name in wind_counts
            )
            for names in permutations(table.names)
        ]
        assert costs[0] == min(costs)


def _shuffled_winds(round_: Round, data: st.DataObject) -> Round:
    tables = tuple(
        PlannedTable(
            table.number, dict(zip("ESWN", data.draw(st.permutations(table.names)), strict=True))
        )
        for table in round_.tables
    )
    return Round(tables, round_.sitting_out)


@pytest.mark.sampled(days=2)
@pytest.mark.parametrize("bands", [(), (3,), (1, 2)])
def test_a_whole_swiss_tournament_keeps_its_winds_nearly_even(bands: tuple[int, ...]) -> None:
    names, rounds = numbered_names(24), tuple[Round, ...]()
    for number in range(6):
        order = sorted(names, key=lambda name: standing_of(name, number))
        seating_plan = plan_by_standing(order, rounds, bands=bands, seed=number)
        rounds = seating_plan.rounds
    assert max(wind_imbalance(wind_counts) for wind_counts in winds_of(rounds).values()) <= 1
    assert seating_plan.report.wind_imbalance <= 3


def standing_of(name: str, number: int) -> int:
    """A standing that changes from round to round."""
    return int(name[1:]) * (number * 7 + 5) % 29


def test_who_sits_out_has_not_yet_and_stands_lowest() -> None:
    first = plan_by_standing(numbered_names(10), ())
    assert set(last(first).sitting_out) == {"P9", "P10"}
    second = plan_by_standing(numbered_names(10), first.rounds)
    assert set(last(second).sitting_out) == {"P7", "P8"}


def test_a_couple_is_kept_apart_at_the_top_of_the_table() -> None:
    seating_plan = plan_by_standing(
        numbered_names(16), (), apart=[("P1", "P2")], teams={"P3": "Bath", "P4": "Bath"}
    )
    assert seating_plan.report.broken == ()
    assert not any(
        {"P1", "P2"} <= four or {"P3", "P4"} <= four for four in companies(last(seating_plan))
    )


def test_what_the_standing_gave_up_is_said() -> None:
    rounds_before = play_rounds(8, 1)
    order = [name for table in rounds_before[0].tables for name in table.names]
    seating_plan = plan_by_standing(order, rounds_before)
    trade_lines = seating_plan.report.trades
    assert trade_lines[0] == "With strict seating by standings, 8 pairs more would meet again."
    move_lines = [line for line in trade_lines if ", in place " in line]
    repeat_lines = [line for line in trade_lines if "meet again; they met in round 1." in line]
    assert (len(move_lines), len(repeat_lines)) == (4, 4)
    for line in move_lines:
        table = int(line.split("table ")[1][0])
        assert tables_of(seating_plan.rounds[1:], line.split(",")[0]) == [table]


def test_who_meets_again_in_a_final_is_named_with_the_rounds() -> None:
    four = Round((PlannedTable(1, dict(zip("ESWN", ("Ann", "Ben", "Cy", "Di"), strict=True))),))
    order = ("Di", "Cy", "Ben", "Ann")
    assert plan_by_standing(order, (four, four), bands=(1,)).report.trades == (
        "Everyone is seated by standings: the leaders at table 1, the next at table 2.",
        *(
            f"{player} and {other_player} meet again; they met in rounds 1 and 2."
            for player, other_player in combinations(order, 2)
        ),
    )


def test_who_is_away_is_passed_over() -> None:
    seating_plan = plan_by_standing(numbered_names(9), (), absent=["P1"])
    assert places(last(seating_plan)) == sorted(numbered_names(9)[1:])


@pytest.mark.parametrize(("bands", "size"), [((0,), 0), ((2, -1), -1)])
def test_a_band_has_a_table(bands: tuple[int, ...], size: int) -> None:
    with pytest.raises(BadRequest) as error:
        plan_by_standing(numbered_names(8), (), bands=bands)
    assert str(error.value) == f"A group needs at least 1 table, not {size}."


def test_the_same_standing_is_seated_the_same_way() -> None:
    rounds_before = play_rounds(20, 3)
    first, second = (
        plan_by_standing(numbered_names(20), rounds_before, seed=4).rounds for _ in "12"
    )
    assert first == second
