"""What a prize is for, what it is called, what is given."""

from typing import Any

from django import forms

from clubs.core.forms import ChangeForm, PersonField, ShownTextField
from clubs.models.names import by_surname
from tournaments.models import Entrant, Prize, PrizeKind, Tournament
from tournaments.results.selectors.results import prize_terms, stored_terms
from tournaments.results.services import PLACE_KINDS

PRIZE_KIND_CHOICES = (
    ("place", "A place in the standings"),
    ("best_hand", "The highest hand"),
    ("mahjongs", "The most Mah-Jongs"),
    ("special_hands", "The most special hands"),
    ("team", "A place among the teams"),
    ("club", "Best player from a club"),
    ("last", "The last place"),
    ("chosen", "Director’s choice"),
)
CHOOSE_MESSAGE = "Choose from the list."
HOST_CLUB = "="


class PrizeForm(forms.Form):
    """One prize; ``terms`` is what the service is told."""

    kind = forms.ChoiceField(
        label="Prize for",
        choices=PRIZE_KIND_CHOICES,
        error_messages=dict.fromkeys(("required", "invalid_choice"), CHOOSE_MESSAGE),
    )
    place = forms.IntegerField(
        label="Place",
        min_value=1,
        max_value=400,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), "Enter a place from 1 to 400."
        ),
    )
    of = forms.ChoiceField(
        label="Club", error_messages=dict.fromkeys(("required", "invalid_choice"), CHOOSE_MESSAGE)
    )
    chosen = PersonField(
        label="Winner",
        queryset=Entrant.objects.none(),
        required=False,
        error_messages={"invalid_choice": CHOOSE_MESSAGE},
    )
    name = ShownTextField(
        label="Prize name",
        required=False,
        max_length=80,
        help_text="Leave empty to use the standard name, such as “First” or “Highest hand”.",
        error_messages={"max_length": "Use 80 characters or fewer."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    gift = ShownTextField(
        label="What the winner receives",
        required=False,
        max_length=120,
        help_text="For example, a cup or a bottle of port.",
        error_messages={"max_length": "Use 120 characters or fewer."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, tournament: Tournament, data: Any = None, *, prize: Prize | None = None
    ) -> None:
        super().__init__(data, initial=initial_prize_terms(prize) if prize else {"place": 1})
        if self.is_bound:
            kind = self.data.get("kind")
            self.fields["place"].required = kind in PLACE_KINDS
            self.fields["of"].required = kind == PrizeKind.CLUB
        people = by_surname(tournament.entrants.people())
        self.fields["chosen"].queryset = tournament.entrants.people()  # type: ignore[attr-defined]
        self.fields["chosen"].choices = [  # type: ignore[attr-defined]
            ("", "Not chosen yet"),
            *((entrant.pk, entrant.name) for entrant in people),
        ]
        clubs = {entrant.from_club for entrant in people}
        club_names = sorted(
            {*clubs, *([prize.of] if prize and prize.kind == PrizeKind.CLUB else [])}
        )
        club_choices = [(club, club) for club in club_names if club]
        self.fields["of"].choices = [  # type: ignore[attr-defined]
            (HOST_CLUB, f"{tournament.club.name} (members)"),
            *club_choices,
        ]

    @property
    def terms(self) -> dict[str, Any]:
        """The kind of prize and everything that goes with it."""
        prize_subject = self.cleaned_data["of"]
        return stored_terms(
            {**self.cleaned_data, "of": "" if prize_subject == HOST_CLUB else prize_subject}
        )


class PrizeChangeForm(ChangeForm, PrizeForm):
    """Other terms for a prize that is there already."""


def initial_prize_terms(prize: Prize) -> dict[str, Any]:
    terms = prize_terms(prize)
    return terms | {"of": terms["of"] or HOST_CLUB}
