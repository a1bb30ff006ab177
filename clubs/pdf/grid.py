"""The grid of a score sheet: a row a hand, with what is known printed and the rest to fill in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from clubs.pdf.page import (
    BAMBOO,
    BOLD,
    CINNABAR,
    HAIR,
    LINE,
    MARGIN,
    RIGHT,
    SOFT,
    TEXT,
    Paper,
)
from clubs.pdf.seated import SeatedTable
from clubs.rows import signed
from scoring import Wind
from scoring.scorebook.models import HandState
from scoring.scorebook.selectors import HandRow

HAND, PREVAILS, EAST, CHECK = 24.0, 49.0, 52.0, 24.0
PAD = 4.5
SIGN_BOX = 14.0
HANDS_OF_AN_EVENING = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of the grid."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Halfway across."""
        return (self.left + self.right) / 2

    @property
    def room(self) -> float:
        """How wide words may be."""
        return self.right - self.left - 5


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the grid: a recorded hand, or one to play with what is known of its deal."""

    number: int
    prevails: Wind | None
    east: int | None
    hand: HandRow | None = None
    goulash: bool = False
    so_far: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns; no prevailing wind or zero check under rules that have none."""

    seats: tuple[int, ...]
    hand: Cell
    prevails: Cell | None
    east: Cell
    scores: dict[int, Cell]
    gains: dict[int, Cell]
    check: Cell | None

    @property
    def score_group(self) -> Cell:
        """All columns of scores."""
        return Cell(self.scores[self.seats[0]].left, self.scores[self.seats[-1]].right)

    @property
    def gain_group(self) -> Cell:
        """All columns of gains."""
        return Cell(self.gains[self.seats[0]].left, self.gains[self.seats[-1]].right)

    @property
    def edges(self) -> list[tuple[float, bool]]:
        """Where lines go down, and whether the line parts two groups."""
        cells = [self.hand, self.prevails, self.east, *self.scores.values(), *self.gains.values()]
        strong = {self.east.right, self.score_group.right, self.gain_group.right}
        return [(cell.right, cell.right in strong) for cell in cells if cell]


def grid_of(table: SeatedTable) -> Grid:
    """The columns between the margins for as many players as the table has."""
    seats = tuple(chair.number for chair in table.chairs)
    has_wind, zero_sum = table.rules.passing.prevailing, table.rules.zero_sum
    widths = [HAND, PREVAILS if has_wind else 0, EAST, CHECK if zero_sum else 0]
    each = (RIGHT - MARGIN - sum(widths)) / (2 * len(seats))
    rights = list(accumulate([*widths[:3], *[each] * (2 * len(seats))], initial=MARGIN))
    hand, prevails, east, *others = [Cell(left, right) for left, right in pairwise(rights)]
    return Grid(
        seats=seats,
        hand=hand,
        prevails=prevails if has_wind else None,
        east=east,
        scores=dict(zip(seats, others, strict=False)),
        gains=dict(zip(seats, others[len(seats) :], strict=True)),
        check=Cell(others[-1].right, RIGHT) if zero_sum else None,
    )


def lines_of(table: SeatedTable) -> list[Line]:
    """A line for each hand: played, next, and empty ones to the planned number or 16.

    A game that is over has no empty lines.
    """
    game = table.view.game
    lines: list[Line] = []
    totals = dict.fromkeys(table.view.names, 0)
    for hand in game.hands:
        totals = {seat: total + hand.gains.get(seat, 0) for seat, total in totals.items()}
        lines.append(
            Line(hand.number, hand.prevailing_wind, hand.dealer, hand, hand.goulash, totals)
        )
    if deal := game.next_deal:
        lines.append(Line(deal.number, deal.prevailing_wind, deal.dealer, goulash=deal.goulash))
        wanted = game.hands_planned or HANDS_OF_AN_EVENING
        lines += [Line(at, None, None) for at in range(len(lines) + 1, wanted + 1)]
    return lines


def draw_row(paper: Paper, grid: Grid, line: Line, floor: float, height: float) -> None:
    """One hand: printed where it was recorded, else with signs to ring."""
    base = floor + height / 2 - 3.6
    paper.text(grid.hand.middle, base, str(line.number), size=10, face=BOLD, align="centre")
    if note := _note(line):
        room = HAND - 2
        paper.text(grid.hand.middle, base - 7, note, size=5.5, align="centre", room=room)
    if grid.prevails:
        _signs(paper, grid.prevails, base, "ESWN", line.prevails)
    east = None if line.east is None else str(line.east)
    _signs(paper, grid.east, base, "".join(map(str, grid.seats)), east)
    if line.hand:
        _played(paper, grid, line, line.hand, base)
    if grid.check:
        _check(paper, grid.check, floor + height / 2, is_done=line.hand is not None)
    paper.rule(MARGIN, floor, RIGHT, floor, colour=HAIR)


def _note(line: Line) -> str:
    if line.hand and line.hand.state == HandState.DISPUTED:
        return "disputed"
    return "goulash" if line.goulash else ""


def _signs(paper: Paper, cell: Cell, base: float, signs: str, known: str | None) -> None:
    """All signs to ring one of, or the known one with its ring."""
    width = cell.right - cell.left
    step = (width - 2 * PAD) / len(signs)
    middles = {sign: PAD + step * (at + 0.5) for at, sign in enumerate(signs)}
    if known is None:
        size = (width, SIGN_BOX)
        paper.stamp(f"signs-{signs}", cell.left, base - 3, size, lambda: _to_ring(paper, middles))
        return
    middle = cell.left + middles[known]
    paper.box(middle - 4.7, base - 2.3, 9.4, 11.5, colour=CINNABAR, line=1, round_by=4.7)
    paper.text(middle, base + 0.6, known, size=8.5, face=BOLD, align="centre")


def _to_ring(paper: Paper, middles: Mapping[str, float]) -> None:
    for sign, middle in middles.items():
        paper.text(middle, 3.6, sign, size=8.5, colour=SOFT, align="centre")


def _played(paper: Paper, grid: Grid, line: Line, hand: HandRow, base: float) -> None:
    for seat in grid.seats:
        _score(paper, grid.scores[seat], hand, seat, base)
        _gain(paper, grid.gains[seat], _gain_words(grid, line, hand, seat), base)


def _gain_words(grid: Grid, line: Line, hand: HandRow, seat: int) -> str:
    if not grid.check:
        return f"{line.so_far[seat]:,}"
    return signed(hand.gains[seat]) if seat in hand.gains else "–"


def _gain(paper: Paper, cell: Cell, words: str, base: float) -> None:
    paper.text(cell.right - 5, base, words, size=9.5, align="right", room=cell.room - 3)


def _score(paper: Paper, cell: Cell, hand: HandRow, seat: int, base: float) -> None:
    if seat not in hand.scores:
        words = _instead_of_a_score(hand, seat)
        paper.text(cell.middle, base, words, size=8.5, colour=SOFT, align="centre")
        return
    is_winner = seat == hand.winner
    if is_winner:
        ring = {"line": 1.1, "round_by": 7.0}
        paper.box(cell.left + 4, base - 4.2, cell.room - 3, 15, colour=BAMBOO, **ring)
    words, face = f"{hand.scores[seat]:,}", BOLD if is_winner else TEXT
    paper.text(cell.middle, base, words, size=9.5, face=face, align="centre", room=cell.room - 9)


def _instead_of_a_score(hand: HandRow, seat: int) -> str:
    """``D`` for whoever discarded the last tile, where the winner alone has a score."""
    if hand.is_drawn and seat in hand.winds:
        return "drawn"
    return "D" if seat == hand.report.get("discarder") else "–"


def _check(paper: Paper, cell: Cell, middle: float, *, is_done: bool) -> None:
    x, y = cell.middle - 5, middle - 5
    paper.box(x, y, 10, 10, colour=LINE, line=0.8)
    if is_done:
        paper.rule(x + 2, y + 5, x + 4.3, y + 2.2, width=1.3, colour=BAMBOO)
        paper.rule(x + 4.3, y + 2.2, x + 8.5, y + 8.5, width=1.3, colour=BAMBOO)
