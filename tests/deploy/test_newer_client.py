"""Backups with PostgreSQL's programs of a later release than the server.

Collected with PostgreSQL, where POSTGRESQL_CLIENT names their folder (``.ci/newer-client``).
"""

import os
import subprocess
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.people import Cast
from tournaments import backup as services

CLIENT = os.environ.get("POSTGRESQL_CLIENT", "")
pytestmark = pytest.mark.services


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
