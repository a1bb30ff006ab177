"""An impossible total: which one was perhaps meant."""

import pytest

from scoring import Wind, possible_totals, rule_set
from scoring.detective import guess_total

LOSER = possible_totals(rule_set("bmja"), won=False, seat_wind=Wind.W, prevailing_wind=Wind.E)


def test_a_possible_total_has_no_guesses() -> None:
    assert guess_total(64, LOSER) == ()


@pytest.mark.parametrize(
    ("written", "figures", "words"),
    [
        (37, [36, 38], []),
        (65, [56, 64, 66], ["two digits were swapped (56)"]),
        (1002, [102, 1000], ["there is a zero too many (102)"]),
        (-4, [0], []),
    ],
)
def test_slips_come_before_what_is_near(written: int, figures: list[int], words: list[str]) -> None:
    guesses = guess_total(written, LOSER)
    assert [guess.points for guess in guesses] == figures
    assert [guess.words for guess in guesses if guess.words] == words


def test_a_double_too_many_is_guessed() -> None:
    assert [guess.words for guess in guess_total(92, (44, 46, 90, 94))] == [
        "46 was doubled once too often",
        "",
        "",
    ]
