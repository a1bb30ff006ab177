"""Replay every hand through the engine; nothing may change."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.core.directory import in_each
from scoring.scorebook.verifying import recount


class Command(BaseCommand):
    """``manage.py recount``: exit status 1 and a line each when something differs."""

    help = "Replay every hand through the engine and compare; --repair sets totals to the ledger."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair", action="store_true", help="set the seats' totals to the ledger"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        results = in_each(lambda: recount(repair=options["repair"]))
        differences = [line for result in results for line in result.differences]
        for line in differences:
            self.stderr.write(line)
        games = sum(result.games for result in results)
        hands = sum(result.hands for result in results)
        self.stdout.write(f"{games} games, {hands} hands, {len(differences)} differences")
        if differences and not options["repair"]:
            raise CommandError("The recount differs from what is stored.")
