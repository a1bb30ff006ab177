"""A round seated by hand, table by table, and a whole plan as a list."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms

from clubs.members.forms import ImportForm
from clubs.models.names import MAX_NAME
from tournaments.selectors.byhand import RoundByHand
from tournaments.services import WrittenRound, WrittenTable

WINDS = ("E", "S", "W", "N")
MOST_IN_A_LIST = 100


@dataclass(frozen=True, slots=True)
class SeatField:
    """One seat on the page: the field's name and what it holds."""

    wind: str
    field: str
    value: str


class SeatsForm(forms.Form):
    """A name for every seat of a round; comes out as the round as written."""

    rest = forms.BooleanField(label="Anyone without a seat sits out this round", required=False)
    mark = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, there: RoundByHand, mark: str, data: Any = None) -> None:
        super().__init__(data, initial={"rest": there.rests, "mark": mark})
        self.there = there
        for table in there.tables:
            for wind, name in zip(WINDS, table.names, strict=True):
                self.fields[f"t{table.number}-{wind}"] = forms.CharField(
                    required=False,
                    max_length=MAX_NAME,
                    initial=name,
                    error_messages={
                        "max_length": f"Use {MAX_NAME} characters or fewer for a name."
                    },
                )

    @property
    def tables(self) -> Iterator[tuple[int, list[SeatField]]]:
        """The tables for the page, each with its seats from East on."""
        for table in self.there.tables:
            names = [f"t{table.number}-{wind}" for wind in WINDS]
            yield (
                table.number,
                [
                    SeatField(wind, name, str(self[name].value() or ""))
                    for wind, name in zip(WINDS, names, strict=True)
                ],
            )

    @property
    def has_short_list(self) -> bool:
        """Whether the names fit into a list to choose from at every seat."""
        return len(self.there.names) <= MOST_IN_A_LIST

    def written(self) -> WrittenRound:
        """The round as it was filled in; call it on a valid form."""
        told = self.cleaned_data
        tables = (
            WrittenTable(table.number, tuple(told[f"t{table.number}-{wind}"] for wind in WINDS))
            for table in self.there.tables
        )
        return WrittenRound(self.there.number, tuple(tables), told["rest"])


class PlanForm(ImportForm):
    """A whole plan as a file or as text; ``text`` holds what was read of either."""

    rest = forms.BooleanField(label="Anyone not listed in a round sits it out", required=False)

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.fields[
            "file"
        ].help_text = (
            "Save it as “CSV UTF-8”; one line per table: round, table, East, South, West, North."
        )
        self.fields["text"].help_text = "Enter or paste one line per table."
        self.fields["text"].widget.attrs["rows"] = 12
