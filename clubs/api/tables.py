"""The rows of an answer as a file that people open: a sheet with a name, headings in words.

A column is a field, and every line one thing: a row that holds a list of rows takes a line for each
of them. Money is in pounds, and yes and no are words. Programs read the JSON.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rest_framework import serializers
from rest_framework.renderers import BaseRenderer

from clubs.api.fields import FractionField
from clubs.language.spreadsheets import Cell, Rows, SheetData, csv_file, workbook

JSONRow = Mapping[str, Any]

# The heading of a field whose name does not say it, in words of the pages.
FIELD_HEADINGS: Final[Mapping[str, str]] = {
    "id": "ID",
    "at": "Date and time",
    "held_on": "Date",
    "day": "Date",
    "name": "Name",
    "is_tied": "Shared place",
    "is_here": "Here",
    "mahjongs": "Mah-Jongs",
    "mahjongs_credited": "Mah-Jongs credited",
    "email": "Email address",
    "pence": "Pounds",
    "attended": "Evenings",
    "score": "Score",
    "best_total": "Total of best evenings",
    "decided_by": "Tie broken by",
    "from_club": "From",
    "without_hand": "Without a hand",
    "has_left": "Withdrew",
    "trouble": "Problem",
    "sits_out": "Sits out",
    "hands_a_round": "Hands in a round",
    "minutes_a_round": "Minutes in a round",
}
FLAG_PREFIXES: Final = ("is_", "has_")  # before what is yes or no
PENCE_FIELD: Final = "pence"
# What JSON has as text, by its field.
CELL_READERS: Final[Sequence[tuple[type, Callable[[str], Cell]]]] = (
    (FractionField, Fraction),
    (serializers.DecimalField, Decimal),
    (serializers.DateTimeField, datetime.fromisoformat),
    (serializers.DateField, date.fromisoformat),
    (serializers.TimeField, time.fromisoformat),
)


def heading_of(field: str, own_headings: Mapping[str, str]) -> str:
    """A field's heading: from the list's ``own_headings``, or ``Player ID`` for ``player_id``."""
    if heading := own_headings.get(field) or FIELD_HEADINGS.get(field):
        return heading
    mark = next((mark for mark in FLAG_PREFIXES if field.startswith(mark)), "")
    label = field.removeprefix(mark).replace("_", " ").capitalize()
    return f"{label.removesuffix(' id')} ID" if label.endswith(" id") else label


def headings_of(paths: Sequence[str], own_headings: Mapping[str, str]) -> list[str]:
    """A heading for each path; with the outer field before it where two would be the same."""
    inner = [heading_of(path.rpartition(".")[2], own_headings) for path in paths]
    heading_counts = Counter(inner)
    return [
        ": ".join(heading_of(name, own_headings) for name in path.split("."))
        if heading_counts[heading] > 1
        else heading
        for path, heading in zip(paths, inner, strict=True)
    ]


class TableRenderer(BaseRenderer):
    """Renders the rows of an answer: a list, a page's ``results``, or the view's ``table``."""

    charset: str | None = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The file of the rows, under the headings of their fields."""
        view = (renderer_context or {}).get("view")
        serializer = getattr(data, "serializer", None)
        if isinstance(data, Mapping):
            name = getattr(view, "table", "") or "results"
            data = data[name]
            serializer = getattr(data, "serializer", None) or _fields_of(serializer).get(name)
        rows = [dict(line) for row in data for line in _flat_rows(row, serializer)]
        names = list(dict.fromkeys(name for row in rows for name in row))
        paths = names or list(_column_paths(serializer))
        value_labels: Any = getattr(view, "value_labels", dict)()
        cells = [[_cell_text(row.get(path), path, value_labels) for path in paths] for row in rows]
        headings = headings_of(paths, getattr(view, "headings", {}))
        return self.file(getattr(view, "sheet_name", ""), headings, cells)

    @abstractmethod
    def file(self, name: str, headings: list[str], rows: Rows) -> bytes:
        """The bytes of the file."""


class CSVRenderer(TableRenderer):
    """``?as=csv``: in the encoding that spreadsheets take for UTF-8."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def file(self, name: str, headings: list[str], rows: Rows) -> bytes:  # noqa: ARG002
        """A line a row below the headings; no text is taken for a formula."""
        return csv_file([headings, *rows])


class XLSXRenderer(TableRenderer):
    """``?as=xlsx``: an Excel workbook with one sheet."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"
    render_style = "binary"

    def file(self, name: str, headings: list[str], rows: Rows) -> bytes:
        """Numbers and days as what they are; no cell is a formula."""
        return workbook([SheetData(name, headings, rows)])


def _fields_of(serializer: Any) -> Mapping[str, Any]:
    """The fields of a serializer, or of the rows of a list of them."""
    return getattr(getattr(serializer, "child", serializer), "fields", {})


def _flat_rows(row: JSONRow, serializer: Any) -> Iterator[dict[str, Cell]]:
    """The lines of a row: one, or one for each row of the list of rows inside it."""
    fields = _fields_of(serializer)
    list_name = next((name for name in row if _holds_rows(fields.get(name))), "")
    other_values = {name: value for name, value in row.items() if name != list_name}
    cells = dict(_row_cells(other_values, serializer))
    for inner in row.get(list_name) or [{}]:
        yield cells | dict(_row_cells(inner, fields.get(list_name), f"{list_name}."))


def _holds_rows(field: Any) -> bool:
    return isinstance(field, serializers.ListSerializer)


def _column_paths(serializer: Any, prefix: str = "") -> Iterator[str]:
    """The columns of a list without a row."""
    for name, field in _fields_of(serializer).items():
        if _fields_of(field):
            yield from _column_paths(field, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def _row_cells(row: JSONRow, serializer: Any, prefix: str = "") -> Iterator[tuple[str, Cell]]:
    """Nested objects as columns ``outer.inner``; a list as words with semicolons."""
    fields = _fields_of(serializer)
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _row_cells(value, fields.get(name), f"{prefix}{name}.")
        elif name == PENCE_FIELD and isinstance(value, int):
            yield f"{prefix}{name}", Decimal(value).scaleb(-2)
        else:
            yield f"{prefix}{name}", _cell_value(value, fields.get(name))


def _cell_text(cell: Cell, path: str, value_labels: Mapping[str, Mapping[str, str]]) -> Cell:
    """The cell; where the list has ``value_labels`` for the field, those for it or nothing."""
    labels = value_labels.get(path.rpartition(".")[2])
    return cell if labels is None else labels.get(str(cell), "")


def _choice_names(field: Any) -> Mapping[Any, str]:
    """What the choices of a field are called, by what is stored."""
    return getattr(field, "names", None) or getattr(field, "choices", None) or {}


def _cell_value(value: Any, field: Any) -> Cell:
    """The value of a field as a cell: what JSON has as text is a number or a day again.

    A choice is said by its name, and an item of a list as its serializer’s ``cell`` says it.
    """
    if isinstance(value, list | tuple):
        child = getattr(field, "child", None)
        names, format_item = _choice_names(child), getattr(child, "cell", _item_text)
        return "; ".join(names.get(item, item) if names else format_item(item) for item in value)
    if isinstance(value, str):
        if value in (names := _choice_names(field)):
            return names[value]
        reader = next((reader for kind, reader in CELL_READERS if isinstance(field, kind)), None)
        return reader(value) if reader and value else value
    return value if isinstance(value, bool | int | float | None) else str(value)


def _item_text(item: Any) -> str:
    """An item of a list in words: ``WE WE WE``, ``name: Ann place: 1``."""
    if isinstance(item, Mapping):
        return " ".join(f"{key}: {_item_text(inner)}" for key, inner in item.items())
    return " ".join(map(_item_text, item)) if isinstance(item, list | tuple) else str(item)
