"""A played club as a template: its rows with every key left open, filled in anew for each copy."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

import psycopg
from django.apps import apps
from django.db import connection
from django.db.models import AutoField, CharField, Field, Model, UUIDField

from scoring.scorebook.ledger import canonical
from scoring.scorebook.models import Book, Hand, LedgerEntry, Link
from scoring.scorebook.verifying import NAMED

OURS: Final = ("scorebook", "clubs", "tournaments")
NOTHING: Final = r"\N"
HEAD: Final = "head"
LINKS, BOOKS, HANDS = "scorebook_link", "scorebook_book", "scorebook_hand"
USERS, SUBMISSION = "clubs_user", "scorebook_hand.submission_id"
SEALED: Final = ("sealed", "digest")
NUMBERED: Final = {  # what stands before and after the template's, with the copy's key
    "clubs_club.name": ("", " %s"),
    "clubs_club.slug": ("", "-%s"),
    "clubs_user.email": ("c%s.", ""),
}
BY_USER: Final = re.compile(r"user (\d+)")
OPEN: Final = re.compile(r'"@([\w.]+):(\d+)@"|@([\w.]+):(\d+)@')

Slot = tuple[str, int]  # where the value comes from, which of them
Values = Mapping[str, Sequence[Any]]
Keys = dict[str, dict[int, int]]  # by table: which of the template's rows has that key


@dataclass(frozen=True, slots=True)
class Pattern:
    """Text with open places, and what goes into them."""

    text: str
    slots: tuple[Slot, ...]

    def filled(self, values: Values) -> str:
        """The text with these values."""
        return self.text % tuple([values[source][at] for source, at in self.slots])


@dataclass(frozen=True, slots=True)
class Sealed:
    """A link of a book: its row but for text and digest, the text, and which book it is of."""

    row: Pattern
    text: Pattern
    book: int


@dataclass(frozen=True, slots=True)
class Template:
    """All rows of a club: by table, how many, their columns and the text that COPY reads."""

    counts: Mapping[str, int]
    columns: Mapping[str, str]
    rows: Mapping[str, Pattern]
    links: tuple[Sealed, ...]
    fresh: Mapping[str, tuple[int, Callable[[], str]]]

    def keys_after(self, first: Mapping[str, int], copies: int) -> dict[str, int]:
        """The highest key of each table after so many copies."""
        return {table: key + copies * self.counts.get(table, 0) for table, key in first.items()}

    def values(self, first: Mapping[str, int], copy: int) -> dict[str, Any]:
        """The keys, secrets and names of one copy, by where its rows look for them."""
        result: dict[str, Any] = {}
        for table, count in self.counts.items():
            start = first[table] + 1 + copy * count
            result[table] = range(start, start + count)
        for source, (count, make) in self.fresh.items():
            result[source] = [make() for _ in range(count)]
        result["copy"] = [result["clubs_club"][0]]
        result[HEAD] = [""] * self.counts["scorebook_book"]
        return result


def highest_keys() -> dict[str, int]:
    """The highest key of every table of ours."""
    result = {}
    with connection.cursor() as cursor:
        for model in _models():
            cursor.execute(f'SELECT coalesce(max(id), 0) FROM "{model._meta.db_table}"')  # noqa: S608
            result[model._meta.db_table] = cursor.fetchone()[0]
    return result


def template_since(before: Mapping[str, int]) -> Template:
    """Everything that was written since the tables had these highest keys."""
    keys: Keys = {}
    for model in _models():
        table = model._meta.db_table
        result = model._base_manager.filter(pk__gt=before[table]).order_by("pk")
        if rows := list(result.values_list("pk", flat=True)):
            keys[table] = {pk: at for at, pk in enumerate(rows)}
    fresh: dict[str, tuple[int, Callable[[], str]]] = {}
    columns: dict[str, str] = {}
    rows_of: dict[str, Pattern] = {}
    links: tuple[Sealed, ...] = ()
    for model in _models():
        table = model._meta.db_table
        if table not in keys:
            continue
        fields = model._meta.concrete_fields
        columns[table] = ", ".join(f'"{field.column}"' for field in fields)
        lines = list(_read(table, columns[table], before[table]))
        if model is Link:
            links = tuple(_links(fields, lines, keys, fresh))
        else:
            patterns = [_row(fields, line, at, keys, fresh) for at, line in enumerate(lines)]
            rows_of[table] = _joined(patterns)
    counts = {table: len(result) for table, result in keys.items()}
    return Template(counts, columns, rows_of, links, fresh)


def _models() -> list[type[Model]]:
    """All tables but those of jobs, whose keys are no numbers; these clubs have none."""
    return [
        model
        for name in OURS
        for model in apps.get_app_config(name).get_models(include_auto_created=True)
        if isinstance(model._meta.pk, AutoField)
    ]


def _read(table: str, columns: str, after: int) -> Iterator[str]:
    """The rows as COPY writes them, in the order of their keys."""
    query = f'COPY (SELECT {columns} FROM "{table}" WHERE id > {after} ORDER BY id) TO STDOUT'  # noqa: S608
    with connection.cursor() as cursor, cursor.copy(query) as copying:
        text = b"".join(bytes(part) for part in copying).decode()
    yield from text.split("\n")[:-1]


def _joined(patterns: Iterable[Pattern]) -> Pattern:
    rows = list(patterns)
    text = "".join(f"{pattern.text}\n" for pattern in rows)
    return Pattern(text, tuple(slot for pattern in rows for slot in pattern.slots))


def _row(
    fields: Sequence["Field[Any, Any]"], line: str, at: int, keys: Keys, fresh: dict[str, Any]
) -> Pattern:
    cells = zip(fields, line.split("\t"), strict=True)
    return _tabbed(_cell(field, text, at, keys, fresh) for field, text in cells)


def _tabbed(cells: Iterable[Pattern]) -> Pattern:
    patterns = list(cells)
    text = "\t".join(pattern.text for pattern in patterns)
    return Pattern(text, tuple(slot for pattern in patterns for slot in pattern.slots))


def _cell(
    field: "Field[Any, Any]", text: str, at: int, keys: Keys, fresh: dict[str, Any]
) -> Pattern:
    """One column of a row: a key, a secret or a name of its own, or what the template has."""
    if text == NOTHING:
        return _plain(text)
    if table := _keys_of(field):
        known = keys.get(table, {}).get(int(text))
        return _plain(text) if known is None else Pattern("%s", ((table, known),))
    if field.model is Book and field.attname == "head":
        return Pattern("%s", ((HEAD, at),))
    if field.unique:
        return _own(field, text, at, fresh)
    if isinstance(field, CharField) and (said := BY_USER.fullmatch(text)):
        return Pattern("user %s", (("clubs_user", keys["clubs_user"][int(said[1])]),))
    return _plain(text)


def _plain(text: str) -> Pattern:
    return Pattern(text.replace("%", "%%"), ())


def _keys_of(field: "Field[Any, Any]") -> str:
    """The table whose keys the column holds; empty for any other column."""
    if field.primary_key:
        return field.model._meta.db_table
    remote = field.related_model if field.is_relation else None
    return remote._meta.db_table if isinstance(remote, type) else ""


def _own(field: "Field[Any, Any]", text: str, at: int, fresh: dict[str, Any]) -> Pattern:
    """A column in which no two rows are alike: made anew, or the template's with a number."""
    source = f"{field.model._meta.db_table}.{field.column}"
    if source in NUMBERED:
        before, after = NUMBERED[source]
        return Pattern(f"{before}{_plain(text).text}{after}", (("copy", 0),))
    fresh[source] = (at + 1, _uuid if isinstance(field, UUIDField) else field.get_default)
    return Pattern("%s", ((source, at),))


def _uuid() -> str:
    return str(uuid4())


def _links(
    fields: Sequence["Field[Any, Any]"], lines: Sequence[str], keys: Keys, fresh: dict[str, Any]
) -> Iterator[Sealed]:
    """The links in their order, the text that each seals laid open."""
    result = dict(Link.objects.filter(pk__in=keys[LINKS]).values_list("pk", "sealed"))
    for at, (pk, line) in enumerate(zip(keys[LINKS], lines, strict=True)):
        value = json.loads(result[pk])
        book = keys[BOOKS][value["book"]]
        yield Sealed(_link_row(fields, line, at, keys, fresh), _laid_open(value, book, keys), book)


def _link_row(
    fields: Sequence["Field[Any, Any]"], line: str, at: int, keys: Keys, fresh: dict[str, Any]
) -> Pattern:
    return _tabbed(
        Pattern("%s", ((field.column, 0),))
        if field.column in SEALED
        else _cell(field, text, at, keys, fresh)
        for field, text in zip(fields, line.split("\t"), strict=True)
    )


def _laid_open(fields: dict[str, Any], book: int, keys: Keys) -> Pattern:
    """What a link seals, its keys, secrets and the digest before it left open."""
    opened = fields | {"book": f"@{BOOKS}:{book}@", "before": f"@{HEAD}:{book}@"}
    opened["about"] = {
        name: _open(_table(name), key, keys) for name, key in fields["about"].items()
    }
    opened["rows"] = {
        name: [_row_open(NAMED[name], row, keys) for row in rows]
        for name, rows in fields["rows"].items()
    }
    slots: list[Slot] = []

    def opening(match: re.Match[str]) -> str:
        source, at = match[1] or match[3], int(match[2] or match[4])
        slots.append((source, at))
        is_text = match[1] is not None and source in {HEAD, SUBMISSION}
        return '"%s"' if is_text else "%s"

    text = OPEN.sub(opening, canonical(opened).replace("%", "%%"))
    return Pattern(text, tuple(slots))


def _row_open(model: type[Model], row: dict[str, Any], keys: Keys) -> dict[str, Any]:
    result = dict(row)
    for field in model._meta.concrete_fields:
        name = field.attname
        if result.get(name) is None:
            continue
        if table := _keys_of(field):
            result[name] = _open(table, result[name], keys)
        elif isinstance(result[name], str) and (said := BY_USER.fullmatch(result[name])):
            result[name] = f"user @{USERS}:{keys[USERS][int(said[1])]}@"
    if model is Hand:
        result["submission_id"] = f"@{SUBMISSION}:{keys[HANDS][row['id']]}@"
    return result


def _open(table: str, key: int, keys: Keys) -> Any:
    known = keys.get(table, {}).get(key)
    return key if known is None else f"@{table}:{known}@"


def _table(about: str) -> str:
    return LedgerEntry._meta.db_table if about == "entry" else NAMED[about]._meta.db_table


def copy_clubs(template: Template, first: Mapping[str, int], address: str, copies: range) -> None:
    """These copies of the template, in one transaction each; foreign keys are checked later."""
    with psycopg.connect(address) as filled:
        for copy in copies:
            _copy(filled, template, template.values(first, copy))
            filled.commit()


def _copy(filled: psycopg.Connection, template: Template, values: dict[str, Any]) -> None:
    links = "".join(_sealed(values, template.links))
    _send(filled, LINKS, template.columns[LINKS], links)
    for table, rows in template.rows.items():
        _send(filled, table, template.columns[table], rows.filled(values))


def _sealed(values: dict[str, Any], links: Iterable[Sealed]) -> Iterator[str]:
    """Each link's row, sealed over the one before it in its book; the heads move on."""
    heads = values[HEAD]
    for link in links:
        text = link.text.filled(values)
        heads[link.book] = sha256(text.encode()).hexdigest()
        values["sealed"], values["digest"] = [text.replace("\\", "\\\\")], [heads[link.book]]
        yield f"{link.row.filled(values)}\n"


def _send(filled: psycopg.Connection, table: str, columns: str, rows: str) -> None:
    query = f'COPY "{table}" ({columns}) FROM STDIN'
    with filled.cursor() as cursor, cursor.copy(query) as copying:
        copying.write(rows)
