"""Every line of a list is imported, or the check page names it with a reason."""

import re
from io import BytesIO
from random import Random

import pytest
from xlsxwriter import Workbook

from clubs.members.files import TARGETS, read_workbook_list
from clubs.members.import_plan import (
    NEW_CHOICE,
    SKIP_CHOICE,
    TWO_CHOICE,
    Answers,
    choice_of,
    plan_import,
)
from clubs.members.lists import EMPTY_LINE, lines_skipped, read_list
from clubs.members.services.imports import import_members
from clubs.models import Player
from tests.clubs.members.test_import_page import IMPORT, file_of, messages, press
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

LINES = [
    *("Zoë Ash,,", "Ben Hill,01225 1,", "Ben Hill,01225 2,", "B Hill,,", "Margaret Known,,"),
    *("Mr & Mrs Hill,,", "Mr & Mrs Hill,,", "Mr & Mrs Wood,,March 2019", "Cy Finch,x,"),
    *("Carol and Derek Finch,,2021", "Derek and Carol Finch,,1/3/2019", "Dr & Dr Patel,,2020"),
    *(
        "Zoë and Margaret Known,,",
        ",01225 9,",
        ",,",
        "VACANT,,",
        "Committee:,,",
        "FULL MEMBERS,12,",
    ),
    *("Total,12,", "Page 2,,", "Name,Phone,Joined", '"Ann Brown,,', '"Peg" Ashworth,,'),
    *('"Brown, Ann",,', 'Dot "Dot" Pym,,', '"Ann', 'Brown",,', "soon,,soon", "<Ann>,,"),
    *("Guest,,", "Friends,01225 3,", 'Bob "B" Hill,5",'),
]


@pytest.mark.parametrize("seed", range(16))
def test_every_line_is_imported_or_named_with_a_reason(
    alice: Visitor, cast: Cast, seed: int
) -> None:
    make_player(cast.club, "Margaret Known")
    lines = ["Name,Phone,Joined", *Random(seed).sample(LINES, 18)]
    text = "\n".join(lines)
    plan = plan_import(club=cast.club, text=text)
    skipped_reasons = {row.line: row.reason for row in plan.skipped_lines}
    full_line_numbers = {
        number for number, line in enumerate(lines, start=1) if not EMPTY_LINE.fullmatch(line)
    }
    numbers = [1, *(row.line.number for row in plan.lines), *skipped_reasons]
    assert len(numbers) == len(set(numbers))
    assert set(numbers) >= full_line_numbers
    assert all(skipped_reasons.values())
    choices = {row.line.number: SKIP_CHOICE for row in plan.lines if row.faults or row.is_doubtful}
    assert all(row.problems for row in plan.faulty)
    skipped_rows = [row for row in plan.lines if choice_of(row, choices) == SKIP_CHOICE]
    assert all(row.line.no_person_reason or row.line.number in choices for row in skipped_rows)
    page = alice.post(IMPORT, {"text": text}).content.decode()
    left_out = [*skipped_reasons, *(row.line.number for row in skipped_rows)]
    assert [row for row in left_out if not re.search(rf"Line {row}[:<]", page)] == []
    count_before = cast.club.players.count()
    import_members(club=cast.club, text=text, answers=Answers(choices=choices))
    people = {NEW_CHOICE: 1, TWO_CHOICE: 2}
    count = sum(people.get(choice_of(row, choices), 0) for row in plan.lines)
    assert cast.club.players.count() == count_before + count


@pytest.mark.parametrize(
    ("text", "names", "parts"),
    [
        ('name,email\n"Ann Brown,a@b.c\nBob Hill,b@b.c\nDot Pym,5" x\n', 3, []),
        ('name\n"Ann Brown\nBob Hill\nCarol "C" Hill\n', 3, []),
        ('name,email\nAnn Brown,\n"Bob Hill,"b@b.c"\nDot Pym,\n', 3, []),
        ('name,phone\n"Ann\nBrown",1\nBob Hill,2\n', 2, ["2 part of line 3"]),
    ],
)
def test_a_quotation_mark_swallows_no_other_line(text: str, names: int, parts: list[str]) -> None:
    member_list = read_list(text, TARGETS, columns_hint="name")
    assert len(member_list.lines) == names
    assert [f"{row.line} {row.reason}" for row in member_list.skipped_lines] == parts
    assert member_list.lines[0][1]["name"] == "Ann Brown"


def test_the_lines_skipped_are_named(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name,email\nZoë,\n,seán\nVacant,\n"})
    message = "1 person was added. 2 lines were skipped: line 3 and Vacant."
    assert messages(press(alice, page, rest="yes")) == [message]
    names = [f"Ann {number}" for number in range(9)]
    assert lines_skipped(names[:7]).startswith("7 lines were skipped: Ann 0, Ann 1, ")
    assert lines_skipped(names[:7]).endswith(", Ann 5 and Ann 6.")
    assert lines_skipped(names).endswith(", Ann 5 and 3 others.")


def book_of(**sheets: dict[int, str]) -> bytes:
    """A workbook with these words by row in the first column of each sheet."""
    file = BytesIO()
    with Workbook(file, {"in_memory": True}) as book:
        for title, rows in sheets.items():
            sheet = book.add_worksheet(title)
            for row, text in rows.items():
                sheet.write(row, 0, text)
    return file.getvalue()


def test_a_second_sheet_with_a_list_is_named(alice: Visitor) -> None:
    members, guests = {0: "Name", 1: "Zoë"}, {0: "Name", 1: "Seán"}
    book = book_of(Notes={0: "Ours"}, Members=members, Guests=guests, Juniors=guests)
    assert read_workbook_list(book, TARGETS).other_titles == ("Guests", "Juniors")
    page = alice.post(IMPORT, {"file": file_of(book, "m.xlsx")})
    message = (
        "Only the first sheet with a list is here. These sheets have a list too: Guests, Juniors."
    )
    assert message in page.content.decode()


def test_a_list_that_was_pasted_beside_a_file_is_named(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"file": file_of(b"name\nZoe"), "text": "name\nNgaio"})
    assert "This is the list of the file, not the one you pasted." in page.content.decode()


@pytest.mark.parametrize("row", [9_998, 9_999, 50_000])
def test_who_is_far_down_a_sheet_is_found_or_the_sheet_is_too_long(
    alice: Visitor, row: int
) -> None:
    page = alice.post(IMPORT, {"file": file_of(book_of(People={0: "Name", row: "Zoë"}), "m.xlsx")})
    if row < 9_999:
        assert "1 person found" in page.content.decode()
    else:
        assert errors(page)["file"][0] == "That list is too long. Import it in smaller parts."


def test_the_check_page_begins_with_what_it_asks(alice: Visitor, cast: Cast) -> None:
    make_player(cast.club, "Margaret Known")
    lines = (
        "Zoë Ash,,",
        "Cy Finch,,2021",
        "Margret Known,,",
        "Mr & Mrs Hill,,",
        "VACANT,,",
        "Total,1,",
    )
    text = "\n".join(["Name,Phone,Joined", *lines])
    page = alice.post(IMPORT, {"text": text}).content.decode()
    headings = re.findall(r'<h2 id="(\w+)"', page)
    assert headings == ["dates", "faulty", "doubtful", "couples", "aside", "columns", "new"]
    assert page.index("Who is this?") < page.index(">Import<", page.index("faulty"))
    nameless_page = alice.post(IMPORT, {"text": "Who,Email\nZoë,\n"}).content.decode()
    assert re.findall(r'<h2 id="(\w+)"', nameless_page) == ["columns"]
    assert nameless_page.index("Choose which column holds the names.") < nameless_page.index(
        "Cancel"
    )


LEFT = "Peg is left out, as it is already the name of another member."
WITH_NICKNAMES = (
    "name,phone\nNgaio Marsh (Peg),\nMarge Ashwell (Peg),\nPat 'Peg' Hill,07700 900123\n"
    "Zoë Ash (Zo),\nZora Bell (Zo),\n"
)


def test_a_nickname_of_someone_else_is_named_where_it_is_left_out(
    alice: Visitor, margaret: Player, cast: Cast
) -> None:
    make_player(cast.club, "Pat Hill")
    page = alice.post(IMPORT, {"text": WITH_NICKNAMES})
    ngaio, _, pat, zoe, zora = page.context["form"].plan.lines
    assert [row.line.notes for row in (ngaio, pat, zoe)] == [(LEFT,), (LEFT,), ()]
    assert zora.line.notes == ("Zo is left out, as it is on line 5, too.",)
    assert [change.label for change in pat.changes] == ["phone"]
    assert page.content.decode().count(LEFT) == 3
    counts_message = "4 people were added. 1 person was updated."
    nicknames_message = (
        "4 nicknames were left out, as other people have them: Peg, Peg, Peg and Zo."
    )
    assert messages(press(alice, page)) == [f"{counts_message} {nicknames_message}"]
    assert margaret.aliases.get().name == "Peg"


def test_a_nickname_of_two_people_is_named(cast: Cast) -> None:
    text = "name,nickname\nCarol and Derek Finch,Del\n"
    (row,) = plan_import(club=cast.club, text=text).lines
    assert row.line.notes == ("Del is left out, as either of the two may have it.",)
