"""Score sheets: a table's game on paper, to be filled in there or to be kept."""

from collections.abc import Sequence

from clubs.pdf.grid import (
    HANDS_OF_AN_EVENING,
    Cell,
    Grid,
    Line,
    draw_row,
    grid_of,
    lines_of,
)
from clubs.pdf.instructions import east_is, how_to
from clubs.pdf.page import (
    BOLD,
    CINNABAR,
    DISPLAY,
    INK,
    LINE,
    MARGIN,
    RIGHT,
    SOFT,
    Paper,
)
from clubs.pdf.seated import Chair, SeatedTable
from clubs.rows import signed

CODE = 104.0
GRID_FOOT = 164.0
TALLEST = 31.0


def score_sheets(tables: Sequence[SeatedTable]) -> bytes:
    """A PDF with a score sheet for each table, a second page where a game has more than 16 hands.

    Names, starting winds and the hands already recorded are printed in.
    """
    paper = Paper(f"Score sheets: {tables[0].view.event}" if tables else "Score sheets")
    for at, table in enumerate(tables):
        if at:
            paper.next_page()
        _sheet(paper, table)
    return paper.done()


def _sheet(paper: Paper, table: SeatedTable) -> None:
    lines = lines_of(table)
    step = HANDS_OF_AN_EVENING
    pages = [lines[start : start + step] for start in range(0, len(lines), step)] or [[]]
    for at, page in enumerate(pages, start=1):
        if at > 1:
            paper.next_page()
        note = f", sheet {at} of {len(pages)}" if len(pages) > 1 else ""
        _heading(paper, table, note)
        _grid(paper, table, page, is_last=at == len(pages))
        _foot(paper, table)


def _heading(paper: Paper, table: SeatedTable, note: str) -> None:
    top = paper.masthead(table.club, table.view.event)
    paper.text(MARGIN, top - 44, f"Table {table.view.number}", size=34, face=DISPLAY)
    said = f"{table.rules.name}{note}"
    paper.text(MARGIN, top - 61, said, size=9.5, colour=SOFT, room=200)
    _code(paper, table, top - CODE - 3)
    for at, chair in enumerate(table.chairs):
        _chair(paper, chair, at, top - 76)


def _code(paper: Paper, table: SeatedTable, floor: float) -> None:
    left = RIGHT - CODE + 5
    paper.qr(table.address, left, floor, CODE)
    middle, room = left + CODE / 2, CODE - 10
    said = "Scan to enter hands by phone"
    paper.text(middle, floor - 1, said, size=7, face=BOLD, align="centre", room=room)
    for down, line in enumerate(table.address_lines, start=1):
        y = floor - 1 - 8 * down
        paper.text(middle, y, line, size=6.5, colour=SOFT, align="centre", room=room)


def _chair(paper: Paper, chair: Chair, at: int, top: float) -> None:
    width = (RIGHT - CODE - 16 - MARGIN) / 2
    x, y = MARGIN + (at % 2) * width, top - (at // 2) * 25 - 18
    if chair.wind:
        paper.mark(f"w-{chair.wind.value}", x, y, 20)
    else:
        paper.box(x + 1, y + 1, 18, 18, round_by=9)
    room = width - 32
    paper.text(x + 26, y + 9.5, f"{chair.number}  {chair.name}", size=11, face=BOLD, room=room)
    colour = CINNABAR if chair.part == "East" else SOFT
    said = f"starts as {chair.part}" if chair.wind else chair.part
    paper.text(x + 26, y + 1, said, size=7.5, colour=colour)


def _grid_top(table: SeatedTable) -> float:
    return 610.0 if len(table.chairs) > 4 else 634.0


def _grid(paper: Paper, table: SeatedTable, lines: Sequence[Line], *, is_last: bool) -> None:
    grid, top = grid_of(table), _grid_top(table)
    rows = len(lines) + 1
    height = min(TALLEST, (top - GRID_FOOT - 36) / max(rows, 1))
    _headers(paper, table, grid, top)
    y = top - 36
    for line in lines:
        y -= height
        draw_row(paper, grid, line, y, height)
    if is_last:
        y -= height
        _totals(paper, table, grid, y + height / 2 - 3.6)
    for x, is_strong in grid.edges:
        paper.rule(x, y, x, top - 36, width=0.9 if is_strong else 0.4, colour=LINE)
    paper.box(MARGIN, y, RIGHT - MARGIN, top - y, line=1.1, colour=INK)
    paper.rule(MARGIN, top - 36, RIGHT, top - 36, width=0.9, colour=INK)
    if is_last:
        paper.rule(MARGIN, y + height, RIGHT, y + height, width=0.9, colour=INK)


def _headers(paper: Paper, table: SeatedTable, grid: Grid, top: float) -> None:
    low, high = top - 29, top - 12
    words = {"Hand": grid.hand, east_is(table): grid.east}
    if grid.prevails:
        words["Prevails"] = grid.prevails
    if grid.check:
        words["= 0"] = grid.check
    for said, cell in words.items():
        paper.text(cell.middle, low, said, size=8, face=BOLD, align="centre", room=cell.room + 3)
    second = "Gains and losses" if grid.check else "Total so far"
    for said, group in (("Scores", grid.score_group), (second, grid.gain_group)):
        paper.text(group.middle, high, said, size=9, face=BOLD, colour=CINNABAR, align="centre")
        paper.rule(group.left, top - 17, group.right, top - 17, colour=LINE)
    for x in (grid.east.right, grid.score_group.right, grid.gain_group.right):
        paper.rule(x, top - 36, x, top, width=0.9, colour=LINE)
    for chair in table.chairs:
        for cell in (grid.scores[chair.number], grid.gains[chair.number]):
            _column_name(paper, chair, cell, low)


def _column_name(paper: Paper, chair: Chair, cell: Cell, base: float) -> None:
    said = f"{chair.number} {chair.short_name}"
    paper.text(cell.middle, base, said, size=8, face=BOLD, align="centre", room=cell.room)


def _totals(paper: Paper, table: SeatedTable, grid: Grid, base: float) -> None:
    game = table.view.game
    paper.text(grid.gain_group.left - 6, base, "Total", size=10, face=BOLD, align="right")
    if game.is_over:
        for seat in grid.seats:
            cell = grid.gains[seat]
            words = signed(game.totals[seat]) if grid.check else f"{game.totals[seat]:,}"
            paper.text(
                cell.right - 5, base, words, size=9.5, face=BOLD, align="right", room=cell.room - 3
            )


def _foot(paper: Paper, table: SeatedTable) -> None:
    y = 150.0
    for said in how_to(table):
        y = paper.paragraph(MARGIN, y, said, room=RIGHT - MARGIN, size=8)
    chairs = table.chairs
    width = (RIGHT - MARGIN + 12) / len(chairs)
    for at, chair in enumerate(chairs):
        left = MARGIN + at * width
        paper.rule(left, 62, left + width - 12, 62, width=0.8, colour=INK)
        said = f"{chair.name} agrees"
        paper.text(left, 51, said, size=7.5, colour=SOFT, room=width - 12)
