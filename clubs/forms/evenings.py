"""What a secretary types on an evening: its day, a tick, a guest's name."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.core.forms import day_field
from clubs.core.people_names import standing
from clubs.language.moments import typed_date
from clubs.models import Club, Player

FURTHEST_AHEAD = timedelta(days=400)
FIRST_DAY = date(1920, 1, 1)


class EveningForm(forms.Form):
    """The day of a new evening."""

    held_on = day_field("Date of the evening", initial=timezone.localdate)

    def clean_held_on(self) -> date:
        """A day that a club night can have."""
        held_on: date = self.cleaned_data["held_on"]
        if not FIRST_DAY <= held_on <= timezone.localdate() + FURTHEST_AHEAD:
            raise ValidationError(f"{typed_date(held_on)} does not look right. Check the year.")
        return held_on


class GuestForm(forms.Form):
    """Someone who came along."""

    name = forms.CharField(
        label="Guest’s name",
        error_messages={"required": "Enter the guest’s name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class TickForm(forms.Form):
    """One press at the door: ``here`` or ``away``, and who."""

    here = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    away = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        self.fields["here"].queryset = standing(club)  # type: ignore[attr-defined]
        self.fields["away"].queryset = club.players.all()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Exactly one person."""
        told = [self.cleaned_data.get(name) for name in ("here", "away")]
        if self.errors or sum(player is not None for player in told) != 1:
            raise ValidationError("That person is no longer in the member list.")
        self.cleaned_data["player"] = told[0] or told[1]
        return self.cleaned_data
