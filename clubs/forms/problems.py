"""Turning a service's refusal into errors beside the fields of a form."""

import re

from django.forms import BaseForm

from clubs.services.locks import CHANGED_SINCE
from scoring.scorebook.refusals import Refused

TILES_OF = re.compile(r"tiles\.([1-5]).*")
SAID_TOGETHER = {
    "scores": "score",
    "tiles": "score",
    "won_by": "last_tile",
    "discarder": "last_tile",
}


def add_problems(form: BaseForm, refused: Refused) -> None:
    """Each problem at the field it names, else above the form.

    ``scores.3`` is the field ``score_3``, as ``tiles.3.bonus`` is; ``tallies.3`` is ``count_3``.
    """
    for problem in refused.problems:
        form.add_error(field_of(form, problem.where), problem.sentence)


def overtaken(refused: Refused) -> list[str]:
    """The fields that someone else changed while the page was open (``changed_since``)."""
    return [problem.where for problem in refused.problems if problem.code == CHANGED_SINCE]


def field_of(form: BaseForm, where: str) -> str | None:
    """The form's field that a problem's path names, None for the form as a whole.

    A form for the winner's score alone has one ``score``; how the hand was won and who
    discarded are one question there, ``last_tile``.
    """
    place, _, _ = where.partition(".")
    at_seat = where.replace("scores.", "score_").replace("tallies.", "count_")
    at_seat = TILES_OF.sub(r"score_\1", at_seat)
    names = (at_seat, SAID_TOGETHER.get(place, ""))
    return next((name for name in names if name in form.fields), None)
