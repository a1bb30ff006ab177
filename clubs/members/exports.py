"""Everything about a club's people, as a file that can be read in again without a change."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO, StringIO
from typing import Any

from xlsxwriter import Workbook

from clubs.core.people_names import standing
from clubs.language.words import guarded
from clubs.members.lines import HEADINGS, cells_of
from clubs.members.person_columns import CELLS
from clubs.models import Club

WIDEST = 48


def csv_of_members(club: Club) -> bytes:
    """A line a person, in the encoding that spreadsheets take for UTF-8; two queries."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    writer.writerows([guarded(cell) for cell in row] for row in _rows(club))
    return text.getvalue().encode("utf-8-sig")


def members_text(people: Iterable[Mapping[str, Any]]) -> str:
    """People told by name and fields as the text of a list, a line each; no query.

    ``nicknames`` are a list; a field that is not told is empty.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)
    for person in people:
        fields = {key: person.get(key) for key in CELLS}
        cells = cells_of(fields, person.get("nicknames", ()))
        writer.writerow([guarded(" ".join(cell.split())) for cell in cells])
    return text.getvalue()


def xlsx_of_members(club: Club) -> bytes:
    """The same as an Excel workbook; every cell holds words. Two queries."""
    file, rows = BytesIO(), list(_rows(club))
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


def _rows(club: Club) -> Iterator[list[str]]:
    people = standing(club).prefetch_related("aliases").order_by("name_key")
    for player in people:
        fields = {key: getattr(player, key) for key in CELLS}
        yield cells_of(fields, [alias.name for alias in player.aliases.all()])
