"""Make a backup of the whole installation and test it."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments import backup as services


class Command(BaseCommand):
    """``manage.py back_up``: exit status 1 if it fails or is not good."""

    help = "Back up the database and files while people play, then test-restore and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-due", action="store_true", help="only the nightly backup, if it is due"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        backup = (
            services.back_up_if_due(now=now) if options["if_due"] else services.back_up(now=now)
        )
        if backup is None:
            self.stdout.write("The backup has been made, or is being made.")
        elif not backup.is_good:
            raise CommandError(f"The backup failed its test: {backup.fault}")
        else:
            self.stdout.write(f"{backup.file} ({backup.bytes / 1e6:,.1f} MB)")
            self.stdout.write(
                f"It was restored as a test and gave the same digest: {backup.digest}"
            )
            if settings.BACKUPS_AWAY:
                call_command("send_away", stdout=self.stdout)
