"""What somebody types of a key for a program."""

from typing import Any

from django import forms

from clubs.models import Club, Scope

LIVES = [("30", "30 days"), ("90", "90 days"), ("365", "A year"), ("", "Until you revoke it")]


class KeyForm(forms.Form):
    """A name, what the key is good for, in which club, and for how long."""

    name = forms.CharField(
        label="What is it for?",
        max_length=80,
        help_text="So that you know it again, such as “The screen in the hall”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="What may it do?",
        choices=Scope.choices,
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        help_text="It never opens more than you may do yourself.",
        error_messages={"required": "Tick at least one."},
    )
    club = forms.ModelChoiceField(
        label="In which club?", queryset=Club.objects.none(), required=False, empty_label="All mine"
    )
    days = forms.TypedChoiceField(
        label="For how long?",
        choices=LIVES,
        initial="365",
        coerce=int,
        empty_value=None,
        required=False,
    )

    def __init__(self, data: Any = None, *, clubs: Any) -> None:
        super().__init__(data)
        field = self.fields["club"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = clubs
