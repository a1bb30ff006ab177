"""Installations to try out; the tests of real workers need a Redis."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.served import Serve, Served

collect_ignore = [] if os.environ.get("REDIS_URL") else ["test_workers.py"]
if os.environ.get("DATABASE_URL"):
    collect_ignore.append("test_full_disk.py")  # SQLite's; deploy/faults fills a server's disk
else:
    collect_ignore.append("test_moving_house.py")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation with the sample club."""
    folder = tmp_path_factory.mktemp("sample")
    house = Served(folder)
    house.manage("migrate", "--verbosity", "0")
    house.manage("sample_data")
    return folder


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
