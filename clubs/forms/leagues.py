"""What a secretary decides about a season."""

from typing import Any

from django import forms

from clubs.core.forms import day_field
from clubs.core.stale_forms import ChangeForm
from clubs.league_rules import READY_MADE, LeagueRules, ready_made
from clubs.models import Club, Season
from clubs.table.forms.rules import RulesField, offer_rules

WAYS = [(one.key, one.name) for one in READY_MADE]


class SeasonForm(ChangeForm):
    """A season's name and days; at first also how it ranks."""

    name = forms.CharField(
        label="Name",
        help_text="For example: Autumn 2026.",
        error_messages={"required": "Enter a name."},
    )
    starts_on = day_field("First day")
    ends_on = day_field("Last day")
    rules = RulesField(label="Scoring rules", otherwise="The club’s usual rules", initial="")
    ranking = forms.ChoiceField(
        label="Ranking",
        choices=WAYS,
        widget=forms.RadioSelect,
        initial="total",
        help_text="You can change each rule later.",
    )

    def __init__(self, data: Any = None, *, club: Club, held: Season | None = None) -> None:
        super().__init__(data, initial=told_of(held) if held else None)
        offer_rules(self, club)
        if held is not None:
            del self.fields["ranking"]

    def clean_ranking(self) -> LeagueRules:
        """The ready-made league of that name."""
        return ready_made(self.cleaned_data["ranking"])


def told_of(season: Season) -> dict[str, Any]:
    """A season as its form shows it."""
    names = ("name", "starts_on", "ends_on", "rules")
    return {name: getattr(season, name) for name in names}
