"""Members in files: read as words, stored as chosen, taken back, taken along."""

from collections.abc import Callable, Sequence
from datetime import date
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from hypothesis import given, strategies as st
from xlsxwriter import Workbook

from clubs.core.people_names import MatchKind
from clubs.members.files import Unreadable, csv_of_members, read_sheets, xlsx_of_members
from clubs.members.forms import ImportForm
from clubs.members.import_plan import Answers, plan_import
from clubs.members.services.imports import import_members, undo_import
from clubs.members.services.merging import merge_players
from clubs.models import Alias, Club, MemberImport, Player, ShownAs
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players, night
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club, make_player

COLUMNS = (
    "One line must contain the column names: name, and email, phone, joined, paid until, "
    "nickname and shown as if you have them. Your list begins:"
)


def workbook(rows: Sequence[Sequence[object]], **options: object) -> bytes:
    """A workbook with these rows on its first sheet, and another sheet behind it."""
    file = BytesIO()
    data = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, **options}
    with Workbook(file, data) as book:
        sheet, days = book.add_worksheet("People"), book.add_format({"num_format": "dd mmmm yyyy"})
        book.add_worksheet("Others").write(0, 0, "not this")
        for row_number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, date):
                    sheet.write_datetime(row_number, column, cell, days)
                else:
                    sheet.write(row_number, column, cell)
    return file.getvalue()


def first_sheet(content: bytes) -> list[list[str]]:
    return read_sheets(content)[0].rows


def faults_of(cast: Cast, text: str, choices: dict[int, str] | None = None) -> list[str]:
    """The sentences with which the file is refused; nobody may have been added."""
    count_before = cast.club.players.count()
    with pytest.raises(Refused) as refusal:
        import_members(club=cast.club, text=text, answers=Answers(choices=choices or {}))
    assert cast.club.players.count() == count_before
    return [problem.message for problem in refusal.value.problems]


def added_players(member_import: MemberImport) -> list[Player]:
    return list(Player.objects.filter(pk__in=member_import.added))


def test_people_are_added_and_known_ones_left_alone(cast: Cast) -> None:
    text = "\ufeffName,Email\nZoë Łukasiewicz,zoe@example.org\n\nPAT,\n"
    member_import = import_members(club=cast.club, text=text)
    (zoe,) = added_players(member_import)
    assert (zoe.name, zoe.email) == ("Zoë Łukasiewicz", "zoe@example.org")
    assert set(member_import.before) == {str(member_import.added[0])}


@pytest.mark.parametrize(
    "text",
    [
        "email;name\n;Ngaio Marsh",
        "name\tshoe size\nNgaio Marsh\t38",
        "name\nNgaio Marsh",
        'name\n"Marsh, Ngaio"',
        "Forename,Surname\nNgaio,Marsh",
        "First name,Known as,Last name\nNgaio,,Marsh",
    ],
)
def test_semicolons_tabs_and_other_columns_are_understood(cast: Cast, text: str) -> None:
    member_import = import_members(club=cast.club, text=text)
    assert [player.name for player in added_players(member_import)] == ["Ngaio Marsh"]


def test_everything_that_a_line_tells_is_stored(cast: Cast) -> None:
    text = (
        "name,telephone,mobile,member since,paid until,known as\n"
        "Ngaio Marsh,01225 1234,07700 1,1/9/2019,31 August 2027,Ngi; Roy\n"
    )
    ngaio = added_players(import_members(club=cast.club, text=text))[0]
    assert (ngaio.phone, ngaio.second_phone) == ("01225 1234", "07700 1")
    assert ngaio.joined_on == date(2019, 9, 1)
    assert ngaio.paid_until == date(2027, 8, 31)
    assert [alias.name for alias in ngaio.aliases.all()] == ["Ngi", "Roy"]


def test_a_joining_day_that_nobody_gave_is_empty(cast: Cast) -> None:
    text = "name,joined\nNgaio Marsh,\nZoë Hill,1/9/2019\n"
    ngaio, zoe = added_players(import_members(club=cast.club, text=text))
    assert (ngaio.joined_on, ngaio.added_on) == (None, timezone.localdate())
    assert zoe.joined_on == date(2019, 9, 1)


@pytest.mark.parametrize(
    ("written_name", "match_kind"),
    [
        ("MARGARET  ASHWORTH", MatchKind.SAME),
        ("Márgaret Ashworth", MatchKind.SAME),
        ("Ashworth Margaret", MatchKind.ORDER),
        ('"Ashworth, Margaret"', MatchKind.SAME),
        ("peg", MatchKind.NICKNAME),
        ("M. Ashworth", MatchKind.INITIALS),
        ("Margret Ashworth", MatchKind.DOUBTFUL),
        ("Maggie Ashworth", MatchKind.DOUBTFUL),
        ("Ashworth", MatchKind.DOUBTFUL),
        ("Ngaio Marsh", MatchKind.NEW),
    ],
)
def test_a_person_is_known_again(
    cast: Cast, margaret: Player, written_name: str, match_kind: MatchKind
) -> None:
    (planned_line,) = plan_import(club=cast.club, text=f"name\n{written_name}").lines
    assert planned_line.match_kind == match_kind
    assert planned_line.people == (() if match_kind == MatchKind.NEW else (margaret,))


def test_somebody_new_with_a_known_address_is_asked_about(cast: Cast, margaret: Player) -> None:
    (planned_line,) = plan_import(club=cast.club, text="name,email\nBill Brown,M@example.org").lines
    assert (planned_line.match_kind, planned_line.people) == (MatchKind.DOUBTFUL, (margaret,))


def test_a_choice_once_made_is_remembered_as_a_nickname(cast: Cast, margaret: Player) -> None:
    text = "name\nMargret Ashworth"
    member_import = import_members(
        club=cast.club, text=text, answers=Answers(choices={2: f"{margaret.pk}"})
    )
    assert member_import.added == []
    assert [alias.name for alias in margaret.aliases.all()] == ["Margret Ashworth", "Peg"]
    (planned_line,) = plan_import(club=cast.club, text=text).lines
    assert planned_line.match_kind == MatchKind.NICKNAME


@pytest.mark.parametrize(
    ("text", "choice", "names"),
    [("name\nM Ashworth", "new", ["M Ashworth"]), ("name\nNgaio\nZoë", "out", ["Zoë"])],
)
def test_a_line_can_be_somebody_else_or_left_out(
    cast: Cast, margaret: Player, text: str, choice: str, names: list[str]
) -> None:
    member_import = import_members(club=cast.club, text=text, answers=Answers(choices={2: choice}))
    assert [player.name for player in added_players(member_import)] == names


def test_a_line_is_for_one_person_of_the_club(cast: Cast, margaret: Player) -> None:
    text = "name\nM Ashworth\nPeg"
    assert [row.match_kind for row in plan_import(club=cast.club, text=text).lines] == [
        MatchKind.DOUBTFUL
    ] * 2
    choices = {2: f"{margaret.pk}", 3: f"{margaret.pk}"}
    fault = "Lines 2 and 3 are both for Margaret Ashworth."
    advice = "Exclude one of them, or make it a new person."
    assert faults_of(cast, text, choices) == [f"{fault} {advice}"]
    assert faults_of(cast, "name\nNgaio", {2: f"{Player.objects.get(name='Carol').pk}"})


@pytest.mark.parametrize(
    ("text", "fault_texts"),
    [
        (
            "name\nMargret Ashworth",
            ["Line 2: choose whether Margret Ashworth is Margaret Ashworth, or a new person."],
        ),
        (
            "name,nickname\nNgaio,Peg\nZoë,\n",
            ["Line 2: Peg is already the name of another member."],
        ),
        (
            (
                "name,email,phone,joined,kind,shown as\nNgaio,,,,,\n,x@example.org,,,,\n"
                "Ngaio,,,,,\n<b>,not an address,none,31/31/2020,friend,loud\n"
            ),
            [
                "Line 3: Enter a name.",
                (
                    "Line 4: Ngaio is on line 2, too. "
                    "If this is someone else, add an initial or a middle name."
                ),
                "Line 5: A name cannot contain < or >.",
                "Line 5: friend must be member or guest.",
                "Line 5: not an address is not a valid email address.",
                "Line 5: none is not a valid phone number.",
                "Line 5: 31/31/2020 is not a valid date. Use a date like 24/11/2026.",
                "Line 5: loud is not a valid choice. Use full, initial or hidden.",
            ],
        ),
        ("name\n\n\n<i>\n", ["Line 4: A name cannot contain < or >."]),
        ("Ngaio,ngaio@example.org\n", [f"{COLUMNS} Ngaio, ngaio@example.org."]),
        ("", [f"{COLUMNS} nothing."]),
        (
            "name," + "x" * 140_000,
            ["The file cannot be read as CSV: field larger than field limit (131072)."],
        ),
        ("name\n" + "Ngaio\n" * 2001, ["The file has 2,001 lines. Import 2,000 or fewer."]),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else "",
)
def test_a_list_that_cannot_be_stored_is_said_line_by_line(
    cast: Cast, margaret: Player, text: str, fault_texts: list[str]
) -> None:
    assert faults_of(cast, text) == fault_texts


@pytest.mark.parametrize(
    ("cell", "style"),
    [
        ("full", ShownAs.FULL),
        ("Full name", ShownAs.FULL),
        ("First name and initial", ShownAs.INITIAL),
        ("first name + initial", ShownAs.INITIAL),
        ("HIDDEN", ShownAs.HIDDEN),
        ("Anonymous", ShownAs.HIDDEN),
    ],
)
def test_a_list_says_in_many_words_how_a_name_is_shown(db: None, cell: str, style: ShownAs) -> None:
    club = make_club()
    import_members(club=club, text=f"name,Name shown as\nJoan Finch,{cell}")
    assert club.players.get().shown_as == style


def test_an_empty_cell_leaves_it_as_it_is(db: None) -> None:
    club = make_club()
    make_player(club, "Joan Finch", shown_as="hidden")
    import_members(club=club, text="name,shown as\nJoan Finch,")
    assert club.players.get().shown_as == ShownAs.HIDDEN


def test_a_list_is_taken_back_with_one_press(cast: Cast, margaret: Player) -> None:
    text = "name,phone,joined,nickname\nMargaret Ashworth,2,1/9/2019,Maggie\nNgaio,,,Ngi\n"
    details_before = (margaret.phone, margaret.joined_on)
    member_import = import_members(club=cast.club, text=text)
    undo_import(member_import=member_import)
    margaret.refresh_from_db()
    assert (margaret.phone, margaret.joined_on) == details_before
    assert [alias.name for alias in Alias.objects.all()] == ["Peg"]
    assert not Player.objects.filter(name="Ngaio").exists()


def test_what_is_newer_stands_in_the_way_and_is_said(cast: Cast, margaret: Player) -> None:
    member_import = import_members(club=cast.club, text="name,phone\nMargaret Ashworth,2\nNgaio,\n")
    ngaio = Player.objects.get(name="Ngaio")
    night(cast.club, date(2026, 11, 17), [ngaio, *make_players(cast.club, 3)])
    Player.objects.filter(pk=margaret.pk).update(phone="3")
    with pytest.raises(Refused) as refusal:
        undo_import(member_import=member_import)
    assert {problem.message for problem in refusal.value.problems} == {
        "Margaret Ashworth: phone was changed since.",
        "Ngaio was here on an evening since.",
        "Ngaio sat at a table since.",
    }
    assert Player.objects.filter(name="Ngaio").exists()


Export = Callable[[Club], bytes]


@pytest.fixture
def full(db: None) -> Club:
    """A club whose people have everything that is awkward in a spreadsheet."""
    club = make_club()
    ann = make_player(
        club,
        "Smith, Ann",
        email="ann@example.org",
        phone="+44 1225  1",
        paid_until=date(2027, 8, 31),
        wants_results=True,
        joined_on=date(2001, 2, 3),
        shown_as="initial",
    )
    make_player(club, "'Tis Me", kind="guest", phone="01225 1")
    make_player(club, '-Zoë "Łu"; O’Neill', is_active=False, lapsed_on=date(2026, 1, 2))
    ann.aliases.create(club=club, name="=Annie", name_key="=annie")
    ann.aliases.create(club=club, name="'Nan", name_key="'nan")
    merge_players(kept_player=ann, merged_player=make_player(club, "Ann Smyth"))
    return club


def read_in(club: Club, content: bytes) -> None:
    form = ImportForm({}, MultiValueDict({"file": [SimpleUploadedFile("members", content)]}))
    assert form.is_valid(), form.errors
    import_members(club=club, text=form.cleaned_data["text"])


def with_former_columns(club: Club) -> bytes:
    return csv_of_members(club).replace(b"active,left on", b"still comes,lapsed")


@pytest.mark.parametrize("export", [csv_of_members, xlsx_of_members, with_former_columns])
def test_a_list_taken_along_is_read_in_without_a_change(full: Club, export: Export) -> None:
    list_before, elsewhere = csv_of_members(full), make_club("Hill Top Tiles", "hill-top")
    for club in (full, elsewhere):
        read_in(club, export(full))
        assert csv_of_members(club) == list_before
    assert full.imports.get().before == {}
    assert elsewhere.players.count() == 3


def test_the_file_holds_a_line_a_person(full: Club) -> None:
    lines = csv_of_members(full).decode("utf-8-sig").splitlines()
    assert lines[0] == (
        "name,kind,email,phone,second phone,joined,paid until,nickname,"
        "messages by email,results by email,active,left on,shown as"
    )
    assert (
        '"Smith, Ann",member,ann@example.org,\'+44 1225  1,,2001-02-03,2027-08-31,'
        "''Nan; =Annie; Ann Smyth,yes,yes,yes,,initial"
    ) in lines


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_secretary_takes_the_list_along(cast: Cast, alice: Visitor, kind: str) -> None:
    answer = alice.get(f"/c/riverside/members.{kind}")
    name = f'attachment; filename="riverside-members.{kind}"'
    assert answer.headers["Content-Disposition"] == name
    read_in(make_club("Empty", "empty"), answer.content)
    assert Club.objects.get(slug="empty").players.count() == cast.club.players.count()


CELLS = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cn"]), max_size=20)


def edit_workbook(path: str, old: bytes, new: bytes) -> bytes:
    """A workbook in one of whose papers something stands otherwise."""
    file = BytesIO()
    with ZipFile(BytesIO(workbook([["name"], ["Zoë"]]))) as source, ZipFile(file, "w") as copy:
        for name in source.namelist():
            content = source.read(name)
            copy.writestr(name, content.replace(old, new) if name == path else content)
    return file.getvalue()


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5))
def test_words_are_read_as_they_were_written(rows: list[list[str]]) -> None:
    sheet_rows = first_sheet(workbook(rows))
    expected_rows = [[cell.strip() for cell in row] for row in rows]
    while expected_rows and not any(expected_rows[0]):
        expected_rows.pop(0)
    padded_rows = [[cell.strip() for cell in row] + [""] * 4 for row in sheet_rows] + [
        [""] * 4
    ] * len(expected_rows)
    if any(any(row) for row in expected_rows):
        first = next(index for index, row in enumerate(padded_rows) if any(row))
        pairs = zip(padded_rows[first:], expected_rows, strict=False)
        assert [row[: len(expected_row)] for row, expected_row in pairs] == expected_rows


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


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        ([["name"], ["Zoë"]], {"constant_memory": True, "in_memory": False}, [["name"], ["Zoë"]]),
        ([[None], [None, "name"], [None], [None, "Zoë"]], {}, [[], ["", "name"], [], ["", "Zoë"]]),
    ],
)
def test_a_sheet_is_read_line_by_line(
    rows: list[list[object]], options: dict[str, object], expected: list[list[str]]
) -> None:
    assert first_sheet(workbook(rows, **options)) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"name\nZoe",
        b"PK\x03\x04" + b"x" * 100,
        workbook([["name"]])[:-200],
        edit_workbook("xl/workbook.xml", b"<sheets>", b"<sheets"),
        edit_workbook("xl/sharedStrings.xml", b"?>", b'?><!DOCTYPE x [<!ENTITY a "b">]>'),
        edit_workbook("xl/worksheets/sheet1.xml", b"<v>1</v>", b"<v>99</v>"),
    ],
)
def test_what_is_no_workbook_is_said(content: bytes) -> None:
    with pytest.raises(Unreadable):
        first_sheet(content)


@given(st.binary(max_size=300), st.integers(0, 2000))
def test_a_damaged_workbook_never_breaks_the_reader(damage: bytes, position: int) -> None:
    content = workbook([["name", "phone"], ["Zoë", 12]])
    try:
        rows = first_sheet(content[:position] + damage + content[position + len(damage) :])
    except Unreadable:
        return
    assert all(isinstance(cell, str) for row in rows for cell in row)
