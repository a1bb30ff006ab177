"""Behind PgBouncer in transaction mode: all that a session would keep is left out, by itself.

Collected with the services: PostgreSQL and PgBouncer are of the test's own, and all clients share
few sessions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import ProgrammingError
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from clubs.backup import BackupError
from clubs.backup.databases import Server
from config.postgresql.base import PREPARED_AFTER
from deploy.servers import PgBouncer, Postgres
from tests.config.clusters import cluster
from tests.config.served import free_port

pytestmark = pytest.mark.services

TWICE_TOO_MANY = 2 * (PREPARED_AFTER + 1)
Pair = tuple[Any, Any]  # of our ``DatabaseWrapper``


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with cluster() as server:
        yield server


@pytest.fixture(scope="module")
def pooler(server: Postgres) -> Iterator[PgBouncer]:
    pooler = PgBouncer.create(server.folder, free_port(), server)
    pooler.start()
    yield pooler
    pooler.stop()


@pytest.fixture(autouse=True)
def database_access(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """These databases are not the tests' own."""
    with django_db_blocker.unblock():
        yield


@contextmanager
def two_clients(address: str, **options: object) -> Iterator[Pair]:
    """Two connections, as two threads of an installation have them."""
    place = urlsplit(address)
    fields = {
        "ENGINE": "config.postgresql",
        "NAME": place.path[1:],
        "HOST": place.hostname,
        "PORT": place.port,
        "USER": place.username,
        "PASSWORD": place.password,
        "OPTIONS": {"server_side_binding": True, **options},
    }
    clients = ConnectionHandler({"default": fields, "other": dict(fields)})
    try:
        yield clients["default"], clients["other"]
    finally:
        clients.close_all()


def ask_in_turn(pair: Pair) -> list[int]:
    """Both ask the same question, more often than a statement is asked before it is prepared."""
    answers = []
    for number in range(TWICE_TOO_MANY):
        with pair[number % 2].cursor() as cursor:
            cursor.execute("SELECT %s + 1", [number])
            answers.append(cursor.fetchone()[0])
    return answers


def test_two_clients_of_one_session_do_not_meet(pooler: PgBouncer) -> None:
    with two_clients(pooler.url("tongbox")) as pair:
        assert ask_in_turn(pair) == list(range(1, TWICE_TOO_MANY + 1))
        assert [client.is_pooled for client in pair] == [True, True]


def test_with_prepared_statements_they_would(pooler: PgBouncer) -> None:
    clients = two_clients(pooler.url("tongbox"), prepare_threshold=0)
    with clients as pair, pytest.raises(ProgrammingError, match=r"prepared statement .* exist"):
        ask_in_turn(pair)


def test_straight_to_the_server_statements_are_prepared(server: Postgres) -> None:
    with two_clients(server.url("tongbox")) as pair:
        assert ask_in_turn(pair) == list(range(1, TWICE_TOO_MANY + 1))
        assert not pair[0].is_pooled
        with pair[0].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements")
            assert cursor.fetchone() == (1,)


@pytest.mark.parametrize("in_transaction", [False, True])
def test_many_rows_are_read_in_parts(pooler: PgBouncer, in_transaction: bool) -> None:
    """Outside a transaction a cursor would be left in a session that is no longer ours."""
    with two_clients(pooler.url("tongbox")) as (client, other_client):
        client.ensure_connection()
        client.set_autocommit(not in_transaction)
        with client.chunked_cursor() as rows:
            rows.execute("SELECT generate_series(1, 5000)")
            first = rows.fetchmany(100)
            with other_client.cursor() as cursor:
                cursor.execute("SELECT 1")
            assert len(first) + len(rows.fetchall()) == 5000
        if in_transaction:
            client.rollback()


def test_backups_go_past_it(pooler: PgBouncer, server: Postgres) -> None:
    with pytest.raises(
        BackupError, match=r"cannot go through a pooler.*TONGBOX_DIRECT_DATABASE_URL"
    ):
        Server.read(pooler.url("tongbox")).ask()
    with Server.read(server.url("tongbox")).ask() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
