"""Found a club and give its secretary a sign-in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from clubs.services.founding import found_club
from scoring.scorebook.refusals import Refused


class Command(BaseCommand):
    """``manage.py found_club "Riverside Mah-Jong Club" secretary@example.org``."""

    help = "Found a club; prints its address and, for a new sign-in, the password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("email", help="the secretary's e-mail address")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            granted = found_club(name=options["name"], email=options["email"])
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        club = granted.membership.club
        self.stdout.write(f"{club.name} is at {reverse('club', args=[club.slug])}")
        if granted.password:
            self.stdout.write(f"{options['email']} signs in with the password {granted.password}")
