"""Table cards: one a table, two a page, to be cut apart and laid on the tables."""

from collections.abc import Sequence

from clubs.pdf.page import (
    BOLD,
    CINNABAR,
    DISPLAY,
    HEIGHT,
    MARGIN,
    RIGHT,
    SOFT,
    Paper,
)
from clubs.pdf.seated import Chair, SeatedTable

CARD = HEIGHT / 2
CODE = 216.0
NAMES = RIGHT - CODE - 28 - MARGIN


def table_cards(tables: Sequence[SeatedTable]) -> bytes:
    """A PDF with a card for each table: number, names with their winds, a large QR code."""
    paper = Paper(f"Table cards: {tables[0].view.event}" if tables else "Table cards")
    for at, table in enumerate(tables):
        if at and at % 2 == 0:
            paper.next_page()
        upper = at % 2 == 0
        _card(paper, table, CARD if upper else 0)
        if upper:
            paper.dashes(CARD)
    return paper.done()


def _card(paper: Paper, table: SeatedTable, floor: float) -> None:
    top = floor + CARD - 34
    paper.mark("sign", MARGIN, top - 20, 20)
    paper.text(MARGIN + 27, top - 14, table.club, size=11, face=BOLD, room=230)
    paper.text(RIGHT, top - 14, table.view.event, size=10.5, colour=SOFT, align="right", room=230)
    paper.rule(MARGIN, top - 28, RIGHT, top - 28, width=1.2, colour="#1d1914")
    paper.text(MARGIN, top - 88, f"Table {table.view.number}", size=50, face=DISPLAY, room=NAMES)
    chairs = table.chairs
    step = 44.0 if len(chairs) < 5 else 38.0
    for down, chair in enumerate(chairs):
        _chair(paper, chair, top - 120 - down * step)
    _code(paper, table, floor)


def _chair(paper: Paper, chair: Chair, top: float) -> None:
    if chair.wind:
        paper.mark(f"w-{chair.wind.value}", MARGIN, top - 30, 30)
    else:
        paper.box(MARGIN + 1, top - 29, 28, 28, round_by=14)
    room = NAMES - 42
    paper.text(MARGIN + 41, top - 13, chair.name, size=16, face=BOLD, room=room)
    colour = CINNABAR if chair.part == "East" else SOFT
    paper.text(MARGIN + 41, top - 27, chair.part, size=10, colour=colour, room=room)


def _code(paper: Paper, table: SeatedTable, floor: float) -> None:
    left = RIGHT - CODE
    paper.qr(table.address, left, floor + 88, CODE)
    middle = left + CODE / 2
    said = "Point a phone’s camera here to enter your hands."
    paper.text(middle, floor + 78, said, size=10, face=BOLD, align="centre", room=CODE)
    said = "One phone is enough. Nobody needs an account."
    paper.text(middle, floor + 63, said, size=9, colour=SOFT, align="centre", room=CODE)
    paper.text(middle, floor + 44, table.address, size=8.5, colour=SOFT, align="centre", room=CODE)
