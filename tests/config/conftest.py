"""Installations to try out; the tests of real workers need a Redis."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.utils import timezone
from pytest_django.fixtures import Settings

from clubs.models import Backup
from config import celery
from tests.config.served import Serve, Served

collect_ignore = [] if os.environ.get("REDIS_URL") else ["test_workers.py"]
if os.environ.get("DATABASE_URL"):
    # SQLite's; deploy/faults fills a server's disk
    collect_ignore += ["test_full_disk.py", "test_stalls.py"]
else:
    # These have servers of their own, which a machine without PostgreSQL cannot begin.
    collect_ignore += ["test_moving_house.py", "test_pooler.py", "test_postgresql_servers.py"]


@pytest.fixture
def in_order(settings: Settings) -> None:
    """An installation without Redis, with a good backup, and a worker that is heard of."""
    settings.REDIS_URL = ""
    now = timezone.now()
    Backup.objects.create(made_at=now, is_good=True, file="x")
    cache.set_many({celery.BEAT_KEY: now, celery.WORKER_KEY: now})


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of an installation with the sample club, which nobody opens: one for all workers.

    Whoever asks first makes it, and the others wait for it.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "sample"
    with folder.with_suffix(".door").open("w") as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        if not folder.exists():
            _make_sample(folder.with_suffix(".half"))
            folder.with_suffix(".half").rename(folder)
    return folder


def _make_sample(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    house = Served(folder)
    house.manage("migrate", "--verbosity", "0")
    house.manage("sample_data")


@pytest.fixture
def serve(sample: Path, tmp_path: Path) -> Iterator[Serve]:
    """Installations of the test's own; whatever they started is ended after it."""
    houses: list[Served] = []

    def begin(**environment: str) -> Served:
        folder = tmp_path / f"house-{len(houses)}"
        shutil.copytree(sample, folder)
        houses.append(Served(folder, **environment))
        return houses[-1]

    yield begin
    for house in houses:
        house.close()
