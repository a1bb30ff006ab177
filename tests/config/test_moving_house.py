"""The sample club moves from SQLite to a real PostgreSQL; collected where there is one."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing

import pytest

from clubs.backup.databases import Server, is_empty, temporary_database
from tests.config.served import Serve, Served
from tournaments.backup import digest_of_database

pytestmark = pytest.mark.services


@pytest.fixture
def empty() -> Iterator[Server]:
    """An empty database on the server of the tests."""
    with temporary_database(Server.read(os.environ["DATABASE_URL"]), "tongbox_moving") as server:
        yield server


def refusal_text(house: Served, *arguments: str) -> str:
    with pytest.raises(subprocess.CalledProcessError) as error:
        house.manage(*arguments)
    return str(error.value.stderr.decode())


def test_the_sample_club_moves_and_nothing_is_lost(serve: Serve, empty: Server) -> None:
    house = serve(TONGBOX_MOVE_TO=empty.url)
    book = house.folder / "tongbox.sqlite3"
    hands = house.rows("SELECT count(*) FROM scorebook_hand")
    digest = house.command_output("digest").strip()
    output = house.command_output("move_to_postgresql")
    assert f"The digest is the same: {digest}" in output
    assert "0 differences" in output
    assert "nothing was changed outside Tongbox" in output
    assert digest_of_database(empty.url)["digest"] == digest
    (aside,) = house.folder.glob("tongbox.sqlite3.moved-*")
    with closing(sqlite3.connect(aside)) as database:
        assert database.execute("SELECT count(*) FROM scorebook_hand").fetchall() == hands
    assert book.read_text().startswith("Moved to PostgreSQL")
    assert "not a database" in refusal_text(house, "digest")


def test_beside_a_tongbox_that_runs_it_is_refused_before_anything_is_copied(
    serve: Serve, empty: Server
) -> None:
    house = serve(TONGBOX_MOVE_TO=empty.url)
    server = house.open()
    assert "Tongbox is running. Stop Tongbox" in refusal_text(house, "move_to_postgresql")
    assert is_empty(empty)
    house.kill(server)
    assert "Moved." in house.command_output("move_to_postgresql")


def test_it_does_not_move_over_something_nor_while_somebody_has_the_book(
    serve: Serve, empty: Server
) -> None:
    house = serve(TONGBOX_MOVE_TO=empty.url)
    with closing(sqlite3.connect(house.folder / "tongbox.sqlite3")) as other_connection:
        other_connection.execute("SELECT count(*) FROM clubs_club").fetchone()
        other_connection.execute("BEGIN")
        other_connection.execute("SELECT count(*) FROM clubs_club").fetchone()
        assert "Stop Tongbox, then move" in refusal_text(house, "move_to_postgresql")
    with closing(empty.ask(autocommit=True)) as asked_there:
        asked_there.execute("CREATE TABLE mine (id integer)")
    assert "something in" in refusal_text(house, "move_to_postgresql")
    assert house.rows("SELECT count(*) FROM clubs_club") == [(1,)]
