"""How a season ranks, asked rule by rule."""

from typing import Any

from django import forms

from clubs import league
from clubs.league import TIES, BadLeagueRules, LeagueRules

SIZES = (4, 3, 5, 2)
TIE_FIELDS = ("tie_1", "tie_2", "tie_3")
WHOLE = {
    "invalid": "Type a whole number, for example 8.",
    "min_value": "Type a number from 0 up.",
}
BRINGS = [
    ("points", "The points that were gained or lost"),
    ("table_points", "Points for the place at the table"),
]
ADDS_UP = [
    ("total", "The evenings are added up"),
    ("average", "The average of an evening ranks"),
    ("hand", "The average of a hand ranks"),
]
TIE_CHOICES = [("", "nothing more"), *((tie.value, words) for tie, words in TIES.items())]


def _whole(label: str, hint: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, help_text=hint, required=False, min_value=0, error_messages=WHOLE
    )


def _short(label: str, hint: str) -> forms.CharField:
    return forms.CharField(label=label, help_text=hint, required=False, max_length=40)


class LeagueRulesForm(forms.Form):
    """The rules of a league; ``cleaned_data["rules"]`` are the rules as they are declared."""

    brings = forms.ChoiceField(
        label="What does an evening bring?", choices=BRINGS, widget=forms.RadioSelect
    )
    scale_4 = _short("At a table of four the places bring", "Only for points by place: 4-2-1-½.")
    scale_3 = _short("At a table of three", "")
    scale_5 = _short("At a table of five", "")
    scale_2 = _short("At a table of two", "")
    hands = _whole(
        "Points are reckoned as for so many hands",
        "Where tables play different numbers of hands. Empty: as they were played.",
    )
    handicaps = forms.BooleanField(label="Handicaps are added every evening", required=False)
    attendance_points = _short("Coming brings so many points each evening", "Empty: none.")
    least_members = _whole("An evening counts with at least so many members", "Empty: always.")
    adds_up = forms.ChoiceField(
        label="What becomes of the evenings?", choices=ADDS_UP, widget=forms.RadioSelect
    )
    best = _short("So many of the best evenings count", "8, or 75% of those held. Empty: all.")
    least = _short("A place needs so many evenings", "6, or 50% of those held. Empty: none.")
    credit_most = _whole(
        "Evenings missed for the club that are made good",
        "For who helped, hosted or sat out. Empty: none.",
    )
    credit_points = _short("Each of them brings", "Points. Empty: one’s own average.")
    tie_1 = forms.ChoiceField(label="Equals are parted by", choices=TIE_CHOICES, required=False)
    tie_2 = forms.ChoiceField(label="then by", choices=TIE_CHOICES, required=False)
    tie_3 = forms.ChoiceField(label="and then by", choices=TIE_CHOICES, required=False)

    def __init__(self, data: Any = None, *, begun: LeagueRules) -> None:
        super().__init__(data, initial=asked_of(begun))

    def clean(self) -> dict[str, Any]:
        """The rules, read as whoever declares them has them read."""
        told = self.cleaned_data
        if not self.errors:
            try:
                told["rules"] = league.read_rules(declaration(told))
            except BadLeagueRules as bad:
                for fault in bad.faults:
                    self.add_error(_field(fault.where), fault.sentence)
        return told


def _field(where: str) -> str | None:
    """The field that a fault of a declaration is said beside."""
    name = where.replace("scales.", "scale_").replace("ties", "tie_1")
    return name if name in LeagueRulesForm.base_fields else None


def declaration(told: dict[str, Any]) -> dict[str, Any]:
    """What was filled in, as a declaration."""
    whole = ("hands", "least_members", "credit_most")
    return {
        **{name: told[name] for name in ("brings", "handicaps", "adds_up", "best", "least")},
        **{name: told[name] or 0 for name in whole},
        "scales": {str(size): told[f"scale_{size}"] for size in SIZES},
        "attendance_points": told["attendance_points"] or "0",
        "credit_points": told["credit_points"],
        "ties": [told[name] for name in TIE_FIELDS if told[name]],
    }


def asked_of(rules: LeagueRules) -> dict[str, Any]:
    """Rules as the form shows them; what is not asked for is left empty."""
    told = league.declared(rules)
    ties = (*told["ties"], "", "", "")
    shown = {name: value if value != "0" else "" for name, value in told.items()}
    return {
        **{name: value or "" for name, value in shown.items()},
        **{f"scale_{size}": scale for size, scale in told["scales"].items()},
        **dict(zip(TIE_FIELDS, ties, strict=False)),
    }
