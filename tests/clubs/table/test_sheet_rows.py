"""The cells of a paper sheet: what they mean, and which hand of the book lies beside a row."""

import pytest
from hypothesis import given, strategies as st

from clubs.table.forms.sheet_rows import TWO_DISCARDERS, TWO_WINNERS, Written, read_row
from clubs.table.forms.sheets import Account, aligned, unlikeness

SEATS = (1, 2, 3, 4)


def read(*cells: str, asks: bool = False, alone: bool = False, **ringed: str) -> Written:
    typed = {f"score_{seat}": cell for seat, cell in enumerate(cells, start=1)} | ringed
    return read_row(typed, SEATS, asks_discarder=asks, winner_only=alone)


@pytest.mark.parametrize("marked", ["60.", ".60", "60,", " 60. "])
def test_a_point_beside_a_figure_says_who_went_mah_jong(marked: str) -> None:
    row = read("20", marked, "8", "4")
    assert (row.winner, row.figures) == ("2", {1: "20", 2: "60", 3: "8", 4: "4"})


def test_a_point_alone_marks_a_winner_whose_figure_is_not_known_yet() -> None:
    row = read("", ".", "", "")
    assert (row.winner, row.figures) == ("2", {})


@pytest.mark.parametrize("dash", ["-", "−", "–", "—"])
def test_a_dash_alone_in_a_row_is_a_drawn_hand(dash: str) -> None:
    row = read(dash)
    assert (row.winner, row.figures, row.faults) == ("nobody", {}, ())


def test_a_dash_beside_figures_is_nothing_scored_or_whoever_discarded() -> None:
    assert read("20", "60.", "-", "4").figures == {1: "20", 2: "60", 4: "4"}
    assert read("", "100.", "-", "", asks=True).discarder == "3"
    assert read("-", "100.", "-", "", asks=True).faults == (TWO_DISCARDERS,)


def test_a_plus_alone_is_a_goulash_and_before_a_figure_a_sign() -> None:
    row = read("+", "+240.", "-80", "−96")
    assert (row.is_goulash, row.figures) == (True, {2: "240", 3: "-80", 4: "-96"})


def test_where_the_winner_alone_scores_the_column_says_who_won() -> None:
    assert read("", "", "100", "", alone=True).winner == "3"
    assert read("", "8", "100", "", alone=True).winner == ""


def test_two_winners_are_one_too_many() -> None:
    assert read("20.", "60.").faults == (TWO_WINNERS,)
    assert read("20", "60.", winner="1").faults == (TWO_WINNERS,)
    assert read("20", "60.", winner="2").faults == ()


@given(st.lists(st.text(alphabet="0123456789.,+-− ", max_size=8), min_size=4, max_size=4))
def test_whatever_is_typed_is_read(cells: list[str]) -> None:
    row = read(*cells)
    assert row.winner in {"", "nobody", "1", "2", "3", "4"}
    assert all(figure == figure.strip() for figure in row.figures.values())


# Beside the book

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
