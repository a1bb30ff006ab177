"""A whole season is remembered: threes, fives and sitting out in turn, company spread evenly."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import Request, plan
from clubs.seating.history import PastEvening, meeting_weights, turns_due, turns_taken
from tests.clubs.seating.recount import numbered_names

CLUB_NIGHT = (4, 5, 3)


def evening(
    past_evenings: list[PastEvening], players: tuple[str, ...], **options: Any
) -> PastEvening:
    request_options = {"seconds": 1, "table_sizes": CLUB_NIGHT, **options}
    pair_weights, turns = meeting_weights(past_evenings, players), turns_due(past_evenings, players)
    round_ = plan(
        Request(
            players,
            1,
            seed=len(past_evenings),
            past_meetings=pair_weights,
            turns=turns,
            **request_options,
        )
    ).rounds[0]
    return PastEvening(tuple(table.names for table in round_.tables), round_.sitting_out)


def names_at_size(size: int, request: Request) -> set[str]:
    """Who sits at the tables of that size."""
    tables = plan(request).rounds[0].tables
    return {name for table in tables if len(table.seats) == size for name in table.names}


def season(players: tuple[str, ...], evenings: int, **options: Any) -> list[PastEvening]:
    past_evenings: list[PastEvening] = []
    for _ in range(evenings):
        past_evenings.append(evening(past_evenings, players, **options))
    return past_evenings


def spread(past_evenings: list[PastEvening], size: int, names: tuple[str, ...]) -> int:
    turns = turns_taken(past_evenings)[size]
    times = [turns[name] for name in names]
    return max(times) - min(times)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(6, 30), st.integers(2, 9), st.sampled_from([CLUB_NIGHT, (4, 3), (4,)]))
def test_turns_differ_by_at_most_one_among_those_who_always_come(
    players: int, evenings: int, sizes: tuple[int, ...]
) -> None:
    names = numbered_names(players)
    past_evenings = season(names, evenings, table_sizes=sizes)
    assert max(spread(past_evenings, size, names) for size in (3, 5, 0)) <= 1


@pytest.mark.sampled(law="long plays")
@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.data())
def test_whoever_sat_at_threes_most_is_last_to_do_it_again(data: st.DataObject) -> None:
    names = numbered_names(data.draw(st.sampled_from([7, 11, 14, 15, 18, 19, 22])))
    times = data.draw(st.lists(st.integers(0, 6), min_size=len(names), max_size=len(names)))
    request = Request(names, 1, table_sizes=(4, 3), turns={3: dict(zip(names, times, strict=True))})
    seated_turns = sorted(request.turns[3][name] for name in names_at_size(3, request))
    assert seated_turns == sorted(times)[: len(seated_turns)] != []


@pytest.mark.sampled(days=3)
@pytest.mark.parametrize(("players", "evenings"), [(9, 24), (11, 12), (16, 10), (23, 8)])
def test_nobody_is_met_much_more_often_than_their_share(players: int, evenings: int) -> None:
    tables = [
        table for night in season(numbered_names(players), evenings) for table in night.tables
    ]
    meeting_counts = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    share = meeting_counts.total() / (players * (players - 1) / 2)
    assert max(meeting_counts.values()) < share + 3


def test_turns_at_threes_are_not_turns_at_fives() -> None:
    names = numbered_names(12)
    turns = {3: dict.fromkeys(names[:9], 2), 5: dict.fromkeys(names[5:], 2)}
    request = Request(names, 1, table_sizes=CLUB_NIGHT, split=(4, 5, 3), turns=turns)
    assert (names_at_size(3, request), names_at_size(5, request)) == (
        set(names[9:]),
        set(names[:5]),
    )


def test_a_wish_comes_before_a_turn() -> None:
    names = numbered_names(7)
    request = Request(names, 1, table_sizes=(4, 3), turns={3: dict.fromkeys(names[3:], 8)})
    assert names_at_size(3, request) == {"P1", "P2", "P3"}
    together, apart_pairs = (("P1", "P2"), ("P2", "P3")), (("P1", "P4"),)
    seating_plan = plan(replace(request, together=together, apart=apart_pairs))
    assert seating_plan.report.broken == ()


def test_who_sat_out_most_this_season_sits_now() -> None:
    names = numbered_names(6)
    sitting_out = (
        plan(Request(names, 1, turns={0: dict.fromkeys(names[:4], 1)})).rounds[0].sitting_out
    )
    assert set(sitting_out) == set(names[4:])


def test_somebody_new_begins_level_with_the_fewest_turns() -> None:
    old = ("Ann", "Ben", "Cy")
    past_evenings = [PastEvening((old,)), PastEvening((old,))]
    assert turns_due(past_evenings, (*old, "New"))[3] == dict.fromkeys((*old, "New"), 0)
    past_evenings.append(PastEvening((("Ann", "Ben", "New"), ("Cy", "Di", "Ed", "Flo"))))
    present_names = ("Ann", "Cy", "New", "Di")
    level = dict.fromkeys(present_names, 0)
    assert turns_due(past_evenings, present_names) == {
        3: level | {"Ann": 1, "New": 1},
        5: level,
        0: level,
    }


def test_who_was_here_without_a_seat_has_sat_out() -> None:
    past_evenings = [PastEvening((("Ann", "Ben", "Cy", "Di"),), ("Ed",))]
    assert turns_taken(past_evenings)[0] == {"Ed": 1}
    assert turns_due(past_evenings, ("Ann", "Ed"))[0] == {"Ann": 0, "Ed": 1}


def test_what_all_pairs_have_in_common_decides_nothing() -> None:
    four = ("Ann", "Ben", "Cy", "Di")
    assert meeting_weights([PastEvening((four,))] * 5, four) == {}
    fifth = meeting_weights([PastEvening((four,))], (*four, "Ed"))
    assert set(fifth.values()) == {18}
    assert all("Ed" not in pair for pair in fifth)
    past_evenings = [PastEvening((four,)), *[PastEvening((("Ann", "Ed", "Flo", "Gus"),))] * 4]
    assert meeting_weights(past_evenings, (*four, "Ed"))[frozenset(("Ann", "Ben"))] == 6


def test_the_same_people_under_other_names_have_the_same_turns() -> None:
    names = numbered_names(7)
    request = Request(names, 1, table_sizes=(4, 3), turns={3: {"P1": 1, "P2": 2}})
    new_names = {name: name.lower() for name in names}
    first, second = plan(request), plan(request.with_new_names(new_names))
    renamed_tables = [
        [[new_names[name] for name in t.names] for t in round_.tables] for round_ in first.rounds
    ]
    assert renamed_tables == [[list(t.names) for t in round_.tables] for round_ in second.rounds]


@pytest.mark.parametrize("players", [38, 39, 40, 41])
def test_forty_are_seated_within_the_looks_they_have(players: int) -> None:
    names = numbered_names(players)
    past_evenings = season(names, 3)
    pair_weights, turns = meeting_weights(past_evenings, names), turns_due(past_evenings, names)
    request = Request(
        names, 1, seconds=2, table_sizes=CLUB_NIGHT, past_meetings=pair_weights, turns=turns
    )
    assert not plan(request).report.cut_short
