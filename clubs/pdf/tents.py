"""Seating cards: a card for each place, folded in the middle so that both sides are read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clubs.paper.fonts import BOLD, DISPLAY, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, LINE, SOFT, Paper, broken
from clubs.pdf.seated import Chair, SeatedTable

PAD = 16.0
NAME, SMALLER = 31.0, 25.0
DISC = 30.0
CODE, FLAT = 84.0, 180.0


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a folded card: where it stands on the sheet, and whether it has the code."""

    left: float
    floor: float
    width: float
    height: float
    has_code: bool

    @property
    def code(self) -> float:
        """How wide the code is; nothing where there is none."""
        return min(CODE, self.height - 2 * PAD) if self.has_code else 0.0

    @property
    def is_flat(self) -> bool:
        """Whether the code stands beside the name, because there is no room above it."""
        return self.height < FLAT

    @property
    def below(self) -> float:
        """How wide what stands beside the code may be."""
        return self.width - 2 * PAD - self.code

    @property
    def room(self) -> float:
        """How wide a name may be."""
        return self.below if self.is_flat else self.width - 2 * PAD

    @property
    def span(self) -> tuple[float, float]:
        """Between which heights a name stands."""
        low = max(PAD + DISC, 0 if self.is_flat else PAD / 2 + self.code) + 10
        return self.floor + low, self.floor + self.height - PAD - 12


def seating_cards(
    tables: Sequence[SeatedTable], form: Format = USUAL, *, with_code: bool = False
) -> bytes:
    """A PDF with a card for each place, table by table: four a sheet, two in large print.

    The upper half stands on its head, so that the card reads from both sides once it is folded.
    """
    title = f"Seating cards: {tables[0].view.event}" if tables else "Seating cards"
    paper = Paper(title, form)
    across = 1 if form.is_large else 2
    places = [(table, chair) for table in tables for chair in table.chairs]
    for at, (table, chair) in enumerate(places):
        if at and at % (2 * across) == 0:
            paper.next_page()
        if at % (2 * across) == 0:
            _cuts(paper, across)
        width, height = paper.width / across, paper.height / 2
        left, floor = at % across * width, height * (1 - at // across % 2)
        _card(paper, table, chair, Side(left, floor, width, height / 2, with_code))
    return paper.done()


def _cuts(paper: Paper, across: int) -> None:
    """Dashes to cut along, and short strokes at the edges where each card is folded."""
    paper.dashes(paper.height / 2)
    if across > 1:
        paper.dashes_down(paper.width / 2)
    for part in (0.25, 0.75):
        for edge in (12.0, paper.width - 24):
            paper.rule(edge, paper.height * part, edge + 12, paper.height * part, colour=LINE)


def _card(paper: Paper, table: SeatedTable, chair: Chair, front: Side) -> None:
    _side(paper, table, chair, front)
    paper.canvas.saveState()
    paper.canvas.translate(2 * front.left + front.width, 2 * (front.floor + front.height))
    paper.canvas.rotate(180)
    _side(paper, table, chair, replace(front, has_code=False))
    paper.canvas.restoreState()


def _side(paper: Paper, table: SeatedTable, chair: Chair, side: Side) -> None:
    left, top = side.left + PAD, side.floor + side.height - PAD - 8
    paper.mark("sign", left, top - 3, 14)
    paper.text(left + 20, top, table.view.event, size=9, colour=SOFT, room=side.room - 20)
    _name(paper, chair.name, side)
    base = side.floor + PAD + 4
    if chair.wind:
        paper.mark(f"w-{chair.wind.value}", left, base - 4, DISC)
    else:
        paper.box(left + 1, base - 3, DISC - 2, DISC - 2, round_by=DISC / 2 - 1)
    room = side.below - DISC - 10
    colour = CINNABAR if chair.part == "East" else SOFT
    part = f"starts as {chair.part}" if chair.wind else chair.part
    paper.text(left + DISC + 10, base + 13, table.title, size=15, face=BOLD, room=room)
    paper.text(left + DISC + 10, base, part, size=10, colour=colour, room=room)
    if side.code:
        right = side.left + side.width - PAD / 2
        paper.qr(table.address, right - side.code, side.floor + PAD / 2, side.code)


def _name(paper: Paper, name: str, side: Side) -> None:
    least, middle = paper.form.smallest, side.left + PAD + side.room / 2
    low, high = side.span
    size = NAME if width_of(name, DISPLAY, NAME) <= side.room else SMALLER
    lines, size = broken(name, DISPLAY, size, side.room, most=2, least=least)
    size = min((high - low) / (1.2 * len(lines)), size)
    base = (low + high) / 2 - size * 0.34
    for at, line in enumerate(lines):
        y = base + size * 1.05 * ((len(lines) - 1) / 2 - at)
        paper.text(middle, y, line, size=size, face=DISPLAY, align="centre", room=side.room)
