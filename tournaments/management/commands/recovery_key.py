"""Make the recovery key, show it, and print it on a sheet to keep."""

import os
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.backup import BackupError
from clubs.backup.archive import PRIVATE_MODE
from clubs.backup.papers import recovery_sheet
from clubs.backup.sealing import make_key
from clubs.backup.stores import stores
from clubs.core.processes import command_line
from clubs.language.moments import long_date
from clubs.paper.formats import Format, Letters, Size
from tournaments.away import recovery_key


class Command(BaseCommand):
    """``manage.py recovery_key --sheet key.pdf``: makes the key only if there is none."""

    help = "Make or show the key that opens the copies of backups, and write a sheet to print."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sheet", type=Path, help="a new PDF file, to print and then delete")
        parser.add_argument("--letter", action="store_true", help="on Letter paper, not A4")
        parser.add_argument("--large", action="store_true", help="in large print")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            location_text = f"It was saved in {settings.RECOVERY_KEY}."
            key = make_key(settings.RECOVERY_KEY)
        except FileExistsError:
            location_text = f"It is in {settings.RECOVERY_KEY}."
            try:
                key = recovery_key()
            except BackupError as why:
                raise CommandError(str(why)) from why
        self.stdout.write(
            f"{key}\n{location_text} Keep it on paper in another building: if this computer"
        )
        self.stdout.write("is gone, no one can open the copies of your backups without it.")
        if file := options["sheet"]:
            size = Size.LETTER if options["letter"] else Size.A4
            letters = Letters.LARGE if options["large"] else Letters.ORDINARY
            sheet = recovery_sheet(
                key,
                places=[store.pattern for store in stores()],
                made_on=long_date(timezone.localdate()),
                form=Format(size, letters),
            )
            try:
                with open(file, "xb", opener=partial(os.open, mode=PRIVATE_MODE)) as sheet_file:
                    sheet_file.write(sheet)
            except OSError as why:
                raise CommandError(f"{file} could not be written: {why.strerror}.") from why
            self.stdout.write(f"Print {file}, then delete it.")
        else:
            self.stdout.write(
                f"To print a sheet: {command_line('recovery_key', '--sheet key.pdf')}"
            )
