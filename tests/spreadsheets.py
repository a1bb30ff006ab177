"""What a file for a spreadsheet says wrongly to whoever opens it."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO, StringIO
from typing import Any

from django.apps import apps
from openpyxl import load_workbook

HEADING = re.compile(r"[^\W\d_][^_.]*")  # in words, from a capital on
PAIRS = re.compile(r"\w+: .*\b\w+: ")  # two fields in a cell
KEY = re.compile(r"[a-z]+(?:_[a-z]+)+")  # a word of the code: table_points
DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")  # as programs write it


@cache
def stored_words() -> frozenset[str]:
    """What the tables hold of choices that readers know by other names."""
    fields = (field for model in apps.get_models() for field in model._meta.get_fields())
    choices = {
        (str(value), str(name).casefold())
        for field in fields
        for value, name in getattr(field, "flatchoices", ())
    }
    names = {name for _, name in choices} | {"", "yes", "no"}
    return frozenset(value for value, _ in choices if value not in names)


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
        first = next(index for index, row in enumerate(lines) if row[-1].value is not None)
        headings = [cell.value for cell in lines[first]]
        rows = [[cell.value for cell in row] for row in lines[first + 1 :]]
        yield from _in_table(headings, rows, for_import=for_import)
        for text in (value for row in rows for value in row if isinstance(value, str)):
            if DAY.fullmatch(text):
                yield f"a day is text: {text}"
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
        if isinstance(cell, str):
            yield from _in_text(cell, for_import=for_import)


def _in_text(cell: str, *, for_import: bool) -> Iterator[str]:
    if PAIRS.match(cell) and "\n" not in cell:
        yield f"a cell holds several facts: {cell}"
    parts = [cell, *cell.split("; ")]
    if not for_import and any(KEY.fullmatch(word) or word in stored_words() for word in parts):
        yield f"a cell holds a word of the code: {cell}"
