"""The data of an earlier release come over; those of a newer one, or in use, are left alone."""

import gzip
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

from clubs.backup.archive import manifest_of
from clubs.backup.databases import SERVED_SUFFIX
from clubs.core.processes import lock_if_free
from tests.config.test_earlier_databases import EARLIER, schema_and_migrations

APPLIED = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with the database that an earlier version made."""
    with closing(sqlite3.connect(tmp_path / "tongbox.sqlite3")) as database:
        database.executescript(gzip.decompress(EARLIER.read_bytes()).decode())
    return tmp_path


def upgrade(data: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    environment = {"PATH": os.environ["PATH"], "TONGBOX_VAR": str(data), "TONGBOX_STATIC": plain}
    return subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", "upgrade", *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def applied_migrations(data: Path) -> list[str]:
    with closing(sqlite3.connect(data / "tongbox.sqlite3")) as database:
        return [name for (name,) in database.execute(APPLIED)]


@pytest.mark.sampled(law="long plays")
def test_what_an_earlier_release_wrote_is_backed_up_and_upgraded(data: Path) -> None:
    migrations_before = applied_migrations(data)
    result = upgrade(data)
    assert result.returncode == 0, result.stderr
    (file,) = (data / "backups").glob("*.tar.gz")
    assert f"The backup is {file}\n" in result.stdout
    manifest = manifest_of(file)
    assert (manifest.migrations, manifest.digest) == (migrations_before, "")
    assert manifest.tables["scorebook_hand"] == 4
    with closing(sqlite3.connect(data / "tongbox.sqlite3")) as database:
        backups = database.execute("SELECT file, is_good FROM clubs_backup").fetchall()
    assert backups == [(str(file), 1)]
    assert upgrade(data).stdout == ""


def test_nothing_is_upgraded_under_a_tongbox_that_runs(data: Path) -> None:
    schema_before = schema_and_migrations(data / "tongbox.sqlite3")
    lock = lock_if_free(data / f"tongbox.sqlite3{SERVED_SUFFIX}-1")
    assert lock is not None
    result = upgrade(data)
    lock.release()
    assert "Tongbox is running from this folder. Stop it with Ctrl-C" in result.stderr
    assert schema_and_migrations(data / "tongbox.sqlite3") == schema_before
    assert not (data / "backups").exists()


def test_what_a_newer_release_wrote_is_left_alone(data: Path) -> None:
    with closing(sqlite3.connect(data / "tongbox.sqlite3")) as database, database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('clubs', '0999_next_year', '2027-01-01')"
        )
    schema_before = schema_and_migrations(data / "tongbox.sqlite3")
    result = upgrade(data)
    assert "were last used by a newer Tongbox than this" in result.stderr
    assert schema_and_migrations(data / "tongbox.sqlite3") == schema_before


def test_an_upgrade_that_goes_wrong_on_the_copy_changes_nothing(data: Path) -> None:
    with closing(sqlite3.connect(data / "tongbox.sqlite3")) as database, database:
        database.execute("UPDATE scorebook_hand SET score_1 = score_1 + 2")
    schema_before = schema_and_migrations(data / "tongbox.sqlite3")
    result = upgrade(data)
    message = "The recount differs from what is stored.\nNothing was changed. Keep using your"
    assert message in result.stderr, result.stderr
    assert schema_and_migrations(data / "tongbox.sqlite3") == schema_before
    assert upgrade(data, "--anyway").returncode == 0
    assert schema_and_migrations(data / "tongbox.sqlite3") != schema_before
