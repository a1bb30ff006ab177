"""Who is meant by a name: the laws, and the slips that people make."""

import pytest
from hypothesis import given, strategies as st

from clubs.core.people_names import (
    How,
    Known,
    are_near,
    duplicate_pairs,
    fit_by_initials,
    meant_by,
    turned,
    within,
    words_of,
)
from clubs.language.words import guarded, unguarded

WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)


@given(NAMES)
def test_everybody_is_known_by_their_own_name(name: str) -> None:
    assert meant_by(f"  {name.upper()} ", [Known(7, name.upper())]).people == (7,)


@given(NAMES, NAMES)
def test_likeness_goes_both_ways(one: str, other: str) -> None:
    first, second = words_of(one), words_of(other)
    assert are_near(first, second) == are_near(second, first)
    assert fit_by_initials(first, second) == fit_by_initials(second, first)


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_a_slip_more_is_never_nearer(one: str, other: str) -> None:
    assert within(one, one, 0)
    assert within(one, other, 1) <= within(one, other, 2)
    assert within(one, other, 2) == within(other, one, 2)


@given(st.text())
def test_a_guarded_cell_is_read_back(words: str) -> None:
    assert unguarded(guarded(words)) == words
    assert not guarded(words).startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jon Smith", "John Smith"),
        ("Bob Brown", "Robert Brown"),
        ("Peg Ashworth", "Maggie Ashworth"),
        ("Margaret A Smith", "Margaret Smith"),
        ("Pettigrew-Jones", "Ngaio Pettigrew Jones"),
        ("Dilip Patle", "Dilip Patel"),
        ("Ann", "Ann Abbott"),
    ],
)
def test_slips_and_short_names_are_near(one: str, other: str) -> None:
    assert are_near(words_of(one), words_of(other)) or words_of(one)[0] in words_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann Abbott", "Ann Brown"), ("Mary Smith", "John Smith"), ("Jo", "Al")]
)
def test_different_people_are_not_near(one: str, other: str) -> None:
    assert not are_near(words_of(one), words_of(other))


def test_initials_that_fit_two_are_doubtful() -> None:
    known = [Known(1, "Margaret Smith"), Known(2, "Mary Smith")]
    assert meant_by("M. Smith", known).how == How.DOUBTFUL
    assert meant_by("M. Smith", known).people == (1, 2)
    assert meant_by("J. Smith", known).how == How.NEW


def test_names_are_turned_round_at_their_comma() -> None:
    assert turned("Smith, Margaret") == "Margaret Smith"
    assert turned("Smith,") == "Smith,"


def test_likely_twins_are_pairs_of_different_people() -> None:
    known = [
        Known(1, "Margaret Ashworth"),
        Known(1, "Peg", is_alias=True),
        Known(2, "M. Ashworth"),
        Known(3, "Zoë"),
        Known(4, "Ashworth Margaret"),
    ]
    assert duplicate_pairs(known) == ((1, 2), (1, 4))
