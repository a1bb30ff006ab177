"""What someone types of a key for a program."""

from typing import Any, Final

from django import forms

from clubs.models import Club, Scope
from clubs.services.tokens import A_YEAR

NEVER: Final = "never"
LIVES: Final = [
    ("30", "30 days"),
    ("90", "90 days"),
    (str(A_YEAR), "A year"),
    (NEVER, "Never"),
]


class KeyForm(forms.Form):
    """A name, what the key is good for, in which club, and for how long."""

    name = forms.CharField(
        label="Name",
        max_length=80,
        help_text="To help you recognise it later, for example “Screen in the hall”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="Permissions",
        choices=Scope.choices,
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        help_text="A key can never do more than you can.",
        error_messages={"required": "Choose at least one."},
    )
    club = forms.ModelChoiceField(
        label="Which club?",
        queryset=Club.objects.none(),
        required=False,
        empty_label="All my clubs",
    )
    days = forms.ChoiceField(label="Expires", choices=LIVES, initial=str(A_YEAR), required=False)

    def __init__(self, data: Any = None, *, clubs: Any) -> None:
        super().__init__(data)
        field = self.fields["club"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = clubs

    def clean_days(self) -> int | None:
        """A year unless something else was chosen; None until it is revoked."""
        days = self.cleaned_data["days"] or A_YEAR
        return None if days == NEVER else int(days)
