"""Values in the rows of a club file that no form of Tongbox would have saved.

Each column of numbers or of JSON says what it may hold, in ``columns``; every other column's field
says it. A row is checked before any transaction begins, so a wrong one costs nobody else anything.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import ForeignKey, Model

from clubs.clubfile.archive import CHANGED_MESSAGE, ClubFile
from clubs.clubfile.columns import COLUMN_SHAPES
from clubs.clubfile.contents import CLUB_TABLES, AnyField, ClubTable
from clubs.clubfile.selectors import encode_value
from clubs.clubfile.shapes import READER_ERRORS, Shape
from clubs.evenings.selectors.calendar import pattern_of
from clubs.evenings.services.calendar import check_pattern
from clubs.models import Holiday, Season, Series
from scoring import UnknownRuleSet
from scoring.house import BadHouseRules, read_house_rules
from scoring.scorebook.editions import house_rules_key
from scoring.scorebook.ledger import canonical_json
from scoring.scorebook.models import Edition
from scoring.scorebook.refusals import Refused, refuse

UNKNOWN_RULES_MESSAGE: Final = "This file holds house rules that this Tongbox cannot read."
CLOCK_YEARS: Final = range(1920, 2201)  # of moments, which no one types


class ImpossibleValue(ValueError):
    """A value that Tongbox never writes; its text is the name of the column."""


def refuse_impossible_rows(club_file: ClubFile) -> None:
    """Refused with the first row that only another program can have made."""
    for table in CLUB_TABLES:
        for number, data in enumerate(club_file.rows(table.label), 1):
            try:
                check_row(table, data)
            except (ValidationError, *READER_ERRORS) as why:
                raise row_refusal(table, number, why) from why


def check_row(table: ClubTable, data: Mapping[str, Any]) -> None:
    """Raises ``ImpossibleValue`` for a column, or whatever the check of the whole row raises."""
    row = table.model()
    columns = {column.name: column for column in table.columns}
    for name, value in field_values(table, data).items():
        setattr(row, name, value)
        shape = COLUMN_SHAPES.get(f"{table.label}.{name}")
        if not _is_acceptable(columns[name], value, row) or (shape and not shape(value)):
            raise ImpossibleValue(name)
    if check := ROW_CHECKS.get(table.model):
        check(row)


def row_refusal(table: ClubTable, number: int, error: Exception) -> Refused:
    """That this row, counted from 1, cannot be right, and in which column if it is one."""
    column = str(error) if isinstance(error, ImpossibleValue) else ""
    problem = f"an impossible value for “{column}”" if column else "impossible values"
    message = (
        f"{CHANGED_MESSAGE} Row {number} of the {table.plural} has {problem}. Download the club "
        "again."
    )
    return refuse("damaged", message, "file")


def field_values(table: ClubTable, data: Mapping[str, Any]) -> dict[str, Any]:
    """The row's columns but those that point elsewhere, as its fields have them.

    Raises ``ValueError`` where a row has other columns, ``ImpossibleValue`` or ``ValidationError``
    for a value that was never written from such a field.
    """
    columns = {column.name: column for column in table.columns}
    if data.keys() != columns.keys():
        raise ValueError(sorted(data))
    return {
        name: _field_value(column, data[name])
        for name, column in columns.items()
        if not isinstance(column, ForeignKey)
    }


def _field_value(column: AnyField, raw_value: Any) -> Any:
    if raw_value is None:
        if not column.null:
            raise ImpossibleValue(column.name)
        return None
    try:
        value = column.to_python(raw_value)
        is_as_written = type(value) is type(raw_value) and value == raw_value
        is_alike = is_as_written or canonical_json(encode_value(value)) == canonical_json(raw_value)
    except (ValidationError, *READER_ERRORS) as why:
        raise ImpossibleValue(column.name) from why
    if not is_alike:
        raise ImpossibleValue(column.name)
    return value


def _is_acceptable(column: AnyField, value: Any, row: Model) -> bool:
    """Whether the column's own field takes the value; a moment must also be in a plausible year.

    Days may be of any year: until forms asked for ``YEARS``, a secretary could save any, and a
    club must never be kept out by its own file.
    """
    if isinstance(value, datetime) and value.year not in CLOCK_YEARS:
        return False
    if value in column.empty_values:
        is_needed = column.choices or column.name == "name"
        return column.blank or column.null or not is_needed
    try:
        column.clean(value, row)
    except ValidationError:
        return False
    return True


def _check_edition(row: Any) -> None:
    """Raises ``Refused`` for house rules that are of another Tongbox."""
    try:
        declared_rules = read_house_rules(row.declaration, is_stored=True)
    except (BadHouseRules, UnknownRuleSet, *READER_ERRORS) as why:
        raise refuse("bad_rules", UNKNOWN_RULES_MESSAGE, "file") from why
    if house_rules_key(declared_rules) != row.key:
        raise refuse("bad_rules", UNKNOWN_RULES_MESSAGE, "file")


def _check_series(row: Any) -> None:
    try:
        check_pattern(pattern=pattern_of(row), starts_at=row.starts_at, ends_at=row.ends_at)
    except Refused as why:
        raise ImpossibleValue("first_on") from why


def _check_holiday(row: Any) -> None:
    if row.last_on < row.first_on:
        raise ImpossibleValue("last_on")


def _check_season(row: Any) -> None:
    if row.ends_on < row.starts_on:
        raise ImpossibleValue("ends_on")


ROW_CHECKS: Final[dict[type[Model], Callable[[Any], None]]] = {
    Edition: _check_edition,
    Series: _check_series,
    Holiday: _check_holiday,
    Season: _check_season,
}


def register_checks(
    columns: Mapping[str, Shape], rows: Mapping[type[Model], Callable[[Any], None]]
) -> None:
    """For apps above: what the columns of their tables may hold, and rows as a whole."""
    COLUMN_SHAPES.update(columns)
    ROW_CHECKS.update(rows)
