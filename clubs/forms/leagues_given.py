"""A handicap for someone, and an evening that someone missed for the club."""

from typing import Any

from django import forms

from clubs.core.forms import ShownTextField
from clubs.language.moments import full_date
from clubs.models import Player, PlayerKind, Season, Session


class HandicapForm(forms.Form):
    """Who is given how many points each evening."""

    player = forms.ModelChoiceField(Player.objects.none(), label="Who?", empty_label="Choose")
    points = forms.IntegerField(
        label="Points each evening",
        help_text="Use a negative number for a stronger player. Enter 0 to remove the handicap.",
        error_messages={"invalid": "Enter a whole number, for example 50."},
    )

    def __init__(self, data: Any = None, *, season: Season) -> None:
        super().__init__(data, auto_id="handicap_%s")
        self.fields["player"].queryset = _members(season)  # type: ignore[attr-defined]


class CreditForm(forms.Form):
    """Who missed which evening, and what for."""

    player = forms.ModelChoiceField(Player.objects.none(), label="Who?", empty_label="Choose")
    session = forms.ModelChoiceField(
        Session.objects.none(), label="Which evening?", empty_label="Choose"
    )
    reason = ShownTextField(
        label="Reason", required=False, max_length=120, help_text="For example: ran the bar."
    )

    def __init__(self, data: Any = None, *, season: Season) -> None:
        super().__init__(data, auto_id="credit_%s")
        self.fields["player"].queryset = _members(season)  # type: ignore[attr-defined]
        evenings = season.sessions.select_related("club").order_by("-held_on")
        field = self.fields["session"]
        field.queryset = evenings  # type: ignore[attr-defined]
        field.label_from_instance = _day  # type: ignore[attr-defined]


def _members(season: Season) -> Any:
    players = season.league.club.players.filter(kind=PlayerKind.MEMBER, is_active=True)
    return players.order_by("name", "pk")


def _day(evening: Session) -> str:
    return full_date(evening.held_on)
