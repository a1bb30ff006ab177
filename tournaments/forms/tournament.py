"""A tournament's settings: what is played and what ranks."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.forms.evenings import day_field
from clubs.forms.rules import RulesField, offer_rules
from clubs.models import Club
from scoring.ranking import METRICS
from tournaments.forms.drawing import DrawingFields
from tournaments.forms.measures import MeasureFields
from tournaments.models import ranking_default
from tournaments.presets import PRESETS

MOST_ROUNDS = 20
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


class TournamentForm(MeasureFields, DrawingFields):
    """A tournament new or there already; ``ranks_by`` comes out as metric keys in order.

    What is ``frozen`` keeps what it is in ``initial``, whatever is sent.
    """

    name = forms.CharField(
        label="Name",
        error_messages={"required": "Type a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    held_on = day_field("Day", initial=timezone.localdate)
    rounds = _count(
        "Rounds", most=MOST_ROUNDS, initial=5, help_text="Everybody has new company in each."
    )
    rules = RulesField(label="Which rules are played?", otherwise="As the club plays", initial="")

    def __init__(
        self,
        data: Any = None,
        *,
        club: Club,
        initial: dict[str, Any] | None = None,
        frozen: Collection[str] = (),
    ) -> None:
        super().__init__(data, initial=initial or PRESETS[0].as_initial())
        offer_rules(self, club)
        for place, label in enumerate(ORDER, start=1):
            self.fields[f"rank_{place}"] = self._rank(label, is_first=place == 1)
        for name in frozen:
            self.fields[name].disabled = True

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
        super().clean()
        chosen = [self.cleaned_data.get(f"rank_{place}", "") for place in range(1, 5)]
        for place, metric in enumerate(chosen, start=1):
            if metric and metric in chosen[: place - 1]:
                self.add_error(f"rank_{place}", f"{METRICS[metric]} stands above already.")
        self.cleaned_data["ranks_by"] = [metric for metric in chosen if metric]
        return self.cleaned_data

    @property
    def about(self) -> list[forms.BoundField]:
        """The fields that say what is played."""
        return [self[name] for name in ("name", "held_on", "rounds")]

    @property
    def ranking(self) -> list[forms.BoundField]:
        """The fields that say what ranks, in order."""
        return [self[f"rank_{place}"] for place in range(1, 5)]
