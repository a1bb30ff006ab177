"""Form errors from refusals, and fields that several forms share."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseForm

from clubs.core.locks import CHANGED_SINCE
from clubs.language.words import text_fault
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


def add_overtaken(refused: Refused) -> list[str]:
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


class TickedField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Ticked people; a number that is too large for the database is nobody’s."""

    def clean(self, value: Any) -> Any:
        """The players; ``invalid_choice`` where someone is none of those shown."""
        try:
            return super().clean(value)
        except OverflowError as too_large:
            raise ValidationError(self.error_messages["invalid_choice"]) from too_large


class ShownTextField(forms.CharField):
    """A text that others read: it shows what it holds, and turns no other line about."""

    def validate(self, value: Any) -> None:
        """As for every text; refused where it cannot be shown."""
        super().validate(value)
        if fault := text_fault(value):
            raise ValidationError(fault, code="unseen")


DAY = {"invalid": "Enter a date like 24/11/2026.", "required": "Choose a day."}


def day_field(label: str, **options: Any) -> forms.DateField:
    """A day, with the browser's calendar where it has one."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, widget=widget, error_messages=DAY, **options)
