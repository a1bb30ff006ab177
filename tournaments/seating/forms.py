"""A round seated by hand, table by table, and a whole plan as a list."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.db.models import QuerySet

from clubs.core.forms import PersonField
from clubs.members.forms import ImportForm
from clubs.models.names import MAX_NAME
from tournaments.models import MOST_HANDS, Entrant, EntrantState, RoundState, Tournament
from tournaments.seating.selectors import WINDS, RoundByHand
from tournaments.seating.services.by_hand import WrittenRound, WrittenTable
from tournaments.seating.services.changes import RESEATING_PLANS

MAX_LIST_ENTRIES = 100
HOUSE_PLAYER: Final = "0"


@dataclass(frozen=True, slots=True)
class SeatField:
    """One seat on the page: the field's name and its value."""

    wind: str
    field: str
    value: str


class SeatsForm(forms.Form):
    """A name for every seat of a round; comes out as the round as written."""

    rest = forms.BooleanField(label="Anyone without a seat sits out this round", required=False)
    mark = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, manual_round: RoundByHand, mark: str, data: Any = None) -> None:
        super().__init__(data, initial={"rest": manual_round.rests, "mark": mark})
        self.seated_round = manual_round
        for table in manual_round.tables:
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
        for table in self.seated_round.tables:
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
        return len(self.seated_round.names) <= MAX_LIST_ENTRIES

    def written_round(self) -> WrittenRound:
        """The round as it was filled in; call it on a valid form."""
        cleaned_data = self.cleaned_data
        tables = (
            WrittenTable(
                table.number, tuple(cleaned_data[f"t{table.number}-{wind}"] for wind in WINDS)
            )
            for table in self.seated_round.tables
        )
        return WrittenRound(self.seated_round.number, tuple(tables), cleaned_data["rest"])


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


def _round_field(tournament: Tournament) -> forms.TypedChoiceField:
    """A field for a round that is not closed."""
    numbers = [
        round_.number for round_ in tournament.rounds.all() if round_.state != RoundState.CLOSED
    ]
    return forms.TypedChoiceField(
        label="Round",
        coerce=int,
        choices=[(number, f"Round {number}") for number in numbers],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a round."),
    )


def _entrant_field(label: str, queryset: QuerySet[Entrant]) -> PersonField:
    return PersonField(
        label=label,
        queryset=queryset,
        empty_label="Choose a player",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a player."),
    )


class TakeOverForm(forms.Form):
    """Who takes over whose places; the newcomer ``0`` is a house player who comes for it."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data)
        self.fields["leaver"] = _entrant_field("Who has left", tournament.entrants.all())
        playing = tournament.entrants.filter(state=EntrantState.ENTERED)
        self.fields["newcomer"] = newcomer = _entrant_field("Who takes over", playing)
        newcomer.empty_values = [*newcomer.empty_values, HOUSE_PLAYER]
        newcomer.required = not data or data.get("newcomer") != HOUSE_PLAYER


class PlanChoiceForm(forms.Form):
    """How everyone is seated anew; empty: the better way."""

    plan = forms.ChoiceField(required=False, choices=RESEATING_PLANS)


class SwapForm(forms.Form):
    """Two who change places in a round; house players may be one of them."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, prefix="swap")
        playing = tournament.entrants.filter(state=EntrantState.ENTERED)
        self.fields["number"] = _round_field(tournament)
        self.fields["one"] = field = _entrant_field("Player", playing)
        self.fields["other"] = other_field = _entrant_field("Swap with", playing)
        value: Any = field.choices
        field.choices = other_field.choices = list(iter(value))  # a list would ask how many first


class SubstituteForm(forms.Form):
    """Who sits in for whom, from which round."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, prefix="substitute")
        self.fields["entrant"] = _entrant_field("Player", tournament.entrants.all())
        self.fields["name"] = forms.CharField(
            label="Substitute",
            required=False,
            help_text="Leave empty when the player is back.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )
        self.fields["number"] = _round_field(tournament)
        self.fields["from_hand"] = forms.IntegerField(
            label="From hand",
            required=False,
            min_value=1,
            max_value=MOST_HANDS,
            help_text="Leave empty for the table’s next hand. Earlier hands do not change.",
            error_messages=dict.fromkeys(
                ("invalid", "min_value", "max_value"), "Enter the number of a hand."
            ),
            widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        )
        self.fields["goes_on"] = forms.BooleanField(
            label="Also in later rounds that are seated", required=False, initial=True
        )
