"""Restore a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.backup.archive import put_files
from clubs.backup.databases import Trouble, ours, place
from tournaments import backup as services


class Command(BaseCommand):
    """``manage.py restore FILE``: into the database of ``DATABASE_URL``, or of ``--into``.

    Passwords belong in the environment: other users of the machine can read command lines.
    """

    help = "Restore a backup into an empty database, compare, and say what to do next."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--into",
            help="the path of a file, or postgres://user@host:port/name without a password; "
            "else the database that DATABASE_URL names",
        )
        parser.add_argument(
            "--upgrade",
            action="store_true",
            help="a backup of another release is good, too: it is upgraded next",
        )
        parser.add_argument("--files", type=Path, help="an empty folder for printouts and results")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with TemporaryDirectory(prefix="tongbox-") as work:
                into = place(options["into"]) if options["into"] else ours()
                backup, fault = services.put_back_for_good(
                    options["file"], into=into, work=Path(work), now=timezone.now()
                )
                if options["files"]:
                    put_files(Path(work), options["files"])
        except Trouble as why:
            raise CommandError(str(why)) from why
        self.stdout.write(f"Restored as of {backup.made_at}.")
        if fault == services.OTHER_RELEASE and options["upgrade"]:
            self.stdout.write(f"{fault} It is upgraded now.")
            return
        if fault:
            raise CommandError(f"{fault} See deploy/restore.md, “When it is not the same”.")
        self.stdout.write(f"The digest is the same: {backup.digest}")
        if not options["into"] and isinstance(ours(), Path):
            self.stdout.write(
                f"Next: put the former file secret_key into {settings.VAR_DIR}, or printed cards "
                "and links open nothing. Then start Tongbox, and delete again the personal data "
                "that was deleted since the backup."
            )
            return
        self.stdout.write(
            "Next: set DATABASE_URL to this database (on "
            "SQLite, put the file where tongbox.sqlite3 was) and SECRET_KEY to the former key. "
            "Start Tongbox, then run `manage.py recount` and `manage.py verify`. Finally delete "
            "again the personal data that was deleted since the backup."
        )
