"""A club's people as a file: read from CSV or a workbook, and written to be read in again."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from io import BytesIO, StringIO
from itertools import dropwhile, islice
from typing import Any, Final
from zipfile import ZipFile

from openpyxl import load_workbook
from xlsxwriter import Workbook

from clubs.core.people_names import active_records, turned
from clubs.language.moments import Value, cell_words, value_words
from clubs.language.words import csv_file, guarded, unguarded
from clubs.members.person_columns import CELLS, LABELS
from clubs.models import Club
from clubs.models.names import name_fault, name_key, tidy_name
from scoring.scorebook.refusals import refuse

COLUMNS = "name, and email, phone, joined, paid until, nickname and shown as if you have them"
NICKNAMES = "nickname"
SYNONYMS = {
    "first name": "forename",
    "firstname": "forename",
    "given name": "forename",
    "last name": "surname",
    "lastname": "surname",
    "family name": "surname",
    "nicknames": NICKNAMES,
    "known as": NICKNAMES,
    "also known as": NICKNAMES,
    **{synonym: cell.heading for cell in CELLS.values() for synonym in cell.synonyms},
}
_OF_COLUMNS = [cell.heading for cell in CELLS.values()]
_AFTER = _OF_COLUMNS.index("paid until") + 1
HEADINGS = (*_OF_COLUMNS[:_AFTER], NICKNAMES, *_OF_COLUMNS[_AFTER:])
OUR_OWN = "results by email"


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One person of a list: the number of the line, and the fields that it has."""

    number: int
    name: str
    nicknames: tuple[str, ...] = ()
    fields: Mapping[str, Value] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def in_words(self) -> list[str]:
        """The fields besides the name, in words: ``phone: 01225 1234``."""
        return [f"{LABELS[key]}: {value_words(value)}" for key, value in self.fields.items()]


def read_line(number: int, cells: Mapping[str, str]) -> MemberLine:
    """The line with everything wrong in it, each in a sentence; an empty cell says nothing.

    Names with a comma are turned round, but for lists that Tongbox itself wrote.
    """
    written = cells.get("name") or f"{cells.get('forename', '')} {cells.get('surname', '')}"
    name = tidy_name(written if OUR_OWN in cells else turned(tidy_name(written)))
    nicknames = filter(None, map(tidy_name, cells.get(NICKNAMES, "").split(";")))
    others = {name_key(nickname): nickname for nickname in nicknames}
    others.pop(name_key(name), None)
    fields: dict[str, Value] = {}
    faults = [fault for fault in map(name_fault, (name, *others.values())) if fault]
    for key, cell in CELLS.items():
        try:
            if cell.read and (words := cells.get(cell.heading, "")):
                fields[key] = cell.read(words)
        except ValueError as wrong:
            faults.append(str(wrong))
    return MemberLine(number, name, tuple(others.values()), fields, tuple(faults))


def cells_of(fields: Mapping[str, Value | None], nicknames: Iterable[str]) -> list[str]:
    """A person's cells, in the order of ``HEADINGS``, as ``read_line`` reads them."""
    cells = {CELLS[key].heading: cell_words(value) for key, value in fields.items()}
    cells[NICKNAMES] = "; ".join(nicknames)
    return [cells[heading] for heading in HEADINGS]


MOST_LINES = 2_000


def csv_rows(
    text: str, *, columns: str, synonyms: Mapping[str, str] = {}
) -> list[tuple[int, dict[str, str]]]:
    """Each row that holds anything, with the line it ends on and its cells by column, unguarded.

    Columns are known without capitals and hyphens, also by their ``synonyms``; one must be
    ``name`` (``forename`` and ``surname`` do where those are among the synonyms); ``columns``
    says in words which there should be. Raises ``Refused`` for a text that is no such list.
    """
    first, *others = text.lstrip("\ufeff").splitlines() or [""]
    if len(others) > MOST_LINES:
        sentence = f"The file has {len(others):,} lines. Import {MOST_LINES:,} or fewer."
        raise refuse("too_long", sentence)
    reader = csv.DictReader([first, *others], delimiter=delimiter_of(first), restval="")
    try:
        reader.fieldnames = _columns(reader.fieldnames or (), columns, synonyms)
        return [
            (reader.line_num, {key: unguarded(cell.strip()) for key, cell in row.items() if key})
            for row in reader
            if any(row.values())
        ]
    except csv.Error as error:
        raise refuse("bad_file", f"The file cannot be read as CSV: {error}.") from error


def delimiter_of(first_line: str) -> str:
    """Some spreadsheets part the columns by semicolons or tabs instead of commas."""
    return max(",;\t", key=first_line.count)


def _columns(names: Sequence[str], wanted: str, synonyms: Mapping[str, str]) -> list[str]:
    plain = [(column or "").strip().casefold().replace("-", "") for column in names]
    # Where two columns are known by one name, the first has it.
    columns = list(plain)
    for at, column in enumerate(plain):
        if (known := synonyms.get(column, column)) not in columns:
            columns[at] = known
    in_two = bool(synonyms) and {"forename", "surname"} <= set(columns)
    if "name" not in columns and not in_two:
        named = ", ".join(column for column in plain if column) or "nothing"
        sentence = f"The first line must contain the column names: {wanted}."
        raise refuse("wrong_columns", f"{sentence} Yours says: {named[:120]}.")
    return columns


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
    return list(dropwhile(lambda row: not row, rows))


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
        words = [_word(cell) for cell in row[:MOST_COLUMNS]]
        while words and not words[-1]:
            words.pop()
        yield words


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


WIDEST = 48


def csv_of_members(club: Club) -> bytes:
    """A line a person, in the encoding that spreadsheets take for UTF-8; two queries."""
    return csv_file([HEADINGS, *(map(guarded, row) for row in _members(club))])


def members_text(people: Iterable[Mapping[str, Any]]) -> str:
    """People by name and fields as the text of a list, a line each; no query.

    ``nicknames`` are a list; a missing field is empty.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)
    for person in people:
        cells = cells_of({key: person.get(key) for key in CELLS}, person.get("nicknames", ()))
        writer.writerow([guarded(" ".join(cell.split())) for cell in cells])
    return text.getvalue()


def xlsx_of_members(club: Club) -> bytes:
    """The same as an Excel workbook; every cell holds words. Two queries."""
    file, rows = BytesIO(), list(_members(club))
    with Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"title": f"{club.name}: members", "author": "Tongbox"})
        sheet = book.add_worksheet("Members")
        sheet.write_row(0, 0, HEADINGS, book.add_format({"bold": True, "bottom": 2}))
        for at, row in enumerate(rows, start=1):
            for column, cell in enumerate(row):
                # Words are never a formula here; only an apostrophe would be taken for a guard.
                sheet.write_string(at, column, guarded(cell) if cell.startswith("'") else cell)
        for column, cells in enumerate(zip(HEADINGS, *rows, strict=True)):
            sheet.set_column(column, column, min(WIDEST, max(map(len, cells)) + 2))
        sheet.freeze_panes(1, 1)
    return file.getvalue()


def _members(club: Club) -> Iterator[list[str]]:
    for player in active_records(club).prefetch_related("aliases").order_by("name_key"):
        fields = {key: getattr(player, key) for key in CELLS}
        yield cells_of(fields, [alias.name for alias in player.aliases.all()])
