"""Fields that take what the API's description says and nothing like it: ``"3"`` is no number."""

import re
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from clubs.language.words import text_fault

MOST_KEY: Final = 2**63 - 1
KEY: Final = {"type": "integer", "minimum": 1, "maximum": MOST_KEY}
CLOCK: Final = re.compile(r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")


class TextField(serializers.CharField):
    """A text that can be shown to others; a number is none."""

    def to_internal_value(self, data: Any) -> str:
        """The text without spaces around it, where they do not belong to it."""
        if not isinstance(data, str):
            self.fail("invalid")
        text = super().to_internal_value(data)
        if fault := text_fault(text):
            raise serializers.ValidationError(fault, code="unseen")
        return text


class NumberField(serializers.IntegerField):
    """A whole number; ``"3"``, ``3.0`` and ``true`` are none."""

    fault = ErrorDetail("A valid integer is required.", "invalid")

    def to_internal_value(self, data: Any) -> int:
        """The number as it was sent."""
        if type(data) is not int:
            raise serializers.ValidationError([self.fault])
        return data


class KeyField(NumberField):
    """The number by which something is known: a person, a message."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": MOST_KEY, **options})


class FlagField(serializers.BooleanField):
    """``true`` or ``false``; words are neither."""

    def to_internal_value(self, data: Any) -> bool:
        """The flag as it was sent."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class OneOfField(serializers.ChoiceField):
    """One of a few words."""

    def to_internal_value(self, data: Any) -> Any:
        """The word that was sent."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class StrictSerializer(serializers.Serializer[Any]):
    """An object inside another, with no field but its own."""

    def to_internal_value(self, data: Any) -> Any:
        """What was sent; raises ``ValidationError`` at every field that is not known."""
        told = super().to_internal_value(data)
        if strange := sorted(set(data) - set(self.fields)):
            fault = ErrorDetail("Unknown field.", "unknown_field")
            raise serializers.ValidationError({name: [fault] for name in strange})
        return told


@extend_schema_field({"type": "string", "pattern": CLOCK.pattern})
class ClockField(serializers.TimeField):
    """A time of day by the club's clock, such as ``14:00`` or ``14:00:00``; no zone."""

    def to_internal_value(self, value: Any) -> Any:
        """The time that was sent."""
        if not isinstance(value, str) or not CLOCK.fullmatch(value):
            self.fail("invalid", format="14:00")
        return super().to_internal_value(value)


class ExactField(serializers.DecimalField):
    """An exact number as text, such as ``"2.50"``."""

    def to_internal_value(self, data: Any) -> Any:
        """The number that the text tells."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)
