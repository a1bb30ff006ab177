"""All clubs are in one database, and an installation with several is told how to come back."""

import io
import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from clubs.backup import BackupError
from clubs.backup.archive import MANIFEST, manifest_of
from clubs.backup.databases import SECOND_ALIAS, open_database
from config import env

NORTH = "INSERT INTO clubs_clubdatabase (name, made_at) VALUES ('north', '2026-11-24')"
PLACE = (
    "INSERT INTO clubs_clubplace (slug, club, database, since) "
    "VALUES ('riverside', 1, 'north', '2026-11-24')"
)


def test_several_databases_are_refused_with_the_road_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TONGBOX_CLUB_DATABASES", "north=postgres://north/tongbox")
    with pytest.raises(ImproperlyConfigured, match=r"“move_club CLUB default”"):
        env.database_settings("sqlite:///:memory:")


def test_a_backup_of_several_databases_is_refused_with_the_road_back(tmp_path: Path) -> None:
    manifest = json.dumps({"database": "database.dump", "others": {"north": {}}}).encode()
    member = tarfile.TarInfo(MANIFEST)
    member.size = len(manifest)
    backup = tmp_path / "tongbox.tar.gz"
    with tarfile.open(backup, "w:gz") as tar:
        tar.addfile(member, io.BytesIO(manifest))
    with pytest.raises(BackupError, match="clubs in several databases"):
        manifest_of(backup)


@pytest.mark.sampled(law="long plays")
def test_an_upgrade_waits_until_every_club_is_in_one_database(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    file = tmp_path / "new.sqlite3"

    def write(*statements: str) -> None:
        with closing(sqlite3.connect(file)) as database, database:
            for statement in statements:
                database.execute(statement)

    with django_db_blocker.unblock(), open_database(file):
        call_command("migrate", "clubs", "0020", database=SECOND_ALIAS, verbosity=0)
        write(NORTH, PLACE)
        with pytest.raises(Exception, match=r"another database.*: riverside"):
            call_command("migrate", database=SECOND_ALIAS, verbosity=0)
        write("DELETE FROM clubs_clubplace")
        call_command("migrate", database=SECOND_ALIAS, verbosity=0)
        call_command("migrate", "clubs", "0020", database=SECOND_ALIAS, verbosity=0)
        write(NORTH, PLACE)
