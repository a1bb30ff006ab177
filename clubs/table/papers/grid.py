"""The layout of a score sheet's grid, and its rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, combinations, pairwise
from typing import Any

from clubs.paper.fonts import BOLD_FACE, TEXT_FACE
from clubs.paper.page import BAMBOO, CINNABAR, HAIRLINE_COLOUR, LINE_COLOUR, SOFT_INK, Paper
from clubs.table.papers.cards import SeatedTable
from clubs.table.rows import signed_points
from scoring import Wind
from scoring.scorebook.models import HandState
from scoring.scorebook.selectors import HandRow

HAND_WIDTH, MARKS_WIDTH, CHECK_WIDTH, SIGN_WIDTH, SIGNS_GAP = 22.0, 22.0, 20.0, 11.0, 4.0
FIGURE_SIZE = 9.5
BOX_WIDTH = 25.6  # 9 mm, enough for handwriting
HANDS_PER_EVENING = 16
HIGH_BAND = 24.0


@dataclass(frozen=True, slots=True)
class GridCell:
    """A column of the grid; in large print a row has two bands, and band 1 is the lower."""

    left: float
    right: float
    band: int = 0

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def room(self) -> float:
        return self.right - self.left - 5

    @property
    def inner(self) -> float:
        """The width for figures, which need less margin."""
        return self.right - self.left - 2


@dataclass(frozen=True, slots=True)
class PayingPair:
    """Two who pay one another: two seats, or at a table of five two winds."""

    one_sign: str
    other_sign: str

    @property
    def title(self) -> str:
        """``1–2`` or ``E–S``."""
        return f"{self.one_sign}–{self.other_sign}"

    def seats(self, hand: HandRow) -> tuple[int, ...]:
        """The two seats in a hand; none if one of them is not in it."""
        seats_by_sign = {wind.value: seat for seat, wind in hand.winds.items()}
        seats_by_sign |= {str(seat): seat for seat in hand.winds}
        result = tuple(
            seats_by_sign[sign]
            for sign in (self.one_sign, self.other_sign)
            if sign in seats_by_sign
        )
        return result if len(result) == 2 else ()


_Key = tuple[str, int | PayingPair | None]
_Column = tuple[_Key, float]


@dataclass(frozen=True, slots=True)
class GridLine:
    """A row of the grid: a recorded hand, or one to play with what is known of its deal."""

    number: int
    prevails: Wind | None
    east: int | None
    sits_out: int | None = None
    hand: HandRow | None = None
    goulash: bool = False
    so_far: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FigureFit:
    """How the figures of a group are all written: in one size, and with commas or without."""

    size: float
    has_commas: bool

    def format_figure(self, figure: str) -> str:
        return figure if self.has_commas else figure.replace(",", "")


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns; without those that the rules or the number of players do not need.

    ``key`` stands for all of them within a document.
    """

    key: tuple[str, int]
    seats: tuple[int, ...]
    bands: int
    hand: GridCell
    prevails: GridCell | None
    east: GridCell
    sits_out: GridCell | None
    marks: GridCell
    signs: str
    scores: dict[int, GridCell]
    payments: dict[PayingPair, GridCell]
    gains: dict[int, GridCell]
    check: GridCell | None
    totals: dict[int, GridCell]
    fits: dict[str, FigureFit] = field(default_factory=dict)

    @property
    def sum_cells(self) -> dict[int, GridCell]:
        return self.totals or self.gains

    @property
    def groups(self) -> dict[str, GridCell]:
        result: dict[str, Mapping[Any, GridCell]] = {
            "Scores": self.scores,
            "Who pays whom": self.payments,
            "Gains and losses": self.gains,
            "Total so far": self.totals,
        }
        spans = {title: list(cells.values()) for title, cells in result.items() if cells}
        return {
            title: GridCell(cells[0].left, cells[-1].right, cells[0].band)
            for title, cells in spans.items()
        }

    @property
    def edges(self) -> list[tuple[GridCell, bool]]:
        """The cells with a line on their right, and whether it separates two groups."""
        lead = [self.hand, self.prevails, self.east, self.sits_out, self.marks]
        groups = (self.scores, self.payments, self.gains, self.totals)
        cells = [*lead, *(cell for group in groups for cell in group.values()), self.check]
        strong = {self.marks.right, *(group.right for group in self.groups.values())}
        return [(cell, cell.right in strong) for cell in cells if cell]


def pairs_of(table: SeatedTable) -> tuple[PayingPair, ...]:
    """The pairs who may pay one another: of seats, or of winds if one player sits out."""
    if table.rules.payments is None:
        return ()
    seats = [chair.number for chair in table.chairs]
    signs = "ESWN" if len(seats) > 4 else "".join(map(str, seats))
    return tuple(PayingPair(first, second) for first, second in combinations(signs, 2))


def grid_of(paper: Paper, table: SeatedTable) -> Grid:
    """The columns between the margins, for the table's number of players."""
    seats = tuple(chair.number for chair in table.chairs)
    pays, pairs = table.rules.zero_sum, pairs_of(table)
    lead: list[_Column] = [
        (("hand", None), HAND_WIDTH + (6 if paper.form.is_large else 0)),
        (("prevails", None), 4 * SIGN_WIDTH + SIGNS_GAP if table.rules.passing.prevailing else 0.0),
        (("east", None), len(seats) * SIGN_WIDTH + SIGNS_GAP),
        (("sits_out", None), BOX_WIDTH if len(seats) > 4 else 0.0),
        (("marks", None), MARKS_WIDTH + (6 if paper.form.is_large else 0)),
    ]
    upper: list[_Key] = [("scores", seat) for seat in seats]
    lower: list[_Key] = [("payments", pair) for pair in pairs]
    lower += [("gains", seat) for seat in seats if pays]
    check: list[_Column] = [
        (("check", None), CHECK_WIDTH + (4 if paper.form.is_large else 0) if pays else 0.0)
    ]
    sums: list[_Key] = [("totals", seat) for seat in seats]
    if paper.form.is_large:
        cells_by_key = _lay_cells(paper, 0, lead, upper)
        cells_by_key |= (
            _lay_cells(paper, 1, [], lower, check) if pays else _lay_cells(paper, 1, [], sums)
        )
    else:
        cells_by_key = _lay_cells(paper, 0, lead, [*upper, *lower], check, sums)
    lone = ("hand", "prevails", "east", "sits_out", "marks", "check")
    cells: dict[str, Any] = {kind: cells_by_key.get((kind, None)) for kind in lone}
    for kind in ("scores", "payments", "gains", "totals"):
        cells[kind] = {
            subject: cell for (name, subject), cell in cells_by_key.items() if name == kind
        }
    signs = "DG" if table.rules.passing.goulash_after_a_draw else "D"
    key = (table.view.game.rules, len(seats))
    bands = 2 if paper.form.is_large else 1
    grid = Grid(key=key, seats=seats, bands=bands, signs=signs, **cells)
    return replace(grid, fits=_fits_of(paper, grid, grid_lines(table)))


def _fits_of(paper: Paper, grid: Grid, lines: Sequence[GridLine]) -> dict[str, FigureFit]:
    """The largest letters in which all figures of each group fit into their columns."""
    played_lines = [(line, line.hand) for line in lines if line.hand]
    sums = [signed_points(points) for _, hand in played_lines for points in hand.gains.values()]
    sums += [
        total_words(grid, points)
        for line, _ in played_lines
        for points in (line.so_far.values() if grid.totals else ())
    ]
    figures = {
        "scores": [f"{points:,}" for _, hand in played_lines for points in hand.scores.values()],
        "payments": [f"{points:,}" for _, hand in played_lines for *_, points in hand.payments],
        "sums": sums,
    }
    cells: dict[str, Mapping[Any, GridCell]] = {
        "scores": grid.scores,
        "payments": grid.payments,
        "sums": grid.sum_cells,
    }
    margins = {"scores": 4.0, "payments": 2.0, "sums": 1.0}
    faces, size = {"scores": BOLD_FACE}, max(FIGURE_SIZE, paper.form.smallest)
    result = {}
    for kind, texts in figures.items():
        room = min((cell.inner for cell in cells[kind].values()), default=BOX_WIDTH) - margins[kind]
        if kind == "payments" and grid.bands > 1:  # beside the sign of who receives it
            room -= _inset(paper) + 0.6 * paper.form.smallest
        result[kind] = FigureFit(*paper.fit(texts, faces.get(kind, TEXT_FACE), size, room))
    return result


def _inset(paper: Paper) -> float:
    """The way from the edge of a payment's cell to the middle of a sign, with room for its ring."""
    return 0.6 * paper.form.smallest + 2.4


def sign_places(paper: Paper, cell: GridCell) -> tuple[float, float]:
    """The middles of the two signs in a payment's cell."""
    inset = _inset(paper)
    return cell.left + inset, cell.right - inset


def _lay_cells(
    paper: Paper,
    band: int,
    leading_columns: Sequence[_Column],
    equal_keys: Sequence[_Key],
    middle_columns: Sequence[_Column] = (),
    trailing_keys: Sequence[_Key] = (),
) -> dict[_Key, GridCell]:
    """Cells side by side across the page: fixed widths, and equal ones for the rest."""
    remaining_width = paper.room - sum(width for _, width in [*leading_columns, *middle_columns])
    equal_width = remaining_width / (len(equal_keys) + len(trailing_keys))
    columns = [
        *leading_columns,
        *((key, equal_width) for key in equal_keys),
        *middle_columns,
        *((key, equal_width) for key in trailing_keys),
    ]
    rights = list(accumulate((width for _, width in columns), initial=paper.margin))
    cells = (GridCell(left_edge, right, band) for left_edge, right in pairwise(rights))
    return {key: cell for (key, width), cell in zip(columns, cells, strict=True) if width}


def grid_lines(table: SeatedTable) -> list[GridLine]:
    """A line for each hand: played, next, and empty ones to the planned number or 16.

    A finished game has no empty lines. A first dealer not yet chosen is left to be ringed by hand.
    """
    game = table.view.game
    lines: list[GridLine] = []
    totals = {seat: table.view.earlier_gains.get(seat, 0) for seat in table.view.names}
    for hand in game.hands:
        totals = {seat: total + hand.gains.get(seat, 0) for seat, total in totals.items()}
        seat_out = _sits_out(table, hand.winds)
        wind = hand.prevailing_wind
        lines.append(
            GridLine(hand.number_at_table, wind, hand.dealer, seat_out, hand, hand.goulash, totals)
        )
    if deal := game.next_deal:
        seat_out = _sits_out(table, deal.winds)
        wind = deal.prevailing_wind
        is_for_the_dice = game.first_dealer_is_open and game.first_dealer == 1
        dealer = None if is_for_the_dice else deal.dealer
        lines.append(
            GridLine(game.hands_before + deal.number, wind, dealer, seat_out, goulash=deal.goulash)
        )
        planned_hands = game.hands_planned or HANDS_PER_EVENING
        first = game.hands_before + 1
        lines += [
            GridLine(number, None, None) for number in range(first + len(lines), planned_hands + 1)
        ]
    return lines


def _sits_out(table: SeatedTable, winds: Mapping[int, Wind]) -> int | None:
    return next((seat for seat in sorted(table.view.names) if seat not in winds), None)


def draw_row(paper: Paper, grid: Grid, line: GridLine, floor: float, height: float) -> None:
    """One hand above ``floor``, as many bands high as the grid has.

    A row to be filled in is a stamp: it is the same on every sheet, and no text for screen readers.
    """
    if line.hand is None:
        printed_values = (line.number, line.prevails, line.east, line.sits_out, line.goulash)
        key = ("row", grid.key, height, printed_values)
        row = GridRow(paper, grid, line, 0, height / grid.bands)
        paper.stamp(key, 0, floor, (paper.width, height), row.draw)
        return
    row = GridRow(paper, grid, line, floor, height / grid.bands)
    with paper.tags.paragraph():
        row.draw()


def draw_edges(paper: Paper, grid: Grid, band: float) -> None:
    """The lines on the right of every cell of a row, and below its bands."""
    if grid.bands > 1:
        paper.rule(paper.margin, band, paper.right, band, width=0.3, colour=HAIRLINE_COLOUR)
    paper.rule(
        paper.margin, 0, paper.right, 0, colour=LINE_COLOUR if grid.bands > 1 else HAIRLINE_COLOUR
    )
    for cell, is_strong in grid.edges:
        low, width = (grid.bands - 1 - cell.band) * band, 0.9 if is_strong else 0.4
        paper.rule(cell.right, low, cell.right, low + band, width=width, colour=LINE_COLOUR)


class GridRow:
    def __init__(self, paper: Paper, grid: Grid, line: GridLine, floor: float, band: float) -> None:
        self.paper, self.grid, self.line = paper, grid, line
        self.floor, self.band = floor, band

    def draw(self) -> None:
        """What is in the row, and the lines around it."""
        paper, grid, hand = self.paper, self.grid, self.line.hand
        self.lead()
        self.pairs()
        if hand:
            self.scores(hand)
            self.sums(hand)
        if grid.check:
            self.check(grid.check)
        paper.stamp(
            ("edges", grid.key, self.band),
            0,
            self.floor,
            (paper.width, self.band * grid.bands),
            partial(draw_edges, paper, grid, self.band),
        )

    def foot(self, cell: GridCell) -> float:
        return self.floor + (self.grid.bands - 1 - cell.band) * self.band

    def base(self, cell: GridCell) -> float:
        """The baseline of words in the middle of the cell."""
        return self.foot(cell) + self.band / 2 - 3.6

    def lead(self) -> None:
        """The hand's number, prevailing wind, East, who sits out, and the marks."""
        grid, line = self.grid, self.line
        base = self.base(grid.hand)
        number = str(line.number)
        self.paper.text(grid.hand.middle, base, number, size=10, face=BOLD_FACE, align="centre")
        if grid.prevails:
            _draw_signs(
                self.paper, grid.prevails, base, "ESWN", line.prevails and line.prevails.value
            )
        east = None if line.east is None else str(line.east)
        _draw_signs(self.paper, grid.east, base, "".join(map(str, grid.seats)), east)
        if grid.sits_out and line.sits_out:
            self.paper.text(
                grid.sits_out.middle, base, str(line.sits_out), size=9.5, align="centre"
            )
        cell, signs = grid.marks, grid.signs
        is_drawn = line.hand is not None and line.hand.is_drawn
        ringed_signs = ("D" if is_drawn else "") + ("G" if line.goulash and "G" in signs else "")
        if line.hand and line.hand.state == HandState.DISPUTED:
            self.paper.text(
                cell.middle, base - 9, "query", size=8, align="centre", room=cell.room + 4
            )
        _draw_signs(self.paper, cell, base, signs, ringed_signs or None)

    def pairs(self) -> None:
        """The payment between each pair: the amount, with the receiver ringed."""
        # What the first of a pair receives from the second; negative if it pays.
        paid: Counter[tuple[int, ...]] = Counter()
        for payer, payee, points in self.line.hand.payments if self.line.hand else ():
            paid[payee, payer] += points
            paid[payer, payee] -= points
        for pair, cell in self.grid.payments.items():
            foot, size = self.foot(cell), self.paper.form.smallest
            low = foot + 2.6 if self.band > HIGH_BAND else self.base(cell)
            ends = dict(
                zip((pair.one_sign, pair.other_sign), sign_places(self.paper, cell), strict=True)
            )
            seats = pair.seats(self.line.hand) if self.line.hand else ()
            amount = paid[seats]
            is_tight = self.band <= HIGH_BAND and amount != 0
            for sign, middle in ends.items():
                face, colour = TEXT_FACE, SOFT_INK
                if amount and sign == (pair.one_sign if amount > 0 else pair.other_sign):
                    face, colour, side = BOLD_FACE, BAMBOO, size * 1.2
                    corner = (middle - side / 2, low - side * 0.21)
                    self.paper.box(*corner, side, side, colour=BAMBOO, line=0.9, round_by=side / 2)
                elif is_tight:
                    continue
                self.paper.text(
                    middle, low, sign, size=size, face=face, colour=colour, align="centre"
                )
            # The amount: above the two signs, or beside the receiver's (left: above 0).
            if amount:
                sign_room = _inset(self.paper) + 0.6 * size if is_tight else 0.0
                base, fit = self.base(cell) + (0 if is_tight else 4), self.grid.fits["payments"]
                text, room = fit.format_figure(f"{abs(amount):,}"), cell.inner - sign_room - 2
                middle = cell.middle + (sign_room if amount > 0 else -sign_room) / 2
                self.paper.figure(middle, base, text, size=fit.size, room=room)

    def scores(self, hand: HandRow) -> None:
        for seat, cell in self.grid.scores.items():
            base = self.base(cell)
            if seat not in hand.scores:
                # ``MJ`` for a winner whose score is unknown, ``D`` for who discarded the last tile.
                text = "D" if seat == hand.report.get("discarder") else "–"
                if hand.is_drawn and seat in hand.winds:
                    text = "drawn"
                elif seat == hand.winner:
                    text = "MJ"
                self.paper.text(
                    cell.middle,
                    base,
                    text,
                    size=8.5,
                    colour=SOFT_INK,
                    align="centre",
                    room=cell.room,
                )
                continue
            is_winner = seat == hand.winner
            if is_winner:
                left_edge, width = cell.left + 2, cell.right - cell.left - 4
                self.paper.box(
                    left_edge, base - 4.2, width, 15, colour=BAMBOO, line=1.1, round_by=7
                )
            fit, face = self.grid.fits["scores"], BOLD_FACE if is_winner else TEXT_FACE
            text, room = fit.format_figure(f"{hand.scores[seat]:,}"), cell.inner - 4
            self.paper.figure(cell.middle, base, text, size=fit.size, face=face, room=room)

    def sums(self, hand: HandRow) -> None:
        for seat, cell in self.grid.gains.items():
            self._figure(cell, signed_points(hand.gains[seat]) if seat in hand.gains else "–")
        for seat, cell in self.grid.totals.items():
            self._figure(cell, total_words(self.grid, self.line.so_far[seat]))

    def _figure(self, cell: GridCell, text: str) -> None:
        base, fit, room = self.base(cell), self.grid.fits["sums"], cell.inner - 1
        text = fit.format_figure(text)
        self.paper.figure(cell.right - 2, base, text, size=fit.size, align="right", room=room)

    def check(self, cell: GridCell) -> None:
        """A box to tick when the gains add up to zero; ticked if they are recorded."""
        x, y = cell.middle - 5, self.foot(cell) + self.band / 2 - 5
        self.paper.box(x, y, 10, 10, colour=LINE_COLOUR, line=0.8)
        if self.line.hand:
            self.paper.rule(x + 2, y + 5, x + 4.3, y + 2.2, width=1.3, colour=BAMBOO)
            self.paper.rule(x + 4.3, y + 2.2, x + 8.5, y + 8.5, width=1.3, colour=BAMBOO)


def total_words(grid: Grid, points: int) -> str:
    """A total with its sign where players pay one another."""
    return signed_points(points) if grid.check else f"{points:,}"


def _draw_signs(
    paper: Paper, cell: GridCell, base: float, signs: str, ringed_signs: str | None
) -> None:
    """All signs to ring one of, or the known ones with their rings."""
    width, large = cell.right - cell.left, max(8.5, paper.form.smallest)
    step = (width - SIGNS_GAP) / len(signs)
    middles = {sign: SIGNS_GAP / 2 + step * (index + 0.5) for index, sign in enumerate(signs)}
    if ringed_signs is None:
        name = f"signs-{signs}"
        paper.stamp(
            name, cell.left, base - 3, (width, 14), lambda: _draw_signs_to_ring(paper, middles)
        )
        return
    for sign in ringed_signs:
        middle, side = cell.left + middles[sign], large * 1.22
        low = base + 0.6 - side * 0.22
        paper.box(middle - 5, low, 10, side, colour=CINNABAR, line=1, round_by=4.9)
        paper.text(middle, base + 0.6, sign, size=8.5, face=BOLD_FACE, align="centre")


def _draw_signs_to_ring(paper: Paper, middles: Mapping[str, float]) -> None:
    for sign, middle in middles.items():
        paper.text(middle, 3.6, sign, size=8.5, colour=SOFT_INK, align="centre")
