"""What someone says of a hand that is not right; why the scorer lets one stand."""

from collections.abc import Sequence
from typing import Any

from django import forms

from clubs.core.forms import ShownTextField
from scoring.scorebook.services import MOST_LETTERS

WRONG = (
    "My score is wrong",
    "Another score is wrong",
    "Someone else went Mah-Jong",
    "The winds are wrong",
)


class NotRightForm(forms.Form):
    """Who says so (at the table's own link), what is wrong in a choice, in words, or neither."""

    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    seat = forms.TypedChoiceField(
        label="Who is reporting this?",
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who is reporting this."},
    )
    what = forms.ChoiceField(
        label="What is wrong?",
        choices=[(words, words) for words in WRONG],
        widget=forms.RadioSelect,
        required=False,
    )
    words = ShownTextField(
        label="In your own words",
        max_length=MOST_LETTERS - max(map(len, WRONG)) - 2,
        required=False,
        help_text="For example: mine was 46, not 64.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, voices: Sequence[tuple[int, str]], seat: int | None, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.own = seat
        if seat is None:
            self.fields["seat"].choices = voices  # type: ignore[attr-defined]
        else:
            del self.fields["seat"]

    @property
    def speaker(self) -> int:
        """The seat that says so."""
        return self.own or self.cleaned_data["seat"]

    @property
    def note(self) -> str:
        """``My score is wrong: mine was 46``, as much of it as was told."""
        told = (self.cleaned_data["what"], self.cleaned_data["words"])
        return ": ".join(part for part in told if part)

    def show_again(self, shown: str) -> None:
        """The same answers below what stands now."""
        self.data = {**self.data.dict(), "shown": shown}  # type: ignore[attr-defined]
