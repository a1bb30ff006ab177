"""What the game says about counting sticks: paying, changing, owing, and counting them again."""

from collections import Counter
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, strategies as st

from scoring import Payment, Wind, rule_set, settle
from scoring.table.sticks import (
    START,
    START_POINTS,
    PassedSticks,
    Sticks,
    compare,
    pass_sticks,
    pay_in_sticks,
    starting_sticks,
    sticks_text,
    sticks_worth,
    tally,
)

BMJA = rule_set("bmja")
EAST, SOUTH, WEST, NORTH = Wind
HELD = st.fixed_dictionaries(
    {500: st.integers(0, 3), 100: st.integers(0, 9), 10: st.integers(0, 9), 2: st.integers(0, 10)}
)
FEW = st.fixed_dictionaries({kind: st.integers(0, 2) for kind in START})
SCORES = st.fixed_dictionaries({wind: st.integers(0, 500).map(lambda n: 2 * n) for wind in Wind})
EVEN = st.integers(0, 1500).map(lambda half: 2 * half)


def everyone(sticks: Sticks = START) -> dict[Wind, Sticks]:
    return dict.fromkeys(Wind, sticks)


def test_everyone_begins_with_2000_points() -> None:
    assert (sticks_worth(START), sum(START.values())) == (START_POINTS, 29)
    assert starting_sticks(START_POINTS) == START


BEGUN = {
    0: {},
    30: {10: 1, 2: 10},
    1000: {100: 9, 10: 8, 2: 10},
    1001: {100: 9, 10: 8, 2: 10},
    5000: {500: 8, 100: 9, 10: 8, 2: 10},
}


@pytest.mark.parametrize(("points", "sticks"), BEGUN.items())
def test_who_begins_with_more_or_less_has_change_all_the_same(points: int, sticks: Sticks) -> None:
    assert Counter(starting_sticks(points)) == Counter(sticks)


@given(EVEN)
def test_nobody_begins_with_less_than_said(points: int) -> None:
    assert sticks_worth(starting_sticks(points)) == points


@pytest.mark.parametrize(
    ("points", "sticks"),
    [
        (0, {}),
        (8, {2: 4}),
        (116, {100: 1, 10: 1, 2: 3}),
        (1096, {500: 2, 10: 9, 2: 3}),
        (4000, {500: 8}),
    ],
)
def test_the_sticks_for_an_amount(points: int, sticks: Sticks) -> None:
    assert tally(points) == sticks


@pytest.mark.parametrize("points", [7, -2])
def test_no_sticks_come_to_an_odd_number_or_less_than_nothing(points: int) -> None:
    with pytest.raises(ValueError, match="No sticks come to"):
        tally(points)


def test_a_set_may_have_sticks_of_other_values() -> None:
    assert tally(3334, values=(1000, 100, 10, 1)) == {1000: 3, 100: 3, 10: 3, 1: 4}


@pytest.mark.parametrize(
    ("points", "held_sticks", "expected_text"),
    [
        (116, START, "West gives East 1 × 100, 1 × 10, 3 × 2."),
        (200, {500: 2}, "West gives East 1 × 500 and gets back 3 × 100."),
        (18, {10: 9}, "West gives East 2 × 10 and gets back 1 × 2."),
        (2, {500: 1}, "West gives East 1 × 500 and gets back 4 × 100, 9 × 10, 4 × 2."),
        (600, {1000: 1}, "West gives East 1 × 1000 and gets back 4 × 100."),
        (30, {10: 2, 2: 3}, "West gives East 2 × 10, 3 × 2 and owes 4 on paper."),
        (4, {}, "West gives East nothing and owes 4 on paper."),
        (5, START, "West gives East 2 × 2 and owes 1 on paper."),
    ],
)
def test_which_sticks_pass(points: int, held_sticks: Sticks, expected_text: str) -> None:
    assert pass_sticks(points, held_sticks).describe("West", "East") == expected_text


def test_the_fewest_sticks_move_with_change_or_without() -> None:
    assert pass_sticks(198, START) == PassedSticks({100: 2}, {2: 1})
    assert pass_sticks(16, START) == PassedSticks({10: 1, 2: 3}, {})


def test_nobody_pays_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="No one can pay -2 points"):
        pass_sticks(-2, START)


def test_change_is_given_from_what_the_other_holds() -> None:
    assert pass_sticks(200, {500: 1}, change={100: 3}) == PassedSticks({500: 1}, {100: 3})
    assert pass_sticks(200, {500: 1}, change={100: 2, 10: 10}) == PassedSticks(
        {500: 1}, {100: 2, 10: 10}
    )
    assert pass_sticks(200, {500: 1}, change={500: 4}) == PassedSticks({}, {}, owed=200)
    assert pass_sticks(200, {}, change={}) == PassedSticks({}, {}, owed=200)


@given(EVEN, HELD)
def test_whoever_has_enough_can_pay(points: int, held_sticks: Mapping[int, int]) -> None:
    passed_sticks = pass_sticks(points, held_sticks)
    assert passed_sticks.owed == max(0, points - sticks_worth(held_sticks))
    assert passed_sticks.points + passed_sticks.owed == points
    assert all(
        0 < number <= held_sticks[kind] for kind, number in passed_sticks.given_sticks.items()
    )
    assert not set(passed_sticks.given_sticks) & set(passed_sticks.returned_sticks)


def every_way(
    points: int, held_sticks: Mapping[int, int], change: Mapping[int, int]
) -> list[list[int]]:
    """By trying all: the numbers of each stick given (below 0: got back) that come to points."""
    ranges = [range(-change[kind], held_sticks[kind] + 1) for kind in START]
    return [
        list(numbers)
        for numbers in product(*ranges)
        if sum(kind * number for kind, number in zip(START, numbers, strict=True)) == points
    ]


@given(st.integers(0, 600).map(lambda half: 2 * half), FEW, FEW)
def test_no_fewer_sticks_would_do(
    points: int, held_sticks: Mapping[int, int], change: Mapping[int, int]
) -> None:
    choices = every_way(points, held_sticks, change)
    passed_sticks = pass_sticks(points, held_sticks, change=change)
    assert (passed_sticks.owed == 0) == bool(choices)
    if choices:
        moved_count = sum(passed_sticks.given_sticks.values()) + sum(
            passed_sticks.returned_sticks.values()
        )
        assert moved_count == min(sum(map(abs, choice)) for choice in choices)


def test_a_settlement_is_passed_in_turn() -> None:
    scores = {EAST: 80, SOUTH: 84, WEST: 208, NORTH: 416}
    settlement = settle(scores, winner=SOUTH, rules=BMJA)
    paid = pay_in_sticks(settlement.payments, everyone())
    assert [
        handing.passed_sticks.describe(handing.payer, handing.payee) for handing in paid.handings
    ] == [
        "E gives S 2 × 100 and gets back 3 × 10, 1 × 2.",
        "W gives S 1 × 100, 2 × 2 and gets back 2 × 10.",
        "N gives S 1 × 100, 2 × 2 and gets back 2 × 10.",
        "E gives W 3 × 100 and gets back 4 × 10, 2 × 2.",
        "E gives N 1 × 500, 2 × 100, 1 × 2 and gets back 3 × 10.",
        "W gives N 2 × 100, 1 × 10 and gets back 1 × 2.",
    ]
    assert compare(paid.held_sticks, settlement.gain).agree


def test_who_cannot_be_changed_by_the_payee_is_changed_by_another() -> None:
    held_sticks = {EAST: {500: 1}, SOUTH: {500: 1}, WEST: {100: 4, 10: 10}, NORTH: {100: 5}}
    paid = pay_in_sticks([Payment(EAST, SOUTH, 200)], held_sticks)
    assert [(handing.payer, handing.payee, handing.passed_sticks) for handing in paid.handings] == [
        (EAST, NORTH, PassedSticks({500: 1}, {100: 5})),
        (EAST, SOUTH, PassedSticks({100: 2}, {})),
    ]
    assert paid.held_sticks == {
        EAST: {100: 3},
        SOUTH: {500: 1, 100: 2},
        WEST: {100: 4, 10: 10},
        NORTH: {500: 1},
    }
    assert paid.debts == ()


def test_what_nobody_can_change_is_owed_on_paper() -> None:
    paid = pay_in_sticks([Payment(EAST, SOUTH, 200)], everyone({500: 1}))
    assert (paid.handings, paid.debts) == ((), (Payment(EAST, SOUTH, 200),))


def test_who_runs_out_of_sticks_owes_the_rest() -> None:
    paid = pay_in_sticks([Payment(EAST, SOUTH, 2400), Payment(EAST, WEST, 8)], everyone())
    assert paid.debts == (Payment(EAST, SOUTH, 400), Payment(EAST, WEST, 8))
    assert (
        paid.held_sticks[EAST],
        sticks_worth(paid.held_sticks[SOUTH]),
        paid.held_sticks[WEST],
    ) == ({}, 4000, START)


@given(SCORES, st.sampled_from(Wind))
def test_sticks_and_debts_say_what_the_ledger_says(scores: dict[Wind, int], winner: Wind) -> None:
    settlement = settle(scores, winner=winner, rules=BMJA)
    paid = pay_in_sticks(settlement.payments, everyone())
    owed: Counter[Wind] = Counter()
    for debt in paid.debts:
        owed[debt.payer] += debt.points
        owed[debt.payee] -= debt.points
    assert compare(paid.held_sticks, settlement.gain, owed=owed).agree
    assert sum(map(sticks_worth, paid.held_sticks.values())) == 4 * 2000
    assert all(number > 0 for sticks in paid.held_sticks.values() for number in sticks.values())


@pytest.mark.parametrize(
    ("counted_points", "gains", "differences", "astray"),
    [
        pytest.param(
            [1900, 2100, 2000, 2000], [-116, 116, 0, 0], [16, -16, 0, 0], 0, id="two miscounted"
        ),
        pytest.param(
            [2000, 1900, 2000, 2000], [0, 0, 0, 0], [0, -100, 0, 0], 100, id="one under the table"
        ),
    ],
)
def test_counted_sticks_beside_the_ledger(
    counted_points: list[int], gains: list[int], differences: list[int], astray: int
) -> None:
    comparison = compare(dict(enumerate(map(tally, counted_points))), dict(enumerate(gains)))
    assert comparison.differences == dict(enumerate(differences))
    assert (comparison.agree, comparison.astray) == (False, astray)


def test_five_players_begin_with_less() -> None:
    counted_sticks = {seat: tally(1600) for seat in range(1, 6)}
    assert compare(counted_sticks, dict.fromkeys(counted_sticks, 0), start=1600).agree


def test_a_debt_on_paper_is_still_in_the_sticks() -> None:
    counted_sticks = {1: tally(0), 2: tally(4000)}
    assert compare(counted_sticks, {1: -2400, 2: 2400}, owed={1: 400, 2: -400}).agree


def test_no_sticks_in_words() -> None:
    assert sticks_text({}) == "nothing"
