"""What is sent to us may be large, packed, twisted or long: each is refused with a sentence."""

import time
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.clubs.members.test_services_files import workbook
from tests.people import Cast, browser_of

SHEET = "xl/worksheets/sheet1.xml"
HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
FOOT = b"</sheetData></worksheet>"
CANNOT = "This file cannot be read."
PATIENCE = 30  # seconds, on a busy machine


def pack_workbook(papers: dict[str, bytes]) -> bytes:
    """A good workbook with these papers in it instead of, or beside, its own."""
    buffer = BytesIO()
    with (
        ZipFile(BytesIO(workbook([["name"], ["Zoë"]]))) as good,
        ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name in good.namelist():
            if name not in papers:
                archive.writestr(name, good.read(name))
        for name, content in papers.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def laughs() -> bytes:
    """Entities in entities: a few hundred bytes that unfold to a billion."""
    entities = '<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {name} "{f"&{inner_name};" * 10}">'
        for inner_name, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>&i;</t></is></c></row>'
    return f"<!DOCTYPE x [{entities}]>".encode() + HEAD + row.encode() + FOOT


OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
BOMBS = {
    "a hundred megabytes of nothing": lambda: pack_workbook({SHEET: b"\0" * 100_000_000}),
    "ten thousand papers": lambda: pack_workbook({f"xl/media/{n}": b"" for n in range(10_000)}),
    "entities in entities": lambda: pack_workbook({SHEET: laughs()}),
    "a file of ours as an entity": lambda: pack_workbook(
        {SHEET: OUTSIDE + HEAD + b'<row><c t="inlineStr"><is><t>&a;</t></is></c></row>' + FOOT}
    ),
    "no workbook, though it begins as one": lambda: b"PK\x03\x04" + b"\0" * 1000,
}


@pytest.fixture
def secretary(cast: Cast) -> Client:
    return browser_of(cast.secretary)


def read_in(client: Client, cast: Cast, content: bytes, name: str = "members.xlsx") -> Any:
    file = SimpleUploadedFile(name, content)
    return client.post(reverse("members-import", args=[cast.club.slug]), {"file": file})


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_with_a_sentence(secretary: Client, cast: Cast, bomb: str) -> None:
    start_time = time.process_time()
    answer = read_in(secretary, cast, BOMBS[bomb]())
    assert answer.status_code == 422
    assert CANNOT in answer.content.decode()
    assert time.process_time() - start_time < PATIENCE


def test_a_line_of_half_a_million_cells_is_not_begun(secretary: Client, cast: Cast) -> None:
    row = b"<row>" + b"<c/>" * 500_000 + b"</row>"
    content = pack_workbook({SHEET: HEAD + row + FOOT})
    start_time = time.process_time()
    assert read_in(secretary, cast, content).status_code == 422
    assert time.process_time() - start_time < 5


def test_a_workbook_with_links_to_elsewhere_follows_none(secretary: Client, cast: Cast) -> None:
    link = b'<externalLink xmlns="x"><externalBook r:id="rId1" xmlns:r="y"/></externalLink>'
    content = pack_workbook({"xl/externalLinks/externalLink1.xml": link})
    assert b"Zo\xc3\xab" in read_in(secretary, cast, content).content


def test_a_list_of_fifty_thousand_columns_does_no_harm(secretary: Client, cast: Cast) -> None:
    start_time = time.process_time()
    answer = read_in(secretary, cast, b"name" + b",x" * 50_000 + b"\nZo,,,", "members.csv")
    assert answer.status_code in {200, 422}
    assert time.process_time() - start_time < PATIENCE


def test_a_large_file_says_how_large_it_may_be(secretary: Client, cast: Cast) -> None:
    page = read_in(secretary, cast, b"name\n" + b"x" * 300_000, "members.csv").content.decode()
    assert "A member list can be up to 200 kB" in page


def test_more_than_may_be_sent_is_refused_before_it_is_read(secretary: Client, cast: Cast) -> None:
    answer = read_in(secretary, cast, b"x" * 6_000_001)
    assert answer.status_code == 413
    assert "You can send up to 6 MB at once. Nothing has changed." in answer.content.decode()


def test_a_length_that_is_none_is_refused(client: Client, db: None) -> None:
    for length in ("-1", "six", "9" * 30):
        assert client.get("/", headers={"content-length": length}).status_code == 413


def test_a_program_is_told_in_its_own_shape(secretary: Client, cast: Cast) -> None:
    answer = secretary.post(reverse("api-token"), b" " * 6_000_001, content_type="application/json")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (413, "too_large")


def test_a_form_of_three_megabytes_is_refused(secretary: Client, cast: Cast) -> None:
    form_data = {"text": "x" * 3_000_000}
    multipart_answer = secretary.post(reverse("members-import", args=[cast.club.slug]), form_data)
    plain = secretary.post(
        reverse("members-import", args=[cast.club.slug]),
        "text=" + "x" * 3_000_000,
        content_type="application/x-www-form-urlencoded",
    )
    for answer in (multipart_answer, plain):
        assert answer.status_code == 400
        assert "Nothing has changed" in answer.content.decode()
