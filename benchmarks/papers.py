"""How long the papers of 64 tables take: ``python -m benchmarks.papers``."""

import os
from collections.abc import Callable
from time import process_time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from clubs.paper.formats import Format, Letters
from clubs.table.papers.cards import PrintedEvent, SeatedTable, blank_table, table_cards
from clubs.table.papers.score_sheets import emergency_pack, score_sheets
from clubs.table.rows import Arrival, TableView
from clubs.tenancy import across_clubs

TABLES = 64
RULES = "bmja"


def make_table(number: int) -> SeatedTable:
    """A table of four with names and a code of its own, nothing played yet."""
    blank = blank_table("Riverside Mah-Jong Club", "Tuesday 17 November", RULES, 4)
    names = {seat: f"Player {4 * number + seat} of Riverside" for seat in range(1, 5)}
    view = TableView(number, blank.view.event, names, blank.view.game)
    return SeatedTable(blank.club, view, f"https://club.example.org/t/abcDEF123_-{number:05}/")


def main() -> None:
    """Print the processor seconds and the bytes of every kind, ordinary and in large print."""
    tables = [make_table(number) for number in range(1, TABLES + 1)]
    people = [
        Arrival(name, is_here=True)
        for seated_table in tables
        for name in seated_table.view.names.values()
    ]
    for form in (Format(), Format(letters=Letters.LARGE)):
        event = PrintedEvent("Riverside Mah-Jong Club", "Tuesday 17 November", form)
        kinds: dict[str, Callable[[], bytes]] = {
            "score sheets": lambda: score_sheets(tables, form),  # noqa: B023
            "table cards": lambda: table_cards(tables, form),  # noqa: B023
            "emergency pack": lambda: emergency_pack(event, tables, people, RULES),  # noqa: B023
        }
        for kind, make in kinds.items():
            start = process_time()
            size = len(make())
            took = process_time() - start
            print(f"{kind}, {form.letters.value} print: {took:.1f} s, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    with across_clubs():
        main()
