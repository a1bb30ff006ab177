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
            granted_role = self._give(**options)
        except Refused as why:
            raise CommandError(str(why)) from why
        self.stdout.write(
            f"{options['email']} is now a {granted_role.membership.get_role_display()}."
        )
        if granted_role.password:
            self.stdout.write(f"The password is {granted_role.password}")

    def _give(self, *, club: str, email: str, role: str, name: str, **_: Any) -> GrantedRole:
        target_club = Club.objects.filter(slug=club).first()
        if target_club is None:
            raise CommandError(f"There is no club at {club}.")
        granted_role = give_role(club=target_club, email=email, role=Role(role), name=name)
        log_event(club=target_club.pk, act_name="give_role", actor=ADMINISTRATOR)
        return granted_role
