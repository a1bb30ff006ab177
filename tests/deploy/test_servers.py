"""With real servers: how our database is reached, a newer client's backup, a worker that ends.

Collected with PostgreSQL and Redis, where POSTGRESQL_CLIENT names the folder of PostgreSQL's
programs of a later release than the server (``.ci/newer-client``).
"""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from clubs.backup import BackupError
from clubs.backup.databases import Server, dump_database, open_database, own_database, restore_dump
from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    Serve,
    StallingMailServer,
    Visitor,
    finish_evening_again,
    wait_until,
)
from tests.people import Cast
from tournaments import backup as services

pytestmark = pytest.mark.services

CLIENT = os.environ.get("POSTGRESQL_CLIENT", "")
NOBODY_SIGNED = {"sslmode": "verify-full", "sslrootcert": "/nowhere/root.crt"}
# The tests beside this one empty the databases that they use themselves.
OWN_REDIS = os.environ.get("REDIS_URL", "").rpartition("/")[0] + "/14"


@pytest.mark.django_db(transaction=True)
def test_our_own_database_is_reached_by_every_program_as_its_address_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = connection.settings_dict["OPTIONS"] | {"application_name": "tongbox here"}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    server = own_database()
    assert isinstance(server, Server)
    assert ("application_name", "tongbox here") in server.options
    assert ("connect_timeout", "3") in server.options
    assert Server.read(server.url) == server
    with server.ask() as server_connection:
        assert server_connection.execute("SHOW application_name").fetchone() == ("tongbox here",)
    with open_database(server) as elsewhere:
        assert elsewhere.get_connection_params()["application_name"] == "tongbox here"


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_not_sent_in_the_clear_where_the_address_asks_for_a_certificate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    connection.ensure_connection()
    options = connection.settings_dict["OPTIONS"] | NOBODY_SIGNED
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    with pytest.raises(BackupError, match=r"root certificate|SSL"):
        dump_database(tmp_path, lambda: None)
    (tmp_path / "database.dump").write_bytes(b"")
    with pytest.raises(BackupError, match=r"root certificate|SSL"):
        restore_dump(own_database(), tmp_path / "database.dump")


def test_a_backup_is_made_and_put_back_by_a_client_newer_than_the_server(
    transactional_db: None,
    cast: Cast,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.MEDIA_ROOT, settings.BACKUPS = tmp_path / "files", tmp_path / "backups"
    monkeypatch.setenv("PATH", f"{CLIENT}:{os.environ['PATH']}")
    version = subprocess.run(["pg_restore", "--version"], check=True, capture_output=True).stdout  # noqa: S607
    assert int(version.split()[2].split(b".")[0]) > connection.get_database_version()[0]
    backup = services.back_up(now=timezone.now())
    assert (backup.fault, backup.is_good) == ("", True)
    assert [file.name for file in settings.BACKUPS.glob("*.sql")] == []


def test_a_worker_sends_the_whole_batch_before_it_ends(serve: Serve) -> None:
    with StallingMailServer(seconds=1) as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=OWN_REDIS)
        worker = house.begin("celery", "-A", "config", "worker", "-c", "1", "-l", "ERROR")
        house.open()
        finish_evening_again(house, Visitor(house.address, SECRETARY))
        assert wait_until(lambda: len(post_office.recipients) == 1)
        os.kill(worker.pid, signal.SIGTERM)
        worker.communicate(timeout=60)
        assert worker.returncode == 0
        assert sorted(post_office.recipients) == READERS
        assert house.rows(LAST_JOB) == SENT
        post_office.shutdown()
