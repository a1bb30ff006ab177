"""What is typed at a table: a call, minutes, a ruling."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError

from clubs.core.forms import ShownTextField
from scoring.rules.rule_set import Payee, RuleSet
from scoring.table.settlement import scale
from tournaments.table.event import CALL_REASONS
from tournaments.table.services import ADJUSTMENT, PAYS_FOR_ALL

USUAL_LIMIT: Final = 1_000  # of rules that have none, to tell a slip from an adjustment


class AnsweredForm(forms.Form):
    """Which call of a table was answered, by its key."""

    call = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class CallForm(forms.Form):
    """What a call is about, one of ``CALL_REASONS``; nothing where they do not say."""

    what = forms.ChoiceField(required=False, choices=[(what, what) for what in CALL_REASONS])


class MinutesForm(forms.Form):
    """Minutes to add (below nothing: to take away), and how many had been added when asked."""

    minutes = forms.IntegerField(label="Minutes")
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)


class RulingForm(forms.Form):
    """One ruling: what happened, whose mistake, and what that kind of ruling needs besides."""

    submission_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    what = forms.ChoiceField(
        label="What happened?", error_messages={"required": "Choose what happened."}
    )
    seat = forms.TypedChoiceField(
        label="Player", coerce=int, error_messages={"required": "Choose the player."}
    )
    claimant = forms.TypedChoiceField(
        label="Who claimed the discard?",
        coerce=int,
        empty_value=None,
        required=False,
        help_text="Only when the claimant is paid.",
    )
    number = forms.IntegerField(
        label="Which hand?",
        required=False,
        min_value=1,
        help_text="The hand’s number. Always enter it when one player pays for everyone.",
    )
    points = forms.IntegerField(
        label="How many points?",
        required=False,
        help_text="For an adjustment only: 100 adds points, -100 takes them away.",
    )
    reason = ShownTextField(
        label="Reason",
        max_length=200,
        help_text="Everyone can see this in the results.",
        error_messages={"required": "Enter a reason."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any, *, rules: RuleSet, names: Mapping[int, str]) -> None:
        super().__init__(data)
        penalties, pays = scale(rules), rules.zero_sum
        self.most_usual = 2 * (rules.limit or USUAL_LIMIT)
        self.asked_about: int | None = None
        players = [(str(seat), name) for seat, name in sorted(names.items())]
        for_all = [(PAYS_FOR_ALL, "Pays the winner for everyone")] if pays else []
        incidents = [(key, incident.name) for key, incident in penalties.items()]
        rulings = [
            ("", "Choose"),
            *incidents,
            *for_all,
            (ADJUSTMENT, "Something else: add or take away points"),
        ]
        self._offer("what", rulings)
        self._offer("seat", [("", "Choose a player"), *players])
        self._offer("claimant", [("", "No one"), *players])
        self.pay_the_claimant = {
            key
            for key, incident in penalties.items()
            if incident.fine is not None and incident.fine.payee is Payee.CLAIMANT
        }
        if not self.pay_the_claimant:
            del self.fields["claimant"]
        if not pays and not penalties:
            del self.fields["number"]

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Somebody is paid where the rules pay whoever claimed the discard."""
        cleaned_data = self.cleaned_data
        if (
            cleaned_data.get("what") in self.pay_the_claimant
            and cleaned_data.get("claimant", 0) is None
        ):
            self.add_error("claimant", "Choose who claimed the discard.")
        points = cleaned_data.get("points") or 0
        is_sure = self.data.get("sure") == str(points)
        is_adjusted = cleaned_data.get("what") == ADJUSTMENT and not self.errors
        if is_adjusted and not is_sure and abs(points) > self.most_usual:
            self.asked_about = points
            message = (
                f"{abs(points):,} points is far more than a hand pays. Correct the number, or save "
                "it all the same."
            )
            self.add_error("points", ValidationError(message, code="unusual_points"))
        return cleaned_data

    @property
    def ruling(self) -> dict[str, Any]:
        """What the service is told beside the case."""
        cleaned_data = self.cleaned_data
        return {
            "what": cleaned_data["what"],
            "claimant": cleaned_data.get("claimant"),
            "number": cleaned_data.get("number"),
            "points": cleaned_data.get("points") or 0,
        }
