"""Turning a service's refusal into errors beside the fields of a form."""

from django.forms import BaseForm

from scoring.scorebook.refusals import Refused

SAID_TOGETHER = {"scores": "score", "won_by": "last_tile", "discarder": "last_tile"}


def add_problems(form: BaseForm, refused: Refused) -> None:
    """Each problem at the field it names (``scores.3`` is ``score_3``), else above the form."""
    for problem in refused.problems:
        form.add_error(field_of(form, problem.where), problem.sentence)


def field_of(form: BaseForm, where: str) -> str | None:
    """The form's field that a problem's path names, None for the form as a whole.

    A form for the winner's score alone has one ``score``; how the hand was won and who
    discarded are one question there, ``last_tile``.
    """
    place, _, _ = where.partition(".")
    names = (where.replace("scores.", "score_"), SAID_TOGETHER.get(place, ""))
    return next((name for name in names if name in form.fields), None)
