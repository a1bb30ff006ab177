"""Brings the files of an installation up to this release, whatever release wrote them."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final
from zlib import crc32

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from clubs.backup import BackupError
from clubs.backup.databases import is_served, own_database
from clubs.backup.releases import is_of_newer_release, missing_migrations
from scoring.scorebook.apps import applied_migrations
from tournaments.backup import back_up_before_upgrade, note_backup_before_upgrade

STAMP_FILE: Final = ".stamp"

Say = Callable[[str], None]


def bring_up_to_date(*, now: datetime, is_strict: bool, say: Say) -> None:
    """Migrate the database and collect the static files, where either waits.

    Rows that are there are backed up first and migrated on a copy. Raises ``BackupError``: the data
    are of a newer release, Tongbox is running from them, or the copy cannot be migrated. If strict,
    also where a score of the copy is not as it was recorded.
    """
    migrations = applied_migrations(connection)
    if is_of_newer_release(migrations):
        raise BackupError(
            f"The data in {settings.VAR_DIR} were last used by a newer Tongbox than this, which is "
            f"{settings.VERSION}. Install the newest Tongbox, then try again."
        )
    if not migrations:
        say("Preparing a new folder for your data …")
        call_command("migrate", verbosity=0)
    elif changes := len(missing_migrations(migrations)):
        _migrate(changes, now=now, is_strict=is_strict, say=say)
    collect_static(say=say)


def _migrate(changes: int, *, now: datetime, is_strict: bool, say: Say) -> None:
    book = own_database()
    if isinstance(book, Path) and is_served(book):
        raise BackupError(
            "Tongbox is running from this folder. Stop it with Ctrl-C, then try again."
        )
    say(f"Upgrading to Tongbox {settings.VERSION}. First a backup, and a try on a copy …")
    commands = ("recount", "verify") if is_strict else ()
    try:
        file = back_up_before_upgrade(now=now, checks=commands)
    except BackupError as why:
        last = str(why).rpartition("\n")[2].removeprefix("CommandError: ")
        raise BackupError(
            f"{last}\nNothing was changed. Keep using your previous release, and report this. "
            "If you know why a score is not as it was recorded: tongbox upgrade --anyway"
        ) from why
    say(f"The backup is {file}")
    call_command("migrate", verbosity=0)
    note_backup_before_upgrade(file, now=now)
    say(f"Upgraded: {changes} changes to the database, each tried on the copy before.")


def collect_static(*, say: Say) -> None:
    """Put what browsers load where it is served from, unless it is there.

    A checkout does it whenever something has changed; old files stay for pages that are open.
    """
    stamp = settings.STATIC_ROOT / STAMP_FILE
    state = _static_files()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        return
    say("Preparing the pages …")
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(state, encoding="utf-8")


def _static_files() -> str:
    """What changes when a static file, or the way to store them, does."""
    lines = [settings.VERSION, settings.STORAGES["staticfiles"]["BACKEND"]]
    for entry in settings.STATICFILES_DIRS:
        folder = Path(str(entry[1] if isinstance(entry, tuple) else entry))
        for file in sorted(folder.rglob("*")):
            file_stat = file.stat()
            lines.append(f"{file} {file_stat.st_size} {file_stat.st_mtime_ns}")
    return f"{crc32('|'.join(lines).encode()):x}"
