"""Bring a club from a file of another Tongbox."""

import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse

from clubs.clubfile.services import ImportedClub, import_club, secretaries_in
from clubs.core.audit_log import ADMINISTRATOR
from clubs.models import User
from scoring.scorebook.refusals import Refused


class Command(BaseCommand):
    """``manage.py import_club riverside.tongbox``: all of it, or nothing."""

    help = "Import a club from its file, check it, and list who can sign in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="its name in the address here")
        parser.add_argument(
            "--secretary", default="", help="which of its secretaries signs in first, by email"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            imported_club, email, password = self._bring(**options)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        except OSError as why:
            raise CommandError(f"{options['file']} cannot be read: {why.strerror}.") from why
        self.stdout.write(imported_club.summary)
        self.stdout.write(
            f"{imported_club.club.name} is at {reverse('club', args=[imported_club.club.slug])}"
        )
        if password:
            self.stdout.write(f"{email} signs in with the password {password}")

    @transaction.atomic
    def _bring(
        self, *, file: Path, slug: str, secretary: str, **_: Any
    ) -> tuple[ImportedClub, str, str]:
        with file.open("rb") as source:
            email = secretary.lower() or next(iter(secretaries_in(source)), "")
            user, password = User.objects.filter(email=email).first(), ""
            if user is None:
                password = secrets.token_urlsafe(9)
                user = User.objects.create_user(email, password)
            return import_club(source, user=user, slug=slug, actor=ADMINISTRATOR), email, password
