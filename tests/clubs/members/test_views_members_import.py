"""A file of members: looked at, chosen for, stored, taken back."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import MemberImport, Player
from tests.clubs.members.test_workbooks import workbook
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

IMPORT = "/c/riverside/members/import/"
STORE = "/c/riverside/members/import/store/"
NOT_UTF8 = (
    "We cannot read the characters in this file because it is not saved as UTF-8. "
    "In the spreadsheet choose “Save as”, then “CSV UTF-8”."
)
NO_WORKBOOK = (
    "This workbook cannot be read. In the spreadsheet choose “Save as”, "
    "then “Excel workbook (.xlsx)” or “CSV UTF-8”."
)
TOO_LARGE = (
    "This file is 300 kB. A member list can be up to 200 kB. Check that you chose the right file."
)
WRONG_COLUMNS = (
    "The first line must contain the column names: name, and email, phone, joined, paid until, "
    "nickname and shown as if you have them. Yours says: first, second."
)


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


def file_of(content: bytes, name: str = "members.csv") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, content)


def press(alice: Visitor, page: Any, **chosen: str) -> Any:
    """Send the preview back as it is shown, but for what was chosen otherwise."""
    form = page.context["form"]
    shown = {name: form[name].value() or "" for name in form.fields}
    return alice.post(STORE, {**shown, **chosen}, follow=True)


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
    words = page.content.decode()
    assert "email: pat@example.com is new" in words
    assert not cast.club.players.filter(name="Zoë").exists()
    assert messages(press(alice, page)) == ["1 person is new on the list, 1 changed."]
    assert cast.club.players.get(name="Pat").email == "pat@example.com"
    assert cast.club.players.filter(name="Zoë").count() == 1
    assert MemberImport.objects.get().file_name == file.name


def test_a_list_can_be_typed(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name\nZoë\nNgaio"})
    assert messages(press(alice, page)) == ["2 people are new on the list, 0 changed."]


def test_a_doubtful_line_waits_for_a_choice(alice: Visitor, cast: Cast) -> None:
    margaret = make_player(cast.club, "Margaret Ashworth")
    page = alice.post(IMPORT, {"text": "name,phone\nMargret Ashworth,01225 9\nZoë,"})
    again = press(alice, page)
    assert errors(again) == {"line_2": ["Line 2: choose who Margret Ashworth is."]}
    answer = press(alice, again, line_2=f"{margaret.pk}")
    assert messages(answer) == ["1 person is new on the list, 1 changed."]
    assert Player.objects.get(pk=margaret.pk).phone == "01225 9"


def test_two_lines_for_one_person_are_said_on_the_preview(alice: Visitor, cast: Cast) -> None:
    margaret = make_player(cast.club, "Margaret Ashworth")
    page = alice.post(IMPORT, {"text": "name\nM Ashworth\nMargret Ashworth"})
    both = press(alice, page, line_2=f"{margaret.pk}", line_3=f"{margaret.pk}")
    assert errors(both)["__all__"][0].startswith("Lines 2 and 3 are both for Margaret Ashworth.")
    assert not MemberImport.objects.exists()


def test_a_list_is_taken_back(alice: Visitor, cast: Cast) -> None:
    press(alice, alice.post(IMPORT, {"text": "name\nZoë"}))
    back = reverse("members-take-back", args=["riverside", MemberImport.objects.get().pk])
    assert alice.told(back) == ["Import undone. Everyone is as they were before."]
    assert not cast.club.players.filter(name="Zoë").exists()
    (said,) = alice.told(back)
    assert said.startswith("This import can no longer be undone, so nothing has changed.")
    assert "undone" in alice.get(IMPORT).content.decode()


def test_a_preview_that_was_meddled_with_is_asked_for_again(alice: Visitor) -> None:
    assert alice.post(STORE, {"text": ""}).headers["Location"] == IMPORT
    assert alice.post(STORE, {"text": "first,second"}).headers["Location"] == IMPORT


def test_faulty_lines_come_back_to_be_put_right(alice: Visitor) -> None:
    content = "name,email\nZoë,\n,nobody@example.org\nSeán,seán\n"
    page = alice.post(IMPORT, {"file": file_of(content.encode())})
    assert (page.status_code, errors(page)) == (
        422,
        {"__all__": ["Line 3: Enter a name.", "Line 4: seán is not a valid email address."]},
    )
    assert page.context["form"]["text"].value() == content


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": " "}, {"file": ["Choose a file, or paste the list below."]}),
        ({"file": file_of("name\nZoë".encode("latin-1"))}, {"file": [NOT_UTF8]}),
        ({"file": file_of(b"name\n" + b"x" * 300_000)}, {"file": [TOO_LARGE]}),
        ({"file": file_of(b"PK\x03\x04 and nothing more")}, {"file": [NO_WORKBOOK]}),
        ({"file": file_of(b"")}, {"file": ["This file is empty."]}),
        ({"text": "name\n\0"}, {"text": ["Null characters are not allowed."]}),
        ({"text": "first,second\nZoë,Łukasiewicz"}, {"__all__": [WRONG_COLUMNS]}),
    ],
)
def test_a_list_that_cannot_be_read_is_said_in_a_sentence(
    alice: Visitor, cast: Cast, fields: dict[str, Any], said: dict[str, list[str]]
) -> None:
    before = cast.club.players.count()
    page = alice.post(IMPORT, fields)
    assert (page.status_code, errors(page)) == (422, said)
    assert cast.club.players.count() == before
