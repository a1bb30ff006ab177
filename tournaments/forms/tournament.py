"""A tournament's settings: what is played and what ranks."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.core.forms import day_field
from clubs.core.stale_forms import ChangeForm
from clubs.models import Club
from clubs.table.forms.rules import RulesField, TellingFields, offer_rules
from scoring.ranking import METRICS
from scoring.scorebook.editions import bare
from tournaments.forms.drawing import DrawingFields, drawing_of
from tournaments.forms.measures import MeasureFields, measures_of
from tournaments.forms.resting import RestingFields, resting_of
from tournaments.models import Tournament, ranking_default
from tournaments.presets import PRESETS
from tournaments.services.making import MOST_ROUNDS

YEARS = range(1920, 2101)
ORDER = ("Rank by", "First tie-break", "Second tie-break", "Third tie-break")


def _count(label: str, *, most: int, initial: int, help_text: str) -> forms.IntegerField:
    """A number from 1 to ``most``."""
    sentence = f"Enter a number from 1 to {most}."
    return forms.IntegerField(
        label=label,
        min_value=1,
        max_value=most,
        initial=initial,
        help_text=help_text,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence),
    )


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
        "Rounds", most=MOST_ROUNDS, initial=5, help_text="Players meet new opponents in each round."
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
        self.frozen = dict(_fields_of(frozen or {}))
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
        for name in self._sent_too_late():
            self.add_error(name, self.frozen[name])
        chosen = [self.cleaned_data.get(f"rank_{place}", "") for place in range(1, 5)]
        for place, metric in enumerate(chosen, start=1):
            if metric and metric in chosen[: place - 1]:
                self.add_error(f"rank_{place}", f"{METRICS[metric]} is already used above.")
        self.cleaned_data["ranks_by"] = [metric for metric in chosen if metric]
        return self.cleaned_data

    def _sent_too_late(self) -> Iterator[str]:
        """Fields that were frozen only after the page was shown, and come back changed."""
        for name in self.frozen:
            held = self.get_initial_for_field(self.fields[name], name)
            if name in self.data and str(self.data[name]) != str("" if held is None else held):
                yield name

    @property
    def about(self) -> list[forms.BoundField]:
        """The fields that say what is played."""
        return [self[name] for name in ("name", "held_on", "rounds")]

    @property
    def ranking(self) -> list[forms.BoundField]:
        """The fields that say what ranks, in order."""
        return [self[f"rank_{place}"] for place in range(1, 5)]


class TournamentChangeForm(ChangeForm, TournamentForm):
    """The settings of a tournament that is there already."""


def _fields_of(frozen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The fields of these settings, each with its setting's reason."""
    several = {
        "ranks_by": tuple(f"rank_{place}" for place in range(1, 5)),
        "by_standing_from": ("seated_by", "by_standing_from"),
    }
    for setting, reason in frozen.items():
        yield from ((name, reason) for name in several.get(setting, (setting,)))


def settings_of(tournament: Tournament) -> dict[str, Any]:
    """What the form holds for a tournament that is there already."""
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
