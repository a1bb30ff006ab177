"""Reading a list of people from a spreadsheet's text: commas, semicolons or tabs."""

import csv
from collections.abc import Mapping, Sequence

from scoring.scorebook.refusals import refuse

MOST_LINES = 2_000


def csv_rows(
    text: str, *, columns: str, synonyms: Mapping[str, str] = {}
) -> list[tuple[int, dict[str, str]]]:
    """Each row that holds anything, with the line it ends on and its cells by column.

    Columns are known without capitals and hyphens, also by their ``synonyms``; one must be
    ``name`` (``forename`` and ``surname`` do where those are among the synonyms); ``columns``
    says in words which there should be. Raises ``Refused`` for a text that is no such list.
    """
    first, *others = text.lstrip("\ufeff").splitlines() or [""]
    if len(others) > MOST_LINES:
        raise refuse(
            "too_long", f"The file has {len(others):,} lines. Import {MOST_LINES:,} or fewer."
        )
    reader = csv.DictReader([first, *others], delimiter=delimiter_of(first))
    try:
        reader.fieldnames = _columns(reader.fieldnames or (), columns, synonyms)
        return [
            (reader.line_num, {key: cell or "" for key, cell in row.items() if key is not None})
            for row in reader
            if any(row.values())
        ]
    except csv.Error as error:
        raise refuse("bad_file", f"The file cannot be read as CSV: {error}.") from error


def delimiter_of(first_line: str) -> str:
    """Some spreadsheets part the columns by semicolons or tabs instead of commas."""
    return max(",;\t", key=first_line.count)


def _columns(found: Sequence[str], wanted: str, synonyms: Mapping[str, str]) -> list[str]:
    plain = [(column or "").strip().casefold().replace("-", "") for column in found]
    columns = _by_synonyms(plain, synonyms)
    in_two = bool(synonyms) and {"forename", "surname"} <= set(columns)
    if "name" not in columns and not in_two:
        named = ", ".join(column for column in plain if column) or "nothing"
        raise refuse(
            "wrong_columns",
            f"The first line must contain the column names: {wanted}. Yours says: {named[:120]}.",
        )
    return columns


def _by_synonyms(plain: list[str], synonyms: Mapping[str, str]) -> list[str]:
    """Each column by the name that it is known by; where two are known by one, the first is."""
    columns = list(plain)
    for at, column in enumerate(plain):
        if (known := synonyms.get(column, column)) not in columns:
            columns[at] = known
    return columns
