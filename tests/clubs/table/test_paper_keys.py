"""What is typed on a number pad in a row of a paper sheet, and what it means."""

import pytest
from hypothesis import given, strategies as st

from clubs.table.forms.sheet_rows import TWO_DISCARDERS, TWO_WINNERS, Written, read_row

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
