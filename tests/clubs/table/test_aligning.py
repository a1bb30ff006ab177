"""A paper sheet and the book laid side by side, although one of them may lack a hand."""

import pytest
from hypothesis import given, strategies as st

from clubs.table.forms.sheets import Account, aligned, unlikeness

seats = st.sampled_from("1234")
figures = st.fixed_dictionaries({seat: st.integers(0, 1000) for seat in range(1, 5)})
accounts = st.builds(Account, winner=seats, figures=figures)
sheets = st.lists(accounts, min_size=1, max_size=16)


def hand(winner: str, *scores: int) -> Account:
    return Account(winner, dict(enumerate(scores, start=1)))


FOUR = [
    hand("2", 20, 60, 8, 4),
    hand("1", 100, 0, 12, 6),
    Account("nobody"),
    hand("4", 2, 4, 28, 32),
]


@given(sheets)
def test_a_sheet_beside_itself_is_alike_hand_by_hand(sheet: list[Account]) -> None:
    assert aligned(sheet, sheet) == tuple((at, at) for at in range(len(sheet)))


@given(sheets, sheets)
def test_every_hand_of_both_has_its_place_once_and_in_order(
    one: list[Account], other: list[Account]
) -> None:
    pairs = aligned(one, other)
    assert [at for at, _ in pairs if at is not None] == list(range(len(one)))
    assert [at for _, at in pairs if at is not None] == list(range(len(other)))


@pytest.mark.parametrize("forgotten", [0, 1, 2])
def test_a_hand_that_the_phone_forgot_stands_alone_and_the_others_beside_their_own(
    forgotten: int,
) -> None:
    book = [one for at, one in enumerate(FOUR) if at != forgotten]
    pairs = aligned(FOUR, book)
    assert [at for at, beside in pairs if beside is None] == [forgotten]
    assert all(FOUR[at] == book[to] for at, to in pairs if at is not None and to is not None)


def test_a_hand_that_is_missing_on_paper_stands_alone() -> None:
    assert aligned([FOUR[0], *FOUR[2:]], FOUR) == ((0, 0), (None, 1), (1, 2), (2, 3))


def test_of_a_sheet_that_is_half_typed_the_rest_is_not_known() -> None:
    assert aligned(FOUR[:2], FOUR) == ((0, 0), (1, 1), (None, 2), (None, 3))
    assert aligned(FOUR, FOUR[:3]) == ((0, 0), (1, 1), (2, 2), (3, None))


def test_one_hand_with_other_figures_is_still_the_same_hand() -> None:
    misread = hand("2", 20, 66, 8, 4)
    assert aligned([misread], FOUR) == ((0, 0), (None, 1), (None, 2), (None, 3))
    assert aligned([hand("3", 1, 2, 3, 5)], FOUR)[0] == (0, 0)


def test_two_sheets_that_have_nothing_in_common_lie_hand_by_hand() -> None:
    other = [hand("3", 2, 6, 44, 0), hand("3", 2, 4, 60, 8)]
    assert aligned(other, FOUR[:2]) == ((0, 0), (1, 1))


def test_what_is_not_said_is_no_difference() -> None:
    assert unlikeness(Account("2"), FOUR[0]) == 0
    assert unlikeness(Account("", {1: 20}), FOUR[0]) == 0
    assert unlikeness(Account(), Account()) == 0
