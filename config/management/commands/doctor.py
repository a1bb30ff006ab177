"""Say what is right and what is wrong with this installation."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from clubs.language.words import count_words
from config.doctor import FINE, NOTE, WRONG, examine

MARKS = {FINE: "✓", NOTE: "·", WRONG: "✗"}


class Command(BaseCommand):
    """``manage.py doctor``: a line for each thing; exit status 1 if something is wrong."""

    help = "Check that Tongbox can run an evening here, and say what to do if it cannot."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        styles = {FINE: self.style.SUCCESS, NOTE: self.style.WARNING, WRONG: self.style.ERROR}
        wrong = 0
        for finding in examine(port=options["port"], now=timezone.now()):
            mark = styles[finding.state](MARKS[finding.state])
            self.stdout.write(f"  {mark} {finding.subject:<10}{finding.message}")
            wrong += finding.state == WRONG
        if wrong:
            raise CommandError(f"{count_words(wrong, 'thing')} to fix.")
        self.stdout.write("\nTongbox is ready for an evening.")
