"""Which tables the secretary chose before seating."""

from django import forms


class SplitForm(forms.Form):
    """The sizes of the tables, as ``4,5,5``; nothing sent: the usual ones."""

    split = forms.RegexField(r"^[345](,[345]){0,99}$", required=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """What was chosen; whatever cannot be read is nobody's choice."""
        told = self.cleaned_data.get("split", "") if self.is_valid() else ""
        return tuple(map(int, told.split(","))) if told else ()
