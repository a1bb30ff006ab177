"""Input from programs: strict JSON, strict fields, and filters of lists."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from operator import attrgetter, eq, ge, le
from typing import IO, Any, ClassVar, Final

from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import APIException, ErrorDetail, ParseError, ValidationError
from rest_framework.parsers import JSONParser

from clubs.language.words import MOST_KEY, text_fault, whole_number
from scoring import Wind

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


@extend_schema_field({"type": "string", "pattern": CLOCK.pattern})
class ClockField(serializers.TimeField):
    """A time of day by the club's clock, such as ``14:00`` or ``14:00:00``; no zone."""

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str) or not CLOCK.fullmatch(value):
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


def named(choices: Iterable[tuple[Any, Any]]) -> type[NamedField]:
    """The field of a stored word that is called otherwise on pages."""
    names = {str(value): str(name) for value, name in choices}
    return type("NamedField", (NamedField,), {"names": names})


WindField: Final = named((wind, wind.label) for wind in Wind)


class FractionField(serializers.CharField):
    """An exact fraction as text: ``7/4``, ``-162``; in files for spreadsheets a decimal."""


MOST_BYTES = 100_000
DEEPEST = 10
ODD: Final = re.compile(rb"\\u|\xed|\x00")  # may be NUL or half a surrogate pair


class TooLarge(APIException):
    """More was sent than a hand can need."""

    status_code = 413
    default_code = "too_large"
    default_detail = (
        f"That is more than {MOST_BYTES:,} bytes; a hand usually needs only a few hundred."
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
        sent = stream.read(MOST_BYTES + 1)
        if len(sent) > MOST_BYTES:
            raise TooLarge
        try:
            loaded = json.loads(sent)
        except json.JSONDecodeError as bad:
            where = f"line {bad.lineno}, column {bad.colno}"
            raise ParseError(f"This is not valid JSON: it cannot be read beyond {where}.") from bad
        except (ValueError, RecursionError) as bad:
            raise ParseError("This is not valid JSON.") from bad
        level = [loaded]
        for _ in range(DEEPEST + 1):
            level = list(chain.from_iterable(map(_inside, level)))
        if level:
            raise ParseError("This JSON is nested too deeply.")
        # No database stores NUL or half a pair of surrogates.
        if ODD.search(sent) and any(
            letter == "\0" or "\ud800" <= letter <= "\udfff"
            for letter in chain.from_iterable(_texts(loaded))
        ):
            raise ParseError("This contains a character that text cannot contain.")
        return loaded


def _inside(value: Any) -> Iterable[Any]:
    """The values in a list or an object."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _texts(value: Any) -> Iterator[str]:
    """Every text in it, including field names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
    for inner in _inside(value):
        yield from _texts(inner)


LONGEST: Final = 200
TEXT: Final = {"type": "string", "maxLength": LONGEST}


@dataclass(frozen=True, slots=True)
class Filter:
    """A parameter of a list: its name, what it means, and which rows it leaves."""

    name: str
    words: str
    field: str
    read: Callable[[str], Any]
    kind: Any = OpenApiTypes.STR
    lookup: str = "exact"
    values: Sequence[str] = ()

    @property
    def parameter(self) -> OpenApiParameter:
        return OpenApiParameter(
            self.name, self.kind, description=self.words, enum=list(self.values) or None
        )

    def left(self, rows: Any, text: str) -> Any:
        """The rows that it leaves; raises ``ValidationError`` for what cannot be read."""
        try:
            value = self.read(text)
        except ValueError as bad:
            raise ValidationError({self.name: [str(bad)]}, code="bad_parameter") from bad
        if isinstance(rows, QuerySet):
            return rows.filter(**{f"{self.field}__{self.lookup}": value})
        wanted, data = COMPARED[self.lookup], attrgetter(self.field.replace("__", "."))
        return [row for row in rows if data(row) is not None and wanted(data(row), value)]


def days(field: str) -> tuple[Filter, Filter]:
    """``?from=`` and ``?to=``: from the first day to the last, both included."""

    def read(text: str) -> date:
        value = parse_date(text)
        if value is None:
            raise ValueError("Enter a date in the format 2026-11-17.")
        return value

    example = "ISO 8601, such as 2026-11-17"
    return (
        Filter("from", f"from this date ({example})", field, read, OpenApiTypes.DATE, "gte"),
        Filter("to", f"up to this date ({example})", field, read, OpenApiTypes.DATE, "lte"),
    )


def since(field: str) -> Filter:
    """``?since=``: what came at this moment or later."""

    def read(text: str) -> datetime:
        value = parse_datetime(text.replace(" ", "+"))
        if value is None or value.tzinfo is None:
            raise ValueError("Enter a date and time in the format 2026-11-17T19:45:00Z.")
        return value

    words = "from this date and time (ISO 8601 with its offset, such as 2026-11-17T19:45:00Z)"
    return Filter("since", words, field, read, OpenApiTypes.DATETIME, "gte")


def one_of(name: str, values: Iterable[str], *, field: str = "") -> Filter:
    """``?state=`` or the like: only rows of this value."""
    known = tuple(map(str, values))

    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"Choose one of {', '.join(known)}.")
        return text

    return Filter(name, f"only this {name}", field or name, read, values=known)


def number(name: str, *, field: str = "", words: str = "") -> Filter:
    """``?player=`` or the like: only rows with this number."""

    def read(text: str) -> int:
        if not (key := whole_number(text)):
            raise ValueError("Enter a number.")
        return key

    return Filter(name, words or f"only this {name}", field or name, read, KEY)


def flag(name: str, *, field: str = "", words: str = "") -> Filter:
    """``?is_active=``: ``true`` or ``false``."""

    def read(text: str) -> bool:
        if text not in {"true", "false"}:
            raise ValueError("Choose true or false.")
        return text == "true"

    return Filter(name, words or f"only where {name}", field or name, read, OpenApiTypes.BOOL)


def search(field: str, *, name: str = "search") -> Filter:
    """``?search=``: rows with these letters in the field, large or small."""

    def read(text: str) -> str:
        if len(text) > LONGEST or "\0" in text:
            raise ValueError(f"Use {LONGEST} characters or fewer.")
        return text

    words = f"characters within {field.replace('__', ' ')}"
    return Filter(name, words, field, read, TEXT, "icontains")


COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "exact": eq,
    "gte": ge,
    "lte": le,
    "icontains": lambda value, wanted: wanted.casefold() in str(value).casefold(),
}
