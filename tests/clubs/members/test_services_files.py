"""Members in files: read as words, looked at, stored as chosen, taken back, taken along."""

from collections.abc import Callable, Sequence
from datetime import date
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from hypothesis import given, strategies as st
from xlsxwriter import Workbook

from clubs.core.people_names import MatchKind
from clubs.members.files import Unreadable, csv_of_members, read_sheets, xlsx_of_members
from clubs.members.forms import ImportForm
from clubs.members.import_plan import Answers, plan_import
from clubs.members.services import import_members, merge_players, undo_import
from clubs.models import Alias, AuditEntry, Club, MemberImport, Player, ShownAs
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players, night
from tests.clubs.visits import Visitor, errors
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


@pytest.fixture
def margaret(cast: Cast) -> Player:
    player = make_player(cast.club, "Margaret Ashworth", phone="01225 1", email="m@example.org")
    Alias.objects.create(club=cast.club, player=player, name="Peg", name_key="peg")
    return player


def faults_of(cast: Cast, text: str, choices: dict[int, str] | None = None) -> list[str]:
    """The sentences with which the file is refused; nobody may have been added."""
    count_before = cast.club.players.count()
    with pytest.raises(Refused) as refused:
        import_members(club=cast.club, text=text, answers=Answers(choices=choices or {}))
    assert cast.club.players.count() == count_before
    return [problem.message for problem in refused.value.problems]


def added(made: MemberImport) -> list[Player]:
    return list(Player.objects.filter(pk__in=made.added))


def test_people_are_added_and_known_ones_left_alone(cast: Cast) -> None:
    text = "\ufeffName,Email\nZoë Łukasiewicz,zoe@example.org\n\nPAT,\n"
    member_import = import_members(club=cast.club, text=text)
    (zoe,) = added(member_import)
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
    assert [player.name for player in added(member_import)] == ["Ngaio Marsh"]


def test_everything_that_a_line_tells_is_stored(cast: Cast) -> None:
    text = (
        "name,telephone,mobile,member since,paid until,known as\n"
        "Ngaio Marsh,01225 1234,07700 1,1/9/2019,31 August 2027,Ngi; Roy\n"
    )
    ngaio = added(import_members(club=cast.club, text=text))[0]
    assert (ngaio.phone, ngaio.second_phone) == ("01225 1234", "07700 1")
    assert ngaio.joined_on == date(2019, 9, 1)
    assert ngaio.paid_until == date(2027, 8, 31)
    assert [alias.name for alias in ngaio.aliases.all()] == ["Ngi", "Roy"]


def test_a_joining_day_that_nobody_gave_is_empty(cast: Cast) -> None:
    text = "name,joined\nNgaio Marsh,\nZoë Hill,1/9/2019\n"
    ngaio, zoe = added(import_members(club=cast.club, text=text))
    assert (ngaio.joined_on, ngaio.added_on) == (None, timezone.localdate())
    assert zoe.joined_on == date(2019, 9, 1)


@pytest.mark.parametrize(
    ("written", "how"),
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
    cast: Cast, margaret: Player, written: str, how: MatchKind
) -> None:
    (planned,) = plan_import(club=cast.club, text=f"name\n{written}").lines
    assert planned.how == how
    assert planned.people == (() if how == MatchKind.NEW else (margaret,))


def test_somebody_new_with_a_known_address_is_asked_about(cast: Cast, margaret: Player) -> None:
    (planned,) = plan_import(club=cast.club, text="name,email\nBill Brown,M@example.org").lines
    assert (planned.how, planned.people) == (MatchKind.DOUBTFUL, (margaret,))


def test_a_choice_once_made_is_remembered_as_a_nickname(cast: Cast, margaret: Player) -> None:
    text = "name\nMargret Ashworth"
    member_import = import_members(
        club=cast.club, text=text, answers=Answers(choices={2: f"{margaret.pk}"})
    )
    assert member_import.added == []
    assert [alias.name for alias in margaret.aliases.all()] == ["Margret Ashworth", "Peg"]
    (planned,) = plan_import(club=cast.club, text=text).lines
    assert planned.how == MatchKind.NICKNAME


@pytest.mark.parametrize(
    ("text", "choice", "names"),
    [("name\nM Ashworth", "new", ["M Ashworth"]), ("name\nNgaio\nZoë", "out", ["Zoë"])],
)
def test_a_line_can_be_somebody_else_or_left_out(
    cast: Cast, margaret: Player, text: str, choice: str, names: list[str]
) -> None:
    member_import = import_members(club=cast.club, text=text, answers=Answers(choices={2: choice}))
    assert [player.name for player in added(member_import)] == names


def test_a_line_is_for_one_person_of_the_club(cast: Cast, margaret: Player) -> None:
    text = "name\nM Ashworth\nPeg"
    assert [row.how for row in plan_import(club=cast.club, text=text).lines] == [
        MatchKind.DOUBTFUL
    ] * 2
    both = {2: f"{margaret.pk}", 3: f"{margaret.pk}"}
    twice = "Lines 2 and 3 are both for Margaret Ashworth."
    advice = "Exclude one of them, or make it a new person."
    assert faults_of(cast, text, both) == [f"{twice} {advice}"]
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
    with pytest.raises(Refused) as refused:
        undo_import(member_import=member_import)
    assert {problem.message for problem in refused.value.problems} == {
        "Margaret Ashworth: phone was changed since.",
        "Ngaio was here on an evening since.",
        "Ngaio sat at a table since.",
    }
    assert Player.objects.filter(name="Ngaio").exists()


IMPORT = "/c/riverside/members/import/"
STORE = "/c/riverside/members/import/store/"
NO_WORKBOOK = (
    "This file cannot be read. In the spreadsheet choose “Save as”, "
    "then “Excel workbook (.xlsx)” or “CSV UTF-8”."
)
TOO_LARGE = (
    "This file is 300 kB. A member list can be up to 200 kB. Check that you chose the right file."
)
WRONG_COLUMNS = f"{COLUMNS} this, that."


def file_of(content: bytes, name: str = "members.csv") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, content)


def press(alice: Visitor, page: Any, **chosen: str) -> Any:
    """Send the preview back as it is shown, but for what was chosen otherwise."""
    form = page.context["form"]
    form_values = {name: form[name].value() or "" for name in form.fields}
    hidden = {"shown": form.columns_now, "aside": form.aside_now}
    return alice.post(STORE, {**hidden, **form_values, **chosen}, follow=True)


def messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]


@pytest.mark.parametrize(
    "file",
    [
        file_of("\ufeffname,email\r\nZoë,\r\nPat,pat@example.com\r\n".encode()),
        file_of(workbook([["Name", "Email"], ["Zoë"], ["Pat", "pat@example.com"]]), "m.xlsx"),
    ],
)
def test_a_file_is_looked_at_and_then_stored(alice: Visitor, cast: Cast, file: Any) -> None:
    file.seek(0)
    page = alice.post(IMPORT, {"file": file})
    assert "email: pat@example.com is new" in page.content.decode()
    assert not cast.club.players.filter(name="Zoë").exists()
    assert messages(press(alice, page)) == ["1 person was added. 1 person was updated."]
    assert cast.club.players.get(name="Pat").email == "pat@example.com"
    assert cast.club.players.filter(name="Zoë").count() == 1
    assert MemberImport.objects.get().file_name == file.name


MAC = "Name,Email\rRenée Dupont,\rJosé Pérez,\rPat Quill,\r"


@pytest.mark.parametrize(
    "content",
    [
        MAC.encode("mac_roman"),
        MAC.encode("cp1252"),
        MAC.encode("cp850"),
        MAC.encode().replace(b"Quill", b"Qu\x92ill"),
    ],
)
def test_guessed_letters_are_said_and_the_names_shown(alice: Visitor, content: bytes) -> None:
    page = alice.post(IMPORT, {"file": file_of(content)}).content.decode()
    assert "so they were guessed. Check these names: Renée Dupont, José Pérez" in page


def test_letters_that_are_known_are_not_doubted(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"file": file_of(MAC.encode())}).content.decode()
    assert "guessed" not in page.replace('name="guessed"', "").replace("id_guessed", "")


def test_a_list_can_be_typed(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name\nZoë\nNgaio"})
    assert messages(press(alice, page)) == ["2 people were added."]


def test_a_doubtful_line_waits_for_a_choice(alice: Visitor, cast: Cast) -> None:
    margaret = make_player(cast.club, "Margaret Ashworth")
    text = "name,phone\nMargret Ashworth,01225 9\nZoë,\nM Ashworth,"
    second_page = press(alice, alice.post(IMPORT, {"text": text}), line_4="out")
    assert errors(second_page) == {"line_2": ["Line 2: choose who Margret Ashworth is."]}
    both = press(alice, second_page, line_2=f"{margaret.pk}", line_4=f"{margaret.pk}")
    assert errors(both)["__all__"][0].startswith("Lines 2 and 4 are both for Margaret Ashworth.")
    assert not MemberImport.objects.exists()
    answer = press(alice, second_page, line_2=f"{margaret.pk}")
    done = ["1 person was added. 1 person was updated. 1 line was skipped: M Ashworth."]
    assert messages(answer) == done
    assert Player.objects.get(pk=margaret.pk).phone == "01225 9"


def test_a_list_is_taken_back_once(alice: Visitor, cast: Cast) -> None:
    press(alice, alice.post(IMPORT, {"text": "name\nZoë"}))
    back = reverse("members-take-back", args=["riverside", MemberImport.objects.get().pk])
    assert alice.messages_after(back) == ["Import undone. Everyone is as they were before."]
    assert not cast.club.players.filter(name="Zoë").exists()
    too_late = "This import can no longer be undone, so nothing has changed."
    assert alice.messages_after(back) == [f"{too_late} This import has already been undone."]
    assert "undone" in alice.read(IMPORT)


def test_a_preview_that_was_meddled_with_is_asked_for_again(alice: Visitor) -> None:
    assert alice.post(STORE, {"text": ""}).headers["Location"] == IMPORT
    assert alice.post(STORE, {"text": "this,that"}).headers["Location"] == IMPORT


def faulty(page: Any) -> list[list[str]]:
    """What is wrong with each line that the check page lists to be corrected."""
    return [row.planned.problems for row in page.context["form"].faulty()]


def test_faulty_lines_are_corrected_on_the_check_page(alice: Visitor, cast: Cast) -> None:
    content = "name,email\nZoë,\n,nobody@example.org\nSeán,seán\n"
    page = alice.post(IMPORT, {"file": file_of(content.encode())})
    wrong = ["Enter a name.", "seán is not a valid email address."]
    assert faulty(page) == [[message] for message in wrong]
    second_page = press(alice, page, mend_3_name="Nobody")
    assert errors(second_page) == {"__all__": [f"Line 4: {wrong[1]}"]}
    assert not MemberImport.objects.exists()
    answer = press(alice, second_page, mend_4_email="sean@example.org")
    assert messages(answer) == ["3 people were added."]
    assert cast.club.players.get(name="Nobody").email == "nobody@example.org"
    assert cast.club.players.get(name="Seán").email == "sean@example.org"


@pytest.mark.parametrize("name", ["Margret Ashworth", "Margaret Ashworth"])
def test_a_corrected_name_that_may_be_known_is_asked_about(
    alice: Visitor, cast: Cast, margaret: Player, name: str
) -> None:
    page = alice.post(IMPORT, {"text": "name,phone\n,01225 9\nZoë,\n"})
    second_page = press(alice, page, mend_2_name=name)
    assert errors(second_page) == {"line_2": [f"Line 2: choose who {name} is."]}
    answer = press(alice, second_page, line_2=f"{margaret.pk}")
    assert messages(answer) == ["1 person was added. 1 person was updated."]
    assert Player.objects.get(pk=margaret.pk).phone == "01225 9"


def test_the_good_lines_are_imported_without_the_others(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": "name,email\nZoë,\n,nobody@example.org\nSeán,seán\n"})
    answer = press(alice, page, rest="yes")
    assert messages(answer) == ["1 person was added. 2 lines were skipped: line 3 and Seán."]
    assert not cast.club.players.filter(name="Seán").exists()


@pytest.mark.usefixtures("cast")
def test_every_line_that_was_not_imported_counts_as_skipped(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name,email\nZoë,\nCy,\nSeán,\nVACANT,\n"})
    answer = press(alice, page, line_3="out", line_4="out")
    assert messages(answer) == ["1 person was added. 3 lines were skipped: Cy, Seán and VACANT."]
    page = alice.post(IMPORT, {"text": "name,email\nRosa,\nCy,seán\nSeán,seán\n"})
    answer = press(alice, page, rest="yes", line_3="out")
    assert messages(answer) == ["1 person was added. 2 lines were skipped: Cy and Seán."]


def test_two_people_of_one_name_are_told_apart_by_an_initial(alice: Visitor, cast: Cast) -> None:
    pat = cast.club.players.get(name="Pat")
    page = alice.post(IMPORT, {"text": "name,phone\nPat,01225 1\nNgaio,1\nNgaio,2\n"})
    twice = "Ngaio is on line 3, too. If this is someone else, add an initial or a middle name."
    assert faulty(page) == [[twice]]
    second_page = press(alice, page, line_2="new", mend_4_name="Ngaio B.")
    error = "Pat is already the name of another member."
    advice = "If this is someone else, add an initial or a middle name."
    assert errors(second_page) == {"__all__": [f"Line 2: {error} {advice}"]}
    assert second_page.context["form"]["mend_4_name"].value() == "Ngaio B."
    assert messages(press(alice, second_page, mend_2_name="Pat Quill", line_2="new")) == [
        "3 people were added."
    ]
    pat.refresh_from_db()
    assert pat.phone == ""
    assert set(cast.club.players.values_list("name", flat=True)) >= {"Pat Quill", "Ngaio B."}


def test_columns_are_chosen_and_shown_again_before_anything_is_stored(
    alice: Visitor, cast: Cast
) -> None:
    page = alice.post(IMPORT, {"text": "Who,Ring,email,Ring 2\nZoë,01225 1,,07700 1\n"})
    form = page.context["form"]
    assert (form.not_imported(), form.plan.lines) == (["Who", "Ring", "Ring 2"], ())
    second_page = press(alice, page, column_1="name", column_2="phone")
    assert second_page.context["has_new_columns"]
    assert not MemberImport.objects.exists()
    both = press(alice, press(alice, second_page, column_4="phone"))
    assert errors(both) == {"__all__": ["Choose “Phone” for one column only."]}
    back = press(alice, both, column_4="")
    assert messages(press(alice, back)) == ["1 person was added."]
    assert cast.club.players.get(name="Zoë").phone == "01225 1"


def test_nothing_is_imported_without_a_column_of_names(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "Who,email\nZoë,zoe@example.org\n"})
    assert errors(press(alice, page)) == {"__all__": ["Choose which column holds the names."]}


def test_a_choice_outlasts_a_change_of_columns(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name,Ring\nZoë,01225 1\nNgaio,2\n"})
    second_page = press(alice, page, column_2="phone", line_3="out")
    assert second_page.context["form"]["line_3"].value() == "out"
    assert messages(press(alice, second_page)) == ["1 person was added. 1 line was skipped: Ngaio."]


def test_who_is_meant_is_asked_again_where_another_column_holds_the_names(
    alice: Visitor, margaret: Player
) -> None:
    page = alice.post(IMPORT, {"text": "Name,Who\n1,Margaret Ashworth\n2,Ngaio\n"})
    assert len(page.context["form"].new()) == 2
    second_page = press(alice, page, column_1="", column_2="name")
    assert [row.field.value() for row in second_page.context["form"].known_rows()] == [
        f"{margaret.pk}"
    ]
    assert messages(press(alice, second_page)) == ["1 person was added."]


def test_the_longest_list_is_not_too_long_for_its_check_page(alice: Visitor) -> None:
    names = "\n".join(f"Person {number}" for number in range(1_990))
    page = press(alice, alice.post(IMPORT, {"text": f"name\n{names}"}), again="yes")
    assert len(page.context["form"].new()) == 1_990


def test_a_double_press_after_a_correction_imports_once(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name,phone\nZoë,1\n,2\n"})
    for _ in range(2):
        answer = press(alice, page, mend_3_name="Ngaio")
        assert messages(answer) == ["2 people were added."]
    assert MemberImport.objects.count() == 1


def test_a_list_that_was_undone_can_be_imported_again(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name\nZoë"})
    press(alice, page)
    undo_import(member_import=MemberImport.objects.get())
    assert messages(press(alice, page)) == ["1 person was added."]


def test_a_double_press_imports_once(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": "name\nZoë\nNgaio"})
    for _ in range(2):
        assert messages(press(alice, page)) == ["2 people were added."]
        assert AuditEntry.objects.filter(club=cast.club).count() == 1
    assert (MemberImport.objects.count(), cast.club.players.filter(name="Zoë").count()) == (1, 1)


@pytest.mark.parametrize(
    ("fields", "form_errors"),
    [
        ({"text": " "}, {"file": ["Choose a file, or paste the list below."]}),
        ({"file": file_of(b"\xd0\xcf\x11\xe0 and nothing more")}, {"file": [NO_WORKBOOK]}),
        ({"file": file_of(b"name\n" + b"x" * 300_000)}, {"file": [TOO_LARGE]}),
        (
            {"file": file_of(workbook([["name"], *([f"x{n:>999}"] for n in range(300))]))},
            {"file": ["That list is too long. Import it in smaller parts."]},
        ),
        ({"file": file_of(b"PK\x03\x04 and nothing more")}, {"file": [NO_WORKBOOK]}),
        ({"file": file_of(b"")}, {"file": ["This file is empty."]}),
        ({"text": "name\n\0"}, {"text": ["Null characters are not allowed."]}),
        ({"text": "this,that\nZoë,Łukasiewicz"}, {"__all__": [WRONG_COLUMNS]}),
    ],
)
def test_a_list_that_cannot_be_read_is_said_in_a_sentence(
    alice: Visitor, cast: Cast, fields: dict[str, Any], form_errors: dict[str, list[str]]
) -> None:
    count_before = cast.club.players.count()
    page = alice.post(IMPORT, fields)
    assert (page.status_code, errors(page)) == (422, form_errors)
    assert cast.club.players.count() == count_before


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


def edited(path: str, old: bytes, new: bytes) -> bytes:
    """A workbook in one of whose papers something stands otherwise."""
    file = BytesIO()
    with ZipFile(BytesIO(workbook([["name"], ["Zoë"]]))) as packed, ZipFile(file, "w") as copy:
        for name in packed.namelist():
            content = packed.read(name)
            copy.writestr(name, content.replace(old, new) if name == path else content)
    return file.getvalue()


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5))
def test_words_are_read_as_they_were_written(rows: list[list[str]]) -> None:
    read = first_sheet(workbook(rows))
    expected_rows = [[cell.strip() for cell in row] for row in rows]
    while expected_rows and not any(expected_rows[0]):
        expected_rows.pop(0)
    padded = [[cell.strip() for cell in row] + [""] * 4 for row in read] + [[""] * 4] * len(
        expected_rows
    )
    if any(any(row) for row in expected_rows):
        first = next(index for index, row in enumerate(padded) if any(row))
        pairs = zip(padded[first:], expected_rows, strict=False)
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
    ("rows", "options", "read"),
    [
        ([["name"], ["Zoë"]], {"constant_memory": True, "in_memory": False}, [["name"], ["Zoë"]]),
        ([[None], [None, "name"], [None], [None, "Zoë"]], {}, [[], ["", "name"], [], ["", "Zoë"]]),
    ],
)
def test_a_sheet_is_read_line_by_line(
    rows: list[list[object]], options: dict[str, object], read: list[list[str]]
) -> None:
    assert first_sheet(workbook(rows, **options)) == read


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
    content = workbook([["name", "phone"], ["Zoë", 12]])
    try:
        rows = first_sheet(content[:at] + damage + content[at + len(damage) :])
    except Unreadable:
        return
    assert all(isinstance(cell, str) for row in rows for cell in row)


ACCENTS = "name,email\nZoë Hill,\nSeán Byrne,seán\n"


@pytest.mark.parametrize("content", [None, ACCENTS.encode()])
def test_no_accents_are_doubted_that_were_not_guessed(
    alice: Visitor, content: bytes | None
) -> None:
    form_data = {"file": file_of(content)} if content else {"text": ACCENTS}
    page = alice.post(IMPORT, form_data)
    second_page = press(alice, page)
    for answer in (page, second_page, press(alice, second_page, again="yes")):
        assert "how its accents are stored" not in answer.content.decode()


def test_guessed_accents_are_doubted_until_the_list_is_imported(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"file": file_of(ACCENTS.encode("cp1252"))})
    for answer in (page, press(alice, page), press(alice, page, again="yes")):
        assert "Check these names: Zoë Hill, Seán Byrne." in answer.content.decode()
