"""Shared by all pages: numbers, inputs, and a refusal beside the field it is about."""

from fractions import Fraction

import pytest
from django import forms

from clubs.core.forms import add_problems
from clubs.templatetags.look import bare, mixed
from scoring.scorebook.refusals import Refusal, Refused


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(7, 3), "2⅓"),
        (Fraction(4), "4"),
        (Fraction(0), "0"),
        (Fraction(1, 2), "½"),
        (Fraction(1, 5), "1/5"),
        (Fraction(11, 5), "2 1/5"),
    ],
)
def test_table_points_are_mixed_numbers(number: Fraction, text: str) -> None:
    assert mixed(number) == text


def test_no_word_stands_where_somebody_has_to_write() -> None:
    class Asking(forms.Form):
        code = forms.CharField(widget=forms.TextInput({"placeholder": "Code", "size": "8"}))

    html = bare(Asking()["code"])
    assert ("placeholder" in html, 'size="8"' in html) == (False, True)


class Scores(forms.Form):
    score_3 = forms.CharField(required=False)


def test_a_problem_stands_at_its_field_and_the_rest_above() -> None:
    form = Scores({})
    add_problems(
        form,
        Refused([Refusal("bad_score", "37 is odd.", "scores.3"), Refusal("closed", "Too late.")]),
    )
    assert form.errors == {"score_3": ["37 is odd."], "__all__": ["Too late."]}
