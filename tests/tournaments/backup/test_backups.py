"""Backups: made while people play, put back, compared, copied; what is wrong is said."""

import json
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path
from shutil import copy2
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection, connections

from clubs.backup import BackupError, archive, databases
from clubs.backup.archive import MANIFEST, UNFINISHED_PREFIX, manifest_of
from clubs.backup.databases import SECOND_ALIAS, Server, copy_all, own_database, temporary_database
from clubs.evenings.event import EveningTable
from clubs.models import Backup, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand, Link, Seat
from scoring.scorebook.reports import Report
from tests.clubs.tables import seated_evening
from tests.people import Cast
from tests.scoring.scorebook.book import SOUTH_WINS
from tests.tournaments.cups import seated_tournament
from tournaments import backup as services
from tournaments.backup import run_command_on
from tournaments.management.commands import restore

NIGHT = datetime(2026, 11, 18, 4, tzinfo=UTC)
A_DAY = timedelta(days=1)
with_transactions = pytest.mark.django_db(transaction=True)


def makes_a_backup(test: Any) -> Any:
    """A test that makes one, which takes seconds."""
    return with_transactions(pytest.mark.sampled(law="backups")(test))


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """Where the backups go."""
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.BACKUPS = tmp_path / "backups"
    return tmp_path / "backups"


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table of an evening with a hand, beside a tournament."""
    seated_tournament(cast.club)
    session_table: SessionTable = seated_evening(cast.club, held_on=date(2026, 11, 17)).tables.get()
    post(session_table, 1)
    return session_table


def post(table: SessionTable, number: int, report: Report = SOUTH_WINS) -> None:
    at_table.post_hand(
        table=EveningTable(table),
        report=report,
        submission_id=uuid4(),
        number=number,
        sent_by="table 1",
    )


def files_in(folder: Path) -> list[str]:
    """What lies in the folder, but for the lock."""
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


@makes_a_backup
def test_a_backup_is_one_private_file_that_was_tried(folder: Path, table: SessionTable) -> None:
    paper = folder.parent / "files" / "results" / "book.pdf"
    paper.parent.mkdir(parents=True)
    paper.write_bytes(b"%PDF-")
    backup = services.back_up(now=NIGHT)
    assert (backup.fault, backup.is_good) == ("", True)
    assert files_in(folder) == ["tongbox-2026-11-18-040000.tar.gz"]
    file = Path(backup.file)
    assert file.stat().st_mode & 0o777 == 0o600
    saved_manifest = manifest_of(file)
    assert saved_manifest.digest == backup.digest == services.digest_of_all().overall_digest
    assert saved_manifest.tables["scorebook_hand"] == 1
    with tarfile.open(file) as tar:
        assert "files/results/book.pdf" in tar.getnames()
        assert not [name for name in tar.getnames() if "secret" in name]
        manifest = tar.extractfile(MANIFEST)
        assert manifest is not None
        assert "others" not in json.load(manifest)  # as releases with one database read it


@makes_a_backup
def test_it_holds_the_moment_although_a_hand_comes_in_meanwhile(
    folder: Path, table: SessionTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand that arrives after the digest was taken, from another connection, is not in it."""
    digest_before = services.digest_of_all().overall_digest
    read_manifest = services._current_manifest

    def seen_then_played() -> archive.Manifest:
        manifest = read_manifest()
        other_connection = connection.copy()
        try:
            with other_connection.cursor() as cursor:
                cursor.execute("UPDATE scorebook_seat SET points = 7777")
        finally:
            other_connection.close()
        return manifest

    monkeypatch.setattr(services, "_current_manifest", seen_then_played)
    backup = services.back_up(now=NIGHT)
    assert (backup.fault, backup.digest) == ("", digest_before)
    assert Seat.objects.filter(points=7777).exists()


@makes_a_backup
def test_a_backup_that_lost_something_is_called_bad(
    folder: Path, table: SessionTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = databases.restore_dump

    def fill_and_lose(target: Path, file: Path) -> None:
        fill(target, file)
        _run_statement(
            target, "DELETE FROM clubs_attendance WHERE id = (SELECT min(id) FROM clubs_attendance)"
        )

    monkeypatch.setattr(services, "restore_dump", fill_and_lose)
    backup = services.back_up(now=NIGHT)
    assert (backup.is_good, backup.fault) == (False, "Rows are missing in clubs_attendance.")

    def fill_and_change(target: Path, file: Path) -> None:
        fill(target, file)
        _run_statement(target, "UPDATE scorebook_seat SET points = points + 1")

    monkeypatch.setattr(services, "restore_dump", fill_and_change)
    backup = services.back_up(now=NIGHT)
    assert backup.fault == "The restored data does not match the original: riverside differ."


def _run_statement(target: Path | databases.Server, statement: str) -> None:
    if isinstance(target, databases.Server):
        with target.ask() as server_connection:
            server_connection.execute(statement.encode())
        return
    with closing(sqlite3.connect(target)) as database:
        database.execute(statement)
        database.commit()


@makes_a_backup
def test_what_somebody_left_who_was_killed_is_swept(folder: Path, cast: Cast) -> None:
    (folder / f"{UNFINISHED_PREFIX}77").mkdir(parents=True)
    (folder / f"{UNFINISHED_PREFIX}77" / "database.sqlite3").write_text("half")
    backup = services.back_up(now=NIGHT)
    assert files_in(folder) == [Path(backup.file).name]


@makes_a_backup
def test_a_disk_without_room_is_said_in_a_sentence_and_nothing_is_left(
    folder: Path, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(28, "No space left on device")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(full))
    backup = services.back_up(now=NIGHT)
    assert backup.is_good is False
    assert backup.fault == "The backup could not be written: No space left on device."
    assert files_in(folder) == []


@makes_a_backup
def test_a_damaged_file_is_not_good(folder: Path, table: SessionTable) -> None:
    backup = services.back_up(now=NIGHT)
    file = Path(backup.file)
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(CommandError, match=r"cannot be unpacked|or is incomplete"):
        call_command("try_backup", str(file))
    file.write_bytes(b"no backup")
    with pytest.raises(CommandError, match="is not a Tongbox backup"):
        call_command("try_backup", str(file))


@makes_a_backup
def test_a_file_whose_database_was_exchanged_is_not_good(folder: Path, cast: Cast) -> None:
    backup = services.back_up(now=NIGHT)
    manifest = manifest_of(Path(backup.file))
    with tarfile.open(backup.file, "w:gz") as tar:
        for name, data in ((MANIFEST, _json(manifest)), (manifest.database, b"another")):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, BytesIO(data))
    with pytest.raises(BackupError, match="does not match the one that was saved"):
        services.check_backup(Path(backup.file))


@makes_a_backup
@pytest.mark.parametrize(
    ("name", "kind"),
    [("../elsewhere", tarfile.REGTYPE), ("/tmp/elsewhere", tarfile.REGTYPE)]  # noqa: S108
    + [("files/link", kind) for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE)],
)
def test_nothing_is_laid_outside_and_nothing_but_files(
    folder: Path, cast: Cast, name: str, kind: bytes
) -> None:
    backup_file = Path(services.back_up(now=NIGHT).file)
    extra_member = tarfile.TarInfo(name)
    extra_member.type, extra_member.linkname = kind, "/etc/passwd"
    with (
        tarfile.open(backup_file) as whole_one,
        tarfile.open(folder / "forged.tar.gz", "w:gz") as forged_archive,
    ):
        for member in whole_one:
            forged_archive.addfile(member, whole_one.extractfile(member))
        forged_archive.addfile(extra_member, BytesIO(b""))
    with pytest.raises(BackupError, match="cannot be unpacked: no backup holds"):
        services.check_backup(folder / "forged.tar.gz")


def _json(manifest: archive.Manifest) -> bytes:
    return json.dumps({name: getattr(manifest, name) for name in manifest.__slots__}).encode()


@makes_a_backup
def test_the_night_is_claimed_once_and_a_laptop_that_slept_makes_it_later(
    folder: Path, cast: Cast, settings: Any
) -> None:
    assert services.night_due(now=NIGHT - timedelta(hours=2)) == date(2026, 11, 17)
    backup = services.back_up_if_due(now=NIGHT)
    assert backup is not None
    assert backup.night == date(2026, 11, 18)
    assert services.back_up_if_due(now=NIGHT + timedelta(hours=1)) is None
    assert services.night_due(now=NIGHT + timedelta(hours=22)) is None
    assert services.night_due(now=NIGHT + 3 * A_DAY) == date(2026, 11, 21)
    settings.BACK_UP_AT = "never"
    assert services.night_due(now=NIGHT + 3 * A_DAY) is None


@makes_a_backup
def test_of_two_schedulers_one_makes_it(
    folder: Path, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    Backup.objects.create(made_at=NIGHT, night=NIGHT.date())
    monkeypatch.setattr(services, "night_due", lambda **_: NIGHT.date())
    assert services.back_up_if_due(now=NIGHT) is None
    assert Backup.objects.count() == 1


@makes_a_backup
def test_a_night_that_was_begun_and_cut_off_is_begun_again(folder: Path, cast: Cast) -> None:
    cut_backup = Backup.objects.create(made_at=NIGHT, night=NIGHT.date())
    assert services.back_up_if_due(now=NIGHT + timedelta(hours=1)) is None
    backup = services.back_up_if_due(now=NIGHT + timedelta(hours=7))
    assert backup is not None
    assert backup.is_good
    cut_backup.refresh_from_db()
    assert (cut_backup.is_good, cut_backup.fault) == (False, "It was started but never finished.")


def test_an_installation_without_a_club_has_nothing_to_keep(db: None) -> None:
    assert services.night_due(now=NIGHT) is None


@makes_a_backup
def test_old_ones_go_by_the_rule_and_bad_ones_take_no_place(
    folder: Path, cast: Cast, settings: Any
) -> None:
    settings.KEEP_BACKUPS = "2,0,0"
    folder.mkdir()
    for night in range(4):
        file = folder / f"{night}.tar.gz"
        file.write_text("")
        made_at = NIGHT + (night - 4) * A_DAY
        Backup.objects.create(made_at=made_at, file=str(file), is_good=night != 3)
    backup = services.back_up(now=NIGHT)
    assert files_in(folder) == ["2.tar.gz", Path(backup.file).name]
    assert Backup.objects.filter(let_go_at=NIGHT).count() == 3


@makes_a_backup
def test_the_way_back_over_an_upgrade_stays_for_a_day(folder: Path, cast: Cast) -> None:
    folder.mkdir()
    before_upgrade = folder / "before.tar.gz"
    before_upgrade.write_text("")
    Backup.objects.create(made_at=NIGHT, file=str(before_upgrade), is_good=True)
    backup = services.back_up(now=NIGHT + timedelta(minutes=1))
    assert files_in(folder) == ["before.tar.gz", Path(backup.file).name]
    services.back_up(now=NIGHT + A_DAY)
    assert not before_upgrade.exists()


def test_operators_are_written_to_once_for_each_that_is_wrong(cast: Cast, settings: Any) -> None:
    settings.OPERATORS = ["ops@example.org"]
    Backup.objects.create(made_at=NIGHT, is_good=True, file="good")
    assert not services.tell_operators(now=NIGHT)
    Backup.objects.create(made_at=NIGHT + A_DAY, is_good=False, fault="There is no room left.")
    assert services.tell_operators(now=NIGHT + A_DAY)
    assert not services.tell_operators(now=NIGHT + A_DAY)
    (letter,) = mail.outbox
    assert "There is no room left." in letter.body
    assert "18 November 2026" in letter.body


@contextmanager
def open_second_database(target: Server | Path) -> Iterator[None]:
    """Tests may open no alias but those of the settings; one that is not listed yet is let be."""
    with databases.open_database(target) as elsewhere:
        alias_settings = connections.settings.pop(databases.SECOND_ALIAS)
        elsewhere.ensure_connection()
        connections.settings[databases.SECOND_ALIAS] = alias_settings
        yield


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[databases.Server | Path]:
    """An empty database like ours."""
    database = databases.own_database()
    if isinstance(database, Path):
        yield tmp_path / "new.sqlite3"
        return
    with databases.temporary_database(database, f"{database.name}_new") as server:
        yield server


@makes_a_backup
def test_restored_into_an_empty_place_it_is_the_same_and_never_over_something(
    folder: Path,
    table: SessionTable,
    tmp_path: Path,
    empty: databases.Server | Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper = folder.parent / "files" / "results" / "book.pdf"
    paper.parent.mkdir(parents=True)
    paper.write_bytes(b"%PDF-")
    backup = services.back_up(now=NIGHT)
    files = tmp_path / "laid"
    monkeypatch.setattr(services, "open_database", open_second_database)
    monkeypatch.setenv("PGPASSWORD", getattr(empty, "password", ""))
    into = databases.database_url(
        replace(empty, password="") if isinstance(empty, Server) else empty
    )
    call_command("restore", backup.file, into=into, files=files)
    assert services.digest_of_database(into)["digest"] == backup.digest
    assert (files / "results" / "book.pdf").read_bytes() == b"%PDF-"
    with open_second_database(empty):
        restored_backup = Backup.objects.using(databases.SECOND_ALIAS).get()
    assert (restored_backup.is_good, restored_backup.file, restored_backup.digest) == (
        True,
        backup.file,
        backup.digest,
    )
    assert restored_backup.put_back_at is not None
    with pytest.raises(CommandError, match="something in that database already"):
        call_command("restore", backup.file, into=into)


@makes_a_backup
def test_without_another_word_it_is_put_into_the_database_of_the_installation(
    folder: Path,
    table: SessionTable,
    empty: databases.Server | Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backup = services.back_up(now=NIGHT)
    with pytest.raises(CommandError, match="something in that database already"):
        call_command("restore", backup.file)
    monkeypatch.setattr(restore, "own_database", lambda: empty)
    monkeypatch.setattr(services, "open_database", open_second_database)
    call_command("restore", backup.file)
    assert services.digest_of_database(databases.database_url(empty))["digest"] == backup.digest


@makes_a_backup
def test_one_kind_of_database_is_not_put_back_into_the_other(
    folder: Path, cast: Cast, tmp_path: Path
) -> None:
    backup = services.back_up(now=NIGHT)
    file, server = str(tmp_path / "new.sqlite3"), "postgres://nobody@127.0.0.1/none"
    target = server if connection.vendor == "sqlite" else file
    with pytest.raises(CommandError, match="can only be restored to PostgreSQL"):
        call_command("restore", backup.file, into=target)


@makes_a_backup
def test_the_command_says_what_was_made_and_fails_loudly(
    folder: Path, cast: Cast, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("back_up")
    output = capsys.readouterr().out
    assert "gave the same digest" in output
    call_command("try_backup", Backup.objects.get().file)
    assert "The backup is good" in capsys.readouterr().out
    monkeypatch.setattr(services, "_try_restoring", lambda *_: "Rows are missing in clubs_player.")
    with pytest.raises(CommandError, match="failed its test: Rows are missing"):
        call_command("back_up")


@makes_a_backup
def test_what_cannot_be_tried_is_neither_good_nor_bad(
    folder: Path, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(*_: object) -> str:
        raise BackupError("No database could be made to try it in.")

    monkeypatch.setattr(services, "_try_restoring", nowhere)
    backup = services.back_up(now=NIGHT)
    assert (backup.is_good, backup.tried_at) == (None, None)
    assert backup.fault == "No database could be made to try it in."
    assert Path(backup.file).exists()


@pytest.fixture(scope="module")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with our tables, to be copied: to make them takes seconds."""
    file = tmp_path_factory.mktemp("migrated") / "empty.sqlite3"
    run_command_on(file, "migrate", "--verbosity", "0")
    return file


@pytest.fixture
def elsewhere(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """Another database with our tables: SQLite beside SQLite, PostgreSQL beside PostgreSQL."""
    with _empty(tmp_path, request) as target, open_second_database(target):
        yield


@contextmanager
def _empty(folder: Path, request: pytest.FixtureRequest) -> Iterator[Server | Path]:
    database = own_database()
    if isinstance(database, Path):
        yield Path(
            copy2(request.getfixturevalue("migrated_database"), folder / "elsewhere.sqlite3")
        )
        return
    with temporary_database(database, f"{database.name}_copy") as server:
        run_command_on(server, "migrate", "--verbosity", "0")
        yield server


@pytest.mark.sampled(law="long plays")
@with_transactions
def test_every_table_arrives_with_its_keys(table: SessionTable, elsewhere: None) -> None:
    row_counts: dict[str, int] = {}
    copy_all(row_counts.__setitem__)
    assert row_counts["scorebook_hand"] == 1
    assert row_counts["tournaments_placement"] > 0
    for model in apps.get_models(include_auto_created=True):
        own_rows, copied_rows = (
            sorted(map(repr, model._base_manager.using(alias).values_list()))
            for alias in ("default", SECOND_ALIAS)
        )
        assert own_rows == copied_rows, model


@pytest.mark.sampled(law="long plays")
@with_transactions
def test_the_next_row_there_has_a_key_of_its_own(table: SessionTable, elsewhere: None) -> None:
    copy_all(lambda *_: None)
    new = Hand.objects.get()
    new.pk, new.number, new.submission_id = None, 2, uuid4()
    new.save(using=SECOND_ALIAS)
    assert new.pk > Hand.objects.using("default").get().pk


@with_transactions
def test_what_may_not_be_changed_may_not_be_changed_there(
    table: SessionTable, elsewhere: None
) -> None:
    copy_all(lambda *_: None)
    with pytest.raises(Exception, match="never edited"):
        Link.objects.using(SECOND_ALIAS).update(sealed="")


@with_transactions
def test_a_row_that_arrives_otherwise_moves_nothing(
    table: SessionTable, elsewhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = databases.insert_rows

    def insert_otherwise(model: type, fields: list, batch: list, target: object) -> None:  # type: ignore[type-arg]
        insert(model, fields, batch, target)  # type: ignore[arg-type]
        if model is Hand:
            Hand.objects.using(SECOND_ALIAS).update(reason="not mine")

    monkeypatch.setattr(databases, "insert_rows", insert_otherwise)
    with pytest.raises(BackupError, match="of scorebook_hand is different in the new database"):
        copy_all(lambda *_: None)
    assert not Hand.objects.using(SECOND_ALIAS).exists()


@with_transactions
def test_a_table_that_nobody_knows_stops_it(table: SessionTable, elsewhere: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE somebodys_own (id integer)")
        try:
            with pytest.raises(BackupError, match="somebodys_own"):
                copy_all(lambda *_: None)
        finally:
            cursor.execute("DROP TABLE somebodys_own")


@with_transactions
def test_another_release_there_stops_it(table: SessionTable, elsewhere: None) -> None:
    with connections[SECOND_ALIAS].cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'tournaments'")
    with pytest.raises(BackupError, match="same migrations"):
        copy_all(lambda *_: None)
