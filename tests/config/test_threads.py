"""How many threads a process has is told in one place."""

from pathlib import Path

import pytest

from config import env
from config.middleware import MOST_WRITERS

ROOT = Path(__file__).resolve().parents[2]


def test_on_sqlite_there_is_one_process_and_readers_are_left_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert env.threads() - MOST_WRITERS >= 8
    laptop = (ROOT / "deploy/laptop.md").read_text(encoding="utf-8")
    assert f"one process of {env.threads()} threads" in laptop


def test_a_server_says_how_many_threads_its_processes_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://tongbox@localhost/tongbox")
    for page in ("deploy/env.example", "deploy/README.md"):
        assert f"rocesses of {env.threads()} threads" in (ROOT / page).read_text(encoding="utf-8")


def test_whatever_serves_asks_there() -> None:
    for server in ("gunicorn", "waitress", "middleware"):
        assert "env.threads()" in (ROOT / f"config/{server}.py").read_text(encoding="utf-8")
