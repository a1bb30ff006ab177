"""One hand in the grid of a score sheet: what was recorded is printed, the rest is to fill in."""

from collections.abc import Mapping

from clubs.paper.fonts import BOLD, TEXT
from clubs.paper.page import BAMBOO, CINNABAR, HAIR, LINE, SOFT, Paper
from clubs.pdf.grid import Cell, Grid, Line, Pair
from clubs.rows import signed
from scoring.scorebook.models import HandState
from scoring.scorebook.selectors import HandRow

HIGH = 24.0


def draw_row(paper: Paper, grid: Grid, line: Line, floor: float, height: float) -> None:
    """One hand above ``floor``, as many bands high as the grid has."""
    band = height / grid.bands
    row = Row(paper, grid, line, floor, band)
    # A row to be filled in by hand has nothing to be read out.
    with paper.tags.paragraph() if line.hand else paper.tags.decoration():
        row.lead()
        row.pairs()
        if line.hand:
            row.scores(line.hand)
            row.sums(line.hand)
        if grid.check:
            row.check(grid.check)
    if grid.bands > 1:
        paper.rule(paper.margin, floor + band, paper.right, floor + band, width=0.3, colour=HAIR)
    paper.rule(paper.margin, floor, paper.right, floor, colour=LINE if grid.bands > 1 else HAIR)


class Row:
    """Draws the cells of one hand."""

    def __init__(self, paper: Paper, grid: Grid, line: Line, floor: float, band: float) -> None:
        self.paper, self.grid, self.line = paper, grid, line
        self.floor, self.band = floor, band

    def foot(self, cell: Cell) -> float:
        """Where the cell's band begins from below."""
        return self.floor + (self.grid.bands - 1 - cell.band) * self.band

    def base(self, cell: Cell) -> float:
        """The baseline of words in the middle of the cell."""
        return self.foot(cell) + self.band / 2 - 3.6

    def lead(self) -> None:
        """The number of the hand, what prevails, who is East, who sits out, and the marks."""
        grid, line = self.grid, self.line
        base = self.base(grid.hand)
        number = str(line.number)
        self.paper.text(grid.hand.middle, base, number, size=10, face=BOLD, align="centre")
        if grid.prevails:
            wind = line.prevails and line.prevails.value
            _signs(self.paper, grid.prevails, base, "ESWN", wind)
        east = None if line.east is None else str(line.east)
        _signs(self.paper, grid.east, base, "".join(map(str, grid.seats)), east)
        if grid.out and line.sits_out:
            out = str(line.sits_out)
            self.paper.text(grid.out.middle, base, out, size=9.5, align="centre")
        self._marks(base)

    def _marks(self, base: float) -> None:
        cell, line = self.grid.marks, self.line
        signs = self.grid.signs
        is_drawn = line.hand is not None and line.hand.is_drawn
        known = ("D" if is_drawn else "") + ("G" if line.goulash and "G" in signs else "")
        if line.hand and line.hand.state == HandState.DISPUTED:
            self.paper.text(
                cell.middle, base - 9, "query", size=8, align="centre", room=cell.room + 4
            )
        _signs(self.paper, cell, base, signs, known or None)

    def pairs(self) -> None:
        """What is paid between each two: the amount, and whoever gets it ringed."""
        paid = _between(self.line.hand) if self.line.hand else {}
        for pair, cell in self.grid.payments.items():
            self._pair(pair, cell, paid)

    def _pair(self, pair: Pair, cell: Cell, paid: Mapping[tuple[int, ...], int]) -> None:
        foot, size = self.foot(cell), self.paper.form.smallest
        low = foot + 2.6 if self.band > HIGH else self.base(cell)
        inset = 5.5 if self.band > HIGH else 8.0
        ends = {pair.one: cell.left + inset, pair.other: cell.right - inset}
        seats = pair.seats(self.line.hand) if self.line.hand else ()
        amount = paid.get(seats, 0)
        is_tight = self.band <= HIGH and amount != 0
        for sign, middle in ends.items():
            gets = amount and sign == (pair.one if amount > 0 else pair.other)
            if gets:
                side = size * 1.2
                at = (middle - side / 2, low - side * 0.21)
                self.paper.box(*at, side, side, colour=BAMBOO, line=0.9, round_by=side / 2)
            elif is_tight:
                continue
            face, colour = (BOLD, BAMBOO) if gets else (TEXT, SOFT)
            self.paper.text(middle, low, sign, size=size, face=face, colour=colour, align="centre")
        if amount:
            self._paid(cell, f"{abs(amount):,}", size if amount > 0 else -size)

    def _paid(self, cell: Cell, words: str, size: float) -> None:
        """The amount: above the two signs, or beside the one of whoever gets it (left: above 0)."""
        base = self.base(cell) + (4 if self.band > HIGH else 0)
        if self.band > HIGH:
            self.paper.figure(cell.middle, base, words, size=9.5, room=cell.inner)
            return
        room = cell.inner - 1.3 * abs(size)
        self.paper.figure(cell.middle + 0.65 * size, base, words, size=9.5, room=room)

    def scores(self, hand: HandRow) -> None:
        """What each scored, the winner's ringed."""
        for seat, cell in self.grid.scores.items():
            base = self.base(cell)
            if seat not in hand.scores:
                words = _instead_of_a_score(hand, seat)
                self.paper.text(
                    cell.middle, base, words, size=8.5, colour=SOFT, align="centre", room=cell.room
                )
                continue
            is_winner = seat == hand.winner
            if is_winner:
                left, width = cell.left + 2, cell.right - cell.left - 4
                self.paper.box(left, base - 4.2, width, 15, colour=BAMBOO, line=1.1, round_by=7)
            words, face = f"{hand.scores[seat]:,}", BOLD if is_winner else TEXT
            room = cell.inner - 4
            self.paper.figure(cell.middle, base, words, size=9.5, face=face, room=room)

    def sums(self, hand: HandRow) -> None:
        """What each gained by it, and has in all."""
        for seat, cell in self.grid.gains.items():
            self._figure(cell, signed(hand.gains[seat]) if seat in hand.gains else "–")
        for seat, cell in self.grid.totals.items():
            self._figure(cell, total_words(self.grid, self.line.so_far[seat]))

    def _figure(self, cell: Cell, words: str) -> None:
        base = self.base(cell)
        self.paper.figure(cell.right - 2, base, words, size=9.5, align="right", room=cell.inner - 1)

    def check(self, cell: Cell) -> None:
        """A box to tick when the gains add to nothing; ticked where the book has them."""
        x, y = cell.middle - 5, self.foot(cell) + self.band / 2 - 5
        self.paper.box(x, y, 10, 10, colour=LINE, line=0.8)
        if self.line.hand:
            self.paper.rule(x + 2, y + 5, x + 4.3, y + 2.2, width=1.3, colour=BAMBOO)
            self.paper.rule(x + 4.3, y + 2.2, x + 8.5, y + 8.5, width=1.3, colour=BAMBOO)


def total_words(grid: Grid, points: int) -> str:
    """A total with its sign where players pay one another."""
    return signed(points) if grid.check else f"{points:,}"


def _between(hand: HandRow) -> dict[tuple[int, ...], int]:
    """What the first of each two seats gets of the second; less than nothing where it pays."""
    found: dict[tuple[int, ...], int] = {}
    for payer, payee, points in hand.payments:
        found[payee, payer] = found.get((payee, payer), 0) + points
        found[payer, payee] = found.get((payer, payee), 0) - points
    return found


def _signs(paper: Paper, cell: Cell, base: float, signs: str, known: str | None) -> None:
    """All signs to ring one of, or the known ones each with its ring."""
    width, large = cell.right - cell.left, max(8.5, paper.form.smallest)
    step = (width - 2) / len(signs)
    middles = {sign: 1 + step * (at + 0.5) for at, sign in enumerate(signs)}
    if known is None:
        name = f"signs-{signs}"
        paper.stamp(name, cell.left, base - 3, (width, 14), lambda: _to_ring(paper, middles))
        return
    for sign in known:
        middle, side = cell.left + middles[sign], large * 1.22
        low = base + 0.6 - side * 0.22
        paper.box(middle - 5, low, 10, side, colour=CINNABAR, line=1, round_by=4.9)
        paper.text(middle, base + 0.6, sign, size=8.5, face=BOLD, align="centre")


def _to_ring(paper: Paper, middles: Mapping[str, float]) -> None:
    for sign, middle in middles.items():
        paper.text(middle, 3.6, sign, size=8.5, colour=SOFT, align="centre")


def _instead_of_a_score(hand: HandRow, seat: int) -> str:
    """``D`` for whoever discarded the last tile, ``MJ`` for a winner whose score is not known."""
    if hand.is_drawn and seat in hand.winds:
        return "drawn"
    if seat == hand.winner:
        return "MJ"
    return "D" if seat == hand.report.get("discarder") else "–"
