"""Who moves on an evening: two who change places, someone who goes to another table."""

from typing import Any

from django import forms

from clubs.models import Player, Session


def _player_field(session: Session, label: str) -> "forms.ModelChoiceField[Player]":
    """Someone who is here."""
    here = Player.objects.filter(attendances__session=session).order_by("name_key")
    return forms.ModelChoiceField(
        label=label,
        queryset=here,
        empty_label="Choose a player",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a player."),
    )


class PlacesForm(forms.Form):
    """Two who change places."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix="places")
        self.fields["one"] = _player_field(session, "Player")
        self.fields["other"] = _player_field(session, "With")


class TableForm(forms.Form):
    """Someone who goes to another table, or has none so far."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix="table")
        self.fields["player"] = _player_field(session, "Player")
        numbers = session.tables.values_list("number", flat=True)
        self.fields["number"] = forms.TypedChoiceField(
            label="To table",
            coerce=int,
            choices=[(number, f"Table {number}") for number in numbers],
            error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a table."),
        )
