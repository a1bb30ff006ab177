"""The page of house rules beside the page of the book: what is changed, added or left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from scoring.rules.rule_set import RuleSet
from scoring.sheet import Cells, all_sections


class RowChange(Enum):
    """How a line of house rules stands to the book."""

    NONE = "as in the rule book"
    OTHER = "changed"
    NEW = "added"
    GONE = "left out"


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A line of the page; one that is left out has the book's cells.

    ``book_text`` is what the book says instead, in words; empty where it says the same.
    ``book_cells`` are the book's cells; None of a line that it does not have.
    """

    cells: Cells
    change: RowChange
    book_text: str = ""
    book_cells: Cells | None = None


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A table of the page with every line marked."""

    title: str
    note: str
    columns: Cells
    rows: tuple[MarkedRow, ...]

    @property
    def changes(self) -> tuple[MarkedRow, ...]:
        """The lines that are not as in the rule book."""
        return tuple(row for row in self.rows if row.change is not RowChange.NONE)


def marked_sections(rules: RuleSet, book: RuleSet) -> tuple[MarkedSection, ...]:
    """The whole page of the rules in the order of `sheet.sections`, marked against the book's.

    Sources are not compared; a line that is left out comes last in its table.
    """
    sections = []
    for house, printed_section in zip(all_sections(rules), all_sections(book), strict=True):
        pairs, left_out = _pair_rows(house.rows, printed_section.rows)
        rows = [_marked_row(row, printed_row, house.columns) for row, printed_row in pairs]
        rows += [MarkedRow(row, RowChange.GONE, "Not played here.", row) for row in left_out]
        if rows:
            sections.append(MarkedSection(house.title, house.note, house.columns, tuple(rows)))
    return tuple(sections)


def _pair_rows(
    rows: Sequence[Cells], printed_rows: Sequence[Cells]
) -> tuple[list[tuple[Cells, Cells | None]], list[Cells]]:
    """Each row with the printed row of its name, and the printed rows that are left.

    Of several of one name the same is chosen, or else the first; sources do not count.
    """
    remaining_rows = [*printed_rows]
    row_matches: dict[int, Cells] = {}
    for cell_count in (-1, 1):  # all cells but the source, then the name alone
        for place, row in enumerate(rows):
            matches = (
                printed_row
                for printed_row in remaining_rows
                if printed_row[:cell_count] == row[:cell_count]
            )
            if place not in row_matches and (printed_row := next(matches, None)) is not None:
                row_matches[place] = printed_row
                remaining_rows.remove(printed_row)
    return [(row, row_matches.get(place)) for place, row in enumerate(rows)], remaining_rows


def _marked_row(row: Cells, printed_row: Cells | None, columns: Cells) -> MarkedRow:
    if printed_row is None:
        return MarkedRow(row, RowChange.NEW, "Not in the rule book.")
    differing_cells = [
        (column, printed_cell)
        for column, now, printed_cell in zip(
            columns[1:-1], row[1:-1], printed_row[1:-1], strict=True
        )
        if now != printed_cell
    ]
    if not differing_cells:
        return MarkedRow(row, RowChange.NONE, "", printed_row)
    is_plain = len(columns) == 3
    text = "; ".join(
        printed_cell if is_plain else f"{column}: {printed_cell}"
        for column, printed_cell in differing_cells
    )
    return MarkedRow(row, RowChange.OTHER, f"In the rule book: {text}.", printed_row)
