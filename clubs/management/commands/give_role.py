"""Give someone a role in a club, and a sign-in if they have none."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.core.audit_log import ADMINISTRATOR, log_event
from clubs.house.services import GrantedRole, give_role
from clubs.models import Club, Role
from scoring.scorebook.refusals import Refused


class Command(BaseCommand):
    """``manage.py give_role riverside dev@example.org director``."""

    help = "Give a role: secretary, director, scorer or player."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="the club’s name in its address, such as riverside")
        parser.add_argument("email")
        parser.add_argument("role", choices=Role.values)
        parser.add_argument("--name", default="", help="the person’s name, for a new account")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            granted = self._give(**options)
        except Refused as why:
            raise CommandError(str(why)) from why
        self.stdout.write(f"{options['email']} is now a {granted.membership.get_role_display()}.")
        if granted.password:
            self.stdout.write(f"The password is {granted.password}")

    def _give(self, *, club: str, email: str, role: str, name: str, **_: Any) -> GrantedRole:
        chosen = Club.objects.filter(slug=club).first()
        if chosen is None:
            raise CommandError(f"There is no club at {club}.")
        granted = give_role(club=chosen, email=email, role=Role(role), name=name)
        log_event(club=chosen.pk, act_name="give_role", by=ADMINISTRATOR)
        return granted
