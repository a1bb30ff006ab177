"""Locks that end with their process, and management commands in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from clubs.core import processes
from clubs.core.processes import (
    command_line,
    is_locked,
    lock_if_free,
    management_command,
    start_command,
)
from tests.config.served import running, wait_until

LOCKING = """
import sys
from pathlib import Path
from clubs.core.processes import lock_if_free
lock = lock_if_free(Path(sys.argv[1]))
print("locked" if lock else "taken", flush=True)
sys.stdin.read()
"""


def test_a_lock_is_one_processs_until_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    assert not is_locked(file)
    with running(LOCKING, str(file)) as (_, output):
        assert output == b"locked\n"
        assert is_locked(file)
        assert lock_if_free(file) is None
    assert not is_locked(file)
    lock = lock_if_free(file)
    assert lock is not None
    assert is_locked(file)
    lock.release()


def test_to_look_leaves_no_lock(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    file.touch()
    assert not is_locked(file)
    lock = lock_if_free(file)
    assert lock is not None
    lock.release()


def test_a_place_where_no_file_can_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        lock_if_free(tmp_path / "file" / "lock")


def test_in_a_checkout_a_command_is_run_by_its_script() -> None:
    script = str(settings.BASE_DIR / "manage.py")
    command = management_command("back_up", "--if-due")
    assert command == [sys.executable, script, "back_up", "--if-due"]


def test_frozen_a_command_is_run_by_the_program_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", r"C:\Tongbox\Tongbox.exe")
    assert management_command("back_up") == [r"C:\Tongbox\Tongbox.exe", "back_up"]


def test_installed_as_a_package_a_command_runs_anywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "MANAGE_SCRIPT", tmp_path / "manage.py")
    (tmp_path / "config").mkdir()  # not ours: the folder that it is started in
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(settings.BASE_DIR),
        "TONGBOX_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = management_command("back_up", "--help")
    result = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, check=True)  # noqa: S603
    assert b"--if-due" in result.stdout


@pytest.mark.parametrize(
    ("script", "command"), [("manage.py", "manage.py back_up"), ("none.py", "tongbox back_up")]
)
def test_people_are_told_the_command_that_they_have(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, command: str
) -> None:
    (tmp_path / "manage.py").touch()
    monkeypatch.setattr(processes, "MANAGE_SCRIPT", tmp_path / script)
    assert command_line("back_up") == command


PROGRAM = """#!/bin/sh
echo "$@ unpacks=$PYINSTALLER_RESET_ENVIRONMENT session=$(ps -o sid= -p $$ | tr -d ' ')"
"""


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
def test_a_command_that_goes_on_has_a_session_and_an_unpacking_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program, log = tmp_path / "Tongbox", tmp_path / "log"
    program.write_text(PROGRAM)
    program.chmod(0o700)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    with log.open("wb") as log_file:
        start_command("back_up", "--if-due", log=log_file)
    assert wait_until(lambda: log.read_text().endswith("\n"))
    output, _, session = log.read_text().strip().rpartition(" session=")
    assert output == "back_up --if-due unpacks=1"
    assert int(session) != os.getsid(0)
