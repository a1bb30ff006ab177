"""How commands let an operator choose a copy at another place, and type the key on the paper."""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from clubs.backup import BackupError
from clubs.backup.sealing import SEALED_SUFFIX, read_key
from tournaments.away import ListedCopy, list_away_copies, recovery_key

Say = Callable[[str], Any]


def add_arguments(parser: ArgumentParser) -> None:
    """A file, or ``--from-away`` with the name of a copy and a key file."""
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument(
        "--from-away", action="store_true", help="a copy at a place in TONGBOX_BACKUPS_AWAY"
    )
    parser.add_argument("--copy", help="the name of that copy, or “newest”; else you are asked")
    parser.add_argument(
        "--key-file", type=Path, help="the recovery key; else that of this machine, or it is asked"
    )


def is_from_away(options: dict[str, Any]) -> bool:
    """Whether a copy elsewhere is meant. Raises ``BackupError`` unless it is that or a file."""
    if bool(options["file"]) == options["from_away"]:
        raise BackupError("Give the backup file, or use --from-away.")
    return bool(options["from_away"])


def choose_copy(options: dict[str, Any], say: Say) -> ListedCopy:
    """The copy that was named, or chosen from the list. Raises ``BackupError``."""
    copies = list_away_copies(say)
    copy_name: str = options["copy"] or ""
    if not copy_name:
        for number, copy in enumerate(copies, 1):
            say(f"{number:>3}  {copy.name.removesuffix(SEALED_SUFFIX)}  at {copy.store.name}")
        copy_name = (
            _ask_operator("Which one? Enter its number, or nothing for the newest: ") or "newest"
        )
    if copy_name == "newest":
        return copies[0]
    if copy_name.isdecimal() and 1 <= int(copy_name) <= len(copies):
        return copies[int(copy_name) - 1]
    matches = [
        copy for copy in copies if copy_name in {copy.name, copy.name.removesuffix(SEALED_SUFFIX)}
    ]
    if not matches:
        raise BackupError(f"There is no copy {copy_name}.")
    return matches[0]


def find_key(options: dict[str, Any], say: Say) -> str:
    """The recovery key: of the file, of this machine, or typed. Raises ``BackupError``."""
    if file := options["key_file"]:
        try:
            return read_key(file.read_text(encoding="utf-8"))
        except OSError as why:
            raise BackupError(f"{file} cannot be read: {why.strerror}.") from why
    if settings.RECOVERY_KEY.exists():
        return recovery_key()
    while True:
        key_text = _ask_operator("The recovery key, from the paper: ")
        try:
            return read_key(key_text)
        except BackupError as why:
            say(str(why))


def _ask_operator(question: str) -> str:
    try:
        return input(question).strip()
    except EOFError as why:
        raise BackupError("Tongbox cannot ask you here: use --copy and --key-file.") from why
