"""PostgreSQL as managed and grown installations have it: over TLS, with a replica, fallen silent.

Collected with the services: each test has real servers of its own.
"""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.servers import Postgres, make_certificate
from tests.config.clusters import cluster, fault_at
from tests.config.served import free_port, run_python, wait_until

pytestmark = pytest.mark.services

ASK = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute(os.environ["STATEMENT"])
    print(*cursor.fetchone())
"""
FOLLOW = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from clubs.core.replica import replica_fault
print(replica_fault() or "ok")
"""
IS_ENCRYPTED = "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
PORT = "SHOW port"


def answer(address: str, statement: str, folder: Path) -> str:
    """What an installation with this DATABASE_URL reads."""
    result = run_python(ASK, folder, DATABASE_URL=address, STATEMENT=statement)
    return result.stdout.strip() or result.stderr


@pytest.fixture(scope="module")
def tls_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Postgres, Path]]:
    """A server that speaks TLS, and its certificate."""
    folder = tmp_path_factory.mktemp("certificates")
    certificate, key = folder / "server.crt", folder / "server.key"
    make_certificate(certificate, key)
    with cluster(certificate, key) as server:
        yield server, certificate


@pytest.fixture(scope="module")
def plain() -> Iterator[Postgres]:
    """A server that does not."""
    with cluster() as server:
        yield server


def test_sslmode_require_encrypts(tls_server: tuple[Postgres, Path], tmp_path: Path) -> None:
    address = f"{tls_server[0].url('tongbox')}?sslmode=require"
    assert answer(address, IS_ENCRYPTED, tmp_path) == "True TLSv1.3"


def test_verify_full_takes_the_right_certificate(
    tls_server: tuple[Postgres, Path], tmp_path: Path
) -> None:
    server, certificate = tls_server
    address = f"{server.url('tongbox')}?sslmode=verify-full&sslrootcert={certificate}"
    assert answer(address, IS_ENCRYPTED, tmp_path) == "True TLSv1.3"


def test_verify_full_refuses_another_certificate_and_says_so(
    tls_server: tuple[Postgres, Path], tmp_path: Path
) -> None:
    other_certificate = tmp_path / "other.crt"
    make_certificate(other_certificate, tmp_path / "other.key")
    address = f"{tls_server[0].url('tongbox')}?sslmode=verify-full&sslrootcert={other_certificate}"
    assert fault_at(address, tmp_path) == (
        "not responding: its certificate is not one that DATABASE_URL trusts"
    )


def test_a_server_without_tls_is_refused_where_the_address_requires_it(
    plain: Postgres, tmp_path: Path
) -> None:
    assert fault_at(plain.url("tongbox"), tmp_path) == "ok"
    assert fault_at(f"{plain.url('tongbox')}?sslmode=require", tmp_path) == (
        "not responding: it does not offer TLS, which DATABASE_URL requires"
    )


def test_of_two_servers_the_one_that_takes_writes_is_asked_and_then_the_promoted(
    tmp_path: Path,
) -> None:
    with cluster() as first:
        second = first.make_replica(first.folder, free_port())
        second.start()
        try:
            place = first.url("tongbox").replace(
                f":{first.port}/", f":{second.port},127.0.0.1:{first.port}/"
            )
            address = f"{place}?target_session_attrs=read-write"
            assert answer(address, PORT, tmp_path) == str(first.port)
            first.stop(at_once=True)
            assert fault_at(address, tmp_path) == (
                "not responding: no server of DATABASE_URL takes writes; promote the replica"
            )
            second.sql("postgres", "SELECT pg_promote()")
            assert wait_until(lambda: answer(address, PORT, tmp_path) == str(second.port))
        finally:
            second.stop()


def test_a_server_that_takes_a_call_and_says_nothing_is_passed_over(
    plain: Postgres, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        address = plain.url("tongbox").replace(
            f":{plain.port}/", f":{port},127.0.0.1:{plain.port}/"
        )
        assert answer(address, PORT, tmp_path) == str(plain.port)


def test_a_replica_is_read_while_it_is_close_behind(tmp_path: Path) -> None:
    with cluster() as first:
        second = first.make_replica(first.folder, free_port())
        addresses = {
            "DATABASE_URL": first.url("tongbox"),
            "TONGBOX_REPLICA_DATABASE_URL": second.url("tongbox"),
        }

        def fault() -> str:
            return run_python(FOLLOW, tmp_path, **addresses).stdout.strip().partition(":")[0]

        assert fault() == "not responding"
        second.start()
        try:
            assert wait_until(lambda: fault() == "ok")
            second.sql("postgres", "SELECT pg_wal_replay_pause()")
            first.sql("tongbox", "CREATE TABLE hands (id int)")
            assert wait_until(lambda: fault() == "too far behind")
            second.sql("postgres", "SELECT pg_wal_replay_resume()")
            assert wait_until(lambda: fault() == "ok")
            first.stop(at_once=True)
            assert wait_until(lambda: fault() == "too far behind")
            second.sql("postgres", "SELECT pg_promote()")
            assert wait_until(lambda: fault() == "ok")
        finally:
            second.stop()
