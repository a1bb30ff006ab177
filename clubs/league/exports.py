"""The club's book of special hands, as a file for a spreadsheet."""

import csv
from io import StringIO

from clubs.language.words import guarded
from clubs.league.selectors.special_hands import SpecialBook, title_of

HEADINGS = ("hand", "player", "date", "table", "number", "points", "tiles", "disputed")


def special_hands_csv(book: SpecialBook) -> bytes:
    """A line a hand, the newest first, in the encoding that spreadsheets take for UTF-8.

    Tiles are codes, a set after another; empty where only the total was told.
    """
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    for hand in book.hands:
        writer.writerow(
            [
                guarded(title_of(hand)),
                guarded(hand.name),
                hand.day.isoformat(),
                hand.table,
                hand.number,
                hand.score,
                "; ".join(" ".join(group) for group in hand.tiles),
                "yes" if hand.is_disputed else "",
            ]
        )
    return text.getvalue().encode("utf-8-sig")
