"""Texts that others will read."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.language.words import text_fault


class ShownTextField(forms.CharField):
    """A text that others read: it shows what it holds, and turns no other line about."""

    def validate(self, value: Any) -> None:
        """As for every text; refused where it cannot be shown."""
        super().validate(value)
        if fault := text_fault(value):
            raise ValidationError(fault, code="unseen")
