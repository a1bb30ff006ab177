"""Where in a club's rooms anything is written in words, and which of it names a person.

It is read from the tables themselves, so that a new column is looked through from its first day.
"""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.db.models import CharField, ForeignKey, JSONField, Model, Q, TextField

from clubs.models import Alias, Club, Membership, Player, User
from clubs.traces import Traces
from scoring.scorebook.models import Book, Link

# Whose names these are is known: they are dealt with one by one, never by searching.
NAMES_APART: Final = (Player, Alias, Membership, Club, User)
NOT_WORDS: Final = frozenset({"name_key", "key", "link_key", "wall_key", "feed_key", "digest"})
ROOMS: Final = ("clubs", "tournaments")


@dataclass(frozen=True, slots=True)
class Written:
    """A table whose rows are a club's, the way to the club, and its columns with words."""

    model: type[Model]
    club: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """A row that names someone: its table, its key, and each column with what stands in it."""

    model: type[Model]
    pk: Any
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sealed:
    """Words in an event's book that name someone: they cannot be changed."""

    held_on: date
    words: str


@cache
def written() -> tuple[Written, ...]:
    """Every table of a club with words in it."""
    found = []
    for model in _models():
        path, columns = _way_to_club(model), _columns(model)
        if path and columns and model not in NAMES_APART:
            found.append(Written(model, path, columns))
    return tuple(found)


def rows_naming(club: Club, traces: Traces) -> Iterator[Naming]:
    """Every row of the club in which a name stands; a query a table."""
    for table in written():
        rows = table.model._default_manager.filter(**{table.club: club.pk}).order_by("pk")
        for pk, *values in rows.values_list("pk", *table.columns).iterator():
            told = dict(zip(table.columns, values, strict=True))
            naming = {column: value for column, value in told.items() if traces.are_in(value)}
            if naming:
                yield Naming(table.model, pk, naming)


def sealed_words(club: Club, traces: Traces) -> tuple[Sealed, ...]:
    """What the books of the club's events seal in words that name someone, the oldest first."""
    found: dict[Sealed, None] = {}
    for days in _events(club):
        links = Link.objects.filter(_mentions(traces), book__in=days).order_by("pk")
        for book, text in links.values_list("book_id", "sealed").iterator():
            for words in _said(json.loads(text)["rows"], traces):
                found[Sealed(days[book], words)] = None
    return tuple(sorted(found, key=lambda one: one.held_on))


def _models() -> Iterator[type[Model]]:
    for room in ROOMS:
        yield from apps.get_app_config(room).get_models()


def _columns(model: type[Model]) -> tuple[str, ...]:
    """Columns that hold words; choices and secrets hold none."""
    return tuple(
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, CharField | TextField | JSONField)
        and not field.choices
        and field.name not in NOT_WORDS
    )


def _way_to_club(model: type[Model]) -> str:
    """The shortest way over foreign keys from a table to the club; empty where there is none."""
    ways: deque[tuple[type[Model], str]] = deque([(model, "")])
    seen = {model}
    while ways:
        at, way = ways.popleft()
        if at is Club:
            return way.removesuffix("__")
        for field in at._meta.concrete_fields:
            if not isinstance(field, ForeignKey):
                continue
            to = field.related_model
            if isinstance(to, type) and to not in seen and to is not User:
                seen.add(to)
                ways.append((to, f"{way}{field.name}__"))
    return ""


def _events(club: Club) -> Iterator[dict[int, date]]:
    """The day of each book, for each kind of event that has one."""
    for relation in Book._meta.related_objects:
        model = relation.related_model
        if isinstance(model, type) and relation.one_to_one:
            events = model._default_manager.filter(club=club.pk, book__isnull=False)
            yield dict(events.values_list("book_id", "held_on"))


def _mentions(traces: Traces) -> Q:
    """Links in whose text a name may stand, as the chain writes it: in ASCII alone."""
    found = Q(pk__in=[])
    for name in traces.instead:
        found |= Q(sealed__icontains=json.dumps(name)[1:-1])
    return found


def _said(value: Any, traces: Traces) -> Iterator[str]:
    if isinstance(value, str):
        if traces.are_in(value):
            yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _said(one, traces)
