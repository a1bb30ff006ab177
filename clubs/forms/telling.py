"""How hands are told at the tables of a club or a tournament, and who must agree to them."""

from typing import Any

from django import forms

from scoring.scorebook.models import AgreementPolicy, Recording

CHOOSE = {"invalid_choice": "Choose one."}


class TellingFields(forms.Form):
    """The part of a form that says it; what is not sent stays as it is, at first by scores."""

    record_by = forms.ChoiceField(
        label="How hands are entered",
        choices=Recording.choices,
        initial=Recording.TOTALS,
        required=False,
        widget=forms.RadioSelect,
        help_text="The default at every table. Players can switch for any hand.",
        error_messages=CHOOSE,
    )
    agreement = forms.ChoiceField(
        label="Who must agree each hand?",
        choices=AgreementPolicy.choices,
        initial=AgreementPolicy.ALL,
        required=False,
        widget=forms.RadioSelect,
        help_text="Play carries on while a hand waits to be agreed.",
        error_messages=CHOOSE,
    )

    def clean(self) -> dict[str, Any]:
        """Both are told."""
        told = super().clean() or self.cleaned_data
        for name in ("record_by", "agreement"):
            if name in told:
                told[name] = told[name] or self.get_initial_for_field(self.fields[name], name)
        return told

    @property
    def telling(self) -> list[forms.BoundField]:
        """These two fields."""
        return [self["record_by"], self["agreement"]]
