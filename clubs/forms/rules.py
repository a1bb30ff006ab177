"""Choosing among the rule sets: each by its name, with a link to its printed page."""

from typing import Any

from django import forms
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scoring import rule_set_keys
from scoring.scorebook.editions import rule_set


def _links() -> SafeString:
    pages = [(reverse("rules", args=[key]), rule_set(key).name) for key in rule_set_keys()]
    links = format_html_join(", ", '<a href="{}">{}</a>', pages)
    return format_html("Every line of each to read: {}.", links)


_where_to_read_them = lazy(_links, SafeString)


class RulesField(forms.ChoiceField):
    """One of the rule sets by its key; ``otherwise`` names what choosing none of them means."""

    def __init__(self, *, otherwise: str = "", **options: Any) -> None:
        named = [(key, rule_set(key).name) for key in rule_set_keys()]
        super().__init__(
            choices=[("", otherwise), *named] if otherwise else named,
            required=not otherwise,
            widget=forms.RadioSelect,
            help_text=_where_to_read_them(),
            error_messages=dict.fromkeys(
                ("required", "invalid_choice"), "Choose from the rules below."
            ),
            **options,
        )


class ClubRulesForm(forms.Form):
    """What the club plays."""

    rules = RulesField(label="Which rules does the club play?")
