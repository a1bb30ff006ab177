"""The retention timetable, and the name that is typed to erase somebody."""

from typing import Any

from django import forms

from clubs.models import Retention
from clubs.names import name_key

MOST_MONTHS = 240
KEPT = "Empty: kept until you take it away by hand."


def _months(label: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=1,
        max_value=MOST_MONTHS,
        error_messages={
            "invalid": "Say a number of months, such as 12, or leave it empty.",
            "min_value": "At least 1 month; leave it empty to keep everything.",
            "max_value": f"At most {MOST_MONTHS} months; leave it empty to keep everything.",
        },
    )


class TimetableForm(forms.Form):
    """For how many months what is kept; an empty field keeps it."""

    guests = _months("Guests: months after the last visit")
    lapsed = _months("People who have left: months afterwards")
    letters = _months("Messages, invitations and lists that were read in: months")
    money = _months("Who paid table money: months after the evening")
    deeds = _months("Who did what: months")

    def __init__(self, terms: Retention, data: Any = None) -> None:
        super().__init__(data, initial={name: getattr(terms, name) for name in self.base_fields})


class EraseForm(forms.Form):
    """The person's name, typed to be sure."""

    name = forms.CharField(
        label="Type the name to be sure",
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Type the name of the person."},
    )

    def __init__(self, name: str, data: Any = None) -> None:
        super().__init__(data)
        self.expected = name
        self.fields["name"].help_text = name

    def clean_name(self) -> str:
        """Refuses another name; capitals and accents do not matter."""
        typed: str = self.cleaned_data["name"]
        if name_key(typed) != name_key(self.expected):
            raise forms.ValidationError(f"That is another name. Type: {self.expected}")
        return typed
