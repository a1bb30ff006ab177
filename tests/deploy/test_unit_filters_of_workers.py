"""The worker and beat live under their units' filters; collected with PostgreSQL and Redis."""

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.config.served import Serve, StallingMailServer, try_background_work, wait_until
from tests.deploy.confined import ROOT, confined_command
from tests.people import Cast
from tournaments import backup as services

pytestmark = pytest.mark.services

WORKER, BEAT = "tongbox-worker.service", "tongbox-beat.service"
# Tests run side by side: a worker takes every job that it finds in its Redis database.
REDIS = os.environ.get("REDIS_URL", "").rpartition("/")[0]


def test_the_worker_and_beat_work_under_their_filters(
    serve: Serve, libraries: dict[str, str]
) -> None:
    redis_url = f"{REDIS}/7" if libraries else f"{REDIS}/8"
    with StallingMailServer() as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=redis_url, **libraries)
        schedule = str(house.folder / "beat")
        celery = ("celery", "--app", "config")
        house.begin(
            *confined_command(WORKER, *celery, "worker", "--concurrency", "2", "-l", "WARNING")
        )
        house.begin(*confined_command(BEAT, *celery, "beat", "--schedule", schedule, "--pidfile="))
        house.open()
        visitor = try_background_work(house, post_office)

        def are_heard_of() -> bool:
            checks = json.loads(visitor.get("/readyz/")[1])
            return (checks["worker"], checks["clock"]) == ("ok", "ok")

        assert wait_until(are_heard_of)
        post_office.shutdown()


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_made_and_tried_under_the_filter_of_the_worker(
    cast: Cast, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT, settings.BACKUPS = tmp_path / "files", tmp_path / "backups"
    for name in ("pg_dump", "pg_restore", "psql"):
        program = shutil.which(name)
        assert program
        wrapper = tmp_path / name
        wrapper.write_text(
            f'#!/bin/sh\nexec {shlex.join(confined_command(WORKER, program))} "$@"\n'
        )
        wrapper.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    backup = services.back_up(now=timezone.now())
    assert (backup.fault, backup.is_good) == ("", True)
