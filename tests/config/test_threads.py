"""How many threads a process has is told in one place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import env
from config.middleware import MAX_WRITERS

ROOT = Path(__file__).resolve().parents[2]


def test_on_sqlite_there_is_one_process_and_readers_are_left_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert env.thread_count() - MAX_WRITERS >= 8
    laptop = (ROOT / "deploy/laptop.md").read_text(encoding="utf-8")
    assert f"one process of {env.thread_count()} threads" in laptop


def test_a_server_says_how_many_threads_its_processes_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://tongbox@localhost/tongbox")
    for page in ("deploy/env.example", "deploy/README.md"):
        assert f"rocesses of {env.thread_count()} threads" in (ROOT / page).read_text(
            encoding="utf-8"
        )


ASKED = """
import django
django.setup()
from config import gunicorn, middleware, waitress
server = waitress.Server(lambda *_: [], "127.0.0.1", 0)
print(gunicorn.workers, gunicorn.threads, server.server.adj.threads, middleware.THREADS)
"""


@pytest.mark.parametrize(
    ("url", "processes", "threads"),
    [
        ("", 1, 24),
        ("sqlite:///{folder}/club.sqlite3", 1, 24),
        ("postgres://tongbox@localhost/tongbox", 3, 8),
    ],
)
def test_both_servers_and_the_middleware_count_alike(
    tmp_path: Path, url: str, processes: int, threads: int
) -> None:
    """One process alone serves a file of SQLite, wherever it is."""
    surroundings = {
        **{name: value for name, value in os.environ.items() if "PROMETHEUS" not in name},
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url.format(folder=tmp_path),
        "TONGBOX_PROCESSES": "3",
        "TONGBOX_VAR": str(tmp_path),
    }
    command = [sys.executable, "-c", ASKED]
    answer = subprocess.run(  # noqa: S603
        command, cwd=ROOT, env=surroundings, capture_output=True, check=True
    )
    assert answer.stdout.decode().split() == [f"{processes}", *[f"{threads}"] * 3]
