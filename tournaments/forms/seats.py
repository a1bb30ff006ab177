"""Whose seats change: two who change places, a substitute."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from tournaments.models import Entrant, EntrantState, RoundState, Tournament


def _round_field(tournament: Tournament) -> forms.TypedChoiceField:
    """A round that is not closed."""
    numbers = [one.number for one in tournament.rounds.all() if one.state != RoundState.CLOSED]
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


class TakeOverForm(forms.Form):
    """Who takes over whose places."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data)
        self.fields["leaver"] = _entrant_field("Who has left", tournament.entrants.all())
        playing = tournament.entrants.filter(state=EntrantState.ENTERED)
        self.fields["newcomer"] = _entrant_field("Who takes over", playing)


class SwapForm(forms.Form):
    """Two who change places in a round; house players may be one of them."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, prefix="swap")
        playing = tournament.entrants.filter(state=EntrantState.ENTERED)
        self.fields["number"] = _round_field(tournament)
        self.fields["one"] = one = _entrant_field("Player", playing)
        self.fields["other"] = other = _entrant_field("Swap with", playing)
        told: Any = one.choices
        one.choices = other.choices = list(iter(told))  # a list would ask how many first


class SubstituteForm(forms.Form):
    """Who sits in for whom, from which round."""

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, prefix="substitute")
        self.fields["entrant"] = _entrant_field("Player", tournament.entrants.all())
        self.fields["name"] = forms.CharField(
            label="Substitute",
            required=False,
            help_text="Leave empty when the player returns.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )
        self.fields["number"] = _round_field(tournament)
        self.fields["goes_on"] = forms.BooleanField(
            label="Also in later rounds", required=False, initial=True
        )
