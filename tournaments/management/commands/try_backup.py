"""Restore a backup into a temporary database, and compare."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.backup.databases import Trouble
from tournaments import backup as services


class Command(BaseCommand):
    """``manage.py try_backup var/backups/tongbox-….tar.gz``: exit status 1 if it is not good."""

    help = "Restore a backup into an empty database of its own and compare the digests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            fault = services.try_out(options["file"])
        except Trouble as why:
            raise CommandError(str(why)) from why
        if fault:
            raise CommandError(fault)
        self.stdout.write("The backup is good: the restored data gave the same digest.")
