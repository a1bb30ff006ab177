"""The retention timetable, and the name that is typed to erase someone."""

from typing import Any

from django import forms

from clubs.core.forms import ChangeForm
from clubs.models import Retention
from clubs.models.names import name_key

MOST_MONTHS = 240


def _months_field(label: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=MOST_MONTHS,
        error_messages={
            "invalid": "Enter a number of months, for example 12, or leave empty.",
            "min_value": "Enter 1 month or more, or leave empty to keep everything.",
            "max_value": f"Enter {MOST_MONTHS} months or fewer, or leave empty to keep everything.",
        },
    )


class TimetableForm(ChangeForm):
    """For how many months what is kept; an empty field keeps it."""

    guests = _months_field("Guests: months after the last visit")
    lapsed = _months_field("People who have left: months afterwards")
    letters = _months_field("Messages, invitations and imports: months")
    money = _months_field("Who paid table money: months after the evening")
    deeds = _months_field("Activity log: months")

    def __init__(self, terms: Retention, data: Any = None) -> None:
        super().__init__(data, initial=initial_months(terms))


def initial_months(terms: Retention) -> dict[str, int | None]:
    return {name: getattr(terms, name) for name in TimetableForm.base_fields}


class EraseForm(forms.Form):
    """The person's name, typed to be sure."""

    name = forms.CharField(
        label="Enter the name to confirm",
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Enter the person’s name."},
    )

    def __init__(self, name: str, data: Any = None) -> None:
        super().__init__(data)
        self.expected_name = name
        self.fields["name"].help_text = name

    def clean_name(self) -> str:
        """Refuse another name; capitals and accents do not matter."""
        name: str = self.cleaned_data["name"]
        if name_key(name) != name_key(self.expected_name):
            raise forms.ValidationError(f"That name does not match. Enter: {self.expected_name}")
        return name
