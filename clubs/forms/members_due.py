"""From which visit on a guest is asked to join; a press that renews a subscription."""

from collections.abc import Container, Mapping
from typing import Any

from django import forms

from clubs.services.people import Details

MOST_VISITS = 100


class GuestVisitsForm(forms.Form):
    """A number of visits; none: nobody is asked."""

    visits = forms.IntegerField(
        label="Remind me to ask guests to join from visit",
        required=False,
        min_value=1,
        max_value=MOST_VISITS,
        help_text="The reminder appears at check-in. Leave empty for no reminder.",
        error_messages={"invalid": "Enter a number, such as 3.", "min_value": "Enter 1 or more."},
        widget=forms.NumberInput(attrs={"class": "input--short", "inputmode": "numeric"}),
    )


class RenewForm(forms.Form):
    """One press; ``paid_until`` is the last day paid for as the page showed it, empty for none."""

    paid_until = forms.DateField(
        required=False,
        help_text="the last day paid for when you last looked: renewed only if it has not changed",
    )


def as_shown(cleaned: Mapping[str, Any], sent: Container[str]) -> Details | None:
    """What the page showed, as ``renew`` takes it; None where ``sent`` does not say."""
    return {"paid_until": cleaned["paid_until"]} if "paid_until" in sent else None
