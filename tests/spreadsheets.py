"""What a file for a spreadsheet says wrongly to whoever opens it."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO, StringIO
from typing import Any

from openpyxl import load_workbook

HEADING = re.compile(r"[^\W\d_][^_.]*")  # in words, from a capital on
PAIRS = re.compile(r"\w+: .*\b\w+: ")  # two fields in a cell


def faults_of(content: bytes, *, for_import: bool = False) -> list[str]:
    """What is wrong with a CSV file or a workbook; small headings are right ``for_import``."""
    if content.startswith(b"PK"):
        return list(_in_workbook(content, for_import=for_import))
    headings, *rows = csv.reader(StringIO(content.decode("utf-8-sig")))
    return list(_in_table(headings, rows, for_import=for_import))


def _in_workbook(content: bytes, *, for_import: bool) -> Iterator[str]:
    for sheet in load_workbook(BytesIO(content)).worksheets:
        if re.fullmatch(r"Sheet ?\d*", sheet.title):
            yield f"the sheet is called {sheet.title}"
        lines = [row for row in sheet.iter_rows() if any(cell.value is not None for cell in row)]
        first = next(at for at, row in enumerate(lines) if row[-1].value is not None)
        headings = [cell.value for cell in lines[first]]
        rows = [[cell.value for cell in row] for row in lines[first + 1 :]]
        yield from _in_table(headings, rows, for_import=for_import)
        for row in lines[first + 1 :]:
            for heading, cell in zip(headings, row, strict=True):
                if heading == "Pounds" and cell.value is not None and cell.number_format != "0.00":
                    yield f"{cell.value} pounds are shown as {cell.number_format}"


def _in_table(
    headings: Sequence[Any], rows: Iterable[Sequence[Any]], *, for_import: bool
) -> Iterator[str]:
    for heading in map(str, headings):
        if not HEADING.fullmatch(heading) or not (heading[0].isupper() or for_import):
            yield f"a column is called {heading}"
        if "pence" in heading.casefold():
            yield "money is in pence"
    if len(set(headings)) < len(headings):
        yield f"two columns share a heading: {headings}"
    for cell in (cell for row in rows for cell in row):
        if isinstance(cell, bool) or str(cell) in {"TRUE", "FALSE", "True", "False"}:
            yield "yes or no is TRUE or FALSE"
        if isinstance(cell, str) and PAIRS.match(cell) and "\n" not in cell:
            yield f"a cell holds several facts: {cell}"
