"""A rule set as the page that is read and printed; house rules marked where they leave the book."""

from dataclasses import dataclass

from scoring import RuleSet
from scoring.house.marked import Change, MarkedRow, MarkedSection, marked

KINDS = {
    "Exposed": "value",
    "Concealed": "value",
    "Points": "value",
    "Doubles": "value",
    "Here": "value",
    "Source": "source",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the page: its text, and whether it is a figure, a source or words (empty)."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A line of the page; ``change`` is empty where it is as in the book, else a word for it."""

    cells: tuple[Cell, ...]
    change: str
    said: str

    @property
    def is_gone(self) -> bool:
        """Whether it stands in the book alone."""
        return self.change == Change.GONE.value


@dataclass(frozen=True, slots=True)
class PrintedSection:
    """A table of the page."""

    title: str
    note: str
    heads: tuple[Cell, ...]
    rows: tuple[PrintedRow, ...]

    @property
    def changes(self) -> tuple[PrintedRow, ...]:
        """The lines that are otherwise than in the book."""
        return tuple(row for row in self.rows if row.change)


@dataclass(frozen=True, slots=True)
class Printed:
    """A rule set, the book that its house rules are made from (or itself), and its page."""

    rules: RuleSet
    book: RuleSet
    sections: tuple[PrintedSection, ...]

    @property
    def is_house(self) -> bool:
        """Whether these are house rules."""
        return self.rules is not self.book

    @property
    def changed(self) -> tuple[PrintedSection, ...]:
        """The tables in which something is otherwise than in the book."""
        return tuple(section for section in self.sections if section.changes)

    @property
    def count(self) -> int:
        """How many lines are otherwise than in the book."""
        return sum(len(section.changes) for section in self.sections)


def printed_beside(rules: RuleSet, book: RuleSet) -> Printed:
    """The whole page of the rules, every line marked against the book's."""
    return Printed(rules, book, tuple(_section(one) for one in marked(rules, book)))


def _section(one: MarkedSection) -> PrintedSection:
    kinds = [KINDS.get(column, "") for column in one.columns]
    return PrintedSection(
        title=one.title,
        note=one.note,
        heads=_cells(one.columns, kinds),
        rows=tuple(_row(row, kinds) for row in one.rows),
    )


def _row(row: MarkedRow, kinds: list[str]) -> PrintedRow:
    change = "" if row.change is Change.NONE else row.change.value
    return PrintedRow(_cells(row.cells, kinds), change, row.said)


def _cells(texts: tuple[str, ...], kinds: list[str]) -> tuple[Cell, ...]:
    return tuple(Cell(text, kind) for text, kind in zip(texts, kinds, strict=True))
