"""Run the clubs' retention schedules by hand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.models import Club
from clubs.privacy import services
from clubs.privacy.selectors.erasure import due, timetable
from clubs.tenancy import within
from scoring.scorebook.refusals import Refused


class Command(BaseCommand):
    """``manage.py let_go``, ``manage.py let_go riverside --look``."""

    help = (
        "Delete old personal data as the clubs’ retention schedules say, as happens every day; "
        "a club that has no schedule keeps everything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", nargs="?", help="only this club, by its name in the address")
        parser.add_argument("--look", action="store_true", help="only say what would be deleted")

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.objects.filter(rehearsal_of=None).order_by("slug")
        if options["club"] and not (clubs := clubs.filter(slug=options["club"])):
            raise CommandError(f"There is no club at {options['club']}.")
        for club in clubs:
            self._let_go(club, is_look=options["look"])

    def _let_go(self, club: Club, *, is_look: bool) -> None:
        with within(club.pk):
            text = _look(club) if is_look else _run(club)
        self.stdout.write(f"{club.name}: {text}")


def _look(club: Club) -> str:
    expired = due(club, timetable(club).terms, timezone.localdate())
    names = [
        f"{person.name} ({person.why[0].lower()}{person.why[1:]})" for person in expired.people
    ]
    return "; ".join([*names, *expired.counted]) or "nothing would be deleted."


def _run(club: Club) -> str:
    if timetable(club).next_on is None:
        return "no retention schedule is in use; nothing is deleted."
    try:
        done = services.run(club=club, today=timezone.localdate())
    except Refused as refused:
        return f"{refused}"
    return "done." if done else "was already done today."
