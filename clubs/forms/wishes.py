"""What a secretary types of a wish: who, with whom or at which table, until when, and why."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.core.forms import ShownTextField, day_field
from clubs.models import Club, Player, WishKind

MOST_TABLES = 99
WHO = {
    WishKind.APART: ("Who", "Keep apart with"),
    WishKind.TOGETHER: ("Who", "Seat together with"),
    WishKind.HELPER: ("The beginner", "Helper"),
    WishKind.TABLE: ("Who", ""),
}


class WishForm(forms.Form):
    """A wish of one kind; it asks only what that kind needs."""

    def __init__(self, club: Club, kind: WishKind, data: Any = None) -> None:
        super().__init__(data)
        who, other = WHO[kind]
        self.fields["player"] = _player_field(club, who)
        if other:
            self.fields["other"] = _player_field(club, other)
        else:
            self.fields["table"] = _table_field()
        self.fields["until"] = day_field(
            "Until",
            required=False,
            help_text="Last date it applies. Leave empty for no end date.",
        )
        self.fields["reason"] = ShownTextField(
            label="Reason",
            required=False,
            max_length=120,
            help_text="Only the secretary can see this.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    def clean_until(self) -> date | None:
        """A day that is not over."""
        until: date | None = self.cleaned_data["until"]
        if until and until < timezone.localdate():
            raise ValidationError("That date has passed. Leave it empty or choose a future date.")
        return until

    def clean(self) -> dict[str, Any]:
        """Two different people."""
        told = self.cleaned_data
        if told.get("other") and told["other"] == told.get("player"):
            self.add_error("other", "Choose two different people.")
        return told


def _player_field(club: Club, label: str) -> "forms.ModelChoiceField[Player]":
    return forms.ModelChoiceField(
        label=label,
        queryset=club.players.filter(is_active=True).order_by("name_key"),
        empty_label="Choose a person",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a person."),
    )


def _table_field() -> forms.IntegerField:
    return forms.IntegerField(
        label="Always at table number",
        min_value=1,
        max_value=MOST_TABLES,
        error_messages={
            "required": "Enter the table’s number.",
            "invalid": "Enter a number, such as 1.",
            "min_value": "Tables are numbered from 1.",
            "max_value": f"Tables are numbered up to {MOST_TABLES}.",
        },
        widget=forms.NumberInput(attrs={"class": "input--short", "inputmode": "numeric"}),
    )
