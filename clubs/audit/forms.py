"""Which lines of who did what are asked for."""

from typing import Any

from django import forms

from clubs.core.audit_log import doers_of
from clubs.core.audit_messages import DRAWERS
from clubs.models import Club


class DeedsForm(forms.Form):
    """By whom, of what kind, on which day; each may be left open."""

    doer = forms.ChoiceField(label="Person", required=False)
    drawer = forms.ChoiceField(
        label="Type of change", required=False, choices=[("", "Everything"), *DRAWERS.items()]
    )
    day = forms.DateField(
        label="Date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        doers = [(doer.key, doer.name) for doer in doers_of(club)]
        self.fields["doer"] = forms.ChoiceField(
            label="Person", required=False, choices=[("", "Everyone"), *doers]
        )

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked for; a field that makes no sense asks for nothing."""
        self.is_valid()
        return {
            name: self.cleaned_data[name] for name in self.fields if self.cleaned_data.get(name)
        }
