"""What a link of an event's book seals: whole rows as canonical text, and its digest."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db.models import Field, Model

from scoring.scorebook.models import Book, Link

VERSION: Final = "tongbox 1"
CODE_DIGITS: Final = 16

# Columns that go on moving after their row was sealed, and what tells them instead.
UNSEALED: Final[Mapping[str, frozenset[str]]] = {
    "hand": frozenset({"is_current", "state"}),  # the links of the hand, one after another
    "seat": frozenset({"points", "hands", "mahjongs", "best_hand"}),  # ledger and current hands
    # How the event is run: nothing is won by it; and what the first hand's deal tells.
    "game": frozenset({"closed_at", "agreement", "first_dealer"}),
}

Rows = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Writing:
    """One thing that was written: its kind, the rows it consists of, what it is about.

    ``about`` are the columns of its link: the hand, agreement, decision, entry or repair.
    ``state`` is the hand's afterwards; empty where it is about no hand.
    """

    kind: str
    rows: tuple[Model, ...]
    about: Mapping[str, Model]
    state: str = ""


@cache
def sealed_fields(model: type[Model]) -> list["Field[Any, Any]"]:
    """The columns of a table that a link seals: all but those in ``UNSEALED``."""
    left_out = UNSEALED.get(str(model._meta.model_name), frozenset())
    return [field for field in model._meta.concrete_fields if field.attname not in left_out]


def content(row: Model) -> dict[str, Any]:
    """A row as plain data, the same whether it was just made or is read from any database."""
    return {
        field.attname: plain(field.to_python(getattr(row, field.attname)))
        for field in sealed_fields(type(row))
    }


def plain(value: Any) -> Any:
    """A column's value as JSON has it."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, dict | list | tuple):
        return json.loads(json.dumps(value))
    return value


def by_table(rows: Iterable[Model]) -> Rows:
    """The contents of rows under the names of their tables, in the order of their keys."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: row.pk):
        found.setdefault(str(row._meta.model_name), []).append(content(row))
    return found


def next_link(book: Book, writing: Writing, *, at: datetime) -> Link:
    """The link that seals a writing over the book's head (unsaved); book and head move on."""
    about = {name: row.pk for name, row in writing.about.items()}
    text = canonical(
        {
            "as": VERSION,
            "book": book.pk,
            "number": book.length + 1,
            "before": book.head,
            "kind": str(writing.kind),
            "about": about,
            "state": str(writing.state),
            "written_at": plain(at),
            "rows": by_table(writing.rows),
        }
    )
    book.length += 1
    book.head = digest_of(text)
    return Link(
        book_id=book.pk,
        number=book.length,
        kind=writing.kind,
        state=writing.state,
        sealed=text,
        digest=book.head,
        written_at=at,
        **{f"{name}_id": key for name, key in about.items()},
    )


def canonical(data: Any) -> str:
    """Data as text, one way to write it: sorted keys, nothing between, ASCII alone."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest_of(text: str) -> str:
    """SHA-256 in hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def short_code(digest: str) -> str:
    """The first sixteen digits in words of four, to be printed: ``3F9A 22C1 7B04 E5D8``."""
    digits = digest[:CODE_DIGITS].upper()
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
