"""Restore a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.backup import BackupError
from clubs.backup.archive import Manifest, restore_files
from clubs.backup.databases import Server, own_database, parse_address
from clubs.backup.sealing import keep_key
from clubs.core.processes import command_line
from tournaments import away, backup as services
from tournaments.management import away_copies


class Command(BaseCommand):
    """``manage.py restore FILE``: into the database of ``DATABASE_URL``, or of ``--into``.

    ``manage.py restore --from-away`` needs only ``TONGBOX_BACKUPS_AWAY`` and the recovery key.
    Passwords belong in the environment: other users of the machine can read command lines.
    """

    help = "Restore a backup into an empty database, compare, and say what to do next."

    def add_arguments(self, parser: ArgumentParser) -> None:
        away_copies.add_arguments(parser)
        parser.add_argument(
            "--into",
            help="the path of a file, or postgres://user@host:port/name without a password; "
            "else the database that DATABASE_URL names",
        )
        parser.add_argument(
            "--upgrade",
            action="store_true",
            help="accept a backup from another release, and upgrade it next",
        )
        parser.add_argument("--files", type=Path, help="an empty folder for printouts and results")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with TemporaryDirectory(prefix="tongbox-") as folder:
                work = Path(folder)
                into = parse_address(options["into"]) if options["into"] else own_database()
                if away_copies.is_from_away(options):
                    backup, fault = self._from_away(into, work, options)
                else:
                    backup, fault = services.restore_for_serving(
                        options["file"], into=into, work=work, now=timezone.now()
                    )
                if options["files"]:
                    restore_files(work, options["files"])
        except BackupError as why:
            raise CommandError(str(why)) from why
        self.stdout.write(f"Restored as of {backup.made_at}.")
        if fault == services.OTHER_RELEASE_MESSAGE and options["upgrade"]:
            self.stdout.write(f"{fault} It is upgraded now.")
            return
        if fault:
            raise CommandError(f"{fault} See deploy/restore.md, “If the digest differs”.")
        self.stdout.write(f"The digest is the same: {backup.digest}")
        if not options["into"] and isinstance(own_database(), Path):
            if not away_copies.is_from_away(options):
                self.stdout.write(
                    f"Next: put the former file secret_key into {settings.VAR_DIR}, or printed "
                    "cards and links will not work."
                )
            self.stdout.write(
                "Then start Tongbox, and delete again the personal data that was deleted since "
                "the backup."
            )
            return
        self.stdout.write(
            "Next: set DATABASE_URL to this database (on SQLite, put the file where "
            "tongbox.sqlite3 was) and SECRET_KEY to the former key. "
            f"Start Tongbox, then run `{command_line('recount')}` and `{command_line('verify')}`. "
            "Finally delete "
            "again the personal data that was deleted since the backup."
        )

    def _from_away(
        self, into: Server | Path, work: Path, options: dict[str, Any]
    ) -> tuple[Manifest, str]:
        services.refuse_unless_empty(into)
        say = self.stdout.write
        copy = away_copies.choose_copy(options, say)
        key = away_copies.find_key(options, say)
        say(f"Fetching {copy.name} …")
        backup, fault, secret_key = away.restore_copy(
            copy, key, into=into, work=work, now=timezone.now()
        )
        if not fault and into == own_database():
            say(away.restore_secret_key(secret_key))
            if not settings.RECOVERY_KEY.exists():
                keep_key(settings.RECOVERY_KEY, key)
                say(f"The recovery key was saved in {settings.RECOVERY_KEY}.")
        return backup, fault
