"""Who enters a tournament: names, members, a list from a spreadsheet, and the terms."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.core.forms import ChangeForm, TickedField, day_field
from clubs.members.forms import ImportForm
from clubs.models import Club, Player
from clubs.table.forms.rules import RulesField, TellingFields, offer_rules
from scoring.scorebook.editions import bare
from scoring.table.ranking import METRICS
from tournaments.models import (
    A_MEAN_PLACE,
    MOST_HANDS,
    MOST_MINUTES,
    MOST_ROUNDS,
    MOST_STAKE,
    MOST_TABLE_POINTS,
    AtTheBell,
    OddNumber,
    SittingOut,
    Tournament,
    ranking_default,
)
from tournaments.seating.forms import DrawingFields, drawing_of
from tournaments.setup.selectors import PRESETS

MOST_NAMES = 400


class NamesForm(forms.Form):
    """Many names, one a line; comes out as the lines as typed, empty ones too."""

    names = forms.CharField(
        label="Names, one per line",
        strip=False,
        help_text="Paste them from a list. Club members are recognised.",
        error_messages={"required": "Enter at least one name."},
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> list[str]:
        """The lines; at most as many as a hall holds."""
        lines = str(self.cleaned_data["names"]).splitlines()
        if not any(line.strip() for line in lines):
            raise ValidationError("Enter at least one name.")
        if len(lines) > MOST_NAMES:
            raise ValidationError(f"Enter {MOST_NAMES} names or fewer. This list has {len(lines)}.")
        return lines


class EntrantForm(forms.Form):
    """One more entrant, of this club or another."""

    name = forms.CharField(
        label="Name",
        error_messages={"required": "Enter a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    from_club = forms.CharField(
        label="Club or town",
        required=False,
        max_length=80,
        error_messages={"max_length": "Use 80 characters or fewer."},
    )
    team = forms.CharField(
        label="Team",
        required=False,
        max_length=80,
        help_text="Teammates sit at different tables.",
        error_messages={"max_length": "Use 80 characters or fewer."},
    )


class MembersForm(forms.Form):
    """Members of the club who have not entered yet, to be ticked."""

    players = TickedField(
        label="Club members",
        queryset=Player.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one name.",
            **dict.fromkeys(
                ("invalid_choice", "invalid_pk_value"),
                "Someone you chose is already entered or is not in the club.",
            ),
        },
    )

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data)
        entered = tournament.entrants.values("name_key")
        players = self.fields["players"]
        players.queryset = tournament.club.players.filter(  # type: ignore[attr-defined]
            is_active=True
        ).exclude(name_key__in=entered)


class EntryRulesForm(ChangeForm):
    """How many may enter, and what is done with a number that is no multiple of four."""

    odd_number = forms.ChoiceField(
        label="If numbers do not divide by four",
        choices=OddNumber.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one.", "invalid_choice": "Choose one."},
    )
    places = forms.IntegerField(
        label="Places",
        required=False,
        min_value=4,
        max_value=MOST_NAMES,
        help_text="Later entries go on the waiting list. Leave empty for no limit.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Enter a number from 4 to {MOST_NAMES}."
        ),
    )


def initial_terms(tournament: Tournament) -> dict[str, Any]:
    """Initial data of the form about the terms."""
    return {"odd_number": tournament.odd_number, "places": tournament.places}


class NoteForm(forms.Form):
    """One press on the entry list: ``has_paid`` or ``is_here``, yes or no."""

    tick = forms.ChoiceField(choices=[("has_paid", ""), ("is_here", "")])
    to = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda typed: typed == "yes"
    )


class EntryListForm(ImportForm):
    """An entry list as a file or as text; ``text`` holds what was read of either."""

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        columns = "the first line names the columns: name, club, team, paid."
        self.fields["file"].help_text = f"Save it as “CSV UTF-8”; {columns}"
        self.fields["text"].help_text = f"Enter or paste a list; {columns}"


FIELDS = ("sitting_out_counts", "sitting_out_table_points", "sitting_out_points")


class RestingFields(forms.Form):
    """The part of a tournament's form that says what sitting out counts.

    A number that is left empty comes out as what is usual.
    """

    sitting_out_counts = forms.ChoiceField(
        label="What counts for a player who sits out a round?",
        choices=SittingOut.choices,
        initial=SittingOut.AVERAGE,
        required=False,
        widget=forms.RadioSelect,
        help_text="With the average, no one gains or loses by sitting out.",
        error_messages={"invalid_choice": "Choose one."},
    )
    sitting_out_table_points = forms.DecimalField(
        label="Table points for a round sat out",
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(MOST_TABLE_POINTS),
        max_digits=4,
        decimal_places=2,
        help_text="A player at a table gets 1.75 on average.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value", "max_digits", "max_decimal_places"),
            f"Enter a number from 0 to {MOST_TABLE_POINTS}, such as 1.75.",
        ),
    )
    sitting_out_points = forms.IntegerField(
        label="Points of gain for a round sat out",
        required=False,
        min_value=-MOST_STAKE,
        max_value=MOST_STAKE,
        help_text="Use 0 when players pay one another.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            f"Enter a whole number of at most {MOST_STAKE:,}.",
        ),
    )

    def clean(self) -> dict[str, Any]:
        """What was left empty is as usual."""
        cleaned = super().clean() or self.cleaned_data
        usual = (SittingOut.AVERAGE, A_MEAN_PLACE, 0)
        for name, value in zip(FIELDS, usual, strict=True):
            if cleaned.get(name) in (None, ""):
                cleaned[name] = value
        return cleaned

    @property
    def sitting_out(self) -> list[forms.BoundField]:
        """The numbers of a fixed score."""
        return [self["sitting_out_table_points"], self["sitting_out_points"]]


def resting_of(tournament: Tournament) -> dict[str, Any]:
    """Initial data of these fields for an existing tournament."""
    return {name: getattr(tournament, name) for name in FIELDS}


MEASURE_FIELDS = ("hands_a_round", "minutes_a_round", "at_the_bell", "start_stake")


def _count(
    label: str, *, least: int = 1, most: int, required: bool = False, **options: Any
) -> forms.IntegerField:
    wrong = ("required", "invalid", "min_value", "max_value")
    return forms.IntegerField(
        label=label,
        required=required,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(wrong, f"Enter a number from {least} to {most:,}."),
        **options,
    )


class MeasureFields(forms.Form):
    """The part of a tournament's form that says how long a round is.

    ``hands_a_round`` and ``minutes_a_round`` come out as None where they are left empty, not both;
    ``start_stake`` as 0.
    """

    hands_a_round = _count(
        "Hands per round",
        most=MOST_HANDS,
        help_text="Eight hands take about an hour. Leave empty for as many as time allows.",
    )
    minutes_a_round = _count(
        "Minutes per round",
        most=MOST_MINUTES,
        help_text="A clock counts down on the projector screen and every phone. Leave empty for "
        "no clock.",
    )
    at_the_bell = forms.ChoiceField(
        label="What happens to the hand in progress when the bell rings?",
        choices=AtTheBell.choices,
        initial=AtTheBell.FINISH,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": "Choose one."},
    )
    start_stake = _count(
        "Starting points",
        least=0,
        most=MOST_STAKE,
        help_text="Shown in table totals but not counted in the standings. Leave empty for none.",
    )

    def clean(self) -> dict[str, Any]:
        """A round has an end: by hands, by minutes or by both."""
        cleaned = super().clean() or self.cleaned_data
        lengths = {"hands_a_round", "minutes_a_round"}
        if not lengths & self.errors.keys() and all(cleaned.get(name) is None for name in lengths):
            self.add_error("hands_a_round", "Enter a number of hands or minutes for each round.")
        cleaned["at_the_bell"] = cleaned.get("at_the_bell") or AtTheBell.FINISH
        cleaned["start_stake"] = cleaned.get("start_stake") or 0
        return cleaned

    @property
    def lengths(self) -> list[forms.BoundField]:
        """The fields that say when a round ends."""
        return [self["hands_a_round"], self["minutes_a_round"]]


def measures_of(tournament: Tournament) -> dict[str, Any]:
    """Initial data of these fields for an existing tournament."""
    fields = {name: getattr(tournament, name) for name in MEASURE_FIELDS}
    return fields | {"start_stake": tournament.start_stake or None}


YEARS = range(1920, 2101)
ORDER = ("Rank by", "First tie-break", "Second tie-break", "Third tie-break")


class TournamentForm(MeasureFields, DrawingFields, RestingFields, TellingFields):
    """A tournament new or there already; ``ranks_by`` comes out as metric keys in order.

    What is ``frozen``, by the setting's name with the reason in a sentence, keeps what it is in
    ``initial``; a page that was shown before, and sends something else, is told the reason.
    """

    name = forms.CharField(
        label="Name",
        error_messages={"required": "Enter a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    held_on = day_field("Date", initial=timezone.localdate)
    rounds = _count(
        "Rounds",
        most=MOST_ROUNDS,
        required=True,
        initial=5,
        help_text="Players meet new opponents in each round.",
    )
    rules = RulesField(label="Scoring rules", otherwise="The club’s usual rules", initial="")

    def __init__(
        self,
        data: Any = None,
        *,
        club: Club,
        initial: dict[str, Any] | None = None,
        frozen: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data, initial=initial or PRESETS[0].as_initial())
        if self.initial.get("rules"):
            self.fields["rules"] = RulesField(label="Scoring rules")
        offer_rules(self, club)
        for place, label in enumerate(ORDER, start=1):
            self.fields[f"rank_{place}"] = self._rank(label, is_first=place == 1)
        several = {
            "ranks_by": [f"rank_{place}" for place in range(1, 5)],
            "by_standing_from": ["seated_by", "by_standing_from"],
        }
        self.frozen = {
            name: reason
            for setting, reason in (frozen or {}).items()
            for name in several.get(setting, [setting])
        }
        for name, reason in self.frozen.items():
            self.fields[name].disabled = True
            self.fields[name].help_text = reason

    def _rank(self, label: str, *, is_first: bool) -> forms.ChoiceField:
        nothing = [] if is_first else [("", "none: players share the place")]
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
            raise ValidationError(f"Check the year: {held_on.year} cannot be right.")
        return held_on

    def clean(self) -> dict[str, Any]:
        """The ranking in one list, nothing twice and nothing left out in between."""
        super().clean()
        # Fields that were frozen only after the page was shown, and come back changed.
        for name, reason in self.frozen.items():
            initial = self.get_initial_for_field(self.fields[name], name)
            current = "" if initial is None else str(initial)
            if name in self.data and str(self.data[name]) != current:
                self.add_error(name, reason)
        chosen = [self.cleaned_data.get(f"rank_{place}", "") for place in range(1, 5)]
        for place, metric in enumerate(chosen, start=1):
            if metric and metric in chosen[: place - 1]:
                self.add_error(f"rank_{place}", f"{METRICS[metric]} is already used above.")
        self.cleaned_data["ranks_by"] = [metric for metric in chosen if metric]
        return self.cleaned_data

    @property
    def about(self) -> list[forms.BoundField]:
        return [self[name] for name in ("name", "held_on", "rounds")]

    @property
    def ranking(self) -> list[forms.BoundField]:
        """The fields that say what ranks, in order."""
        return [self[f"rank_{place}"] for place in range(1, 5)]


class TournamentChangeForm(ChangeForm, TournamentForm):
    """The settings of a tournament that is there already."""


def settings_of(tournament: Tournament) -> dict[str, Any]:
    ranks = (*tournament.ranks_by, "", "", "", "")[:4]
    return {
        "name": tournament.name,
        "held_on": tournament.held_on,
        "rounds": tournament.rounds_planned,
        "rules": bare(tournament.rules),
        "record_by": tournament.record_by,
        "agreement": tournament.agreement,
        **measures_of(tournament),
        **drawing_of(tournament),
        **resting_of(tournament),
        **{f"rank_{place}": metric for place, metric in enumerate(ranks, start=1)},
    }
