"""The activity log as a file for a spreadsheet."""

import csv
from collections.abc import Iterable
from io import StringIO

from django.utils import timezone

from clubs.core.audit_log import DeedRow
from clubs.language.words import guarded

HEADINGS = ("Day", "Time", "What", "About", "Reference")


def deeds_csv(rows: Iterable[DeedRow]) -> bytes:
    """A line each, in the encoding that spreadsheets take for UTF-8; no query."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    for row in rows:
        at = timezone.localtime(row.at)
        cells = (f"{at:%Y-%m-%d}", f"{at:%H:%M}", row.sentence, row.drawer, row.request_id)
        writer.writerow([guarded(cell) for cell in cells])
    return text.getvalue().encode("utf-8-sig")
