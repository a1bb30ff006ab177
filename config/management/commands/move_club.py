"""Move a club to another database, while people use it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.backup import Trouble
from clubs.databases import are_several
from clubs.hosting.services.moving import move_club
from clubs.language.words import counted


class Command(BaseCommand):
    """``manage.py move_club riverside north``; ``default`` is the main database."""

    help = "Move a club to another database of TONGBOX_CLUB_DATABASES, while people use it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="the club's name in its address, such as riverside")
        parser.add_argument("to", help="the name of the database; default is the main one")

    def handle(self, *args: Any, **options: Any) -> None:
        if not are_several():
            raise CommandError("All clubs are in one database: TONGBOX_CLUB_DATABASES is not set.")
        try:
            moved = move_club(options["club"], to=options["to"])
        except Trouble as why:
            raise CommandError(str(why)) from why
        self.stdout.write(
            f"{options['club']} is in the database {options['to']} now. "
            f"{counted(moved.rows, 'row')} were copied and compared; nothing could be saved for "
            f"{moved.seconds:.1f} seconds."
        )
