"""How long a round is: hands, minutes or both; what the bell means; what lies on the table."""

from typing import Any

from django import forms

from tournaments.models import AtTheBell, Tournament
from tournaments.services.making import MOST_HANDS, MOST_MINUTES, MOST_STAKE

FIELDS = ("hands_a_round", "minutes_a_round", "at_the_bell", "start_stake")


def _count(label: str, *, least: int = 1, most: int, help_text: str) -> forms.IntegerField:
    sentence = f"Enter a number from {least} to {most:,}."
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=most,
        help_text=help_text,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), sentence),
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
        told = super().clean() or self.cleaned_data
        lengths = {"hands_a_round", "minutes_a_round"}
        if not lengths & self.errors.keys() and all(told.get(name) is None for name in lengths):
            self.add_error("hands_a_round", "Enter a number of hands or minutes for each round.")
        told["at_the_bell"] = told.get("at_the_bell") or AtTheBell.FINISH
        told["start_stake"] = told.get("start_stake") or 0
        return told

    @property
    def lengths(self) -> list[forms.BoundField]:
        """The fields that say when a round ends."""
        return [self["hands_a_round"], self["minutes_a_round"]]


def measures_of(tournament: Tournament) -> dict[str, Any]:
    """What these fields hold for a tournament that is there already."""
    told = {name: getattr(tournament, name) for name in FIELDS}
    return told | {"start_stake": tournament.start_stake or None}
