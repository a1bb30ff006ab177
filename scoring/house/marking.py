"""The page of house rules beside the page of the book: what is changed, added or left out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from scoring.rules.rule_set import RuleSet
from scoring.sheet import Row, tables


class Change(Enum):
    """How a line of house rules stands to the book."""

    NONE = "as in the rule book"
    OTHER = "changed"
    NEW = "added"
    GONE = "left out"


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A line of the page; one that is left out has the book's cells.

    ``said`` is what the book says instead, in words; empty where it says the same.
    """

    cells: Row
    change: Change
    said: str = ""


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A table of the page with every line marked."""

    title: str
    note: str
    columns: Row
    rows: tuple[MarkedRow, ...]

    @property
    def changes(self) -> tuple[MarkedRow, ...]:
        """The lines that are not as in the rule book."""
        return tuple(row for row in self.rows if row.change is not Change.NONE)


def marked(rules: RuleSet, book: RuleSet) -> tuple[MarkedSection, ...]:
    """The whole page of the rules in the order of `sheet.sections`, marked against the book's.

    Sources are not compared; a line that is left out comes last in its table.
    """
    sections = []
    for house, printed in zip(tables(rules), tables(book), strict=True):
        there, here = _numbered(printed.rows), _numbered(house.rows)
        rows = [_marked_row(row, there.get(key), house.columns) for key, row in here.items()]
        rows += [
            MarkedRow(row, Change.GONE, "Not played here.")
            for key, row in there.items()
            if key not in here
        ]
        if rows:
            sections.append(MarkedSection(house.title, house.note, house.columns, tuple(rows)))
    return tuple(sections)


def _numbered(rows: Sequence[Row]) -> dict[tuple[str, int], Row]:
    """Every row by its name, and by how many of that name come before it."""
    seen: Counter[str] = Counter()
    numbered = {}
    for row in rows:
        numbered[row[0], seen[row[0]]] = row
        seen[row[0]] += 1
    return numbered


def _marked_row(row: Row, printed: Row | None, columns: Row) -> MarkedRow:
    if printed is None:
        return MarkedRow(row, Change.NEW, "Not in the rule book.")
    other = [
        (column, before)
        for column, now, before in zip(columns[1:-1], row[1:-1], printed[1:-1], strict=True)
        if now != before
    ]
    if not other:
        return MarkedRow(row, Change.NONE)
    is_plain = len(columns) == 3
    said = "; ".join(before if is_plain else f"{column}: {before}" for column, before in other)
    return MarkedRow(row, Change.OTHER, f"In the rule book: {said}.")
