"""A digest of the whole installation, for comparing two databases."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.models import Club
from clubs.tenancy import club_scope
from tournaments.backup import counts_by_table, digest_lines, digest_of_all, migrations_applied


class Command(BaseCommand):
    """``manage.py digest``, ``manage.py digest --by-club``, ``manage.py digest --lines riverside``.

    ``DATABASE_URL=sqlite:////srv/copy.sqlite3 manage.py digest`` digests another database.
    """

    help = "Print a SHA-256 over standings, league tables, chains and counts of all clubs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--by-club", action="store_true", help="also each club’s own")
        parser.add_argument(
            "--lines", metavar="CLUB", help="every line of one club that the digest covers"
        )
        parser.add_argument("--json", action="store_true", help="with counts and migrations")

    def handle(self, *args: Any, **options: Any) -> None:
        if slug := options["lines"]:
            club = Club.objects.filter(slug=slug).first()
            if club is None:
                raise CommandError(f"There is no club at {slug}.")
            with club_scope(club.pk):
                for line in digest_lines(club):
                    self.stdout.write(line)
            return
        digest = digest_of_all()
        if options["json"]:
            details = {"migrations": migrations_applied(), "tables": counts_by_table()}
            self.stdout.write(
                json.dumps({"digest": digest.overall_digest, "clubs": digest.clubs, **details})
            )
            return
        if options["by_club"]:
            for slug, value in digest.clubs.items():
                self.stdout.write(f"{value}  {slug}")
        self.stdout.write(digest.overall_digest)
