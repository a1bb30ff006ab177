"""Rows that use a new column are brought back to the release of before, and forward again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from clubs.backup.databases import SECOND_ALIAS, open_database

OF_CLUB = "SELECT name FROM pragma_table_info('clubs_club') WHERE \"notnull\""
PERSON = (
    "INSERT INTO clubs_player (club_id, name, name_key, kind, email, wants_messages, "
    "wants_results, refuses_results, failed_email, phone, second_phone, shown_as, is_active, "
    "joined_on, added_on) VALUES (1, 'Ann', 'ann', 'member', '', 1, 0, 0, '', '', '', 'full', 1, "
    "NULL, '2026-11-24')"
)
JOINED = "SELECT joined_on FROM clubs_player"


@pytest.mark.sampled(law="long plays")
def test_a_joining_day_that_nobody_gave_goes_back_as_the_day_of_the_import(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    file = tmp_path / "new.sqlite3"

    def run_query(query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(file)) as database, database:
            return list(database.execute(query))

    with django_db_blocker.unblock(), open_database(file):
        call_command("migrate", database=SECOND_ALIAS, verbosity=0)
        columns = [str(name) for (name,) in run_query(OF_CLUB)]
        values = ", ".join("1" for _ in columns)
        run_query(f"INSERT INTO clubs_club ({', '.join(columns)}) VALUES ({values})")  # noqa: S608
        run_query(PERSON)
        assert run_query(JOINED) == [(None,)]
        call_command("migrate", "clubs", "0011", database=SECOND_ALIAS, verbosity=0)
        assert run_query(JOINED) == [("2026-11-24",)]
        call_command("migrate", "clubs", "0012", database=SECOND_ALIAS, verbosity=0)
        assert run_query(JOINED + " WHERE added_on = '2026-11-24'") == [("2026-11-24",)]
