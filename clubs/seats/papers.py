"""The explanation of a seating on paper: sentences, who meets whom, everyone's winds."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.paper.document import Column, ListPart, draw_list, fitted_name
from clubs.paper.fonts import BOLD_FACE, TEXT_FACE, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import BAMBOO, CINNABAR, INK, LINE_COLOUR, SOFT_INK, Paper
from clubs.seating import SeatingRemark
from clubs.seating.history import PairMeetings
from clubs.seats.selectors import WIND_NAMES, SeatingExplanation

SQUARE_SCALE = 1.34  # the side of a square that holds a figure, in sizes of its letters
HEAD_HEIGHT = 27.0
MAX_CELL = 17.0
NAMES_WIDTH = 96.0
NUMBERS_WIDTH = 17.0
ABOVE_PICTURE, LEGEND_HEIGHT = 76.0, 14.0
LEGENDS = {
    "once": "Meet once",
    "again": "more than once: the number says how often",
    "past": "On earlier evenings only (number of times)",
}
MIN_LIST_ROOM = 150.0  # the room that the list needs to begin on a page
ALL_MEET = "Everyone meets everyone else, so there is no picture of who meets whom."
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of the paper: the club, the title, and a sentence on what is explained."""

    club: str
    title: str
    lede: str


@dataclass(frozen=True, slots=True)
class PictureBlock:
    """The part of the picture with these rows and columns (from, to), and its measures."""

    rows: Span
    columns: Span
    left: float
    top: float
    cell: float

    def spot(self, row: int, column: int) -> tuple[float, float] | None:
        """The lower left corner of a square; None if it is not in this part."""
        if row not in range(*self.rows) or column not in range(*self.columns):
            return None
        column_offset, row_offset = column - self.columns[0], row - self.rows[0] + 1
        return self.left + column_offset * self.cell, self.top - row_offset * self.cell


def explanation_pdf(
    heading: Heading, explanation: SeatingExplanation, form: Format = DEFAULT_FORMAT
) -> bytes:
    """The explanation as PDF: sentences, the list of players, and who meets whom.

    Where everyone meets everyone a picture of it would tell nothing, so a sentence does.
    """
    explanation_paper = ExplanationPaper(heading, explanation, form)
    y = explanation_paper.players(explanation_paper.sentences())
    if not explanation_paper.all_meet:
        explanation_paper.pictures(y)
    return explanation_paper.paper.finish()


class ExplanationPaper:
    """Draws the explanation of a seating, one part after the other."""

    def __init__(self, heading: Heading, explanation: SeatingExplanation, form: Format) -> None:
        self.heading, self.explanation = heading, explanation
        self.paper = Paper(f"{heading.title}: {heading.lede}", form, wide=form.is_large)
        # Title and legend above a picture; in large print each kind has a line of its own.
        self.height_above = ABOVE_PICTURE + (2 * LEGEND_HEIGHT if form.is_large else 0)

    @property
    def all_meet(self) -> bool:
        """Whether each meets every other, in these rounds."""
        count = len(self.explanation.players)
        meetings = [pair for pair in self.explanation.pairs if pair.kind != "past"]
        return count > 4 and len(meetings) == count * (count - 1) // 2

    def sentences(self) -> float:
        """The first page, with a mark before each sentence; returns the height below them."""
        paper, explanation = self.paper, self.explanation
        y = paper.masthead(self.heading.club, explanation.counts)
        y = paper.title(y, self.heading.title, self.heading.lede) - 10
        for remark in explanation.remarks:
            self.mark(remark, y)
            left_edge, room = paper.margin + 20, paper.room - 20
            y = paper.paragraph(left_edge, y, remark.sentence, room=room, size=12, colour=INK) - 4
        paper.footer(self.heading.lede)
        if explanation.meeting_limits:
            y = paper.paragraph(
                paper.margin, y - 8, explanation.meeting_limits, room=paper.room, size=11
            )
        if self.all_meet:
            y = paper.paragraph(paper.margin, y - 8, ALL_MEET, room=paper.room, size=11)
        return y

    def mark(self, remark: SeatingRemark, y: float) -> None:
        """A tick for what is kept, a triangle for what is not, a dash for what is neither."""
        paper = self.paper
        if remark.is_kept is None:
            paper.rule(
                paper.margin + 2, y + 4, paper.margin + 10, y + 4, width=1.2, colour=LINE_COLOUR
            )
            return
        path = paper.canvas.beginPath()
        path.moveTo(paper.margin + 1, y + 4 if remark.is_kept else y)
        if remark.is_kept:
            path.lineTo(paper.margin + 4.5, y)
            path.lineTo(paper.margin + 11, y + 9)
            paper.canvas.setStrokeColor(paper.ink(BAMBOO))
            paper.canvas.setLineWidth(2)
        else:
            path.lineTo(paper.margin + 11, y)
            path.lineTo(paper.margin + 6, y + 8.5)
            path.close()
            paper.canvas.setFillColor(paper.ink(CINNABAR))
        with paper.tags.decoration():
            paper.canvas.drawPath(path, stroke=int(remark.is_kept), fill=int(not remark.is_kept))

    def pictures(self, y: float) -> None:
        """One picture below y or on a page of its own, or the blocks on and above the diagonal."""
        paper, count = self.paper, len(self.explanation.players)
        if paper.is_wide:
            paper.next_page(wide=False)
            y = paper.masthead(self.heading.club, self.explanation.counts)
            paper.footer(self.heading.lede)
        smallest = paper.form.smallest * SQUARE_SCALE
        column_count = int((paper.room - NAMES_WIDTH - NUMBERS_WIDTH) / smallest)
        row_count = int(
            (paper.height - paper.margin - HEAD_HEIGHT - self.height_above - paper.foot) / smallest
        )
        most = min(column_count, row_count)
        part_size = -(-count // -(-count // most))  # no part is much smaller than the others
        cuts = [(start, min(start + part_size, count)) for start in range(0, count, part_size)]
        parts = [(rows, columns) for index, rows in enumerate(cuts) for columns in cuts[index:]]
        for rows, columns in parts:
            most_here = min(MAX_CELL, self.cell(paper.height, rows, columns))
            if len(parts) > 1 or self.cell(y, rows, columns) < most_here:
                paper.next_page()
                y = paper.masthead(self.heading.club, self.explanation.counts)
                paper.footer(self.heading.lede)
            self.picture(y, rows, columns)

    def cell(self, y: float, rows: Span, columns: Span) -> float:
        """The side of a square where a picture begins below y and may be as wide as the page."""
        column_count, row_count = columns[1] - columns[0], rows[1] - rows[0]
        room = self.paper.room - NAMES_WIDTH - NUMBERS_WIDTH
        return min(
            MAX_CELL, room / column_count, (y - self.height_above - self.paper.foot) / row_count
        )

    def picture(self, y: float, rows: Span, columns: Span) -> None:
        """Title, legend and squares of the part with these rows and columns."""
        paper, pairs, players = self.paper, self.explanation.pairs, self.explanation.players
        title = "Who meets whom"
        if rows[1] - rows[0] < len(players):
            row_span, column_span = (
                f"{players[first].number} to {players[end - 1].number}"
                for first, end in (rows, columns)
            )
            title = f"{title}: players {row_span} with {column_span}"
        paper.text(paper.margin, y - 26, title, size=15, face=BOLD_FACE)
        kinds = {pair.kind: pair for pair in pairs}
        x, line = paper.margin, y - 44
        for kind, label in LEGENDS.items():
            if kind in kinds:
                _draw_square(paper, kinds[kind], (x, line - 2), 11)
                paper.text(x + 16, line, label, size=9, colour=SOFT_INK)
                x += 0 if paper.form.is_large else 30 + width_of(label, TEXT_FACE, 9)
                line -= LEGEND_HEIGHT if paper.form.is_large else 0
        left_edge, cell = paper.margin + NAMES_WIDTH + NUMBERS_WIDTH, self.cell(y, rows, columns)
        block = PictureBlock(rows, columns, left_edge, y - self.height_above + 10, cell)
        self.frame(block)
        for pair in pairs:
            for spot in (block.spot(pair.row, pair.column), block.spot(pair.column, pair.row)):
                if spot:
                    _draw_square(paper, pair, spot, cell)

    def frame(self, block: PictureBlock) -> None:
        """The grid with the numbers above, and names and numbers beside it."""
        paper, players = self.paper, self.explanation.players
        low = block.top - (block.rows[1] - block.rows[0]) * block.cell
        end = block.left + (block.columns[1] - block.columns[0]) * block.cell
        least = paper.form.smallest
        size = max(9.0, least)
        for index, row in enumerate(range(*block.rows)):
            y = block.top - (index + 1) * block.cell
            paper.rule(block.left, y, end, y, width=0.3)
            base = y + (block.cell - least * 0.7) / 2
            name, fits = fitted_name(
                players[row].name, TEXT_FACE, size, NAMES_WIDTH - 4, least=least
            )
            paper.text(paper.margin, base, name, size=fits, room=NAMES_WIDTH - 4)
            number = f"{players[row].number}"
            paper.text(block.left - 4, base, number, size=least, colour=SOFT_INK, align="right")
        for index, column in enumerate(range(*block.columns)):
            x = block.left + (index + 0.5) * block.cell
            paper.rule(x + block.cell / 2, block.top, x + block.cell / 2, low, width=0.3)
            number = f"{players[column].number}"
            paper.text(x, block.top + 3, number, size=least, colour=SOFT_INK, align="centre")
        paper.box(block.left, low, end - block.left, block.top - low, colour=LINE_COLOUR)
        if block.rows == block.columns:
            paper.rule(block.left, block.top, end, low, width=0.5, colour=LINE_COLOUR)

    def players(self, upper_edge: float) -> float:
        """Everyone's winds and tables, then the pairs that meet again; the height below."""
        columns = _list_columns(self.explanation)
        rows = tuple(zip(*(cells for _, cells in columns), strict=True))
        y = self.list_below(upper_edge, "Winds and tables", [column for column, _ in columns], rows)
        return self.draw_repeat_meetings(y) if self.explanation.repeat_meetings else y

    def draw_repeat_meetings(self, upper_edge: float) -> float:
        """The pairs who meet more than once, with the days or rounds; returns the height below."""
        columns = (
            Column("Name", 150, "left", is_bold=True),
            Column("With", 150, "left", is_bold=True),
            Column("When", 200, "left", wraps=True),
        )
        pairs = tuple(
            (pair.player, pair.other_player, pair.occasions)
            for pair in self.explanation.repeat_meetings
        )
        return self.list_below(upper_edge, "Who meets more than once", columns, pairs)

    def list_below(
        self,
        upper_edge: float,
        title: str,
        columns: Sequence[Column],
        rows: tuple[tuple[str, ...], ...],
    ) -> float:
        """A titled list, from a new page on where little room is left; returns the height below."""
        paper, heading, explanation = self.paper, self.heading, self.explanation
        is_fresh = upper_edge - MIN_LIST_ROOM < paper.foot
        if is_fresh:
            paper.next_page()

        def top(page: int) -> float:
            fresh = page > 1 or is_fresh
            y = paper.masthead(heading.club, explanation.counts) if fresh else upper_edge
            if page > 1:
                return y
            paper.text(paper.margin, y - 26, title, size=15, face=BOLD_FACE)
            return y - 30

        parts = (ListPart("", rows),)
        return draw_list(paper, columns=tuple(columns), parts=parts, top=top, footer=heading.lede)


def _draw_square(paper: Paper, pair: PairMeetings, spot: tuple[float, float], cell: float) -> None:
    """A small square for one meeting; a full one with the number for several."""
    x, y = spot
    canvas = paper.canvas
    if pair.kind == "past":
        canvas.setDash(1.5, 1)
        paper.box(x + 0.7, y + 0.7, cell - 1.4, cell - 1.4, line=0.6, colour=LINE_COLOUR)
        canvas.setDash()
    else:
        is_once = pair.kind == "once"
        inset = cell * (0.2 if is_once else 0.04)
        canvas.setFillColor(paper.ink(BAMBOO if is_once else CINNABAR))
        with paper.tags.decoration():
            canvas.rect(x + inset, y + inset, cell - 2 * inset, cell - 2 * inset, stroke=0, fill=1)
    if pair.kind != "once":
        size, colour = cell / SQUARE_SCALE, SOFT_INK if pair.kind == "past" else "#ffffff"
        base = y + (cell - size * 0.68) / 2
        figure = f"{pair.times}"
        paper.text(
            x + cell / 2, base, figure, size=size, face=BOLD_FACE, colour=colour, align="centre"
        )


def _list_columns(explanation: SeatingExplanation) -> list[tuple[Column, list[str]]]:
    """Each column of the list with its cells, one for each player."""
    players = explanation.players
    columns = [
        (Column("No.", 26, is_bold=True), [f"{player.number}" for player in players]),
        (Column("Name", 150, "left", is_bold=True), [player.name for player in players]),
    ]
    tables = [", ".join(player.tables) for player in players]
    if len(explanation.rounds) == 1:
        starts = [player.only_seat for player in players]
        return [*columns, (Column("Table", 60), tables), (Column("Starts as", 200, "left"), starts)]
    for index, wind in enumerate(WIND_NAMES.values()):
        columns.append((Column(wind, 32), [f"{player.winds[index]}" for player in players]))
    if explanation.has_fifths:
        columns.append((Column("Fifth", 30), [f"{player.fifths}" for player in players]))
    columns.append((Column("People", 38), [f"{player.people}" for player in players]))
    if explanation.has_turns_out:
        rounds_out = [", ".join(map(str, player.detail.sits_out)) for player in players]
        columns.append((Column("Sits out", 48), rounds_out))
    return [*columns, (Column("Tables, round by round", 150, "left"), tables)]
