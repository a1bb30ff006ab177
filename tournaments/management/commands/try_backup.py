"""Restore a backup into a temporary database, and compare."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.backup import BackupError
from tournaments import away, backup as services
from tournaments.management import away_copies


class Command(BaseCommand):
    """``manage.py try_backup var/backups/tongbox-….tar.gz``: exit status 1 if it is not good.

    ``manage.py try_backup --from-away`` tests a copy at another place.
    """

    help = "Restore a backup into an empty database of its own and compare the digests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        away_copies.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if away_copies.is_from_away(options):
                copy = away_copies.choose_copy(options, self.stdout.write)
                fault = away.check_copy(copy, away_copies.find_key(options, self.stdout.write))
            else:
                fault = services.check_backup(options["file"])
        except BackupError as why:
            raise CommandError(str(why)) from why
        if fault:
            raise CommandError(fault)
        self.stdout.write("The backup is good: the restored data gave the same digest.")
