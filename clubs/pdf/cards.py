"""Table cards: one a table, two a page, to be cut apart and laid on the tables."""

from collections.abc import Sequence

from clubs.paper.fonts import BOLD, DISPLAY, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, INK, SOFT, Paper
from clubs.pdf.seated import Chair, SeatedTable

SAID = (
    "Point a phone’s camera here to enter your hands.",
    "One phone per table is enough. You do not need an account.",
)


def table_cards(tables: Sequence[SeatedTable], form: Format = USUAL) -> bytes:
    """A PDF with a card for each table: number, names with their winds, a large QR code.

    In large print each has a page to itself.
    """
    title = f"Table cards: {tables[0].view.event}" if tables else "Table cards"
    paper = Paper(title, form, wide=form.is_large)
    draw_cards(paper, tables)
    return paper.done()


def draw_cards(paper: Paper, tables: Sequence[SeatedTable]) -> None:
    """The cards from a fresh page on: two on an upright page, one on a wide one."""
    each = 1 if paper.is_wide else 2
    for at, table in enumerate(tables):
        if at and at % each == 0:
            paper.next_page()
        height = paper.height / each
        upper = each == 2 and at % each == 0
        Card(paper, table, height if upper else 0, height).draw()
        if upper:
            paper.dashes(height)


class Card:
    """Draws one card above ``floor``."""

    def __init__(self, paper: Paper, table: SeatedTable, floor: float, height: float) -> None:
        self.paper, self.table = paper, table
        self.top = floor + height - 24
        self.code = 186.0 if paper.form.is_large else 216.0
        self.names = paper.room - self.code - 24

    def draw(self) -> None:
        """The club and the event, the number, the names, the code."""
        paper, table = self.paper, self.table
        left, half = paper.margin, paper.room * 0.48
        paper.mark("sign", left, self.top - 20, 20)
        paper.lines(
            left + 27,
            self.top - 13,
            table.club,
            size=11,
            face=BOLD,
            room=half - 27,
            is_centred=True,
        )
        event = table.view.event
        paper.lines(
            paper.right,
            self.top - 13,
            event,
            size=10.5,
            colour=SOFT,
            align="right",
            room=half,
            is_centred=True,
        )
        paper.rule(left, self.top - 28, paper.right, self.top - 28, width=1.2, colour=INK)
        title = table.view.title
        paper.text(left, self.top - 82, title, size=48, face=DISPLAY, room=self.names)
        chairs = table.chairs
        step = 50.0 if len(chairs) < 5 else 44.0
        for down, chair in enumerate(chairs):
            self._chair(chair, self.top - 100 - down * step)
        self._code()

    def _chair(self, chair: Chair, top: float) -> None:
        paper, left = self.paper, self.paper.margin
        if chair.wind:
            paper.mark(f"w-{chair.wind.value}", left, top - 31, 30)
        else:
            paper.box(left + 1, top - 30, 28, 28, round_by=14)
        room = self.names - 42
        size = 15.0 if width_of(chair.name, BOLD, 15) <= room else 12.5
        low = paper.name(left + 40, top - 12, chair.name, size=size, room=room)
        colour = CINNABAR if chair.part == "East" else SOFT
        paper.text(left + 40, low - 12, chair.part, size=10, colour=colour, room=self.names - 42)

    def _code(self) -> None:
        paper, left = self.paper, self.paper.right - self.code
        floor = self.top - 34 - self.code
        paper.qr(self.table.address, left, floor, self.code)
        middle, y = left + self.code / 2, floor - 8
        for said in SAID:
            y = paper.paragraph(
                middle, y, said, room=self.code, size=10.5, align="centre", colour=INK
            )
        for line in self.table.address_lines:
            paper.text(middle, y, line, size=8.5, colour=SOFT, align="centre", room=self.code)
            y -= 13
