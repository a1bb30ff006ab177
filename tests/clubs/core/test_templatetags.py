"""Numbers as people write them, and inputs to be written in."""

from fractions import Fraction

import pytest
from django import forms

from clubs.templatetags.look import bare, mixed


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


def test_no_word_stands_where_somebody_has_to_write() -> None:
    class Asking(forms.Form):
        code = forms.CharField(widget=forms.TextInput({"placeholder": "Code", "size": "8"}))

    written = bare(Asking()["code"])
    assert ("placeholder" in written, 'size="8"' in written) == (False, True)
