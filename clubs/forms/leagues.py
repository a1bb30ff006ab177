"""What a secretary decides about a season."""

from typing import Any

from django import forms

from clubs.forms.evenings import day_field
from clubs.forms.rules import RulesField, offer_rules
from clubs.models import Club, RanksBy, Season

WHOLE = {
    "invalid": "Type a whole number, for example 6.",
    "min_value": "That is too few.",
    "max_value": "A season has at most 366 evenings.",
}
WAYS = [
    (RanksBy.TOTAL, "The total of all evenings"),
    (RanksBy.AVERAGE, "The average of an evening"),
    (RanksBy.BEST, "The total of each player’s best evenings"),
]


class SeasonForm(forms.Form):
    """A season's name, days and rule."""

    name = forms.CharField(
        label="Name",
        help_text="For example: Autumn 2026.",
        error_messages={"required": "Type a name."},
    )
    starts_on = day_field("First day")
    ends_on = day_field("Last day")
    rules = RulesField(label="Which rules are played?", otherwise="As the club plays", initial="")
    ranks_by = forms.ChoiceField(
        label="What counts?", choices=WAYS, widget=forms.RadioSelect, initial=RanksBy.TOTAL
    )
    best_of = forms.IntegerField(
        label="How many best evenings?",
        required=False,
        min_value=1,
        max_value=366,
        error_messages=WHOLE,
        help_text="Only where the best evenings count.",
    )
    least_attendance = forms.IntegerField(
        label="Evenings needed for a place",
        required=False,
        min_value=0,
        max_value=366,
        error_messages=WHOLE,
        help_text="Whoever came less often is shown below the table. Empty: none.",
    )

    def __init__(self, data: Any = None, *, club: Club, held: Season | None = None) -> None:
        super().__init__(data, initial=told_of(held) if held else None)
        offer_rules(self, club)

    def clean_ranks_by(self) -> RanksBy:
        """The way as the model knows it."""
        return RanksBy(self.cleaned_data["ranks_by"])

    def clean_least_attendance(self) -> int:
        """Nothing typed is none needed."""
        return self.cleaned_data["least_attendance"] or 0


def told_of(season: Season) -> dict[str, Any]:
    """A season as its form shows it."""
    names = ("name", "starts_on", "ends_on", "rules", "ranks_by", "best_of", "least_attendance")
    return {name: getattr(season, name) for name in names}
