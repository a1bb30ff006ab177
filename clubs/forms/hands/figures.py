"""Points as people type them."""

from django import forms
from django.core.exceptions import ValidationError

MOST_DIGITS = 6


def points_of(typed: str) -> int | None:
    """The points that were typed, None for nothing; ``1,000`` and ``1 000`` are a thousand."""
    digits = "".join(typed.split()).replace(",", "").replace("−", "-")
    if not digits:
        return None
    if not digits.removeprefix("-").isdecimal():
        raise ValidationError(
            f"“{typed[:20]}” is not a number. Enter points as a number, for example 64."
        )
    if len(digits) > MOST_DIGITS:
        raise ValidationError("That is more than any hand can score. Check the number.")
    return int(digits)


def score_field(label: str) -> forms.CharField:
    """A field for points; empty is no mistake."""
    return forms.CharField(required=False, label=label)
