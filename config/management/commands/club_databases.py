"""Set up the databases that clubs are placed in, and say how many clubs each has."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from clubs.core.directory import in_each
from clubs.databases import are_several, names
from clubs.language.words import counted
from clubs.models import Club


class Command(BaseCommand):
    """``manage.py club_databases``: after a new name was added to TONGBOX_CLUB_DATABASES."""

    help = "Prepare the databases of TONGBOX_CLUB_DATABASES, and say how many clubs each has."

    def handle(self, *args: Any, **options: Any) -> None:
        if not are_several():
            raise CommandError("All clubs are in one database: TONGBOX_CLUB_DATABASES is not set.")
        call_command("migrate", verbosity=0, stdout=self.stdout)
        clubs = in_each(Club.objects.filter(rehearsal_of=None).count)
        for name, count in zip(names(), clubs, strict=True):
            self.stdout.write(f"{name}: {counted(count, 'club')}")
