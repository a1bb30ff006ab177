"""Where everything stands in the grid of a score sheet, and the rows that go into it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, pairwise
from typing import Any

from clubs.paper.page import Paper
from clubs.pdf.seated import SeatedTable
from scoring import Wind
from scoring.scorebook.selectors import HandRow

HAND, MARKS, CHECK, SIGN, GAP = 22.0, 24.0, 22.0, 11.0, 2.0
BOX = 25.6  # 9 mm, what a hand needs to write in
HANDS_OF_AN_EVENING = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of the grid; in large print a row has two bands, and band 1 is the lower."""

    left: float
    right: float
    band: int = 0

    @property
    def middle(self) -> float:
        """Halfway across."""
        return (self.left + self.right) / 2

    @property
    def room(self) -> float:
        """How wide words may be."""
        return self.right - self.left - 5

    @property
    def inner(self) -> float:
        """How wide figures may be, which need less white beside them."""
        return self.right - self.left - 2


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who pay one another: two seats, or at a table of five two winds."""

    one: str
    other: str

    @property
    def title(self) -> str:
        """``1–2`` or ``E–S``."""
        return f"{self.one}–{self.other}"

    def seats(self, hand: HandRow) -> tuple[int, ...]:
        """The two seats in a hand; none where one of them has no part in it."""
        named = {wind.value: seat for seat, wind in hand.winds.items()}
        named |= {str(seat): seat for seat in hand.winds}
        found = tuple(named[sign] for sign in (self.one, self.other) if sign in named)
        return found if len(found) == 2 else ()


_Key = tuple[str, int | Pair | None]
_Column = tuple[_Key, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the grid: a recorded hand, or one to play with what is known of its deal."""

    number: int
    prevails: Wind | None
    east: int | None
    sits_out: int | None = None
    hand: HandRow | None = None
    goulash: bool = False
    so_far: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns; those are missing that the rules or the number of players have no use for."""

    seats: tuple[int, ...]
    bands: int
    hand: Cell
    prevails: Cell | None
    east: Cell
    out: Cell | None
    marks: Cell
    signs: str
    scores: dict[int, Cell]
    payments: dict[Pair, Cell]
    gains: dict[int, Cell]
    check: Cell | None
    totals: dict[int, Cell]

    @property
    def summed(self) -> dict[int, Cell]:
        """The columns under which totals stand."""
        return self.totals or self.gains

    @property
    def groups(self) -> dict[str, Cell]:
        """The columns that belong together, under their title."""
        found: dict[str, Mapping[Any, Cell]] = {
            "Scores": self.scores,
            "Who pays whom": self.payments,
            "Gains and losses": self.gains,
            "Total so far": self.totals,
        }
        spans = {title: list(cells.values()) for title, cells in found.items() if cells}
        return {
            title: Cell(cells[0].left, cells[-1].right, cells[0].band)
            for title, cells in spans.items()
        }

    @property
    def edges(self) -> list[tuple[Cell, bool]]:
        """The cells with a line on their right, and whether it parts two groups."""
        lead = [self.hand, self.prevails, self.east, self.out, self.marks]
        groups = (self.scores, self.payments, self.gains, self.totals)
        cells = [*lead, *(cell for group in groups for cell in group.values()), self.check]
        strong = {self.marks.right, *(group.right for group in self.groups.values())}
        return [(cell, cell.right in strong) for cell in cells if cell]


def pairs_of(table: SeatedTable) -> tuple[Pair, ...]:
    """Who may have to pay whom in a hand: each two seats, or each two winds where one sits out."""
    if table.rules.payments is None:
        return ()
    seats = [chair.number for chair in table.chairs]
    signs = "ESWN" if len(seats) > 4 else "".join(map(str, seats))
    return tuple(Pair(one, other) for one, other in combinations(signs, 2))


def grid_of(paper: Paper, table: SeatedTable) -> Grid:
    """The columns between the margins for as many players as the table has."""
    seats = tuple(chair.number for chair in table.chairs)
    pays, pairs = table.rules.zero_sum, pairs_of(table)
    lead: list[_Column] = [
        (("hand", None), HAND + (6 if paper.form.is_large else 0)),
        (("prevails", None), 4 * SIGN + GAP if table.rules.passing.prevailing else 0.0),
        (("east", None), len(seats) * SIGN + GAP),
        (("out", None), BOX if len(seats) > 4 else 0.0),
        (("marks", None), MARKS + (6 if paper.form.is_large else 0)),
    ]
    upper: list[_Key] = [("scores", seat) for seat in seats]
    lower: list[_Key] = [("pays", pair) for pair in pairs]
    lower += [("gains", seat) for seat in seats if pays]
    check: list[_Column] = [(("check", None), CHECK if pays else 0.0)]
    sums: list[_Key] = [("totals", seat) for seat in seats]
    if paper.form.is_large:
        found = _laid(paper, 0, lead, upper)
        found |= _laid(paper, 1, [], lower, check) if pays else _laid(paper, 1, [], sums)
    else:
        found = _laid(paper, 0, lead, [*upper, *lower], check, sums)
    signs = "DG" if table.rules.passing.goulash_after_a_draw else "D"
    return _grid(seats, found, signs, bands=2 if paper.form.is_large else 1)


def _laid(
    paper: Paper,
    band: int,
    before: Sequence[_Column],
    shared: Sequence[_Key],
    between: Sequence[_Column] = (),
    after: Sequence[_Key] = (),
) -> dict[_Key, Cell]:
    """Cells side by side across the page: those with a width, and equal ones for the rest."""
    rest = paper.room - sum(width for _, width in [*before, *between])
    each = rest / (len(shared) + len(after))
    columns = [*before, *((key, each) for key in shared), *between, *((key, each) for key in after)]
    rights = list(accumulate((width for _, width in columns), initial=paper.margin))
    cells = (Cell(left, right, band) for left, right in pairwise(rights))
    found = zip(columns, cells, strict=True)
    return {key: cell for (key, width), cell in found if width}


def _grid(seats: tuple[int, ...], found: Mapping[_Key, Cell], signs: str, *, bands: int) -> Grid:
    def of(kind: str) -> dict[Any, Cell]:
        return {key[1]: cell for key, cell in found.items() if key[0] == kind}

    return Grid(
        seats=seats,
        bands=bands,
        hand=found["hand", None],
        prevails=found.get(("prevails", None)),
        east=found["east", None],
        out=found.get(("out", None)),
        marks=found["marks", None],
        signs=signs,
        scores=of("scores"),
        payments=of("pays"),
        gains=of("gains"),
        check=found.get(("check", None)),
        totals=of("totals"),
    )


def lines_of(table: SeatedTable) -> list[Line]:
    """A line for each hand: played, next, and empty ones to the planned number or 16.

    A game that is over has no empty lines. A first dealer whom the dice have still to choose is
    left to be ringed by hand.
    """
    game = table.view.game
    lines: list[Line] = []
    totals = dict.fromkeys(table.view.names, 0)
    for hand in game.hands:
        totals = {seat: total + hand.gains.get(seat, 0) for seat, total in totals.items()}
        out = _sits_out(table, hand.winds)
        wind = hand.prevailing_wind
        lines.append(Line(hand.number, wind, hand.dealer, out, hand, hand.goulash, totals))
    if deal := game.next_deal:
        out = _sits_out(table, deal.winds)
        wind = deal.prevailing_wind
        is_for_the_dice = game.first_dealer_is_open and game.first_dealer == 1
        dealer = None if is_for_the_dice else deal.dealer
        lines.append(Line(deal.number, wind, dealer, out, goulash=deal.goulash))
        wanted = game.hands_planned or HANDS_OF_AN_EVENING
        lines += [Line(at, None, None) for at in range(len(lines) + 1, wanted + 1)]
    return lines


def _sits_out(table: SeatedTable, winds: Mapping[int, Wind]) -> int | None:
    return next((seat for seat in sorted(table.view.names) if seat not in winds), None)
