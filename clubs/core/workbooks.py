"""Reading the first sheet of an Excel workbook (XLSX) as words: no formulas, no formats."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from io import BytesIO
from itertools import islice
from typing import Final
from zipfile import ZipFile

from openpyxl import load_workbook

MOST_UNPACKED: Final = 20_000_000  # bytes
MOST_PAPERS: Final = 500  # files inside the workbook
MOST_CELLS: Final = 300_000
SHEETS: Final = "xl/worksheets/"
MOST_COLUMNS: Final = 200
MOST_ROWS: Final = 9_999


class Unreadable(Exception):
    """The file is no workbook that can be read."""


def first_sheet(content: bytes) -> list[list[str]]:
    """The rows of the first sheet, from the first that holds anything; days are ``2026-11-24``.

    Raises ``Unreadable`` for what is no workbook, or one that is too large.
    """
    try:
        rows = list(_rows(content))
    except Unreadable:
        raise
    except Exception as wrong:  # a damaged file can break the library anywhere
        raise Unreadable("The file is locked or damaged.") from wrong
    first = next((at for at, row in enumerate(rows) if row), len(rows))
    return rows[first:]


def _rows(content: bytes) -> Iterator[list[str]]:
    with ZipFile(BytesIO(content)) as packed:
        papers = packed.infolist()
        unpacked = sum(paper.file_size for paper in papers)
        if len(papers) > MOST_PAPERS or unpacked > MOST_UNPACKED:
            raise Unreadable("The workbook is too large.")
        sheets = [paper for paper in papers if paper.filename.startswith(SHEETS)]
        if sum(packed.read(sheet).count(b"<c") for sheet in sheets) > MOST_CELLS:
            raise Unreadable("The workbook has too many cells.")
    book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
    sheet = book.worksheets[0]
    sheet.reset_dimensions()  # what a file says of its own size may be wrong
    for row in islice(sheet.iter_rows(values_only=True), MOST_ROWS):
        yield _words(row[:MOST_COLUMNS])


def _words(row: Sequence[object]) -> list[str]:
    """The cells as words, up to the last that holds anything."""
    words = [_word(cell) for cell in row]
    while words and not words[-1]:
        words.pop()
    return words


def _word(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date) else str(cell)
