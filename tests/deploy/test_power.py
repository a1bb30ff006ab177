"""A power cut leaves what a flush had finished, and nothing that was only written."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from deploy.power import Disk, no_wait_environment
from tests.config.served import run_python

# A hand that is committed and one that waits for a flush; then the program is killed.
PLAY = """\
import os, signal, sqlite3, sys
book = sqlite3.connect(sys.argv[1], isolation_level=None)
book.execute("PRAGMA synchronous = FULL")
book.execute("INSERT INTO hand VALUES ('durable')")
book.execute("PRAGMA synchronous = NORMAL")
book.execute("INSERT INTO hand VALUES ('written')")
if sys.argv[2] == "flush":
    log = os.open(f"{sys.argv[1]}-wal", os.O_RDWR)
    os.fdatasync(log)
    os.close(log)
if sys.argv[2] == "checkpoint":
    book.execute("PRAGMA wal_checkpoint(TRUNCATE)")
os.kill(os.getpid(), signal.SIGKILL)
"""
FLUSH = """\
from config.sqlite.gate import Flushes
flushed = []
flushes = Flushes(lambda: flushed.append("a flush"))
flushes.wait(flushes.add())
print(flushed)
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "book.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE hand (name text)")
        database.execute("INSERT INTO hand VALUES ('before')")
    return file


def play(book: Path, disk: Disk, mode: str) -> None:
    """Hands in a program of their own, which is killed."""
    command = [sys.executable, "-c", PLAY, str(book), mode]
    result = subprocess.run(command, env=dict(disk.environment), check=False)  # noqa: S603
    assert result.returncode == -signal.SIGKILL


def hands_in(book: Path) -> list[str]:
    with closing(sqlite3.connect(book)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [name for (name,) in database.execute("SELECT name FROM hand ORDER BY rowid")]


def test_what_was_only_written_is_gone(book: Path, tmp_path: Path) -> None:
    disk = Disk.for_database(book, tmp_path)
    play(book, disk, "no flush")
    assert disk.cut()
    assert hands_in(book) == ["before", "durable"]


@pytest.mark.parametrize("mode", ["flush", "checkpoint"])
def test_what_was_flushed_is_there(book: Path, tmp_path: Path, mode: str) -> None:
    disk = Disk.for_database(book, tmp_path)
    play(book, disk, mode)
    disk.cut()
    assert hands_in(book) == ["before", "durable", "written"]


def test_a_second_cut_leaves_what_the_first_left(book: Path, tmp_path: Path) -> None:
    disk = Disk.for_database(book, tmp_path)
    for _ in range(2):
        play(book, disk, "no flush")
        disk.cut()
    assert hands_in(book) == ["before", "durable", "durable"]


def test_the_wait_can_be_taken_out(tmp_path: Path) -> None:
    shipped_result = run_python(FLUSH, tmp_path)
    assert shipped_result.stdout == "['a flush']\n"
    root = Path(__file__).parents[2]
    unsafe = run_python(FLUSH, tmp_path, **no_wait_environment(tmp_path / "no-wait", root))
    assert unsafe.stdout == "[]\n"
