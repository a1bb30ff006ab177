"""Send an encrypted copy of the newest backup to the other places, and test it there."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.backup import BackupError
from clubs.models import AwayCopy
from tournaments import away


class Command(BaseCommand):
    """``manage.py send_away``: exit status 1 if one of the copies is not good."""

    help = "Copy the newest good backup, encrypted, to every place in TONGBOX_BACKUPS_AWAY."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-due", action="store_true", help="only copies that are not waiting to be retried"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.BACKUPS_AWAY:
            raise CommandError("TONGBOX_BACKUPS_AWAY names no place. See deploy/back-up.md.")
        try:
            copies = away.send_copies(now=timezone.now(), anyway=not options["if_due"])
        except BackupError as why:
            raise CommandError(str(why)) from why
        if not copies:
            self.stdout.write("Every place has the newest good backup.")
        self.report(copies)

    def report(self, copies: list[AwayCopy]) -> None:
        """Say how each copy is. Raises ``CommandError`` if one is not good."""
        for copy in copies:
            if copy.is_good:
                self.stdout.write(
                    f"{copy.place}: {copy.name} ({copy.bytes / 1e6:,.1f} MB) was sent, fetched "
                    "back and restored as a test, and gave the same digest."
                )
        for copy in away.undeletable_copies():
            self.stdout.write(f"{copy.place}: {copy.name} is overdue. {copy.fault}")
        if faults := [f"{copy.place}: {copy.fault}" for copy in copies if not copy.is_good]:
            raise CommandError("\n".join(faults))
