"""Who each line of a list is: what the secretary chooses before anything is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from clubs.core.similar_names import How
from clubs.forms.members import MOST_BYTES
from clubs.services.importing import LEFT_OUT, NEW
from clubs.services.importing_plan import PlannedLine

NEW_PERSON = (NEW, "New person")
LEAVE_OUT = (LEFT_OUT, "Skip this line")


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A line as it is shown: what would become of it, and the choice."""

    planned: PlannedLine
    field: forms.BoundField


class PreviewForm(forms.Form):
    """The list again, and a choice for each of its lines: ``line_3`` is that of line 3."""

    text = forms.CharField(strip=False, max_length=MOST_BYTES, widget=forms.HiddenInput)
    file_name = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)

    def __init__(
        self, planned: Sequence[PlannedLine], data: Any = None, initial: Any = None
    ) -> None:
        super().__init__(data, initial=initial)
        self.planned = planned
        for one in planned:
            self.fields[f"line_{one.line.number}"] = _choice(one)

    def rows(self) -> Iterator[PreviewRow]:
        """Every line with its choice."""
        for one in self.planned:
            yield PreviewRow(one, self[f"line_{one.line.number}"])

    def doubtful(self) -> list[PreviewRow]:
        """The lines that someone must choose for."""
        return [row for row in self.rows() if row.planned.is_doubtful]

    def known(self) -> list[PreviewRow]:
        """The lines of people who are on the list."""
        return [row for row in self.rows() if row.planned.person]

    def new(self) -> list[PreviewRow]:
        """The lines of people who are not."""
        return [row for row in self.rows() if row.planned.is_new]

    def choices(self) -> dict[int, str]:
        """What was chosen, by the line's number."""
        return {
            one.line.number: self.cleaned_data[f"line_{one.line.number}"] for one in self.planned
        }


class TextForm(forms.Form):
    """The list itself, as a preview sends it back."""

    text = forms.CharField(strip=False, max_length=MOST_BYTES)


def _choice(one: PlannedLine) -> forms.ChoiceField:
    people = [(f"{player.pk}", f"It is {player.name}") for player in one.people]
    others = [LEAVE_OUT] if one.how == How.SAME else [NEW_PERSON, LEAVE_OUT]
    radio = one.is_doubtful
    return forms.ChoiceField(
        label=f"Line {one.line.number}: {one.line.name}",
        choices=[*people, *others],
        initial=None if radio else (people or [NEW_PERSON])[0][0],
        widget=forms.RadioSelect if radio else forms.Select,
        error_messages={"required": f"Line {one.line.number}: choose who {one.line.name} is."},
    )
