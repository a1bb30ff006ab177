"""Replay every hand through the engine; nothing may change."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.scorebook.verifying import recount


class Command(BaseCommand):
    """``manage.py recount``: exit status 1 and a line each when something differs."""

    help = "Replay every hand through the engine and compare; --repair sets totals to the ledger."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair", action="store_true", help="set the seats’ totals to the ledger"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        result = recount(repair=options["repair"])
        for line in result.differences:
            self.stderr.write(line)
        count_text = f"{len(result.differences)} differences"
        self.stdout.write(f"{result.games} games, {result.hands} hands, {count_text}")
        if result.differences and not options["repair"]:
            raise CommandError("The recount differs from what is stored.")
