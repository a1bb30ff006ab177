"""Which record is the same person's."""

from typing import Any

from django import forms

from clubs.core.people_names import standing
from clubs.models import Player


class OtherRecordForm(forms.Form):
    """Another record of the club."""

    gone = forms.ModelChoiceField(
        queryset=Player.objects.none(),
        label="The same person is also listed as",
        empty_label="Choose a name",
        error_messages={
            "required": "Choose the other name.",
            "invalid_choice": "That name is no longer on the list. Choose another.",
        },
    )

    def __init__(self, kept: Player, data: Any) -> None:
        super().__init__(data)
        others = standing(kept.club).exclude(pk=kept.pk).order_by("name_key")
        self.fields["gone"].queryset = others  # type: ignore[attr-defined]
