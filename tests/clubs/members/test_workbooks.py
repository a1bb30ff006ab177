"""Excel workbooks read as words: what spreadsheets write, and what is no workbook."""

from collections.abc import Sequence
from datetime import date
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import given, strategies as st
from xlsxwriter import Workbook

from clubs.members.files import Unreadable, first_sheet

CELLS = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cn"]), max_size=20)


def workbook(rows: Sequence[Sequence[object]], **options: object) -> bytes:
    """A workbook with these rows on its first sheet, and another sheet behind it."""
    file = BytesIO()
    data = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, **options}
    with Workbook(file, data) as book:
        sheet, days = book.add_worksheet("People"), book.add_format({"num_format": "dd mmmm yyyy"})
        book.add_worksheet("Others").write(0, 0, "not this")
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, date):
                    sheet.write_datetime(at, column, cell, days)
                else:
                    sheet.write(at, column, cell)
    return file.getvalue()


def edited(path: str, old: bytes, new: bytes) -> bytes:
    """A workbook in one of whose papers something stands otherwise."""
    made = BytesIO()
    with ZipFile(BytesIO(workbook([["name"], ["Zoë"]]))) as packed, ZipFile(made, "w") as again:
        for name in packed.namelist():
            content = packed.read(name)
            again.writestr(name, content.replace(old, new) if name == path else content)
    return made.getvalue()


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5))
def test_words_are_read_as_they_were_written(rows: list[list[str]]) -> None:
    read = first_sheet(workbook(rows))
    kept = [[cell.strip() for cell in row] for row in rows]
    while kept and not any(kept[0]):
        kept.pop(0)
    padded = [[cell.strip() for cell in row] + [""] * 4 for row in read] + [[""] * 4] * len(kept)
    if any(any(row) for row in kept):
        first = next(at for at, row in enumerate(padded) if any(row))
        assert [
            row[: len(written)] for row, written in zip(padded[first:], kept, strict=False)
        ] == kept


@pytest.mark.parametrize("since_1904", [False, True])
def test_days_numbers_and_ticks_are_words(*, since_1904: bool) -> None:
    rows: list[list[object]] = [
        ["joined", "phone", "here"],
        [date(2019, 9, 1), 1225123456, True],
        [0.5, "=1+1", False],
    ]
    assert first_sheet(workbook(rows, date_1904=since_1904)) == [
        ["joined", "phone", "here"],
        ["2019-09-01", "1225123456", "yes"],
        ["0.5", "=1+1", "no"],
    ]


def test_words_within_the_sheet_are_read() -> None:
    rows = [["name"], ["Zoë"]]
    assert first_sheet(workbook(rows, constant_memory=True, in_memory=False)) == rows


def test_empty_rows_before_the_first_are_passed_over() -> None:
    assert first_sheet(workbook([[None], [None, "name"], [None], [None, "Zoë"]])) == [
        ["", "name"],
        [],
        ["", "Zoë"],
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"name\nZoe",
        b"PK\x03\x04" + b"x" * 100,
        workbook([["name"]])[:-200],
        edited("xl/workbook.xml", b"<sheets>", b"<sheets"),
        edited("xl/sharedStrings.xml", b"?>", b'?><!DOCTYPE x [<!ENTITY a "b">]>'),
        edited("xl/worksheets/sheet1.xml", b"<v>1</v>", b"<v>99</v>"),
    ],
)
def test_what_is_no_workbook_is_said(content: bytes) -> None:
    with pytest.raises(Unreadable):
        first_sheet(content)


@given(st.binary(max_size=300), st.integers(0, 2000))
def test_a_damaged_workbook_never_breaks_the_reader(damage: bytes, at: int) -> None:
    whole = workbook([["name", "phone"], ["Zoë", 12]])
    try:
        rows = first_sheet(whole[:at] + damage + whole[at + len(damage) :])
    except Unreadable:
        return
    assert all(isinstance(cell, str) for row in rows for cell in row)
