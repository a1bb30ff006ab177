"""Give someone a role in a club, and a sign-in if they have none."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.core.audit_log import COMMAND, note
from clubs.house.services import give_role
from clubs.models import Club, Role
from scoring.scorebook.refusals import Refused


class Command(BaseCommand):
    """``manage.py give_role riverside dev@example.org director``."""

    help = "Give a role: secretary, director, scorer or player."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="the club's name in its address, such as riverside")
        parser.add_argument("email")
        parser.add_argument("role", choices=Role.values)
        parser.add_argument("--name", default="", help="the person's name, for a new account")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club at {options['club']}.")
        try:
            granted = give_role(
                club=club, email=options["email"], role=Role(options["role"]), name=options["name"]
            )
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        note(club=club.pk, what="give_role", by=COMMAND)
        self.stdout.write(f"{options['email']} is {granted.membership.get_role_display()}.")
        if granted.password:
            self.stdout.write(f"The password is {granted.password}")
