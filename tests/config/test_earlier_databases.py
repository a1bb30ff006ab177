"""A database that an earlier version made is brought over, or is sent back in plain words.

``earlier.sql.gz`` is what 52890a1, the last version with all the single migrations, wrote for an
evening of two hands, the first corrected: `sqlite3 tongbox.sqlite3 .dump`.
"""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker

from clubs.backup.databases import SECOND_ALIAS, open_database
from deploy.migrating import main as may_go_on
from tests.pins import serializer_of
from tournaments.backup import run_command_on

EARLIER = Path(__file__).parent / "earlier.sql.gz"


@pytest.fixture
def earlier_database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """The SQLite database that the earlier version made."""
    file = tmp_path / "earlier.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress(EARLIER.read_bytes()).decode())
    with django_db_blocker.unblock():
        yield file


def migrate(file: Path) -> None:
    """`manage.py migrate` of another database, with the checks that come first."""
    with open_database(file):
        call_command("migrate", database=SECOND_ALIAS, verbosity=0, skip_checks=False)


def schema_and_migrations(file: Path) -> tuple[list[str], set[tuple[str, str]]]:
    with closing(sqlite3.connect(file)) as database:
        cursor = database.execute("SELECT app, name FROM django_migrations")
        return serializer_of(database), set(cursor)


@pytest.mark.sampled(law="long plays")
def test_an_earlier_database_has_the_schema_of_a_new_one(
    earlier_database: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.sqlite3"
    migrate(earlier_database)
    migrate(new)
    assert schema_and_migrations(earlier_database) == schema_and_migrations(new)


@pytest.mark.sampled(law="long plays")
def test_hands_of_an_earlier_database_still_count(earlier_database: Path) -> None:
    migrate(earlier_database)
    assert run_command_on(earlier_database, "recount") == "1 games, 2 hands, 0 differences"


@pytest.mark.parametrize(
    ("never_applied", "message"),
    [
        ("app = 'clubs' AND name > '0021'", "20 of the 22 earlier migrations of clubs"),
        ("app = 'tournaments' AND name > '0002'", "1 of the 13 earlier migrations of tournaments"),
    ],
)
def test_a_database_that_stopped_halfway_is_left_alone(
    earlier_database: Path, never_applied: str, message: str
) -> None:
    with closing(sqlite3.connect(earlier_database)) as database, database:
        database.execute(f"DELETE FROM django_migrations WHERE {never_applied}")  # noqa: S608
    schema_before = schema_and_migrations(earlier_database)
    with pytest.raises(SystemCheckError, match=f"{message}. Update to version 52890a1 first"):
        migrate(earlier_database)
    assert schema_and_migrations(earlier_database) == schema_before


@pytest.mark.django_db
def test_before_an_upgrade_a_half_migrated_database_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'scorebook' AND name > '0009'")
    with pytest.raises(SystemExit, match="8 of the 10 earlier migrations of scorebook"):
        may_go_on()


@pytest.mark.django_db
def test_a_half_migrated_database_is_not_ready(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'tournaments' AND name > '0009'")
    answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "partly applied")
