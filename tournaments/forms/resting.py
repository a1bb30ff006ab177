"""What a round counts for whoever sits it out."""

from decimal import Decimal
from typing import Any

from django import forms

from tournaments.models import A_MEAN_PLACE, SittingOut, Tournament
from tournaments.services.making import MOST_STAKE, MOST_TABLE_POINTS

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
        told = super().clean() or self.cleaned_data
        usual = (SittingOut.AVERAGE, A_MEAN_PLACE, 0)
        for name, value in zip(FIELDS, usual, strict=True):
            if told.get(name) in (None, ""):
                told[name] = value
        return told

    @property
    def sitting_out(self) -> list[forms.BoundField]:
        """The numbers of a fixed score."""
        return [self["sitting_out_table_points"], self["sitting_out_points"]]


def resting_of(tournament: Tournament) -> dict[str, Any]:
    """What these fields hold for a tournament that is there already."""
    return {name: getattr(tournament, name) for name in FIELDS}
