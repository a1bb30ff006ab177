"""Create the sample club, unless it exists, and print how to sign in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.core.addresses import site_address
from clubs.models import Club
from tournaments.sample import CLUB_SLUG, SIGN_IN_WORDS, SIGN_INS, make_sample_club


class Command(BaseCommand):
    """``manage.py sample_data``: run again, it changes nothing and only prints how to sign in."""

    help = "Create a sample club with a season, today’s evening and a tournament."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--alone", action="store_true", help="only where there is no other club"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        other_clubs = Club.objects.filter(rehearsal_of=None).exclude(slug=CLUB_SLUG)
        if options["alone"] and other_clubs.exists():
            raise CommandError("There is a real club in this folder; the sample was not added.")
        emails = {email for email, _ in SIGN_INS.values()}
        club = Club.objects.filter(slug=CLUB_SLUG).first()
        if club and club.memberships.filter(user__email__in=emails).count() != len(emails):
            raise CommandError(
                f"There is a club at /c/{CLUB_SLUG}/ that is not the sample; nothing was changed."
            )
        if club is None:
            make_sample_club(timezone.localdate())
        self.stdout.write(f"The sample club is at {site_address()}/c/{CLUB_SLUG}/")
        for role, (email, _) in SIGN_INS.items():
            self.stdout.write(f"  sign in as {role.label}: {email}  password: {SIGN_IN_WORDS}")
