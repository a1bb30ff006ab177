"""One press on the list of those who fill in: whom to ask, whom to add, whom to take off."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.core.people_names import standing
from clubs.models import Answer, Club, Player

ACTS = ("ask", "add", "drop")


class StandByForm(forms.Form):
    """Which of the three, and who."""

    ask = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    add = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    drop = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        for name in ACTS:
            people = club.players.all() if name == "drop" else standing(club)
            self.fields[name].queryset = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Exactly one, as ``act`` and ``player``."""
        told = {name: self.cleaned_data.get(name) for name in ACTS if self.cleaned_data.get(name)}
        if self.errors or len(told) != 1:
            raise ValidationError("Choose someone from the list.")
        ((act, player),) = told.items()
        return {"act": act, "player": player}


class AnswerForm(forms.Form):
    """Yes or no."""

    answer = forms.TypedChoiceField(choices=[(Answer.YES, "Yes"), (Answer.NO, "No")], coerce=Answer)
