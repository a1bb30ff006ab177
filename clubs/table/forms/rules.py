"""How hands are entered at the tables of a club or a tournament, and who must agree to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from clubs.core.forms import ChangeForm
from clubs.models import Club
from clubs.table.selectors.rules import rules_offered
from clubs.table.selectors.tile_entry import ADD_CHOICES, DRAFT_SEPARATOR
from scoring.building import BadNotation, Draft, Steps, read_draft
from scoring.building.taps import MAX_UNDO_STEPS
from scoring.scorebook.models import AgreementPolicy, Recording

CHOICE_ERRORS = {"invalid_choice": "Choose one."}
CLUB_RULE_FIELDS = ("rules", "record_by", "agreement", "rates")
_MAX_TAPS: Final = 60


class RecordingFields(forms.Form):
    """The part of a form that says it; what is not sent stays as it is, at first by scores."""

    record_by = forms.ChoiceField(
        label="How hands are entered",
        choices=Recording.choices,
        initial=Recording.TOTALS,
        required=False,
        widget=forms.RadioSelect,
        help_text="The default at every table. Players can switch for any hand.",
        error_messages=CHOICE_ERRORS,
    )
    agreement = forms.ChoiceField(
        label="Who must agree each hand?",
        choices=AgreementPolicy.choices,
        initial=AgreementPolicy.ALL,
        required=False,
        widget=forms.RadioSelect,
        help_text="Play carries on while a hand waits to be agreed.",
        error_messages=CHOICE_ERRORS,
    )

    def clean(self) -> dict[str, Any]:
        cleaned_data = super().clean() or self.cleaned_data
        for name in ("record_by", "agreement"):
            if name in cleaned_data:
                cleaned_data[name] = cleaned_data[name] or self.get_initial_for_field(
                    self.fields[name], name
                )
        return cleaned_data

    @property
    def telling(self) -> list[forms.BoundField]:
        return [self["record_by"], self["agreement"]]


class RulesField(forms.ChoiceField):
    """One of the rule sets by its key; ``otherwise`` names what choosing none of them means."""

    def __init__(self, *, otherwise: str = "", **options: Any) -> None:
        self.otherwise = otherwise
        super().__init__(
            required=not otherwise,
            widget=forms.RadioSelect,
            error_messages=dict.fromkeys(
                ("required", "invalid_choice"), "Choose from the rules below."
            ),
            **options,
        )

    def offer(self, rule_choices: Sequence[tuple[str, str]]) -> None:
        """These rules, by key and name, can be chosen."""
        self.choices = [("", self.otherwise), *rule_choices] if self.otherwise else rule_choices
        pages = [(reverse("rules", args=[key]), name) for key, name in rule_choices]
        links = format_html_join(", ", '<a href="{}">{}</a>', pages)
        self.help_text = format_html("Read the full rules: {}.", links)


def offer_rules(form: forms.Form, club: Club) -> None:
    """Offer all books and the club's own rules in the form's ``rules``; keeps the current value."""
    field = form.fields["rules"]
    initial = form.get_initial_for_field(field, "rules") or ""
    field.offer(rules_offered(club, current=initial))  # type: ignore[attr-defined]


def initial_rules(club: Club) -> dict[str, Any]:
    return {name: getattr(club, name) for name in CLUB_RULE_FIELDS}


class ClubRulesForm(ChangeForm, RecordingFields):
    """What the club plays, how its hands are told, and who must agree."""

    rules = RulesField(label="Club rules")
    rates = forms.BooleanField(
        label="Show ratings",
        required=False,
        help_text=("An estimate of how well each member plays. Ratings do not affect the league."),
    )

    def __init__(self, data: Any = None, *, club: Club) -> None:
        super().__init__(data, initial=initial_rules(club))
        self.order_fields(["rules"])
        self.fields["agreement"].help_text += " Tables already seated do not change."
        offer_rules(self, club)


@dataclass(frozen=True, slots=True)
class Tapping:
    """The drafts that were sent and the taps on them; `adding` is how many tiles a tap adds.

    `is_unread`: the link has no hand, so an empty one is shown.
    """

    steps: Steps
    taps: tuple[str, ...] = ()
    adding: str = "tile"
    is_unread: bool = False


def read_tapping(data: QueryDict) -> Tapping:
    """Parse the query of a page with the builder; invalid parts are ignored."""
    adding = data.get("add", "")
    adding = adding if adding in ADD_CHOICES else "tile"
    # A tap on a tile (two letters) adds as the page's choice says.
    taps = tuple(
        f"{adding}:{tap}" if len(tap) == 2 and adding != "tile" else tap
        for tap in data.getlist("tap")[:_MAX_TAPS]
    )
    text, earlier_text = data.get("hand", ""), data.get("was", "")
    try:
        draft = read_draft(text) if text else Draft()
        earlier_drafts = (
            tuple(map(read_draft, earlier_text.split(DRAFT_SEPARATOR)[-MAX_UNDO_STEPS:]))
            if earlier_text
            else ()
        )
        return Tapping(Steps(draft, earlier_drafts), taps, adding)
    except BadNotation:
        return Tapping(Steps(Draft()), taps, adding, is_unread=True)
