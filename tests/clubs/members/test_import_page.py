"""The import page: a list is looked at, corrected and chosen from, and then stored."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.members.services.imports import undo_import
from clubs.models import AuditEntry, MemberImport, Player
from tests.clubs.members.test_services_files import COLUMNS, workbook
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

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


def press(alice: Visitor, page: Any, **choices: str) -> Any:
    """Send the preview back as it is shown, but for what was chosen otherwise."""
    form = page.context["form"]
    form_values = {name: form[name].value() or "" for name in form.fields}
    hidden_values = {"shown": form.columns_now, "aside": form.aside_now}
    return alice.post(STORE, {**hidden_values, **form_values, **choices}, follow=True)


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
    clash_page = press(alice, second_page, line_2=f"{margaret.pk}", line_4=f"{margaret.pk}")
    assert errors(clash_page)["__all__"][0].startswith(
        "Lines 2 and 4 are both for Margaret Ashworth."
    )
    assert not MemberImport.objects.exists()
    answer = press(alice, second_page, line_2=f"{margaret.pk}")
    expected = ["1 person was added. 1 person was updated. 1 line was skipped: M Ashworth."]
    assert messages(answer) == expected
    assert Player.objects.get(pk=margaret.pk).phone == "01225 9"


def test_a_list_is_taken_back_once(alice: Visitor, cast: Cast) -> None:
    press(alice, alice.post(IMPORT, {"text": "name\nZoë"}))
    undo_url = reverse("members-take-back", args=["riverside", MemberImport.objects.get().pk])
    assert alice.messages_after(undo_url) == ["Import undone. Everyone is as they were before."]
    assert not cast.club.players.filter(name="Zoë").exists()
    too_late = "This import can no longer be undone, so nothing has changed."
    assert alice.messages_after(undo_url) == [f"{too_late} This import has already been undone."]
    assert "undone" in alice.read(IMPORT)


def test_a_preview_that_was_meddled_with_is_asked_for_again(alice: Visitor) -> None:
    assert alice.post(STORE, {"text": ""}).headers["Location"] == IMPORT
    assert alice.post(STORE, {"text": "this,that"}).headers["Location"] == IMPORT


def faulty(page: Any) -> list[list[str]]:
    """What is wrong with each line that the check page lists to be corrected."""
    return [row.planned_line.problems for row in page.context["form"].faulty()]


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
    fault = "Ngaio is on line 3, too. If this is someone else, add an initial or a middle name."
    assert faulty(page) == [[fault]]
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
    clash_page = press(alice, press(alice, second_page, column_4="phone"))
    assert errors(clash_page) == {"__all__": ["Choose “Phone” for one column only."]}
    corrected_page = press(alice, clash_page, column_4="")
    assert messages(press(alice, corrected_page)) == ["1 person was added."]
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
    known_rows = second_page.context["form"].known_rows()
    assert [row.field.value() for row in known_rows] == [f"{margaret.pk}"]
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
