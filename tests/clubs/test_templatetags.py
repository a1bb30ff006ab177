"""Numbers as people write them."""

from fractions import Fraction

import pytest

from clubs.templatetags.look import mixed


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (Fraction(7, 3), "2⅓"),
        (Fraction(4), "4"),
        (Fraction(0), "0"),
        (Fraction(1, 2), "½"),
        (Fraction(1, 5), "1/5"),
        (Fraction(11, 5), "2 1/5"),
    ],
)
def test_table_points_are_mixed_numbers(number: Fraction, said: str) -> None:
    assert mixed(number) == said
