"""Several people ticked on a list."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError


class TickedField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Ticked people; a number that is too large for the database is nobody’s."""

    def clean(self, value: Any) -> Any:
        """The players; ``invalid_choice`` where someone is none of those shown."""
        try:
            return super().clean(value)
        except OverflowError as too_large:
            raise ValidationError(self.error_messages["invalid_choice"]) from too_large
