"""Bring the data of this installation up to this release."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.backup import BackupError
from config.upgrading import bring_up_to_date


class Command(BaseCommand):
    """``manage.py upgrade``: also makes a new installation ready; says nothing if all is done."""

    help = (
        "Make the database and the static files ready for this release. What is in the database is "
        "backed up first, and upgraded on a copy."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--anyway", action="store_true", help="also if a score is not as it was recorded"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            bring_up_to_date(
                now=timezone.now(), is_strict=not options["anyway"], say=self.stdout.write
            )
        except BackupError as why:
            raise CommandError(str(why)) from why
