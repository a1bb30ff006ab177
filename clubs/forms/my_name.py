"""How someone wants others to read their name."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.forms.boundfield import BoundWidget

from clubs.models import ShownAs
from clubs.models.names import EVERYBODY, Person, shown_names

NOTES = {
    ShownAs.FULL: "Everyone sees your full name.",
    ShownAs.INITIAL: "Only the first letter of your surname is shown.",
    ShownAs.HIDDEN: "Your results appear without your name.",
}
CHOOSE = "Choose one of the three."


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways: its button, the name as it would stand, and what that means."""

    option: BoundWidget
    name: str
    note: str


class MyNameForm(forms.Form):
    """One of three ways, each shown with the person's own name."""

    shown_as = forms.ChoiceField(
        label="Your name would appear as",
        choices=ShownAs.choices,
        widget=forms.RadioSelect,
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )

    def ways(self, name: str) -> Iterator[Way]:
        """The three, for someone of this name."""
        for option, way in zip(self["shown_as"], ShownAs, strict=True):
            shown = shown_names([Person(0, name, way)], EVERYBODY)[0]
            yield Way(option, shown, NOTES[way])

    def clean_shown_as(self) -> ShownAs:
        """The way as the model knows it."""
        return ShownAs(self.cleaned_data["shown_as"])
