"""Results to take along: for a spreadsheet (CSV, Excel) and for other programs (JSON)."""

import csv
from io import StringIO
from typing import Final

from tournaments.results.exports import _harmless
from tournaments.seating.selectors import SeatedRounds


def seating_csv(seated: SeatedRounds) -> bytes:
    """Every round's tables, a line a table, as they can be read in again; then who sits out."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(["round", "table", "East", "South", "West", "North"])
    for number, one in zip(seated.numbers, seated.rounds, strict=True):
        for table in one.tables:
            writer.writerow([number, table.number, *map(_harmless, table.names)])
        if one.sitting_out:
            writer.writerow([number, "out", *map(_harmless, one.sitting_out)])
    return text.getvalue().encode("utf-8-sig")


NOBODY_SEATED: Final = "No round has been seated yet, so there is nothing to print."
