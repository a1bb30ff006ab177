"""Lists and tables as files for a spreadsheet: the rows of an answer, a column a field."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, Final

from rest_framework.renderers import BaseRenderer
from xlsxwriter import Workbook

from clubs.language.words import csv_file, guarded

Cell = str | int | float | None
Row = Mapping[str, Any]
WIDEST: Final = 48
LARGEST: Final = 2**53


class TableRenderer(BaseRenderer):
    """Renders the rows of an answer: a list, a page's ``results``, or the view's ``table``."""

    charset: str | None = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The file of the rows, under the headings that they or the view name."""
        view = (renderer_context or {}).get("view")
        if isinstance(data, Mapping):
            data = data[getattr(view, "table", "") or "results"]
        rows = [dict(_flat(row)) for row in data]
        names = list(dict.fromkeys(name for row in rows for name in row))
        headings = names or list(getattr(view, "headings", ()))
        return self.file(headings, [[row.get(name) for name in headings] for row in rows])

    @abstractmethod
    def file(self, headings: list[str], rows: list[list[Cell]]) -> bytes:
        """The bytes of the file."""


class CSVRenderer(TableRenderer):
    """``?as=csv``: in the encoding that spreadsheets take for UTF-8."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def file(self, headings: list[str], rows: list[list[Cell]]) -> bytes:
        """A line a row below the headings; no cell is taken for a formula."""
        return csv_file([headings, *(map(guarded, row) for row in rows)])


class XLSXRenderer(TableRenderer):
    """``?as=xlsx``: an Excel workbook with one sheet."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"
    render_style = "binary"

    def file(self, headings: list[str], rows: list[list[Cell]]) -> bytes:
        """Numbers as numbers, everything else as words; no cell is a formula."""
        written = BytesIO()
        with Workbook(written, {"in_memory": True}) as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, headings, book.add_format({"bold": True, "bottom": 2}))
            for at, row in enumerate(rows, start=1):
                for column, cell in enumerate(row):
                    if isinstance(cell, int | float) and abs(cell) < LARGEST:
                        sheet.write_number(at, column, cell)
                    elif cell is not None:
                        sheet.write_string(at, column, str(cell))
            for column, heading in enumerate(headings):
                cells = [len(str(row[column] or "")) for row in rows]
                sheet.set_column(column, column, min(WIDEST, max([len(heading), *cells]) + 2))
            sheet.freeze_panes(1, 0)
        return written.getvalue()


def _flat(row: Row, before: str = "") -> Iterator[tuple[str, Cell]]:
    """Nested objects as columns ``outer.inner``; a list as words with semicolons; yes and no."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        elif isinstance(value, list | tuple):
            words = (
                " ".join(f"{key}: {inner}" for key, inner in item.items())
                if isinstance(item, Mapping)
                else str(item)
                for item in value
            )
            yield f"{before}{name}", "; ".join(words)
        else:
            yield f"{before}{name}", ("no", "yes")[value] if isinstance(value, bool) else value
