"""Turning a service's refusal into errors beside the fields of a form."""

from django.forms import BaseForm

from scoring.scorebook.refusals import Refused


def add_problems(form: BaseForm, refused: Refused) -> None:
    """Each problem at the field it names (``scores.3`` is ``score_3``), else above the form."""
    for problem in refused.problems:
        form.add_error(field_of(form, problem.where), problem.sentence)


def field_of(form: BaseForm, where: str) -> str | None:
    """The form's field that a problem's path names, None for the form as a whole."""
    name = where.replace("scores.", "score_")
    return name if name in form.fields else None
