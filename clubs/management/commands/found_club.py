"""Create a club and its secretary's account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse

from clubs.core.audit_log import ADMINISTRATOR, log_event
from clubs.house.services import found_club
from scoring import rule_set_keys
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refused


class Command(BaseCommand):
    """``manage.py found_club "Riverside Mah-Jong Club" secretary@example.org``."""

    help = "Found a club; prints its address and, for a new account, the password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("email", help="the secretary’s email address")
        parser.add_argument(
            "--rules",
            default="bmja",
            help="; ".join(f"{key}: {rule_set(key).name}" for key in rule_set_keys()),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                granted_role = found_club(
                    name=options["name"], email=options["email"], rules=options["rules"]
                )
                club = granted_role.membership.club
                log_event(club=club.pk, act_name="found_club", actor=ADMINISTRATOR)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{club.name} is at {reverse('club', args=[club.slug])}")
        rules = reverse("rules", args=[club.rules])
        self.stdout.write(f"It plays {rule_set(club.rules).name}, shown at {rules}")
        if granted_role.password:
            self.stdout.write(
                f"{options['email']} signs in with the password {granted_role.password}"
            )
