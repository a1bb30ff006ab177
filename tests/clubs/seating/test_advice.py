"""What the door says to a number of people: the tables they make, and one more or one fewer."""

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import Request, plan
from clubs.seating.wishes import advise, in_words, liked, splits_of, usual_split

ALL = frozenset({3, 4, 5})
FOURTEEN = "one four and two fives, or two fours and two threes, or one five and three threes"
allowed = st.sets(st.sampled_from([3, 4, 5]), min_size=1).map(frozenset)


@pytest.mark.parametrize(
    ("here", "said", "neighbours"),
    [
        (
            14,
            f"14 checked in: {FOURTEEN}.",
            "With one more: three fives. With one fewer: two fours and one five.",
        ),
        (
            11,
            "11 checked in: two fours and one three, or one five and two threes.",
            "With one more: three fours. With one fewer: two fives.",
        ),
        (
            7,
            "7 checked in: one four and one three.",
            "With one more: two fours. With one fewer: two threes.",
        ),
        (3, "3 checked in: one three.", "With one more: one four."),
        (
            2,
            "2 checked in: that number cannot be seated without leaving someone out.",
            "With one more: one three.",
        ),
    ],
)
def test_the_door_says_which_tables_there_can_be(here: int, said: str, neighbours: str) -> None:
    advice = advise(here, ALL)
    assert (advice.sentence, advice.neighbours) == (said, neighbours)


def test_rules_for_four_alone_leave_somebody_out_of_six() -> None:
    assert advise(6, {4}).sentence == (
        "6 checked in: that number cannot be seated without leaving someone out."
    )
    assert advise(7, {4}).neighbours == "With one more: two fours."


def test_many_tables_are_said_in_figures() -> None:
    assert in_words((4,) * 12 + (5,)) == "12 fours and one five"


@given(st.integers(0, 60), allowed)
def test_every_split_seats_everybody_at_tables_the_rules_allow(
    here: int, sizes: frozenset[int]
) -> None:
    found = splits_of(here, sizes)
    assert all(sum(split) == here and set(split) <= sizes for split in found)
    assert len(set(found)) == len(found)


@given(st.integers(5, 60), allowed)
def test_the_first_split_is_what_the_seating_takes_itself(here: int, sizes: frozenset[int]) -> None:
    usual = usual_split(here, sizes)
    if sum(usual) == here:
        assert splits_of(here, sizes)[0] == usual


@settings(max_examples=15)
@given(st.integers(6, 18), st.integers(0, 2))
def test_the_seating_keeps_to_the_split_that_was_chosen(here: int, nth: int) -> None:
    splits = advise(here, ALL).splits
    chosen = splits[min(nth, len(splits) - 1)]
    players = tuple(f"P{number}" for number in range(here))
    found = plan(Request(players, 1, seconds=0.05, table_sizes=liked(ALL), split=chosen))
    laid = [len(table.seats) for table in found.rounds[0].tables]
    assert sorted(laid) == sorted(chosen)
