"""A club's people as a file: read from CSV or a workbook, and written to be read in again."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from io import BytesIO, StringIO
from itertools import islice
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from openpyxl import load_workbook

from clubs.core.capitals import are_in_capitals, is_all_one_case, recase_capitals, recase_surname
from clubs.core.people_names import active_records
from clubs.core.written_names import (
    BRACKETS,
    WrittenName,
    has_contact_details,
    nobody_reason,
    read_name,
    split_pair,
    title_of,
    written_name_fault,
)
from clubs.language.moments import FieldValue, csv_cell, readable_value
from clubs.language.phones import split_phones
from clubs.language.spreadsheets import Cell, SheetData, csv_file, guard_formula, workbook
from clubs.members.lists import MOST_COLUMNS, NAME_HALVES, ListColumn, Target, has_headings
from clubs.members.person_columns import (
    COLUMN_LABELS,
    FILE_COLUMNS,
    MOST_PHONE,
    is_incomplete_date,
    is_month_first,
    put_day_first,
    read_day,
)
from clubs.models import Club
from clubs.models.names import by_surname, name_fault, name_key, tidy_name
from scoring.hands.hand import join_words

COLUMNS_HINT = "name, and email, phone, joined, paid until, nickname and shown as if you have them"
NICKNAMES = "nickname"
FORENAMES = (
    *("first name", "first names", "firstname", "given name", "given names", "forenames"),
    *("christian name", "first", "initial", "initials"),
)
SURNAMES = ("last name", "lastname", "family name", "last")
HALF_NAME_TARGETS = (
    Target("forename", "First name", FORENAMES),
    Target("surname", "Surname", SURNAMES),
)
_COLUMN_HEADINGS = [cell.heading for cell in FILE_COLUMNS.values()]
_NICKNAMES_AT = _COLUMN_HEADINGS.index("paid until") + 1
HEADINGS = (*_COLUMN_HEADINGS[:_NICKNAMES_AT], NICKNAMES, *_COLUMN_HEADINGS[_NICKNAMES_AT:])
OWN_FILE_COLUMN = "results by email"
_TARGETS = {
    cell.heading: Target(
        cell.heading, COLUMN_LABELS[key].capitalize(), cell.synonyms, cell.guesses, cell.read
    )
    for key, cell in FILE_COLUMNS.items()
}
for _cell in FILE_COLUMNS.values():
    if _cell.first_column:
        _first = _TARGETS[_cell.first_column]
        _names = (*_cell.synonyms, _cell.first_column, *_first.synonyms)
        _TARGETS[_cell.heading] = replace(_TARGETS[_cell.heading], synonyms=_names)
_NICKNAME_HEADINGS = ("nicknames", "known as", "also known as", "aka", "preferred name")
_TARGETS[NICKNAMES] = Target(NICKNAMES, "Also known as", _NICKNAME_HEADINGS)
NAME_TARGET = _TARGETS["name"]
PHONE_CELLS: Final = ("phone", "second phone")
MONTH_FIRST_TARGETS: Final = {
    cell.heading: Target(
        f"{cell.heading}, month first", f"{COLUMN_LABELS[key].capitalize()}, month first"
    )
    for key, cell in FILE_COLUMNS.items()
    if cell.read is read_day
}
TARGETS = (
    NAME_TARGET,
    *HALF_NAME_TARGETS,
    *(_TARGETS[heading] for heading in HEADINGS[1:]),
    *MONTH_FIRST_TARGETS.values(),
)


_recase_forename = partial(recase_capitals, is_forename=True)
CELL_RECASERS: Final[Mapping[str, Callable[[str], str]]] = {
    "name": recase_capitals,
    "forename": _recase_forename,
    "surname": recase_surname,
    NICKNAMES: _recase_forename,
    "couple": recase_capitals,
}
NO_DAY: Final = "no_day"  # of a date that is a year or a month alone
NumberedCells = tuple[int, Mapping[str, str]]
MOST_UNPACKED: Final = 20_000_000  # bytes
MAX_FILES_INSIDE: Final = 500  # files inside the workbook
MOST_CELLS: Final = 300_000
SHEET_FOLDER: Final = "xl/worksheets/"
MAX_ROWS: Final = 9_999
MOST_ROWS_SEEN: Final = 100_000  # a format alone can go on to the last row that there is
LEADING_ZEROS: Final = re.compile(r"0[0 ()\\\"-]*0")  # a format of digits alone


class Fault(NamedTuple):
    """Something wrong in a cell, in a sentence; ``column`` is a target's key."""

    column: str
    message: str
    code: str = "bad_line"


def written_name(cells: Mapping[str, str]) -> str:
    """The name of a line, whole or in two cells, as it is written."""
    halves = f"{cells.get('forename', '')} {cells.get('surname', '')}"
    return tidy_name(cells.get("name") or halves)


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One person of a list: the number of the line, and the fields that it has.

    ``nicknames_beside`` are the nicknames that stood beside the name in brackets or quotes; those
    ``in_brackets`` may be a town or a team that tells namesakes apart. ``no_person_reason`` says
    why the line is probably no person, or not one; ``notes`` say what is left out of the fields.
    """

    number: int
    name: str
    nicknames: tuple[str, ...] = ()
    nicknames_beside: frozenset[str] = frozenset()
    no_person_reason: str = ""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    cells: Mapping[str, str] = field(default_factory=dict)
    in_brackets: tuple[str, ...] = ()

    def told_apart(self) -> "MemberLine":
        """The line with the brackets as part of the name: ``Jean Smith (Fakenham)``."""
        name = WrittenName(self.name, in_brackets=self.in_brackets).with_brackets
        nicknames = tuple(
            nickname for nickname in self.nicknames if nickname not in self.in_brackets
        )
        return replace(self, name=name, nicknames=nicknames, in_brackets=())

    @property
    def is_for_two(self) -> bool:
        return bool(self.no_person_reason and split_pair(written_name(self.cells)))

    @property
    def in_words(self) -> list[str]:
        """The fields besides the name, in words: ``phone: 01225 1234``."""
        return [
            f"{COLUMN_LABELS[key]}: {readable_value(value)}" for key, value in self.fields.items()
        ]


@dataclass(frozen=True, slots=True)
class CapitalNames:
    """The names of a list that are in capitals, each as it stands there and as people write it.

    ``are_most``: most of the list is in capitals. Where it is not, these names alone are, or are
    in small letters alone. ``are_kept``: the list is read as it is.
    """

    names: tuple[tuple[str, str], ...]
    are_most: bool
    are_kept: bool


def recase_lines(
    lines: Iterable[NumberedCells], *, is_wanted: bool
) -> tuple[list[NumberedCells], CapitalNames | None]:
    """The lines, their names as people write them if that is wanted.

    Where most names are in capitals, every name is written anew; else only those in one kind of
    letters. None where no name is.
    """
    lines = list(lines)
    names = [written_name(cells) for _, cells in lines]
    are_most = are_in_capitals(names)
    small: list[NumberedCells] = [
        (number, _recase_cells(cells) if are_most or _is_all_one_case(name) else cells)
        for (number, cells), name in zip(lines, names, strict=True)
    ]
    pairs = zip(names, (written_name(cells) for _, cells in small), strict=True)
    changed_names = tuple(
        (name, read_name(recased_name).name) for name, recased_name in pairs if recased_name != name
    )
    if not changed_names:
        return lines, None
    return small if is_wanted else lines, CapitalNames(
        changed_names, are_most, are_kept=not is_wanted
    )


def _is_all_one_case(name: str) -> bool:
    return is_all_one_case(name) and not nobody_reason(name, is_alone=True)


def _recase_cells(cells: Mapping[str, str]) -> dict[str, str]:
    """The cells of a line, every name in them in small letters with its capitals."""
    is_small = written_name(cells).islower()
    return {
        **cells,
        **{
            key: small(cells[key].upper() if is_small else cells[key])
            for key, small in CELL_RECASERS.items()
            if key in cells
        },
    }


def put_days_first(cells: Mapping[str, str]) -> dict[str, str]:
    """The cells of a line, its dates of a column with the month first written day first."""
    return {
        **cells,
        **{
            heading: put_day_first(cells[target.key])
            for heading, target in MONTH_FIRST_TARGETS.items()
            if target.key in cells
        },
    }


def date_notes(cells: Mapping[str, str], kept_cells: Mapping[str, str]) -> tuple[str, ...]:
    """The dates without a day of a line's cells that are not kept, a sentence each."""
    return tuple(
        f"{_TARGETS[heading].label} {cells[heading]} is left out, as it has no day."
        for heading in MONTH_FIRST_TARGETS
        if not kept_cells.get(heading) and is_incomplete_date(cells.get(heading, ""))
    )


def month_first_doubts(
    columns: Iterable[ListColumn], lines: Iterable[tuple[int, Mapping[str, str]]]
) -> list[str]:
    """The columns of dates of which one can only be month first, each in a sentence."""
    column_headings = {column.becomes: column.heading for column in columns}
    doubts: dict[str, str] = {}
    for number, cells in lines:
        for heading in MONTH_FIRST_TARGETS:
            if heading in column_headings and is_month_first(cells.get(heading, "")):
                message = (
                    f"In line {number} of “{column_headings[heading]}” the month comes first "
                    f"({cells[heading]}). If it does in every line, choose "
                    f"“{MONTH_FIRST_TARGETS[heading].label}” for this column. If not, correct that "
                    "line."
                )
                doubts.setdefault(heading, message)
    return list(doubts.values())


def _split_phones(cells: Mapping[str, str]) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """The cells with each telephone number in its own, and a note of those that find no room.

    A list that Tongbox wrote stays as it is, and so does one that has a number too long to keep.
    """
    phone_cells = [cells.get(heading, "") for heading in PHONE_CELLS]
    phones = list(
        dict.fromkeys(phone for cell in phone_cells if cell for phone in split_phones(cell))
    )
    are_apart = all(len(split_phones(cell)) == 1 for cell in phone_cells)
    if OWN_FILE_COLUMN in cells or are_apart or max(map(len, phones)) > MOST_PHONE:
        return cells, ()
    kept_phones, extra_phones = phones[: len(PHONE_CELLS)], phones[len(PHONE_CELLS) :]
    notes = [
        f"Only two phone numbers can be kept, so {phone} is left out." for phone in extra_phones
    ]
    return {**cells, **dict(zip(PHONE_CELLS, kept_phones, strict=False))}, tuple(notes)


def read_line(number: int, cells: Mapping[str, str]) -> MemberLine:
    """The line with everything wrong in it, each in a sentence; an empty cell says nothing.

    Names with a comma are turned round, but for lists that Tongbox itself wrote.
    """
    raw_name = written_name(cells)
    is_as_spoken = OWN_FILE_COLUMN in cells or has_contact_details(raw_name)
    parsed_name = WrittenName(raw_name) if is_as_spoken else read_name(raw_name)
    name = parsed_name.name
    no_person_reason = "" if OWN_FILE_COLUMN in cells else _nobody_reason(raw_name, cells)
    nicknames = filter(None, map(tidy_name, cells.get(NICKNAMES, "").split(";")))
    other_names = {
        name_key(nickname): nickname for nickname in (*nicknames, *parsed_name.nicknames)
    }
    other_names.pop(name_key(name), None)
    fields: dict[str, FieldValue] = {}
    names = (split_pair(raw_name) if no_person_reason else ()) or (name,)
    names_by_column = [
        *(("name", person_name) for person_name in names),
        *((NICKNAMES, person_name) for person_name in other_names.values()),
    ]
    fault_of = name_fault if OWN_FILE_COLUMN in cells else written_name_fault
    faults = [
        Fault(column, fault)
        for column, person_name in names_by_column
        if (fault := fault_of(person_name))
    ]
    split_cells, notes = _split_phones(cells)
    for key, cell in FILE_COLUMNS.items():
        try:
            if cell.read and (text := split_cells.get(cell.heading, "")):
                fields[key] = cell.read(text)
        except ValueError as wrong:
            is_without = cell.read is read_day and is_incomplete_date(text)
            faults.append(Fault(cell.heading, str(wrong), NO_DAY if is_without else "bad_line"))
    if OWN_FILE_COLUMN not in cells and "second_phone" in fields and "phone" not in fields:
        fields["phone"] = fields.pop("second_phone")  # a number that stands alone is the first
    inline_nicknames = frozenset(parsed_name.nicknames)
    nicknames_read = tuple(other_names.values())
    notes = (*notes, *_name_notes(parsed_name, has_title=not no_person_reason))
    line_details = (fields, tuple(faults), notes, cells, parsed_name.in_brackets)
    return MemberLine(
        number, name, nicknames_read, inline_nicknames, no_person_reason, *line_details
    )


def _name_notes(parsed_name: WrittenName, *, has_title: bool) -> Iterator[str]:
    """What of a written name is no part of it, and the title that stays, a sentence each."""
    if parsed_name.left_out:
        are = "is" if len(parsed_name.left_out) == 1 else "are"
        yield f"{join_words([f'“{text}”' for text in parsed_name.left_out])} {are} left out."
    if (title := title_of(parsed_name.name)) and has_title:
        yield f"“{title}” stays in the name."


def distinguish_namesakes(lines: Iterable[MemberLine]) -> list[MemberLine]:
    """The lines, those of one name with what stood in brackets: Jean Smith (Fakenham)."""
    lines = list(lines)
    bare = [name_key(BRACKETS.sub("", line.name)) for line in lines]
    times = Counter(bare)
    return [
        line.told_apart() if line.in_brackets and times[key] > 1 else line
        for line, key in zip(lines, bare, strict=True)
    ]


def _nobody_reason(raw_name: str, cells: Mapping[str, str]) -> str:
    """Why a line is probably no person; empty if it is one, or has no name at all."""
    other_texts = [
        text for key, text in cells.items() if text and key not in ("name", *NAME_HALVES)
    ]
    is_alone = not other_texts or (len(other_texts) == 1 and other_texts[0].isdecimal())
    if people := split_pair(raw_name):
        are_told_apart = name_key(people[0]) != name_key(people[1])
        return f"two people: {' and '.join(people)}" if are_told_apart else "two people"
    return nobody_reason(raw_name, is_alone=is_alone)


def cells_of(fields: Mapping[str, FieldValue | None], nicknames: Iterable[str]) -> list[str]:
    """A person's cells, in the order of ``HEADINGS``, as ``read_line`` reads them."""
    cells = {FILE_COLUMNS[key].heading: csv_cell(value) for key, value in fields.items()}
    cells[NICKNAMES] = "; ".join(nicknames)
    return [cells[heading] for heading in HEADINGS]


class Unreadable(Exception):
    """The file is no workbook that can be read."""


class SheetTooLong(Unreadable):
    """A sheet goes on below the rows that are read."""


class WorkbookSheet(NamedTuple):
    title: str
    rows: list[list[str]]


class WorkbookList(NamedTuple):
    """The list of a workbook as CSV; ``other_titles`` name further sheets with a list."""

    text: str
    other_titles: tuple[str, ...]


def read_sheets(content: bytes) -> list[WorkbookSheet]:
    """Each sheet that can be seen, in order; days are ``2026-11-24``.

    Raises ``Unreadable`` for what is no workbook, or one that is too large.
    """
    try:
        _refuse_zip_bombs(content)
        book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return [WorkbookSheet(sheet.title, list(_sheet_rows(sheet))) for sheet in visible]
    except Unreadable:
        raise
    except Exception as wrong:  # a damaged file can break the library anywhere
        raise Unreadable("The file is locked or damaged.") from wrong


def read_workbook_list(content: bytes, targets: Sequence[Target]) -> WorkbookList:
    """The first sheet with a list, with its lines where they were; else the first sheet."""
    texts = []
    for title, rows in read_sheets(content):
        text = StringIO()
        lines = ([" ".join(cell.splitlines()) for cell in row] for row in rows)
        csv.writer(text, lineterminator="\n").writerows(lines)
        texts.append((title, text.getvalue()))
    lists = [(title, text) for title, text in texts if has_headings(text, targets)]
    _, first = (lists or [(title, text) for title, text in texts if text.strip()] or [("", "")])[0]
    return WorkbookList(first, tuple(title for title, _ in lists[1:]))


def _refuse_zip_bombs(content: bytes) -> None:
    with ZipFile(BytesIO(content)) as zip_file:
        papers = zip_file.infolist()
        unpacked_size = sum(paper.file_size for paper in papers)
        if len(papers) > MAX_FILES_INSIDE or unpacked_size > MOST_UNPACKED:
            raise Unreadable("The workbook is too large.")
        parts = [paper for paper in papers if paper.filename.startswith(SHEET_FOLDER)]
        if sum(zip_file.read(part).count(b"<c") for part in parts) > MOST_CELLS:
            raise Unreadable("The workbook has too many cells.")


def _sheet_rows(sheet: Any) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # what a file says of its own size may be wrong
    for number, row in enumerate(islice(sheet.iter_rows(), MOST_ROWS_SEEN), start=1):
        texts = [_cell_text(cell.value, cell) for cell in row[:MOST_COLUMNS]]
        while texts and not texts[-1]:
            texts.pop()
        if number <= MAX_ROWS:
            yield texts
        elif texts:
            raise SheetTooLong


def _cell_text(cell: object, styled_cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return _number_text(cell, styled_cell.number_format)
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _number_text(number: float, number_format: str) -> str:
    """The number as the sheet shows it, where its format keeps leading zeros: ``00000 000000``."""
    if not float(number).is_integer():
        return str(number)
    integer = int(number)
    places = number_format.partition(";")[0]
    if integer < 0 or not LEADING_ZEROS.fullmatch(places):
        return str(integer)
    digits = iter(f"{integer:0{places.count('0')}d}")
    text = "".join(next(digits, "") if sign == "0" else sign for sign in places)
    return re.sub(r"[\\\"]", "", text) + "".join(digits)


def csv_of_members(club: Club) -> bytes:
    """A line a person, in the encoding that spreadsheets take for UTF-8; two queries."""
    return csv_file([HEADINGS, *(cells_of(*person) for person in _people_and_nicknames(club))])


def members_text(people: Iterable[Mapping[str, Any]]) -> str:
    """People by name and fields as the text of a list, a line each; no query.

    ``nicknames`` are a list; a missing field is empty.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)
    for person in people:
        cells = cells_of(
            {key: person.get(key) for key in FILE_COLUMNS}, person.get("nicknames", ())
        )
        writer.writerow([guard_formula(" ".join(cell.split())) for cell in cells])
    return text.getvalue()


def xlsx_of_members(club: Club) -> bytes:
    """The same as an Excel workbook, its days and its yes and no as what they are. Two queries."""
    rows = [
        _typed_cells(fields, cells_of(fields, nicknames))
        for fields, nicknames in _people_and_nicknames(club)
    ]
    return workbook(
        [SheetData("Members", HEADINGS, rows, frozen_columns=1)], title=f"{club.name}: members"
    )


def _typed_cells(fields: Mapping[str, FieldValue | None], texts: Sequence[str]) -> list[Cell]:
    """A person's cells; text is never a formula there, but an apostrophe is taken for a guard."""
    values = {FILE_COLUMNS[key].heading: value for key, value in fields.items()}
    return [
        value
        if isinstance(value := values.get(heading), date | bool)
        else guard_formula(cell)
        if cell.startswith("'")
        else cell
        for heading, cell in zip(HEADINGS, texts, strict=True)
    ]


def _people_and_nicknames(club: Club) -> Iterator[tuple[dict[str, FieldValue | None], list[str]]]:
    """Each person's fields and nicknames, by surname."""
    people = active_records(club).prefetch_related("aliases").order_by("pk")
    for player in by_surname(people):
        fields = {key: getattr(player, key) for key in FILE_COLUMNS}
        yield fields, [alias.name for alias in player.aliases.all()]
