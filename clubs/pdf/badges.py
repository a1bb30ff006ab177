"""Name badges: eight a sheet, to be cut apart; four in large print."""

from collections.abc import Sequence

from clubs.paper.fonts import DISPLAY, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import LINE, SOFT, Paper

PAD = 14.0
NAME, SMALLER = 24.0, 22.0


def badges_pdf(event: str, names: Sequence[tuple[str, str]], form: Format = USUAL) -> bytes:
    """A PDF with a badge for each name and where it comes from (which may be empty)."""
    paper = Paper(f"Name badges: {event}", form)
    rows = 2 if form.is_large else 4
    for at, (name, place) in enumerate(names):
        if at and at % (2 * rows) == 0:
            paper.next_page()
        across, down = at % 2, at // 2 % rows
        _badge(paper, event, (name, place), across, down, rows)
    return paper.done()


def _badge(
    paper: Paper, event: str, who: tuple[str, str], across: int, down: int, rows: int
) -> None:
    width, height = paper.room / 2, (paper.height - 2 * paper.margin) / rows
    left = paper.margin + across * width
    floor = paper.height - paper.margin - (down + 1) * height
    middle, room = left + width / 2, width - 2 * PAD
    paper.box(left, floor, width, height, colour=LINE)
    paper.mark("sign", left + PAD, floor + height - PAD - 16, 16)
    top = floor + height - PAD - 11
    paper.lines(left + PAD + 22, top, event, size=9, colour=SOFT, room=room - 22, is_centred=True)
    _name(paper, who[0], middle, floor + height / 2 - 6, room)
    paper.lines(
        middle,
        floor + PAD + 8,
        who[1],
        size=10.5,
        colour=SOFT,
        align="centre",
        room=room,
        most=4,
        is_centred=True,
    )


def _name(paper: Paper, name: str, middle: float, base: float, room: float) -> None:
    size = NAME if width_of(name, DISPLAY, NAME) <= room else SMALLER
    paper.lines(
        middle,
        base,
        name,
        size=size,
        face=DISPLAY,
        align="centre",
        room=room,
        most=4,
        is_centred=True,
    )
