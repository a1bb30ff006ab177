"""Set up the databases that clubs are placed in, and say how many clubs each has."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.backup import Trouble
from clubs.core.directory import in_each
from clubs.databases import are_several, names
from clubs.language.words import counted
from clubs.models import Club
from config.club_databases import set_up


class Command(BaseCommand):
    """``manage.py club_databases``: after a new name was added to TONGBOX_CLUB_DATABASES."""

    help = "Prepare the databases of TONGBOX_CLUB_DATABASES, and say how many clubs each has."

    def handle(self, *args: Any, **options: Any) -> None:
        if not are_several():
            raise CommandError("All clubs are in one database: TONGBOX_CLUB_DATABASES is not set.")
        try:
            set_up(say=self.stdout.write)
        except Trouble as why:
            raise CommandError(str(why)) from why
        clubs = in_each(Club.objects.filter(rehearsal_of=None).count)
        for name, count in zip(names(), clubs, strict=True):
            self.stdout.write(f"{name}: {counted(count, 'club')}")
