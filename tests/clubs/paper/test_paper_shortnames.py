"""Long names in narrow columns are told by initials, not cut off."""

import pytest
from hypothesis import given, strategies as st

from clubs.paper.fonts import TEXT, width_of
from clubs.paper.layout import fitted_name, forms_of
from clubs.paper.page import ROUNDING
from clubs.table.papers.score_sheets import score_sheets
from tests.clubs.paper.test_pdf import LONG, table_of
from tests.paper import words_of


def test_first_names_are_shortened_before_the_surname() -> None:
    assert list(forms_of("Anne-Marie van Dyck")) == [
        "Anne-Marie van Dyck",
        "A.-M. van Dyck",
        "A.-M. Dyck",
        "Anne-Marie D.",
        "A.-M. D.",
        "A. D.",
    ]


def test_a_single_name_is_shortened_to_its_initials() -> None:
    assert list(forms_of("Wolfgang-Maximilian")) == ["Wolfgang-Maximilian", "W.-M."]


def test_a_name_without_capitals_has_no_initials() -> None:
    assert list(forms_of("王小明")) == ["王小明"]
    assert list(forms_of("محمد علي")) == ["محمد علي", "محمد"]


def test_a_name_that_fits_is_left_as_it_is() -> None:
    assert fitted_name("Ann Bell", TEXT, 9, 200) == ("Ann Bell", 9)


@pytest.mark.parametrize("name", LONG)
def test_a_long_name_in_a_narrow_column_is_not_cut_off(name: str) -> None:
    words, size = fitted_name(name, TEXT, 9, 26)
    assert "…" not in words
    assert size >= 8
    assert width_of(words, TEXT, size) <= 26 + ROUNDING


@given(st.text(max_size=40), st.floats(20, 300))
def test_whatever_the_name_it_fits(name: str, room: float) -> None:
    words, size = fitted_name(name, TEXT, 9, room)
    assert width_of(words, TEXT, size) <= room + ROUNDING


@pytest.mark.parametrize("players", [4, 5])
def test_a_score_sheet_cuts_no_name_off(players: int) -> None:
    words = "".join(words_of(score_sheets([table_of(*LONG[:players])])))
    assert "…" not in words
    assert "W.-M." in words
