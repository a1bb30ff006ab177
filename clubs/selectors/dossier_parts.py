"""What the file on a person is made of: headings with rows, in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from clubs.language.moments import long_date, long_moment


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, what it is about, and its rows; ``tables`` are those that it tells."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tables: tuple[str, ...]


def part(
    title: str, about: str, columns: str, rows: Iterable[Iterable[object]], *tables: str
) -> Part:
    """A heading; ``columns`` parted by a bar, what is None left empty."""
    told = tuple(tuple(in_words(cell) for cell in row) for row in rows)
    return Part(title, about, tuple(columns.split("|")), told, tables)


def in_words(cell: object) -> str:
    """A value as a person reads it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return long_moment(cell)
    if isinstance(cell, date):
        return long_date(cell)
    return str(cell)
