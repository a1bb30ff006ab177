"""How rounds are seated: all drawn at once, or later ones by standing, with a final."""

from typing import Any

from django import forms

from tournaments.models import Tournament

DRAWN, NEAR, BANDS = "drawn", "near", "bands"
WAYS = (
    (DRAWN, "All rounds drawn at once, before the first"),
    (NEAR, "Later rounds by standings (leaders together)"),
    (BANDS, "Later rounds by standings, within fixed groups of tables"),
)


class DrawingFields(forms.Form):
    """The part of a tournament's form that says how rounds are seated.

    Comes out as ``by_standing_from`` (None: drawn at once), ``bands`` (1: none) and ``has_final``.
    """

    seated_by = forms.ChoiceField(
        label="Seating method",
        choices=WAYS,
        initial=DRAWN,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": "Choose one."},
    )
    by_standing_from = forms.IntegerField(
        label="Seat by standings from round",
        min_value=2,
        help_text="Each round is seated after the previous one is closed, with as few repeat "
        "meetings as possible.",
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value"), "Enter the number of a round, 2 or later."
        ),
    )
    bands = forms.IntegerField(
        label="Tables in a group",
        min_value=2,
        max_value=100,
        help_text="With 2, the top eight players stay together, then the next eight, and so on.",
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), "Enter a number from 2 to 100."
        ),
    )
    has_final = forms.BooleanField(
        label="The last round is a final: the top four play at table 1", required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound:
            way = self.data.get("seated_by")
            self.fields["by_standing_from"].required = way in (NEAR, BANDS)
            self.fields["bands"].required = way == BANDS

    def clean(self) -> dict[str, Any]:
        """What the way of seating does not need is left out."""
        told = super().clean() or self.cleaned_data
        way = told.get("seated_by") or DRAWN
        told["by_standing_from"] = None if way == DRAWN else told.get("by_standing_from")
        told["bands"] = told.get("bands") or 1 if way == BANDS else 1
        return told

    @property
    def drawing(self) -> list[forms.BoundField]:
        """The fields that say how rounds are seated."""
        return [self[name] for name in ("seated_by", "by_standing_from", "bands", "has_final")]


def drawing_of(tournament: Tournament) -> dict[str, Any]:
    """What these fields hold for a tournament that is there already."""
    by_standing = BANDS if tournament.bands > 1 else NEAR
    return {
        "seated_by": DRAWN if tournament.by_standing_from is None else by_standing,
        "by_standing_from": tournament.by_standing_from,
        "bands": tournament.bands if tournament.bands > 1 else None,
        "has_final": tournament.has_final,
    }
