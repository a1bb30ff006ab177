"""An entry list read from a spreadsheet: looked at first, then entered, all or none."""

from django.db import transaction

from clubs.members.lines import csv_rows
from scoring.scorebook.refusals import Finding, Refused
from tournaments.models import Tournament
from tournaments.services.entering import Entry, enter_entries

COLUMNS = "name, and club, team and paid if you have them"
YES = {"yes", "y", "x", "1", "true", "paid", "✓"}


def read_entries(text: str) -> list[Entry]:
    """The people of a CSV file with the columns name, club, team and paid.

    Raises ``Refused`` for a file that cannot be read as such a list.
    """
    return [
        Entry(
            line,
            row["name"],
            row.get("club", ""),
            row.get("team", ""),
            row.get("paid", "").strip().casefold() in YES,
        )
        for line, row in csv_rows(text, columns=COLUMNS)
    ]


def preview_entries(*, tournament: Tournament, entries: list[Entry]) -> tuple[Finding, ...]:
    """Everything that ``enter_entries`` would refuse now; nothing is stored."""
    with transaction.atomic():
        try:
            enter_entries(tournament=tournament, entries=entries)
        except Refused as refused:
            return refused.problems
        transaction.set_rollback(True)
    return ()
