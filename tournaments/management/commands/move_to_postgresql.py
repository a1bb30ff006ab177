"""Move this installation from SQLite to PostgreSQL."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.backup import BackupError
from clubs.backup.databases import Server, parse_safe_address
from tournaments.backup import move_to_postgresql

TARGET_VARIABLE = "TONGBOX_MOVE_TO"


class Command(BaseCommand):
    """``TONGBOX_MOVE_TO=postgres://… manage.py move_to_postgresql``; Tongbox must be stopped."""

    help = "Copy everything into an empty PostgreSQL database, compare, and keep the old file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "url",
            nargs="?",
            help=f"postgres://user@host:port/name; one with a password stands in {TARGET_VARIABLE}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        def tell(table: str, rows: int) -> None:
            if rows:
                self.stdout.write(f"{rows:>10,}  {table}")

        try:
            url = options["url"]
            target = (
                parse_safe_address(url) if url else Server.read(os.environ.get(TARGET_VARIABLE, ""))
            )
            aside = move_to_postgresql(
                target=target, now=timezone.localtime(), say=self.stdout.write, tell=tell
            )
        except BackupError as why:
            raise CommandError(str(why)) from why
        self.stdout.write(
            f"Moved. The old database is kept as {aside}.\nNext: set DATABASE_URL to the new "
            "database, and REDIS_URL for several processes. Do not change SECRET_KEY "
            "(the file secret_key in TONGBOX_VAR). Then start Tongbox and back it up."
        )
