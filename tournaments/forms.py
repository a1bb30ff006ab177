"""What a director types: a new tournament, and who enters it."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone

from clubs.forms.evenings import day_field
from clubs.forms.members import ImportForm
from clubs.forms.rules import RulesField
from clubs.models import Player
from scoring.ranking import METRICS
from tournaments.models import (
    Entrant,
    EntrantState,
    OddNumber,
    RoundState,
    Tournament,
    ranking_default,
)
from tournaments.presets import PRESETS, Preset

MOST_ROUNDS = 20
MOST_HANDS = 40
MOST_NAMES = 400
YEARS = range(1920, 2101)
ORDER = ("Ranks first", "Ranks second", "Ranks third", "Ranks fourth")


def _count(label: str, *, most: int, initial: int, help_text: str) -> forms.IntegerField:
    """A number from 1 to ``most``."""
    sentence = f"Type a number from 1 to {most}."
    return forms.IntegerField(
        label=label,
        min_value=1,
        max_value=most,
        initial=initial,
        help_text=help_text,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence),
    )


class TournamentForm(forms.Form):
    """A new tournament; ``ranks_by`` comes out as metric keys in order."""

    name = forms.CharField(
        label="Name",
        error_messages={"required": "Type a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    held_on = day_field("Day", initial=timezone.localdate)
    rounds = _count(
        "Rounds", most=MOST_ROUNDS, initial=5, help_text="Everybody has new company in each."
    )
    hands_a_round = _count(
        "Hands a round", most=MOST_HANDS, initial=8, help_text="Eight take about an hour."
    )

    rules = RulesField(label="Which rules are played?", otherwise="As the club plays", initial="")

    def __init__(self, data: Any = None, *, preset: Preset = PRESETS[0]) -> None:
        super().__init__(data, initial=preset.as_initial())
        for place, label in enumerate(ORDER, start=1):
            self.fields[f"rank_{place}"] = self._rank(label, is_first=place == 1)

    def _rank(self, label: str, *, is_first: bool) -> forms.ChoiceField:
        nothing = [] if is_first else [("", "nothing more: the place is shared")]
        return forms.ChoiceField(
            label=label,
            required=is_first,
            choices=[*((key, METRICS[key]) for key in ranking_default()), *nothing],
            error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose from the list."),
        )

    def clean_held_on(self) -> date:
        """A day of a year that can be meant."""
        held_on: date = self.cleaned_data["held_on"]
        if held_on.year not in YEARS:
            raise ValidationError(f"The year {held_on.year} cannot be right.")
        return held_on

    def clean(self) -> dict[str, Any]:
        """The ranking in one list, nothing twice and nothing left out in between."""
        chosen = [self.cleaned_data.get(f"rank_{place}", "") for place in range(1, 5)]
        for place, metric in enumerate(chosen, start=1):
            if metric and metric in chosen[: place - 1]:
                self.add_error(f"rank_{place}", f"{METRICS[metric]} stands above already.")
        self.cleaned_data["ranks_by"] = [metric for metric in chosen if metric]
        return self.cleaned_data

    @property
    def about(self) -> list[forms.BoundField]:
        """The fields that say what is played."""
        return [self[name] for name in ("name", "held_on", "rounds", "hands_a_round")]

    @property
    def ranking(self) -> list[forms.BoundField]:
        """The fields that say what ranks, in order."""
        return [self[f"rank_{place}"] for place in range(1, 5)]


class NamesForm(forms.Form):
    """Many names, one a line; comes out as the lines as typed, empty ones too."""

    names = forms.CharField(
        label="Names, one a line",
        strip=False,
        help_text="Paste them from a list or a letter. Members of the club are recognised.",
        error_messages={"required": "Type or paste at least one name."},
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> list[str]:
        """The lines; at most as many as a hall holds."""
        lines = str(self.cleaned_data["names"]).splitlines()
        if not any(line.strip() for line in lines):
            raise ValidationError("Type or paste at least one name.")
        if len(lines) > MOST_NAMES:
            raise ValidationError(f"That is {len(lines)} lines; at most {MOST_NAMES} fit.")
        return lines


class EntrantForm(forms.Form):
    """One more entrant, of this club or another."""

    name = forms.CharField(
        label="Name",
        error_messages={"required": "Type a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    from_club = forms.CharField(
        label="Club or town",
        required=False,
        max_length=80,
        error_messages={"max_length": "At most 80 letters fit."},
    )
    team = forms.CharField(
        label="Team",
        required=False,
        max_length=80,
        help_text="Team mates are kept at different tables.",
        error_messages={"max_length": "At most 80 letters fit."},
    )


class MembersForm(forms.Form):
    """Members of the club who have not entered yet, to be ticked."""

    players = forms.ModelMultipleChoiceField(
        label="Members of the club",
        queryset=Player.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Tick at least one name.",
            "invalid_choice": "Somebody you ticked is on the list already or not in the club.",
        },
    )

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data)
        entered = tournament.entrants.values("name_key")
        players = self.fields["players"]
        players.queryset = tournament.club.players.filter(  # type: ignore[attr-defined]
            is_active=True
        ).exclude(name_key__in=entered)


class EntryRulesForm(forms.Form):
    """How many may enter, and what is done with a number that is no multiple of four."""

    odd_number = forms.ChoiceField(
        label="If the number is no multiple of four",
        choices=OddNumber.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one.", "invalid_choice": "Choose one."},
    )
    places = forms.IntegerField(
        label="Places",
        required=False,
        min_value=4,
        max_value=MOST_NAMES,
        help_text="Whoever enters after so many waits for a place. Empty: as many as come.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Type a number from 4 to {MOST_NAMES}."
        ),
    )


class NoteForm(forms.Form):
    """One press on the entry list: ``has_paid`` or ``is_here``, yes or no."""

    tick = forms.ChoiceField(choices=[("has_paid", ""), ("is_here", "")])
    to = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda typed: typed == "yes"
    )


def _round_field(tournament: Tournament) -> forms.TypedChoiceField:
    """A round that is not closed."""
    numbers = tournament.rounds.exclude(state=RoundState.CLOSED).values_list("number", flat=True)
    return forms.TypedChoiceField(
        label="Round",
        coerce=int,
        choices=[(number, f"Round {number}") for number in numbers],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a round."),
    )


def _entrant_field(label: str, queryset: QuerySet[Entrant]) -> "forms.ModelChoiceField[Entrant]":
    return forms.ModelChoiceField(
        label=label,
        queryset=queryset.order_by("name"),
        empty_label="Choose a player",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a player."),
    )


class SwapForm(forms.Form):
    """Two who change places in a round; house players may be one of them."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, prefix="swap")
        playing = tournament.entrants.filter(state=EntrantState.ENTERED)
        self.fields["number"] = _round_field(tournament)
        self.fields["one"] = _entrant_field("Player", playing)
        self.fields["other"] = _entrant_field("With", playing)


class SubstituteForm(forms.Form):
    """Who sits in for whom, from which round."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, prefix="substitute")
        self.fields["entrant"] = _entrant_field("For", tournament.entrants.all())
        self.fields["name"] = forms.CharField(
            label="Who sits in",
            required=False,
            help_text="Leave it empty when the player sits in person again.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )
        self.fields["number"] = _round_field(tournament)
        self.fields["goes_on"] = forms.BooleanField(
            label="And in the rounds after it", required=False, initial=True
        )


class EntryListForm(ImportForm):
    """An entry list as a file or as text; ``text`` holds what was read of either."""

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        columns = "the first line names the columns: name, club, team, paid."
        self.fields["file"].help_text = f"Save it as “CSV UTF-8”; {columns}"
        self.fields["text"].help_text = f"Typed or pasted; {columns}"
