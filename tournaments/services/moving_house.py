"""From SQLite to PostgreSQL without losing a hand."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from clubs.backup.copying import Tell, copy_all, is_served, opened
from clubs.backup.databases import Server, Trouble, address, is_empty, ours
from clubs.models.tenancy import across_clubs
from tournaments.selectors.digest import digest_of_all
from tournaments.services.backups import asked

Say = Callable[[str], None]


def move(*, to: Server, now: datetime, say: Say, tell: Tell) -> Path:
    """Copy everything to an empty database; returns where the old file lies now.

    ``say`` hears of each step, ``tell`` of each table. Raises ``Trouble`` (something is there,
    Tongbox runs, anything differs), and then nothing has changed here.
    """
    old = ours()
    if isinstance(old, Server):
        raise Trouble("This installation is already on PostgreSQL: DATABASE_URL names it.")
    if not is_empty(to):
        raise Trouble(f"{to.name} is not empty, so nothing was changed.")
    nobody_else_has(old)
    try:
        with transaction.atomic(), across_clubs():
            _copied(to, say, tell)
    except DatabaseError as why:
        raise Trouble(f"It was not moved: {str(why).strip()}") from why
    nobody_else_has(old)
    return _laid_aside(old, now)


def nobody_else_has(file: Path) -> None:
    """Raises ``Trouble`` while a Tongbox serves from the file, or another process has it open.

    Only the last one who has it open may change how SQLite keeps its journal.
    """
    connection.close()
    if is_served(file):
        raise Trouble("Tongbox is running. Stop Tongbox, then move.")
    try:
        with closing(sqlite3.connect(file, timeout=1)) as alone:
            alone.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as why:
        raise Trouble("Another program has the database open. Stop Tongbox, then move.") from why


def _copied(to: Server, say: Say, tell: Tell) -> None:
    say("No one can save anything here until this is finished. Reading the old database …")
    before = digest_of_all()
    say("Creating the tables there …")
    manage_there(to, "migrate", "--verbosity", "0")
    say("Copying. Every row is read back and compared …")
    with opened(to):
        copy_all(tell)
    say("Digesting, recounting and verifying there …")
    after = asked(to.url)
    if after["digest"] != before.whole:
        differ = [slug for slug, one in before.clubs.items() if after["clubs"].get(slug) != one]
        raise Trouble(f"The digest is another there ({', '.join(differ)}); nothing was moved.")
    say(f"The digest is the same: {before.whole}")
    for command in ("recount", "verify"):
        say(manage_there(to, command))


def _laid_aside(old: Path, now: datetime) -> Path:
    """What was the book is kept; in its place stands a note that no program takes for a book."""
    aside = old.with_name(f"{old.name}.moved-{now:%Y-%m-%d}")
    old.rename(aside)
    old.write_text(
        f"Moved to PostgreSQL on {now:%Y-%m-%d}. Set DATABASE_URL. The old book: {aside.name}\n"
    )
    return aside


def manage_there(to: Server | Path, *words: str) -> str:
    """What a management command says of another database; raises ``Trouble`` where it fails."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]
    done = subprocess.run(  # noqa: S603
        command,
        env=os.environ | {"DATABASE_URL": address(to), "REDIS_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Trouble(f"`manage.py {words[0]}` there: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()
