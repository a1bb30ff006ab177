"""Input from programs: strict JSON and strict fields."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import IO, Any, ClassVar, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import APIException, ErrorDetail, ParseError
from rest_framework.parsers import JSONParser

from clubs.language.words import MOST_KEY, text_fault
from scoring import Wind

KEY_SCHEMA: Final = {"type": "integer", "minimum": 1, "maximum": MOST_KEY}
CLOCK_TIME: Final = re.compile(r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")
MAX_BODY_BYTES = 100_000
MAX_DEPTH = 10
SUSPECT_BYTES: Final = re.compile(rb"\\u|\xed|\x00")  # may be NUL or half a surrogate pair


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
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class OneOfField(serializers.ChoiceField):
    """One of a few words."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class StrictSerializer(serializers.Serializer[Any]):
    """An object inside another, with no field but its own."""

    def to_internal_value(self, data: Any) -> Any:
        """What was sent; raises ``ValidationError`` at every field that is not known."""
        value = super().to_internal_value(data)
        if strange := sorted(set(data) - set(self.fields)):
            fault = ErrorDetail("Unknown field.", "unknown_field")
            raise serializers.ValidationError({name: [fault] for name in strange})
        return value


@extend_schema_field({"type": "string", "pattern": CLOCK_TIME.pattern})
class ClockField(serializers.TimeField):
    """A time of day by the club's clock, such as ``14:00`` or ``14:00:00``; no zone."""

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str) or not CLOCK_TIME.fullmatch(value):
            self.fail("invalid", format="14:00")
        return super().to_internal_value(value)


class ExactField(serializers.DecimalField):
    """An exact number as text, such as ``"2.50"``."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class NamedField(serializers.ChoiceField):
    """One of a few stored words; files for spreadsheets say its name instead."""

    names: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=list(self.names.items()), **options)


def named_field(choices: Iterable[tuple[Any, Any]]) -> type[NamedField]:
    """The field of a stored word that is called otherwise on pages."""
    names = {str(value): str(name) for value, name in choices}
    return type("NamedField", (NamedField,), {"names": names})


WindField: Final = named_field((wind, wind.label) for wind in Wind)


class FractionField(serializers.CharField):
    """An exact fraction as text: ``7/4``, ``-162``; in files for spreadsheets a decimal."""


class TooLarge(APIException):
    """More was sent than a hand can need."""

    status_code = 413
    default_code = "too_large"
    default_detail = (
        f"That is more than {MAX_BODY_BYTES:,} bytes; a hand usually needs only a few hundred."
    )


class SmallJSONParser(JSONParser):
    """Takes at most 100,000 bytes, a few levels deep, and only text that a database keeps."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        """What was sent; raises ``ParseError`` (400) or ``TooLarge`` (413)."""
        body = stream.read(MAX_BODY_BYTES + 1)
        if len(body) > MAX_BODY_BYTES:
            raise TooLarge
        try:
            data = json.loads(body)
        except json.JSONDecodeError as bad:
            position = f"line {bad.lineno}, column {bad.colno}"
            raise ParseError(
                f"This is not valid JSON: it cannot be read beyond {position}."
            ) from bad
        except (ValueError, RecursionError) as bad:
            raise ParseError("This is not valid JSON.") from bad
        level = [data]
        for _ in range(MAX_DEPTH + 1):
            level = list(chain.from_iterable(map(_inner_values, level)))
        if level:
            raise ParseError("This JSON is nested too deeply.")
        # No database stores NUL or half a pair of surrogates.
        if SUSPECT_BYTES.search(body) and any(
            letter == "\0" or "\ud800" <= letter <= "\udfff"
            for letter in chain.from_iterable(_all_texts(data))
        ):
            raise ParseError("This contains a character that text cannot contain.")
        return data


def _inner_values(value: Any) -> Iterable[Any]:
    """The values in a list or an object."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _all_texts(value: Any) -> Iterator[str]:
    """Every text in it, including field names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
    for inner in _inner_values(value):
        yield from _all_texts(inner)
