"""Processes of one installation, on any system: what each has locked, and how to start another."""

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Final

from filelock import BaseFileLock, FileLock, Timeout

MANAGE_SCRIPT: Final = Path(__file__).resolve().parents[2] / "manage.py"  # in a checkout
# Long enough for another process that only looks: it has the lock for less than a millisecond.
LOOK_SECONDS: Final = 0.02  # seconds

# What a child writes to a file or a pipe; elsewhere than on Windows it mostly does so anyway.
UTF8_ENVIRONMENT: Final = {"PYTHONUTF8": "1"}


def lock_if_free(file: Path) -> BaseFileLock | None:
    """The file's lock, to keep until this process ends; None if another has it.

    It is the system's own lock: it ends with the process, however that ends. Raises ``OSError``.
    """
    lock = FileLock(file, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def is_locked(file: Path) -> bool:
    """Whether a process that lives has locked the file. Raises ``OSError``."""
    if not file.exists():
        return False
    try:
        with FileLock(file, timeout=LOOK_SECONDS, poll_interval=LOOK_SECONDS / 4):
            return False
    except Timeout:
        return True


# How a child does not hear the Ctrl-C that ends its parent.
if sys.platform == "win32":
    DETACHED_OPTIONS: Final[dict[str, Any]] = {"creationflags": subprocess.CREATE_NO_WINDOW}
else:
    DETACHED_OPTIONS: Final[dict[str, Any]] = {"start_new_session": True}


def management_command(*arguments: str) -> list[str]:
    """The command line that runs a management command in a process of its own.

    In a checkout that is ``python manage.py …``; installed as a package, which has no such file,
    ``python -m django …``; in a program frozen with its Python (``Tongbox.exe``), the program.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    start = [str(MANAGE_SCRIPT)] if MANAGE_SCRIPT.exists() else ["-P", "-m", "django"]
    return [sys.executable, *start, *arguments]


def command_line(*arguments: str) -> str:
    """What an administrator types for a management command.

    Installed as a package or a program that is ``tongbox back_up``; in a checkout, which a server
    has too, ``manage.py back_up``.
    """
    is_checkout = MANAGE_SCRIPT.exists() and not getattr(sys, "frozen", False)
    return " ".join(["manage.py" if is_checkout else "tongbox", *arguments])


def start_command(*arguments: str, log: IO[bytes]) -> None:
    """Start a management command that goes on when this process ends, also by Ctrl-C."""
    # A program in one file has unpacked itself, and takes that away when it ends: its child unpacks
    # its own.
    environment = os.environ | UTF8_ENVIRONMENT | {"PYINSTALLER_RESET_ENVIRONMENT": "1"}
    subprocess.Popen(  # noqa: S603
        management_command(*arguments), env=environment, stdout=log, stderr=log, **DETACHED_OPTIONS
    )
