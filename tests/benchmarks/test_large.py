"""Benchmarks of a large PostgreSQL database, which is a small one here."""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.benchmarks.runs import ON_POSTGRESQL, figures_of

pytestmark = pytest.mark.services


@pytest.fixture
def new_database() -> Iterator[str]:
    """The address of a database that is not there yet; it is gone afterwards."""
    server, name = os.environ["DATABASE_URL"].rpartition("/")[0], f"benchmark_{os.getpid()}"
    yield f"{server}/{name}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


@pytest.mark.parametrize("name", ON_POSTGRESQL)
def test_benchmarks_of_a_large_database(name: str, new_database: str, tmp_path: Path) -> None:
    for command, smaller in ON_POSTGRESQL[name]:
        figures_of(command, smaller, DATABASE_URL=new_database, TONGBOX_VAR=str(tmp_path))
