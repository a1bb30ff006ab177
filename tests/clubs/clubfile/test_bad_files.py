"""Files that are damaged, foreign, too new, too large or tampered with: each is said in words."""

import json
from collections.abc import Callable
from io import BytesIO
from time import process_time, sleep
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.db import connection

from clubs.clubfile import archive
from clubs.clubfile.columns import RETENTION_FIELDS
from clubs.clubfile.selectors import table_labels
from clubs.clubfile.services import import_club, import_read_file, read_club_file
from clubs.models import Club, User
from scoring.scorebook.ledger import canonical_json
from scoring.scorebook.refusals import Refused
from tests.clubs.clubfile.moving import Rows, change_file, file_of, packed_file, remove, rows_in
from tests.people import Cast
from tests.test_other_clubs import make_everything
from tournaments.backup import counts_by_table

DAMAGED = "This file is damaged or was changed after it was made."


@pytest.fixture
def file(cast: Cast) -> BytesIO:
    """The file of a club that is no longer here."""
    make_everything(cast.club, cast.secretary)
    result, _ = file_of(cast.club)
    remove(cast.club)
    return result


def refusal_message(file: BytesIO, user: User) -> str:
    """What is said of the file; nothing of it is kept."""
    counts_before = counts_by_table()
    with pytest.raises(Refused) as refusal:
        import_club(file, user=user)
    assert counts_by_table() == counts_before
    return str(refusal.value)


def test_a_file_of_another_kind(cast: Cast) -> None:
    for content in (b"", b"name,email\n", b"PK\x03\x04 no zip after all"):
        assert refusal_message(BytesIO(content), cast.secretary) == archive.NO_CLUB_FILE_MESSAGE
    zip_buffer = BytesIO()
    with ZipFile(zip_buffer, "w") as zip_file:
        zip_file.writestr("letter.txt", "Dear all")
    assert refusal_message(zip_buffer, cast.secretary) == archive.NO_CLUB_FILE_MESSAGE


@pytest.mark.parametrize("manifest", ["[]", "{}", '{"tongbox": "club"}', "[" * 50_000, "nothing"])
def test_a_manifest_of_something_else(cast: Cast, manifest: str) -> None:
    zip_buffer = BytesIO()
    with ZipFile(zip_buffer, "w") as zip_file:
        zip_file.writestr(archive.MANIFEST, manifest)
    assert refusal_message(zip_buffer, cast.secretary) == archive.NO_CLUB_FILE_MESSAGE


def test_a_file_that_lost_some_bytes(file: BytesIO, cast: Cast) -> None:
    content = file.getvalue()
    middle = len(content) // 2
    torn_file = BytesIO(content[:middle] + bytes(40) + content[middle + 40 :])
    assert refusal_message(torn_file, cast.secretary).startswith(DAMAGED)
    assert (
        refusal_message(BytesIO(content[:middle]), cast.secretary) == archive.NO_CLUB_FILE_MESSAGE
    )


def test_a_file_of_another_version(file: BytesIO, cast: Cast) -> None:
    newest = archive.newest_migrations()
    for manifest in ({"format": 99}, {"migrations": newest | {"clubs": "9999_flying"}}):
        assert (
            refusal_message(change_file(file, **manifest), cast.secretary) == archive.NEWER_MESSAGE
        )
    older = newest | {"clubs": "0005_cancelled_evenings"}
    assert (
        refusal_message(change_file(file, migrations=older), cast.secretary)
        == archive.OLDER_MESSAGE
    )


def test_a_file_of_a_club_that_calls_itself_tongbox(file: BytesIO, cast: Cast) -> None:
    for name in ("Tongbox Support", "Admin"):
        message = refusal_message(change_file(file, name=name), cast.secretary)
        assert message == (
            "The club’s name cannot be used here. Rename the club, then download it again."
        )
    club_import = import_club(change_file(file, slug="tongbox-support"), user=cast.secretary)
    assert club_import.club.slug == "riverside-mah-jong-club"


def test_a_file_that_holds_too_much(
    file: BytesIO, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_UNPACKED", 10_000)
    assert refusal_message(file, cast.secretary) == archive.TOO_LARGE_MESSAGE


def test_a_line_without_an_end(file: BytesIO, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_LINE_BYTES", 50)
    assert refusal_message(file, cast.secretary).startswith(DAMAGED)


def test_a_small_zip_of_a_large_member(file: BytesIO, cast: Cast) -> None:
    bomb = BytesIO()
    with ZipFile(file) as source_zip, ZipFile(bomb, "w", ZIP_DEFLATED) as zip_file:
        for name in source_zip.namelist():
            zip_file.writestr(name, source_zip.read(name))
        zip_file.writestr("rows/more.jsonl", bytes(5_000_000))
    assert refusal_message(bomb, cast.secretary) == archive.TOO_LARGE_MESSAGE


def test_millions_of_lines_in_a_few_bytes_are_not_unpacked(file: BytesIO, cast: Cast) -> None:
    lines = {name: [canonical_json(row) for row in rows_in(file, name)] for name in table_labels()}
    with ZipFile(file) as zip_file:
        manifest = json.loads(zip_file.read(archive.MANIFEST))
    lines["clubs.Player"] = ["{}"] * 20_000_000
    bomb = packed_file(manifest, lines, ZIP_DEFLATED)
    assert len(bomb.getvalue()) < 200_000
    start = process_time()
    assert refusal_message(bomb, cast.secretary) == archive.TOO_LARGE_MESSAGE
    assert process_time() - start < 1


def test_more_rows_than_a_file_of_that_size_has(file: BytesIO, cast: Cast) -> None:
    def repeat_row(rows: Rows) -> None:
        rows += [rows[0]] * 100_000

    odd_counts: list[Any] = [
        {"clubs.Player": 10**9},
        {"clubs.Player": -1},
        {"clubs.Player": True},
        [],
    ]
    for counts in odd_counts:
        assert refusal_message(change_file(file, counts=counts), cast.secretary) in (
            archive.TOO_LARGE_MESSAGE,
            archive.NO_CLUB_FILE_MESSAGE,
            archive.DAMAGED_MESSAGE,
        )
    large_file = change_file(file, "clubs.Holiday", repeat_row, kind=ZIP_DEFLATED)
    assert refusal_message(large_file, cast.secretary) == archive.TOO_LARGE_MESSAGE


def test_nobody_waits_while_a_file_is_read(
    file: BytesIO, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    savepoints_before = connection.in_atomic_block and len(connection.savepoint_ids)
    savepoint_counts = []

    def check(self: archive.ClubFile, labels: object) -> None:
        savepoint_counts.append(connection.in_atomic_block and len(connection.savepoint_ids))

    monkeypatch.setattr(archive.ClubFile, "check", check)
    import_club(file, user=cast.secretary)
    assert savepoint_counts == [savepoints_before]


def test_a_file_that_takes_too_long_is_given_up(file: BytesIO, cast: Cast) -> None:
    def bring(seconds: float) -> None:
        with read_club_file(file, seconds=seconds) as club_file:
            sleep(1.5)
            import_read_file(club_file, user=cast.secretary)

    for seconds in (0.0, 1.0):  # while it is read, and while its rows are written
        with pytest.raises(Refused) as refusal:
            bring(seconds)
        assert str(refusal.value) == archive.TOO_SLOW_MESSAGE
    assert not Club.objects.filter(slug="riverside").exists()


def test_a_score_that_someone_made_better(file: BytesIO, cast: Cast) -> None:
    def better(rows: Rows) -> None:
        rows[0]["score_2"] += 2

    message = refusal_message(change_file(file, "scorebook.Hand", better), cast.secretary)
    assert message.startswith("The score book was changed outside Tongbox")
    assert "score_2 is 62, but 60 was sealed as link 1" in message


def first(**fields: Any) -> Callable[[Rows], None]:
    """Changes the first row of a table."""

    def change(rows: Rows) -> None:
        rows[0].update(fields)

    return change


WRONG: Final[dict[str, tuple[str, Callable[[Rows], object]]]] = {
    "a name that is too long": ("clubs.Player", first(name="x" * 81)),
    "a number that is text": ("clubs.Session", first(version="7")),
    "a number that is true": ("clubs.Session", first(version=True)),
    "a number below nought": ("clubs.Session", first(version=-1)),
    "a number that no column holds": ("clubs.Session", first(version=10**20)),
    "a state that is none": ("clubs.Session", first(state="asleep")),
    "evenings of ten thousand years": (
        "clubs.Series",
        first(first_on="0001-01-02", last_on="9999-12-30"),
    ),
    "evenings of a century": ("clubs.Series", first(first_on="1950-01-03", last_on="2050-01-04")),
    "evenings every nought weeks": ("clubs.Series", first(every=0)),
    "weeks that are no list": ("clubs.Series", first(weeks={})),
    "weeks that are text": ("clubs.Series", first(weeks="12")),
    "a week that no month has": ("clubs.Series", first(weeks=[6])),
    "holidays that end first": ("clubs.Holiday", first(last_on="1999-01-01")),
    "names kept for ages": (
        "clubs.Retention",
        lambda rows: rows.append(dict.fromkeys(RETENTION_FIELDS, 32_767) | {"ran_on": None}),
    ),
    "a season that ends first": ("clubs.Season", first(ends_on="1999-01-01")),
    "an evening of another age": ("clubs.Session", first(held_on="0009-11-24")),
    "a column more of the club": ("clubs.Club", first(is_superuser=True)),
    "a column less of the club": ("clubs.Club", lambda rows: rows[0].pop("rules")),
    "a day that is none": ("clubs.Session", first(held_on="2026-02-30")),
    "an address that is none": ("clubs.Player", first(email="no address")),
    "nothing where something must be": ("clubs.Player", first(name=None)),
    "a null character": ("clubs.Player", first(name="a\0b")),
    "half a character": ("clubs.Player", first(name="\ud800")),
    "a column more": ("clubs.Player", first(is_superuser=True)),
    "a row that is not there": ("clubs.SessionSeat", first(player=9_999)),
    "a row before the first": ("clubs.SessionSeat", first(player=0)),
    "a row that is no number": ("clubs.SessionSeat", first(player="1")),
    "another club in what an import changed": (
        "clubs.MemberImport",
        first(before={"1": {"aliases": [], "fields": {"club_id": [2, 1]}}}),
    ),
    "another club in what a merge filled": (
        "clubs.PlayerMerge",
        first(
            moved={
                "rows": {},
                "aliases": [],
                "alias": None,
                "was_active": True,
                "filled": {"club_id": [2, 1]},
            }
        ),
    ),
    "rows of accounts in a merge": (
        "clubs.PlayerMerge",
        first(
            moved={
                "aliases": [],
                "alias": None,
                "was_active": True,
                "filled": {},
                "rows": {"clubs.User.id": [1]},
            }
        ),
    ),
    "a book with more keys than can be": (
        "scorebook.Book",
        first(moves=[[1, {"hand": [[1, 1, 900_000], [900_001, 900_001, 900_000]]}]]),
    ),
    "keys in a correction": ("scorebook.RepairedGame", first(after={"hands": [77]})),
    "keys in an import": ("clubs.MemberImport", first(added="all")),
    "a book that knows no keys": ("scorebook.Book", first(moves=[])),
    "a book with odd keys": ("scorebook.Book", first(moves=[[1, {"hand": [[1, 2]]}]])),
    "two people of a name": ("clubs.Player", lambda rows: rows.append(rows[0])),
    "an evening less": ("clubs.Holiday", lambda rows: rows.append({"name": "x"})),
    "rules that are unknown": ("clubs.Club", first(rules="bridge")),
    "no club": ("clubs.Club", list.clear),
    "a role that is none": ("roles", first(role="owner")),
    "someone twice": ("roles", lambda rows: rows.append(rows[0])),
    "an edition that says another thing": ("scorebook.Edition", first(key="bmja/2008~1234")),
}


@pytest.mark.parametrize("fault", WRONG)
def test_rows_that_no_tongbox_wrote(file: BytesIO, cast: Cast, fault: str) -> None:
    message = refusal_message(change_file(file, *WRONG[fault]), cast.secretary)
    rules = ("This file holds house rules that", "This Tongbox does not have the rules")
    assert message.startswith((DAMAGED, *rules))


def test_a_file_with_two_manifests_or_without_a_table(file: BytesIO, cast: Cast) -> None:
    with ZipFile(file) as zip_file:
        manifest = json.loads(zip_file.read(archive.MANIFEST))
    partial_file = packed_file(
        manifest, {"roles": [json.dumps(row) for row in rows_in(file, "roles")]}
    )
    assert refusal_message(partial_file, cast.secretary).startswith(DAMAGED)


def test_what_a_file_says_of_other_clubs_and_operators_is_not_believed(
    file: BytesIO, cast: Cast
) -> None:
    elsewhere = Club.objects.get(slug="hill-top")
    rows_before = list(Club.objects.filter(pk=elsewhere.pk).values())
    club_import = import_club(
        change_file(file, slug="hill-top", name=elsewhere.name), user=cast.secretary
    )
    assert (club_import.club.slug, club_import.club.name) == ("hill-top-2", "Hill Top Tiles 2")
    assert list(Club.objects.filter(pk=elsewhere.pk).values()) == rows_before
    assert not User.objects.filter(is_superuser=True).exists()
