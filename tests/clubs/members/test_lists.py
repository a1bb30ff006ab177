"""Lists as clubs really keep them: each file in ``lists/`` becomes what its table says."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from clubs.members.files import TARGETS
from clubs.members.forms import ImportForm
from clubs.members.import_plan import SKIP_CHOICE, Answers, ImportPlan, plan_import
from clubs.members.lists import NOT_IMPORTED, decode_file, read_list
from clubs.members.person_columns import read_day
from clubs.members.services.imports import import_members, undo_import
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tests.people import make_club

LISTS: Final = Path(__file__).parent / "lists"
BECOMES: Final[dict[str, dict[str, list[str]]]] = tomllib.loads(
    (LISTS / "becomes.toml").read_text()
)


def text_of(name: str) -> str:
    """The text of a file, as the page of the import reads it."""
    file = SimpleUploadedFile(name, (LISTS / name).read_bytes())
    form = ImportForm({}, MultiValueDict({"file": [file]}))
    assert form.is_valid(), form.errors
    text: str = form.cleaned_data["text"]
    return text


def people_in(plan: ImportPlan) -> list[str]:
    """The good lines in words: ``5 Margaret Ashworth (Peg); phone: 01225 1``."""
    lines = [row.line for row in plan.people if not row.faults]
    names = [
        f"{line.number} {line.name}" + (f" ({', '.join(line.nicknames)})" if line.nicknames else "")
        for line in lines
    ]
    return ["; ".join([name, *line.in_words]) for name, line in zip(names, lines, strict=True)]


def test_every_list_has_its_table() -> None:
    assert sorted(BECOMES) == sorted(
        path.name for path in LISTS.iterdir() if path.suffix != ".toml"
    )


@pytest.mark.parametrize("name", BECOMES)
def test_a_list_becomes_what_its_table_says(db: None, name: str) -> None:
    plan = plan_import(club=make_club(), text=text_of(name))
    becomes = BECOMES[name]
    faulty = [f"{row.line.number} {problem}" for row in plan.lines for problem in row.problems]
    assert people_in(plan) == becomes["people"]
    assert faulty == becomes.get("faulty", [])
    nobody_lines = [row.line for row in plan.lines if row.line.no_person_reason]
    assert [f"{line.number} {line.no_person_reason}" for line in nobody_lines] == becomes.get(
        "nobody", []
    )
    assert [f"{row.line} {row.reason}" for row in plan.skipped_lines] == becomes.get("skipped", [])
    unused_headings = [column.heading for column in plan.columns if column.becomes == NOT_IMPORTED]
    assert unused_headings == becomes.get("not_imported", [])
    assert plan.problems == ()


@pytest.mark.parametrize("name", BECOMES)
def test_its_good_lines_are_imported_and_undone(db: None, name: str) -> None:
    club, text = make_club(), text_of(name)
    plan = plan_import(club=club, text=text)
    faulty = plan.faulty
    if faulty:
        with pytest.raises(Refused):
            import_members(club=club, text=text)
        assert not Club.objects.get(pk=club.pk).players.exists()
    choices = {row.line.number: SKIP_CHOICE for row in faulty}
    member_import = import_members(club=club, text=text, answers=Answers(choices=choices))
    couples = sum(row.are_two_new for row in plan.lines)
    assert club.players.count() == len(BECOMES[name]["people"]) + 2 * couples
    undo_import(member_import=member_import)
    assert not club.players.exists()


@pytest.mark.parametrize(
    ("chosen_targets", "cells"),
    [
        ({}, {"name": "Zoë", "phone": "1", "second phone": "2"}),
        ({3: "phone"}, {"name": "Zoë", "second phone": "1", "phone": "2"}),
        ({2: "", 3: ""}, {"name": "Zoë"}),
        ({1: "surname", 2: "", 3: "forename"}, {"surname": "Zoë", "forename": "2"}),
    ],
)
def test_a_column_becomes_what_was_chosen(
    chosen_targets: dict[int, str], cells: dict[str, str]
) -> None:
    member_list = read_list(
        "Name,Phone,Mobile\nZoë,1,2\n", TARGETS, columns_hint="name", chosen_targets=chosen_targets
    )
    assert member_list.lines == ((2, cells),)


def test_a_column_without_a_heading_is_shown_too() -> None:
    member_list = read_list("Name\nPat Jones,01225 1\n", TARGETS, columns_hint="name")
    assert [(column.heading, column.example) for column in member_list.columns] == [
        ("Name", "Pat Jones"),
        ("Column 2 (no heading)", "01225 1"),
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Zoë".encode(), "Zoë"),
        ("Zoë".encode("utf-8-sig"), "Zoë"),
        ("Zoë".encode("cp1252"), "Zoë"),
        ("Zoë – “Łu”".encode("utf-16"), "\ufeffZoë – “Łu”"),
        ("Zoë".encode("utf-16-le"), "Zoë"),
        ("Zoë".encode("utf-16-be"), "Zoë"),
        (b"Zo\x00\xff\xd8\x81", None),
        (b"Zo\x01\x02", None),
        ("Müller".encode("cp850"), "Müller"),
        ("Günther Müller".encode("mac_roman"), "Günther Müller"),
    ],
)
def test_text_is_read_in_the_encodings_of_spreadsheets(content: bytes, text: str | None) -> None:
    decoded_file = decode_file(content)
    assert (decoded_file and decoded_file.text.lstrip("\ufeff")) == (text and text.lstrip("\ufeff"))


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        *(("Subs paid to", "paid until"), ("SUB. EXPIRES", "paid until")),
        *(("Membership expires", "paid until"), ("E-MAIL ADDR.", "email"), ("D.O.J.", "joined")),
        *(("Tel. No.", "phone"), ("Tel (home)", "phone"), ("MOB.", "phone")),
    ],
)
def test_everyday_headings_are_known(heading: str, key: str) -> None:
    member_list = read_list(f"Name,{heading}\nZoë,1\n", TARGETS, columns_hint="name")
    assert [column.becomes for column in member_list.columns] == ["name", key]


@pytest.mark.parametrize(
    "date_text",
    [
        *("1/9/26", "01/09/2026", "1.9.2026", "1-9-26", "1 Sep 2026", "1 Sept 2026", "1-Sep-26"),
        *("1st September 2026", "Tue 1 Sep 2026", "2026-09-01", "2026/9/1", "September 1, 2026"),
        "2026-09-01 00:00:00",
    ],
)
def test_a_day_is_read_as_it_is_written_in_britain(date_text: str) -> None:
    assert f"{read_day(date_text)}" == "2026-09-01"


@pytest.mark.parametrize("date_text", ["1/9", "September", "31/2/2026", "1/9/1899", "soon"])
def test_what_is_no_day_is_refused(date_text: str) -> None:
    with pytest.raises(ValueError, match="Use a date like 24/11/2026"):
        read_day(date_text)


@pytest.mark.parametrize(
    "row",
    [
        ["Totals", "", "3"],
        ["", "24 members"],
        ["Number of members", "24"],
        ["Subtotal: 3"],
        ["Members: 24"],
        ["Members:", "24"],
    ],
)
def test_a_total_is_nobody(row: Sequence[Any]) -> None:
    member_list = read_list(
        f"Name,Phone,Email\n{','.join(row)}\nZoë\n", TARGETS, columns_hint="name"
    )
    assert [skipped_line.reason for skipped_line in member_list.skipped_lines] == ["a total"]
    assert [cells["name"] for _, cells in member_list.lines] == ["Zoë"]
