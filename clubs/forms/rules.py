"""Choosing among the rule sets: each by its name, with a link to its printed page."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from clubs.core.stale_forms import ChangeForm
from clubs.forms.telling import TellingFields
from clubs.models import Club
from clubs.selectors.house import rules_offered

HELD = ("rules", "record_by", "agreement", "rates")


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

    def offer(self, named: Sequence[tuple[str, str]]) -> None:
        """These rules, by key and name, can be chosen."""
        self.choices = [("", self.otherwise), *named] if self.otherwise else named
        self.help_text = _where_to_read(named)


def _where_to_read(named: Sequence[tuple[str, str]]) -> SafeString:
    pages = [(reverse("rules", args=[key]), name) for key, name in named]
    links = format_html_join(", ", '<a href="{}">{}</a>', pages)
    return format_html("Read the full rules: {}.", links)


def offer_rules(form: forms.Form, club: Club) -> None:
    """The form's ``rules`` can be those of any book or the club's own; what it holds is kept."""
    field = form.fields["rules"]
    held = form.get_initial_for_field(field, "rules") or ""
    field.offer(rules_offered(club, held=held))  # type: ignore[attr-defined]


def rules_held(club: Club) -> dict[str, Any]:
    """What the form holds for a club."""
    return {name: getattr(club, name) for name in HELD}


class ClubRulesForm(ChangeForm, TellingFields):
    """What the club plays, how its hands are told, and who must agree."""

    rules = RulesField(label="Club rules")
    rates = forms.BooleanField(
        label="Show ratings",
        required=False,
        help_text=("An estimate of how well each member plays. Ratings do not affect the league."),
    )

    def __init__(self, data: Any = None, *, club: Club) -> None:
        super().__init__(data, initial=rules_held(club))
        self.order_fields(["rules"])
        self.fields["agreement"].help_text += " Tables already seated do not change."
        offer_rules(self, club)
