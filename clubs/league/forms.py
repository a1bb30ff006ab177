"""What a secretary decides about a season."""

from typing import Any

from django import forms

from clubs.core.forms import ChangeForm, FoldedForm, PersonField, ShownTextField, day_field
from clubs.language.moments import full_date
from clubs.league_rules import rules as league_rules
from clubs.league_rules.rules import (
    READY_MADE_LEAGUES,
    TIE_BREAK_NAMES,
    BadLeagueRules,
    LeagueRules,
    ready_made_league,
)
from clubs.models import Club, Player, PlayerKind, Season, Session, counting_evenings
from clubs.table.forms.rules import RulesField, offer_rules

LEAGUE_CHOICES = [(league.key, league.name) for league in READY_MADE_LEAGUES]
SCALE_SIZES = (4, 3, 5, 2)
TIE_FIELDS = ("tie_1", "tie_2", "tie_3")
NUMBER_ERRORS = {"invalid": "Enter a whole number, for example 8.", "min_value": "Enter 0 or more."}
EVENING_CHOICES = [
    ("points", "Points gained or lost"),
    ("table_points", "Points for the place at the table"),
]
SEASON_CHOICES = [
    ("total", "Total of all evenings"),
    ("average", "Average per evening"),
    ("hand", "Average per hand"),
]
TIE_CHOICES = [
    ("", "no further tie-break"),
    *((tie.value, label) for tie, label in TIE_BREAK_NAMES.items()),
]


class SeasonForm(FoldedForm, ChangeForm):
    """A season's name and days; at first also how it ranks."""

    ABOVE = ("name", "starts_on", "ends_on")

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
        choices=LEAGUE_CHOICES,
        widget=forms.RadioSelect,
        initial="total",
        help_text="You can change each rule later.",
    )

    def __init__(
        self,
        data: Any = None,
        *,
        club: Club,
        season: Season | None = None,
        proposal: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=season_initial(season) if season else proposal)
        offer_rules(self, club)
        if season is not None:
            del self.fields["ranking"]

    def clean_ranking(self) -> LeagueRules:
        return ready_made_league(self.cleaned_data["ranking"])


def season_initial(season: Season) -> dict[str, Any]:
    return {name: getattr(season, name) for name in ("name", "starts_on", "ends_on", "rules")}


class HandicapForm(forms.Form):
    """Who is given how many points each evening."""

    player = PersonField(Player.objects.none(), label="Who?", empty_label="Choose")
    points = forms.IntegerField(
        label="Points each evening",
        help_text="Use a negative number for a stronger player. Enter 0 to remove the handicap.",
        error_messages={"invalid": "Enter a whole number, for example 50."},
    )

    def __init__(self, data: Any = None, *, season: Season) -> None:
        super().__init__(data, auto_id="handicap_%s")
        self.fields["player"].queryset = _active_members(season)  # type: ignore[attr-defined]


class CreditForm(forms.Form):
    """Who missed which evening, and what for."""

    player = PersonField(Player.objects.none(), label="Who?", empty_label="Choose")
    session = forms.ModelChoiceField(
        Session.objects.none(), label="Which evening?", empty_label="Choose"
    )
    reason = ShownTextField(
        label="Reason", required=False, max_length=120, help_text="For example: ran the bar."
    )

    def __init__(self, data: Any = None, *, season: Season) -> None:
        super().__init__(data, auto_id="credit_%s")
        self.fields["player"].queryset = _active_members(season)  # type: ignore[attr-defined]
        evenings = (
            season.sessions.filter(counting_evenings()).select_related("club").order_by("-held_on")
        )
        field = self.fields["session"]
        field.queryset = evenings  # type: ignore[attr-defined]
        field.label_from_instance = lambda row: full_date(row.held_on)  # type: ignore[attr-defined]


def _active_members(season: Season) -> Any:
    return season.league.club.players.filter(kind=PlayerKind.MEMBER, is_active=True)


def _integer_field(label: str, hint: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, help_text=hint, required=False, min_value=0, error_messages=NUMBER_ERRORS
    )


def _short_text_field(label: str, hint: str) -> forms.CharField:
    return forms.CharField(label=label, help_text=hint, required=False, max_length=40)


class LeagueRulesForm(FoldedForm, forms.Form):
    """The rules of a league; ``cleaned_data["rules"]`` are the rules as they are declared."""

    ABOVE = ("brings", "adds_up", "best", "least")

    brings = forms.ChoiceField(
        label="Points from each evening", choices=EVENING_CHOICES, widget=forms.RadioSelect
    )
    scale_4 = _short_text_field(
        "Points for each place at a table of four", "Only for points by place: 4-2-1-½."
    )
    scale_3 = _short_text_field("At a table of three", "")
    scale_5 = _short_text_field("At a table of five", "")
    scale_2 = _short_text_field("At a table of two", "")
    hands = _integer_field(
        "Adjust points to this number of hands",
        "Where tables play different numbers of hands. Leave empty for no adjustment.",
    )
    handicaps = forms.BooleanField(label="Add handicaps every evening", required=False)
    attendance_points = _short_text_field("Points for attending", "Leave empty for none.")
    least_members = _integer_field(
        "Minimum members for an evening to count", "Leave empty for no minimum."
    )
    adds_up = forms.ChoiceField(
        label="How evenings are combined", choices=SEASON_CHOICES, widget=forms.RadioSelect
    )
    best = _short_text_field(
        "Number of best evenings that count", "For example 8, or 75%. Leave empty to count all."
    )
    least = _short_text_field(
        "Evenings needed to be ranked",
        "For example 6, or 50% of evenings held. Leave empty for none.",
    )
    credit_most = _integer_field(
        "Maximum credits for club duty",
        "For players who helped, hosted or sat out. Leave empty for none.",
    )
    credit_points = _short_text_field(
        "Points for each credit", "Leave empty to use the player’s own average."
    )
    tie_1 = forms.ChoiceField(label="First tie-break", choices=TIE_CHOICES, required=False)
    tie_2 = forms.ChoiceField(label="Second tie-break", choices=TIE_CHOICES, required=False)
    tie_3 = forms.ChoiceField(label="Third tie-break", choices=TIE_CHOICES, required=False)

    def __init__(self, data: Any = None, *, initial_rules: LeagueRules) -> None:
        super().__init__(data, initial=rules_initial(initial_rules))
        usual = rules_initial(LeagueRules())
        for name, field in self.fields.items():
            field.initial = usual[name]

    def clean(self) -> dict[str, Any]:
        """Read the rules as the API does."""
        cleaned_data = self.cleaned_data
        if not self.errors:
            try:
                cleaned_data["rules"] = league_rules.read_rules(declaration(cleaned_data))
            except BadLeagueRules as bad:
                for fault in bad.faults:
                    name = fault.path.replace("scales.", "scale_").replace("ties", "tie_1")
                    self.add_error(name if name in self.fields else None, fault.message)
        return cleaned_data


def declaration(cleaned_data: dict[str, Any]) -> dict[str, Any]:
    """The form's values as a declaration."""
    return {
        **{
            name: cleaned_data[name] for name in ("brings", "handicaps", "adds_up", "best", "least")
        },
        **{name: cleaned_data[name] or 0 for name in ("hands", "least_members", "credit_most")},
        "scales": {str(size): cleaned_data[f"scale_{size}"] for size in SCALE_SIZES},
        "attendance_points": cleaned_data["attendance_points"] or "0",
        "credit_points": cleaned_data["credit_points"],
        "ties": [cleaned_data[name] for name in TIE_FIELDS if cleaned_data[name]],
    }


def rules_initial(rules: LeagueRules) -> dict[str, Any]:
    """Initial values of the form for these rules; unused fields are empty."""
    declared_rules = league_rules.rules_to_json(rules)
    return {
        **{name: value if value and value != "0" else "" for name, value in declared_rules.items()},
        **{f"scale_{size}": scale for size, scale in declared_rules["scales"].items()},
        **dict(zip(TIE_FIELDS, (*declared_rules["ties"], "", "", ""), strict=False)),
    }
