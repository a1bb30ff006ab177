"""What a list can be asked for: days, states, words; declared once, described and applied.

A list says ``filters = (*days("held_on"), one_of("state", SessionState.values), search("name"))``.
The field is a column of a queryset, or an attribute of the rows that a selector returned.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter, eq, ge, le
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

LONGEST: Final = 200
LARGEST: Final = 2**63 - 1
TEXT: Final = {"type": "string", "maxLength": LONGEST}
KEY: Final = {"type": "integer", "minimum": 1, "maximum": LARGEST}


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
        """How the description tells of it."""
        return OpenApiParameter(
            self.name, self.kind, description=self.words, enum=list(self.values) or None
        )

    def left(self, rows: Any, said: str) -> Any:
        """The rows that it leaves; raises ``ValidationError`` for what cannot be read."""
        try:
            value = self.read(said)
        except ValueError as bad:
            raise ValidationError({self.name: [str(bad)]}, code="bad_parameter") from bad
        if isinstance(rows, QuerySet):
            return rows.filter(**{f"{self.field}__{self.lookup}": value})
        asked, told = COMPARED[self.lookup], attrgetter(self.field.replace("__", "."))
        return [row for row in rows if told(row) is not None and asked(told(row), value)]


def days(field: str) -> tuple[Filter, Filter]:
    """``?from=`` and ``?to=``: from the first day to the last, both included."""
    said = "ISO 8601, such as 2026-11-17"
    return (
        Filter("from", f"from this date ({said})", field, _day, OpenApiTypes.DATE, "gte"),
        Filter("to", f"up to this date ({said})", field, _day, OpenApiTypes.DATE, "lte"),
    )


def since(field: str) -> Filter:
    """``?since=``: what came at this moment or later."""
    words = "from this date and time (ISO 8601 with its offset, such as 2026-11-17T19:45:00Z)"
    return Filter("since", words, field, _moment, OpenApiTypes.DATETIME, "gte")


def one_of(name: str, values: Iterable[str], *, field: str = "", words: str = "") -> Filter:
    """``?state=`` or the like: only rows of this value."""
    known = tuple(map(str, values))

    def read(said: str) -> str:
        if said not in known:
            raise ValueError(f"Choose one of {', '.join(known)}.")
        return said

    return Filter(name, words or f"only this {name}", field or name, read, values=known)


def number(name: str, *, field: str = "", words: str = "") -> Filter:
    """``?player=`` or the like: only rows with this number."""
    return Filter(name, words or f"only this {name}", field or name, _number, KEY)


def flag(name: str, *, field: str = "", words: str = "") -> Filter:
    """``?is_active=``: ``true`` or ``false``."""
    return Filter(name, words or f"only where {name}", field or name, _flag, OpenApiTypes.BOOL)


def search(field: str, *, name: str = "search") -> Filter:
    """``?search=``: rows with these letters in the field, large or small."""
    words = f"characters within {field.replace('__', ' ')}"
    return Filter(name, words, field, _words, TEXT, "icontains")


def _day(said: str) -> date:
    told = parse_date(said)
    if told is None:
        raise ValueError("Enter a date in the format 2026-11-17.")
    return told


def _moment(said: str) -> datetime:
    told = parse_datetime(said.replace(" ", "+"))
    if told is None or told.tzinfo is None:
        raise ValueError("Enter a date and time in the format 2026-11-17T19:45:00Z.")
    return told


def _number(said: str) -> int:
    if not said.isascii() or not said.isdecimal() or not 0 < int(said) <= LARGEST:
        raise ValueError("Enter a number.")
    return int(said)


def _flag(said: str) -> bool:
    if said not in {"true", "false"}:
        raise ValueError("Choose true or false.")
    return said == "true"


def _words(said: str) -> str:
    if len(said) > LONGEST or "\0" in said:
        raise ValueError(f"Use {LONGEST} characters or fewer.")
    return said


def _holds(told: object, asked: str) -> bool:
    return asked.casefold() in str(told).casefold()


COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "exact": eq,
    "gte": ge,
    "lte": le,
    "icontains": _holds,
}
