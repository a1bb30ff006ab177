"""Copies of backups that a program of the operator's takes away: rclone, scp, or anything."""

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.utils.crypto import salted_hmac

from clubs.backup import BackupError
from clubs.core.processes import UTF8_ENVIRONMENT

TIMEOUT_SECONDS: Final = 6 * 60 * 60  # seconds
MAX_ERROR_LENGTH: Final = 200
NAME_SALT: Final = "clubs.backup.program"
NAME_SEAL_DIGITS: Final = 6  # hexadecimal digits


@dataclass(frozen=True, slots=True)
class Program:
    """A program, called with ``put FILE NAME``, ``get NAME FILE``, ``list`` or ``delete NAME``.

    ``list`` prints a name a line. It ends with status 0 if all is well, else it says on its last
    line of errors why not. No shell reads these words.
    """

    command: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> "Program":
        """Parse ``/srv/away.sh b2:club``. Raises ``BackupError``."""
        try:
            # Windows' paths are written with backslashes, which escape nothing there.
            is_windows = os.name == "nt"
            arguments = [word.strip('"') for word in shlex.split(text, posix=not is_windows)]
        except ValueError as why:
            raise BackupError("There is an unmatched quotation mark after command:") from why
        if not arguments:
            raise BackupError("Enter the path of a program after command:")
        return cls(tuple(arguments))

    @property
    def name(self) -> str:
        """``away.sh (3f2a91)``: its words are known again by a seal, as one may be a password."""
        program = Path(self.command[0]).name
        if len(self.command) == 1:
            return program
        seal = salted_hmac(NAME_SALT, " ".join((program, *self.command[1:])), algorithm="sha256")
        return f"{program} ({seal.hexdigest()[:NAME_SEAL_DIGITS]})"

    @property
    def pattern(self) -> str:
        return f"command:{shlex.join(self.command)}"

    def upload(self, file: Path, name: str) -> None:
        self._run("put", str(file), name)

    def get(self, name: str, file: Path) -> None:
        self._run("get", name, str(file))
        if not file.exists():
            raise BackupError(f"{self.name} get did not fetch {name}.")

    def names(self) -> list[str]:
        return [line.strip() for line in self._run("list").splitlines() if line.strip()]

    def delete(self, name: str) -> None:
        self._run("delete", name)

    def _run(self, *arguments: str) -> str:
        try:
            result = subprocess.run(  # noqa: S603
                [*self.command, *arguments],
                env=os.environ | UTF8_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as why:
            raise BackupError(f"{self.name} {arguments[0]} took more than 6 hours.") from why
        except OSError as why:
            raise BackupError(f"{self.command[0]} cannot be run: {why.strerror or why}.") from why
        if result.returncode:
            last = (result.stderr.strip().splitlines() or [f"status {result.returncode}"])[-1]
            program = Path(self.command[0]).name
            raise BackupError(f"{program} {arguments[0]} failed: {last}"[:MAX_ERROR_LENGTH])
        return result.stdout
