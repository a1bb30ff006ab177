"""How somebody wants others to read their name."""

from django import forms

from clubs.models import ShownAs
from clubs.names import Person, Reader, shown_names

NOTES = {
    ShownAs.FULL: "Everybody reads your whole name.",
    ShownAs.INITIAL: "Your surname is not told, but for its first letter.",
    ShownAs.HIDDEN: "Your results stand there without your name.",
}


class MyNameForm(forms.Form):
    """One of three ways, each shown with the person's own name."""

    shown_as = forms.ChoiceField(
        label="How others read your name",
        widget=forms.RadioSelect,
        error_messages={
            "required": "Choose one of the three.",
            "invalid_choice": "Choose one of the three.",
        },
    )

    def __init__(self, name: str, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["shown_as"].choices = [  # type: ignore[attr-defined]
            (way, f"{_read(name, way)}: {NOTES[way]}") for way in ShownAs
        ]

    def clean_shown_as(self) -> ShownAs:
        """The way as the model knows it."""
        return ShownAs(self.cleaned_data["shown_as"])


def _read(name: str, way: ShownAs) -> str:
    return shown_names([Person(0, name, way)], Reader())[0]
