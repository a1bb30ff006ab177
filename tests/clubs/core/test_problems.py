"""A service's refusal stands beside the field it is about."""

from django import forms

from clubs.core.forms import add_problems
from scoring.scorebook.refusals import Refusal, Refused


class Scores(forms.Form):
    score_3 = forms.CharField(required=False)


def test_a_problem_stands_at_its_field_and_the_rest_above() -> None:
    form = Scores({})
    add_problems(
        form,
        Refused([Refusal("bad_score", "37 is odd.", "scores.3"), Refusal("closed", "Too late.")]),
    )
    assert form.errors == {"score_3": ["37 is odd."], "__all__": ["Too late."]}
