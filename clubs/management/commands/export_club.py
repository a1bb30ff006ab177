"""Write a whole club into one file."""

import os
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.clubfile.selectors import contents_words, export_club, is_playing
from clubs.models import Club
from clubs.tenancy import club_scope
from scoring.scorebook.refusals import Refused

PRIVATE = 0o600


class Command(BaseCommand):
    """``manage.py export_club riverside riverside.tongbox``: only its owner can read the file."""

    help = "Write a whole club into one file, to be imported by another Tongbox."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="the club’s name in its address, such as riverside")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club at {options['club']}.")
        self._export(club, options["file"])

    def _export(self, club: Club, file: Path) -> None:
        try:
            with (
                open(file, "xb", opener=partial(os.open, mode=PRIVATE)) as output,
                club_scope(club.pk),
            ):
                manifest, is_under_way = export_club(club, output), is_playing(club)
        except Refused as refused:
            file.unlink()
            raise CommandError(str(refused)) from refused
        except OSError as why:
            raise CommandError(f"{file} cannot be written: {why.strerror}.") from why
        self.stdout.write(f"{file}: {contents_words(manifest.counts)}.")
        self.stdout.write(f"The digest is {manifest.digest}")
        if is_under_way:
            self.stderr.write("An evening is being played: what is entered from now on is missing.")
