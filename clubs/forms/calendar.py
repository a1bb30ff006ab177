"""What a secretary types about the club's year: a series of evenings, days without one."""

from typing import Any

from django import forms

from clubs.core.forms import ShownTextField, day_field
from clubs.core.stale_forms import ChangeForm
from clubs.models import Series
from clubs.recurring import ORDINALS, Pattern

EVERY = "every"
HOW = [
    (EVERY, "Weekly, or every few weeks"),
    ("weeks", "Certain weeks of the month, such as the 1st and 3rd"),
]
TIME = {"invalid": "Enter a time, for example 14:00.", "required": "Enter a time."}
WHOLE = {
    "invalid": "Enter a whole number, for example 2.",
    "min_value": "Enter 1 for every week.",
    "max_value": "Enter 52 or fewer.",
}


def time_field(label: str, initial: str) -> forms.TimeField:
    """A time of day, with the browser's clock where it has one."""
    widget = forms.TimeInput(format="%H:%M", attrs={"type": "time", "class": "input--short"})
    return forms.TimeField(label=label, widget=widget, initial=initial, error_messages=TIME)


class SeriesForm(ChangeForm):
    """When and where the club meets."""

    name = ShownTextField(
        label="Name",
        max_length=80,
        initial="Club evening",
        error_messages={"required": "Enter a name."},
    )
    place = ShownTextField(
        label="Place", max_length=120, required=False, help_text="For example: Village Hall."
    )
    first_on = day_field("First day", help_text="All evenings are on the same day of the week.")
    last_on = day_field("Last day")
    how = forms.ChoiceField(
        label="How often?", choices=HOW, initial=EVERY, widget=forms.RadioSelect
    )
    every = forms.IntegerField(
        label="Weeks from one evening to the next",
        required=False,
        initial=1,
        min_value=1,
        max_value=52,
        error_messages=WHOLE,
        widget=forms.NumberInput(attrs={"class": "input--short"}),
    )
    weeks = forms.TypedMultipleChoiceField(
        label="Weeks of the month",
        choices=[(week, f"The {words}") for week, words in ORDINALS.items()],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    starts_at = time_field("Starts at", "14:00")
    ends_at = time_field("Ends at", "16:30")

    def clean(self) -> dict[str, Any]:
        """The days as one pattern; the other way's fields do not count."""
        told = self.cleaned_data
        how, weeks = told.pop("how", EVERY), tuple(told.pop("weeks", ()))
        every = told.pop("every", None) or 1
        if how != EVERY and not weeks:
            self.add_error("weeks", "Choose at least one week.")
        if not self.errors:
            days = (told.pop("first_on"), told.pop("last_on"))
            told["pattern"] = Pattern(*days, every) if how == EVERY else Pattern(*days, weeks=weeks)
        return told


class HolidayForm(forms.Form):
    """Days without an evening."""

    name = ShownTextField(
        label="Reason",
        max_length=80,
        help_text="For example: Christmas, or: the hall is let.",
        error_messages={"required": "Enter a reason."},
    )
    first_on = day_field("First closed date")
    last_on = day_field("Last closed date", help_text="For a single day, enter the same date.")


def told_of(series: Series) -> dict[str, Any]:
    """A series as its form shows it."""
    names = ("name", "place", "first_on", "last_on", "every", "weeks", "starts_at", "ends_at")
    how = "weeks" if series.weeks else EVERY
    return {name: getattr(series, name) for name in names} | {"how": how}
