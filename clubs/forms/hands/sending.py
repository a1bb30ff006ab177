"""A hand on its way into the book: the next one of a game, or one that the scorer corrects."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.http import QueryDict

from clubs.core.forms import ShownTextField
from clubs.forms.hands.places import Place
from clubs.forms.hands.tapped import TappedForm
from clubs.forms.hands.telling import ReportForm
from clubs.forms.hands.ways import Way
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services import USED_SUBMISSION

INCOMPLETE = dict.fromkeys(
    ("required", "invalid", "min_value", "max_value"),
    "Something is missing from this form. Open the table’s page again and enter the hand again.",
)


class HandForm(TappedForm):
    """The next hand of a game; the submission's number makes sending twice the same as once."""

    submission_id = forms.UUIDField(widget=forms.HiddenInput, error_messages=INCOMPLETE)
    number = forms.IntegerField(
        min_value=1, max_value=999, widget=forms.HiddenInput, error_messages=INCOMPLETE
    )

    def offer(self, refused: Refused) -> None:
        """Say what is wrong; a submission that was used for another hand gives way to a new one."""
        super().offer(refused)
        if any(problem.code == USED_SUBMISSION for problem in refused.problems):
            data = QueryDict(mutable=True)
            data.update(self.data)
            data["submission_id"] = str(uuid4())
            self.data = data

    @property
    def tells_a_hand(self) -> bool:
        """Whether enough of it makes sense to be checked against the rules."""
        return {"submission_id", "number", "winner"} <= self.cleaned_data.keys()


class PlayedForm(ReportForm):
    """A hand of the book told again: in figures, because only the next hand can be tapped."""

    def __init__(
        self,
        places: Sequence[Place],
        data: Any = None,
        initial: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        told = dict(initial or {})
        if told.get("way") == Recording.TILES:
            told["way"] = Recording.TOTALS
        super().__init__(places, data, told, **more)

    @property
    def ways(self) -> Iterator[Way]:
        """The ways in which the hand can be told."""
        return (way for way in super().ways if way.key != Recording.TILES)


class CorrectionForm(PlayedForm):
    """A hand as the scorer decides it."""

    reason = ShownTextField(
        max_length=200,
        label="Reason for the change",
        help_text="The table will see this.",
        error_messages={"required": "Enter a reason for the change."},
    )


def blank_hand(number: int) -> dict[str, Any]:
    """What a fresh form for the hand of this number starts with."""
    return {"submission_id": uuid4(), "number": number}


def told_number(told: Mapping[str, Any]) -> int:
    """The number of the hand that a form is for, 0 if it says none that can be."""
    number = str(told.get("number", ""))
    return int(number) if number.isdecimal() and len(number) <= 3 else 0
