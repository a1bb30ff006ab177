"""Wishes, kept where they can be or else reported by name; and which tables there can be."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import Request, plan
from clubs.seating.wishes import (
    SeatingWish,
    advise,
    can_meet_all,
    contradiction,
    judge_wishes,
    preferred_sizes,
    select_wishes,
    split_in_words,
    splits_of,
    usual_split,
)
from tests.clubs.seating.recount import meetings, repeats, seat

ANN_NOT_BEN = SeatingWish("apart", "Ann", "Ben")
ANN_WITH_BEN = SeatingWish("together", "Ann", "Ben")
BEN_WITH_CY = SeatingWish("together", "Ben", "Cy")
Pairs = tuple[tuple[str, str], ...]
ZOE = ("Ann", "Ben", "Cy", "Di", "Ed", "Flo", "Gus", "Zoë")
ALL = frozenset({3, 4, 5})
FOURTEEN = "one four and two fives, or two fours and two threes, or one five and three threes"
NOBODY_LEFT_OUT = "that number cannot be seated without leaving someone out"
allowed_sizes = st.sets(st.sampled_from([3, 4, 5]), min_size=1).map(frozenset)


def broken_wishes(**wishes: object) -> list[tuple[str, str]]:
    seating_plan = seat(8, 2, **wishes)
    return [(problem.path, problem.message) for problem in seating_plan.report.broken]


def test_a_couple_is_kept_apart_without_a_repeat() -> None:
    couples = tuple((f"P{n}", f"P{n + 1}") for n in range(1, 16, 2))
    seating_plan = seat(16, 4, apart=couples)
    meeting_counts = meetings(seating_plan.rounds)
    assert [meeting_counts[pair] for pair in couples] == [0] * 8
    assert (repeats(seating_plan.rounds), seating_plan.report.broken) == (0, ())


def test_friends_sit_together_every_round() -> None:
    seating_plan = seat(16, 4, together=(("P1", "P2"), ("P3", "P4")))
    meeting_counts = meetings(seating_plan.rounds)
    assert (meeting_counts["P1", "P2"], meeting_counts["P3", "P4"], seating_plan.report.broken) == (
        4,
        4,
        (),
    )


def test_team_mates_do_not_meet_while_they_need_not() -> None:
    teams = {f"P{n}": "ABCD"[n % 4] for n in range(1, 17)}
    seating_plan = seat(16, 4, teams=teams)
    meeting_counts = meetings(seating_plan.rounds)
    mates = [pair for pair in combinations(sorted(teams), 2) if teams[pair[0]] == teams[pair[1]]]
    assert (sum(meeting_counts[pair] for pair in mates), seating_plan.report.team_meetings) == (
        0,
        0,
    )
    assert repeats(seating_plan.rounds) == seating_plan.report.repeated_meetings == 0


def test_team_mates_who_must_meet_are_counted() -> None:
    seating_plan = seat(8, 1, teams={f"P{n}": "Bath" for n in range(1, 9)})
    assert seating_plan.report.team_meetings == 12


def test_five_friends_do_not_fit_one_table() -> None:
    friends = ("P1", "P2", "P3", "P4", "P5")
    problems = broken_wishes(together=tuple(combinations(friends, 2)))
    assert {path for path, _ in problems} <= {f"together.{n}" for n in range(10)}
    assert len(problems) >= 4


def test_five_at_one_fixed_table_leave_one_elsewhere() -> None:
    problems = broken_wishes(fixed_table=dict.fromkeys(("P1", "P2", "P3", "P4", "P5"), 1))
    assert len(problems) >= 1
    assert all(
        message.startswith(f"{path[12:]} is to sit at table 1") for path, message in problems
    )


def test_wishes_hold_when_rounds_were_played() -> None:
    first = seat(12, 1).rounds
    player, other_player = sorted(first[0].tables[0].names[:2])
    seating_plan = seat(12, 2, played=first, apart=((player, other_player),))
    assert (
        meetings(seating_plan.new_rounds)[player, other_player],
        seating_plan.report.broken,
    ) == (0, ())


def test_another_seed_draws_other_tables_and_the_same_seed_the_same() -> None:
    seatings = [seat(20, 5, seed=seed).rounds for seed in (1, 1, 2)]
    assert seatings[0] == seatings[1]
    assert seatings[0] != seatings[2]


def table(name: str, number: int) -> SeatingWish:
    return SeatingWish("table", name, table=number)


def test_two_cannot_be_kept_apart_and_together() -> None:
    assert contradiction([ANN_NOT_BEN], ANN_WITH_BEN) == (ANN_NOT_BEN,)
    assert contradiction([ANN_WITH_BEN], ANN_NOT_BEN) == (ANN_WITH_BEN,)
    assert contradiction([ANN_NOT_BEN], SeatingWish("helper", "Ben", "Ann")) == (ANN_NOT_BEN,)


def test_friends_of_friends_sit_at_one_table_too() -> None:
    wishes = [ANN_WITH_BEN, BEN_WITH_CY]
    assert contradiction(wishes, SeatingWish("apart", "Ann", "Cy")) == tuple(wishes)
    assert contradiction([*wishes, table("Ann", 1)], table("Cy", 2)) is not None
    assert contradiction([*wishes, table("Ann", 1)], table("Cy", 1)) is None


def test_only_wishes_that_stand_in_the_way_are_named() -> None:
    wishes = [
        SeatingWish("helper", "Zoë", "Gus"),
        SeatingWish("apart", "Ann", "Gus"),
        table("Flo", 1),
        ANN_NOT_BEN,
        BEN_WITH_CY,
    ]
    assert contradiction(wishes, SeatingWish("together", "Ann", "Cy")) == (ANN_NOT_BEN, BEN_WITH_CY)


def test_five_together_do_not_fit_one_table() -> None:
    chain = [
        SeatingWish("together", player, other_player) for player, other_player in pairwise(ZOE[:4])
    ]
    assert contradiction(chain[:2], chain[2]) is None
    assert contradiction(chain, SeatingWish("together", "Di", "Ed")) == ()
    at_one = [table(name, 1) for name in ZOE[:4]]
    assert contradiction(at_one, table("Ed", 1)) == ()
    assert contradiction(at_one, table("Ed", 2)) is None


def test_a_beginner_may_have_helpers_who_are_kept_apart() -> None:
    helper_wishes = [SeatingWish("helper", "Zoë", "Ann"), ANN_NOT_BEN]
    assert contradiction(helper_wishes, SeatingWish("helper", "Zoë", "Ben")) is None


def test_the_helper_met_least_is_asked() -> None:
    wishes = [SeatingWish("helper", "Zoë", "Ann"), SeatingWish("helper", "Zoë", "Ben")]
    meeting_counts = {frozenset(("Zoë", "Ann")): 6}
    assert select_wishes(wishes, ZOE, (4, 4), meeting_counts).together == (("Zoë", "Ben"),)
    assert select_wishes(wishes, [n for n in ZOE if n != "Ben"], (4, 3)).together == (
        ("Zoë", "Ann"),
    )
    selection = select_wishes(wishes, ("Cy", "Di", "Ed", "Zoë"), (4,))
    assert (selection.together, selection.left_out) == ((), (wishes[0],))


def test_a_helper_helps_one_beginner_while_another_is_free() -> None:
    wishes = [
        SeatingWish("helper", beginner, n) for beginner in ("Zoë", "Gus") for n in ("Ann", "Ben")
    ]
    assert select_wishes(wishes, ZOE, (4, 4)).together == (("Zoë", "Ann"), ("Gus", "Ben"))


def test_a_helper_who_cannot_sit_there_is_not_asked() -> None:
    wishes = [
        table("Zoë", 1),
        table("Ann", 2),
        SeatingWish("helper", "Zoë", "Ann"),
        SeatingWish("helper", "Zoë", "Ben"),
    ]
    assert select_wishes(wishes, ZOE, (4, 4)).together == (("Zoë", "Ben"),)


def test_who_is_not_here_wishes_nothing() -> None:
    selection = select_wishes([ANN_NOT_BEN, table("Ann", 1)], ("Ben", "Cy", "Di", "Ed"), (4,))
    assert (selection.apart, dict(selection.fixed_table), selection.left_out) == ((), {}, ())


def test_what_cannot_be_kept_tonight_is_left_out_and_the_rest_kept() -> None:
    selection = select_wishes([ANN_NOT_BEN, table("Cy", 1), table("Di", 3)], ZOE[:4], (4,))
    assert (selection.apart, selection.fixed_table) == ((), {"Cy": 1})
    assert selection.left_out == (table("Di", 3), ANN_NOT_BEN)


def test_three_who_are_all_kept_apart_need_three_tables() -> None:
    apart_wishes = [
        SeatingWish("apart", player, other_player)
        for player, other_player in combinations(ZOE[:3], 2)
    ]
    assert can_meet_all(apart_wishes, (4, 4, 4))
    assert not can_meet_all(apart_wishes, (4, 4))
    assert select_wishes(apart_wishes, ZOE, (4, 4)).left_out == (apart_wishes[2],)


def test_four_friends_do_not_fit_tables_of_three() -> None:
    friends = [SeatingWish("together", "Ann", name) for name in ("Ben", "Cy", "Di")]
    assert select_wishes(friends, ZOE[:6], (3, 3)).left_out == (friends[2],)


def test_every_wish_is_told_as_kept_or_not_from_the_seats() -> None:
    wishes = [
        ANN_NOT_BEN,
        BEN_WITH_CY,
        table("Ann", 2),
        SeatingWish("helper", "Zoë", "Ann"),
        SeatingWish("helper", "Zoë", "Di"),
        SeatingWish("together", "Ann", "Ivy"),
    ]
    seats = {1: ("Ann", "Ben", "Di"), 2: ("Cy", "Ed", "Zoë")}
    assert [is_broken for _, is_broken in judge_wishes(wishes, seats)] == [True, True, True, True]
    seats = {2: ("Ann", "Di", "Zoë"), 1: ("Ben", "Cy", "Ed")}
    assert [is_broken for _, is_broken in judge_wishes(wishes, seats)] == [
        False,
        False,
        False,
        False,
    ]


@st.composite
def wishes(draw: st.DrawFn) -> list[SeatingWish]:
    pairs = st.permutations(ZOE).map(lambda order: order[:2])
    two = st.builds(
        lambda kind, pair: SeatingWish(kind, pair[0], pair[1]),
        st.sampled_from(["apart", "together", "helper"]),
        pairs,
    )
    table_wishes = st.builds(table, st.sampled_from(ZOE), st.integers(1, 3))
    wish_list = draw(st.lists(st.one_of(two, table_wishes), max_size=5, unique=True))
    fixed: dict[str, SeatingWish] = {w.player: w for w in wish_list if w.kind == "table"}
    return [w for w in wish_list if w.kind != "table"] + list(fixed.values())


@pytest.mark.parametrize(
    ("sizes", "apart", "together"),
    [
        ((4, 4), (("Ben", "Gus"), ("Ed", "Ben")), (("Ann", "Cy"), ("Cy", "Zoë"))),
        ((5, 3), (("Ann", "Di"),), (("Cy", "Zoë"), ("Zoë", "Ben"))),
    ],
)
def test_three_friends_sit_together_whatever_is_drawn(
    sizes: tuple[int, ...], apart: Pairs, together: Pairs
) -> None:
    for seed in range(60):
        request = Request(ZOE, 1, seed=seed, seconds=2, table_sizes=(4, 5, 3), split=sizes)
        seating_plan = plan(replace(request, apart=apart, together=together))
        assert seating_plan.report.broken == ()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(wishes(), st.sampled_from([(4, 4), (5, 3), (3, 5)]), st.integers(0, 9))
def test_what_is_heeded_is_kept_at_the_tables(
    wish_list: list[SeatingWish], sizes: tuple[int, ...], seed: int
) -> None:
    selection = select_wishes(wish_list, ZOE, sizes)
    request = Request(ZOE, 1, seed=seed, seconds=2, table_sizes=(4, 5, 3), split=sizes)
    apart_pairs, together, fixed = selection.apart, selection.together, selection.fixed_table
    seating_plan = plan(replace(request, apart=apart_pairs, together=together, fixed_table=fixed))
    assert seating_plan.report.broken == ()


def test_many_wishes_are_weighed_at_once() -> None:
    names = [f"P{number}" for number in range(40)]
    wish_list = [
        SeatingWish("apart", player, other_player)
        for player in names[:12]
        for other_player in names[12:24]
    ]
    wish_list += [
        SeatingWish("together", names[index], names[index + 1]) for index in range(24, 40, 2)
    ]
    assert select_wishes(wish_list, names, (4,) * 10).left_out == ()


@pytest.mark.parametrize(
    ("present_count", "sizes", "split_text", "neighbours"),
    [
        (14, ALL, FOURTEEN, "With one more: three fives. With one fewer: two fours and one five."),
        (
            11,
            ALL,
            "two fours and one three, or one five and two threes",
            "With one more: three fours. With one fewer: two fives.",
        ),
        (7, ALL, "one four and one three", "With one more: two fours. With one fewer: two threes."),
        (3, ALL, "one three", "With one more: one four."),
        (2, ALL, NOBODY_LEFT_OUT, "With one more: one three."),
        (6, {4}, NOBODY_LEFT_OUT, ""),
        (7, {4}, NOBODY_LEFT_OUT, "With one more: two fours."),
    ],
)
def test_the_door_says_which_tables_there_can_be(
    present_count: int, sizes: frozenset[int], split_text: str, neighbours: str
) -> None:
    advice = advise(present_count, sizes)
    assert (advice.sentence, advice.neighbours) == (
        f"{present_count} checked in: {split_text}.",
        neighbours,
    )


def test_many_tables_are_said_in_figures() -> None:
    assert split_in_words((4,) * 12 + (5,)) == "12 fours and one five"


@given(st.integers(0, 60), allowed_sizes)
def test_every_split_seats_everybody_at_tables_the_rules_allow(
    present_count: int, sizes: frozenset[int]
) -> None:
    splits = splits_of(present_count, sizes)
    assert all(sum(split) == present_count and set(split) <= sizes for split in splits)
    assert len(set(splits)) == len(splits)


@given(st.integers(5, 60), allowed_sizes)
def test_the_first_split_is_what_the_seating_takes_itself(
    present_count: int, sizes: frozenset[int]
) -> None:
    usual = usual_split(present_count, sizes)
    if sum(usual) == present_count:
        assert splits_of(present_count, sizes)[0] == usual


@settings(max_examples=15)
@given(st.integers(6, 18), st.integers(0, 2))
def test_the_seating_keeps_to_the_split_that_was_chosen(present_count: int, nth: int) -> None:
    splits = advise(present_count, ALL).splits
    split = splits[min(nth, len(splits) - 1)]
    (round_,) = seat(
        present_count, 1, seconds=0.05, table_sizes=preferred_sizes(ALL), split=split
    ).rounds
    assert sorted(len(table.seats) for table in round_.tables) == sorted(split)
