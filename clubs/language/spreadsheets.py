"""Tables as files for spreadsheets: CSV, and Excel workbooks whose cells have types.

A number is a number, below 0 too, and a fraction a decimal of two places; a day is a day; a
decimal, such as pounds and pence, keeps its places. Yes and no are the words that an import reads
back. Only text is guarded against being read as a formula.
"""

import csv
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any, Final, NamedTuple, TypeVar

from django.utils import timezone
from xlsxwriter import Workbook

from clubs.language.moments import csv_cell

Cell = str | bool | int | float | Fraction | Decimal | date | time | None
Rows = Sequence[Sequence[Cell]]
AnyCell = TypeVar("AnyCell")

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "'")
MAX_COLUMN_WIDTH: Final = 48  # characters
MAX_NUMBER: Final = 2**53  # a spreadsheet cannot count further
DAY_FORMAT, MOMENT_FORMAT, TIME_FORMAT = "dd/mm/yyyy", "dd/mm/yyyy hh:mm", "hh:mm"
FORMAT_LENGTHS: Final = {DAY_FORMAT: 10, MOMENT_FORMAT: 16, TIME_FORMAT: 5}
DECIMAL_FORMAT: Final = "0.00"


def guard_formula(cell: AnyCell) -> AnyCell | str:
    """The cell, with an apostrophe before text that a spreadsheet would read as a formula."""
    is_formula = isinstance(cell, str) and cell.startswith(FORMULA_STARTS)
    return f"'{cell}" if is_formula else cell


def unguard_formula(cell: str) -> str:
    """The text before ``guard_formula``; other text is unchanged."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell


def csv_file(rows: Iterable[Iterable[Cell]]) -> bytes:
    """Rows as CSV, in the encoding that spreadsheets take for UTF-8.

    Days and moments are ISO 8601.
    """
    text = StringIO()
    csv.writer(text).writerows(map(_csv_cell, row) for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _csv_cell(cell: Cell) -> str | int | float | Decimal | None:
    if isinstance(cell, bool):
        return csv_cell(cell)
    if isinstance(cell, Fraction):
        return decimal_of(cell)
    if isinstance(cell, datetime):
        return cell.isoformat().replace("+00:00", "Z")
    if isinstance(cell, time):
        return f"{cell:%H:%M}"
    return cell.isoformat() if isinstance(cell, date) else guard_formula(cell)


def decimal_of(number: Fraction) -> int | float:
    """The fraction as a decimal; a whole number stays whole."""
    return int(number) if number.denominator == 1 else float(number)


class SheetData(NamedTuple):
    """A sheet of a workbook: the lines above its table, then the headings and the rows.

    ``frozen_columns`` columns stay in sight; a sheet ``for_paper`` prints on as few pages as it
    can.
    """

    name: str
    headings: Sequence[str]
    rows: Rows
    intro_lines: Sequence[str] = ()
    frozen_columns: int = 0
    for_paper: bool = False


def workbook(sheets: Iterable[SheetData], title: str = "") -> bytes:
    """An Excel workbook; no cell of it is a formula or a link."""
    file = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with Workbook(file, options) as book:
        if title:
            book.set_properties({"title": title, "author": "Tongbox"})
        formats = {
            number_format: book.add_format({"num_format": number_format})
            for number_format in (*FORMAT_LENGTHS, DECIMAL_FORMAT)
        }
        for sheet in sheets:
            _write_sheet(book, sheet, formats)
    return file.getvalue()


def _write_sheet(book: Any, sheet: SheetData, formats: dict[str, Any]) -> None:
    page = book.add_worksheet(sheet.name or None)
    bold = {"bold": True, "bottom": 2, "text_wrap": bool(sheet.intro_lines), "valign": "top"}
    for row_number, line in enumerate(sheet.intro_lines):
        large = None if row_number else book.add_format({"bold": True, "font_size": 16})
        page.write_string(row_number, 0, line, large)
    first = len(sheet.intro_lines) + 1 if sheet.intro_lines else 0
    page.write_row(first, 0, sheet.headings, book.add_format(bold))
    for row_number, row in enumerate(sheet.rows, start=first + 1):
        for column, cell in enumerate(row):
            _write_cell(page, row_number, column, cell, formats)
    for column, heading in enumerate(sheet.headings):
        cells = [row[column] for row in sheet.rows]
        longest = max(len(heading), *map(_cell_length, cells), 0)
        column_format = formats[DECIMAL_FORMAT] if any(map(_is_fractional, cells)) else None
        page.set_column(column, column, min(MAX_COLUMN_WIDTH, longest + 2), column_format)
    page.freeze_panes(first + 1, sheet.frozen_columns)
    if sheet.for_paper:
        page.autofilter(first, 0, first + len(sheet.rows), len(sheet.headings) - 1)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.repeat_rows(first)


def _write_cell(page: Any, row: int, column: int, cell: Cell, formats: dict[str, Any]) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, bool):
        page.write_string(row, column, csv_cell(cell))
    elif isinstance(cell, Decimal) and cell.as_tuple().exponent == -2:
        page.write_number(row, column, float(cell), formats[DECIMAL_FORMAT])
    elif isinstance(cell, int | float | Fraction | Decimal) and -MAX_NUMBER < cell < MAX_NUMBER:
        page.write_number(row, column, float(cell) if isinstance(cell, Fraction) else cell)
    elif isinstance(cell, date | time):
        page.write_datetime(row, column, _local_moment(cell), formats[_format_of(cell)])
    else:
        page.write_string(row, column, str(cell))


def _is_fractional(cell: Cell) -> bool:
    """Whether it is a fraction, beside which whole numbers have two places too."""
    return isinstance(cell, Fraction) and cell.denominator > 1


def _format_of(cell: date | time) -> str:
    if isinstance(cell, time):
        return TIME_FORMAT
    return MOMENT_FORMAT if isinstance(cell, datetime) else DAY_FORMAT


def _local_moment(cell: date | time) -> date | time:
    """A moment as the club's clock shows it: spreadsheets know no time zones."""
    if isinstance(cell, datetime) and timezone.is_aware(cell):
        return timezone.localtime(cell).replace(tzinfo=None)
    return cell.replace(tzinfo=None) if isinstance(cell, time) else cell


def _cell_length(cell: Cell) -> int:
    """How many characters the cell takes, about."""
    if isinstance(cell, date | time):
        return FORMAT_LENGTHS[_format_of(cell)]
    if isinstance(cell, Fraction):
        cell = round(float(cell), 2)
    return len(str(cell)) if cell is not None else 0
