"""A tournament's printed results, certificates and poster."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from clubs.language.moments import long_date
from clubs.language.words import count_words
from clubs.league.poster import Poster, draw_centred, first_ten_pdf, highest_hand
from clubs.paper.document import Column, ListPart, draw_list, title_drawer
from clubs.paper.fonts import BOLD_FACE, DISPLAY_FACE, TEXT_FACE, break_lines, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import (
    CINNABAR,
    HAIRLINE_COLOUR,
    INK,
    LINE_COLOUR,
    MASTHEAD_HEIGHT,
    SOFT_INK,
    Align,
    Paper,
    fit_lines,
    shared_size,
)
from clubs.table.rows import points_text
from scoring.scorebook.selectors import verification_text
from tournaments.models import Tournament
from tournaments.results.selectors.records import (
    CrossRow,
    MadeHand,
    PlayedHand,
    Records,
    RoundCell,
    SeatAtHand,
    by_table,
)
from tournaments.results.selectors.results import (
    BEST_OF_METRICS,
    ORDINALS,
    PrizeGiving,
    PrizeRow,
    Results,
    RulingRow,
)

# The printed fonts have no thirds and sixths.
FRACTION_TEXTS = str.maketrans({"⅓": " 1/3", "⅔": " 2/3", "⅙": " 1/6", "⅚": " 5/6"})
TILE_SIZE = 38.0
RECORD_COLUMNS = (
    Column("", 96, "left", is_bold=True),
    Column("Name", 150, "left", is_bold=True),
    Column("With", 130, "left"),
    Column("Details", 150, "left"),
)
ROUNDS_LEDE = "Table points of each round, with points won or lost in brackets."
HANDS_LEDE = "Seats are in the order of the names above each table, starting with the first East."
ROUND_WIDTH, SEATS = 74.0, 4
HAND_COLUMNS = (
    Column("Hand", 40, "left", is_bold=True),
    Column("Mah-Jong", 150, "left"),
    *(Column(f"Seat {number}", 60) for number in range(1, SEATS + 1)),
)
TICK_BOX_SIZE = 22.0
MIN_SECTION_HEIGHT = 150.0  # the room that a heading needs with what follows
HEADING_HEIGHT = 34.0
# The wallchart, on the sheet: letters of 20 points are read from two metres.
NAME_SIZE, POINTS_SIZE, SMALL_GAIN_SIZE = 30.0, 28.0, 10.0
MIN_LINE_HEIGHT, MAX_LINE_HEIGHT = 35.0, 78.0
PLACE_WIDTH, NAMES_WIDTH = 36.0, 150.0
# Of a name on it: the least part of its usual letters, and of the height of its line in two lines.
ONE_LINE_SCALE, TWO_LINE_SCALE = 0.7, 0.4
FIGURE_PADDING = 8.0  # above and below two figures in a line
WINNER_SIZE, NOTE_SIZE, LEADING = 25.0, 10.5, 14.0
RULING_NAME_WIDTH = 0.58  # of the width, beside which stands where it was
PageTop = Callable[[int], float]
HONOUR_TILES = ("DR", "DG", "DW")
CertificateRow = tuple[str, str, str]


def results_pdf(
    tournament: Tournament,
    results: Results,
    form: Format = DEFAULT_FORMAT,
    *,
    hands: Sequence[PlayedHand] = (),
) -> bytes:
    """A PDF of the wallchart, then all figures, prizes, records, rulings and, if given, hands."""
    chart = Wallchart(tournament, results, form)
    chart.draw()
    paper = chart.paper
    footer = _footer(tournament, results)
    if chart.lacks_rounds:
        _draw_rounds(paper, tournament, results, footer)
    paper.next_page(wide=form.is_large)
    y = draw_standings(paper, tournament, results)
    for note in results.cross.substitutes:
        y = paper.paragraph(paper.margin, y - 18, note, room=paper.room, colour=INK) + 8
    if record_parts := tuple(part for part in _record_parts(results) if part.rows):
        page_top = _page_top(paper, tournament, results, "")
        top = _top_with_best_hand(
            paper, _continue_below(paper, page_top, y, "Prizes and records"), results
        )
        y = draw_list(paper, columns=RECORD_COLUMNS, parts=record_parts, top=top, footer=footer)
    if results.rulings:
        blocks = _ruling_blocks(paper, results.rulings)
        page_top = _page_top(paper, tournament, results, "")
        first = HEADING_HEIGHT + sum(
            block.height for block in blocks[: _blocks_together(blocks, 0)]
        )
        top = _continue_below(paper, page_top, y, "Rulings", room=first)
        _draw_rulings(paper, blocks, top, footer)
    if hands:
        paper.next_page()
        top = _page_top(paper, tournament, results, "Every hand", HANDS_LEDE)
        parts = tuple(_hand_parts(hands, pays=tournament.pays))
        draw_list(paper, columns=HAND_COLUMNS, parts=parts, top=top, footer=footer)
    return paper.finish()


def _continue_below(
    paper: Paper, page_top: PageTop, y: float, title: str, *, room: float = MIN_SECTION_HEIGHT
) -> PageTop:
    """A heading below y, or on a page of its own where less than this room is left."""

    def top(page: int) -> float:
        if page > 1:
            return page_top(page)
        start = y
        if start - room < paper.foot:
            paper.next_page()
            start = page_top(2)
        with paper.tags.element("H2"):
            paper.text(paper.margin, start - 32, title, size=14, face=BOLD_FACE)
        return start - HEADING_HEIGHT

    return top


class Wallchart:
    """The standings with every round, to be read on a wall from two metres.

    As many lines to a page as have letters of that size, so that 16 players have one page; all of
    its pages are filled alike.
    """

    def __init__(self, tournament: Tournament, results: Results, form: Format) -> None:
        self.tournament, self.results, self.pays = tournament, results, tournament.pays
        self.scale = form.scale
        self.paper = Paper(f"{tournament.name}: standings", form)
        rounds = list(results.cross.rounds)
        self.cell, self.place = self._cell_width(), self._place_width()
        if self._names(len(rounds)) < NAMES_WIDTH / self.scale:
            self.paper = Paper(f"{tournament.name}: standings", form, wide=True)
        self.rounds = rounds
        while self.rounds and self._names(len(self.rounds)) < NAMES_WIDTH / self.scale:
            self.rounds = self.rounds[1:]
        self.lacks_rounds = len(self.rounds) < len(rounds)
        self.lines_per_page, self.step = self._lines()
        self.size = self._name_size()

    @property
    def _small(self) -> float:
        return max(SMALL_GAIN_SIZE / self.scale, self.paper.form.smallest)

    def _gain(self, cell: RoundCell) -> str:
        """The points below the table points; none in large print, where there is no room."""
        is_played = cell.table is not None and cell.hands
        is_large = self.paper.form.is_large
        return points_text(cell.points, pays=self.pays) if is_played and not is_large else ""

    def _share(self, cell: RoundCell) -> str:
        if cell.table is None:
            return "out" if cell.sits_out else "–"
        return _printable(cell.share) if cell.hands else "–"

    def _cell_width(self) -> float:
        cells = [cell for row in self.results.cross.rows for cell in row.cells]
        gains = (width_of(self._gain(cell), TEXT_FACE, self._small) for cell in cells)
        shares = (
            width_of(self._share(cell), BOLD_FACE, POINTS_SIZE / self.scale) for cell in cells
        )
        return max(24.0, *gains, *shares, 0.0) + 7

    def _place_width(self) -> float:
        places = (row.line.place for row in self.results.cross.rows)
        wide = (width_of(place, DISPLAY_FACE, POINTS_SIZE / self.scale) for place in places)
        return max(PLACE_WIDTH / self.scale, *wide, 0.0) + 6

    def _totals(self) -> float:
        figures = [row.line.figures for row in self.results.cross.rows if row.line.figures]
        wide = [
            width_of(_printable(first), BOLD_FACE, POINTS_SIZE / self.scale)
            for first, *_ in figures
        ]
        wide += [
            width_of(_printable(word), TEXT_FACE, self._small)
            for _, *other_figures in figures
            for word in other_figures[:1]
        ]
        return max([34.0, *wide]) + 8

    def _names(self, rounds: int) -> float:
        """The room for names beside so many rounds."""
        return self.paper.room - self.place - self._totals() - rounds * self.cell

    def _below_heads(self) -> float:
        """The height below the heads of a page, where its lines begin."""
        paper = self.paper
        title = 48 if paper.form.is_large else 68
        return paper.height - paper.margin - MASTHEAD_HEIGHT - title - 24

    def _lines(self) -> tuple[int, float]:
        """How many lines a page has, and their height: all pages are filled alike."""
        rows, room = self.results.cross.rows, self._below_heads() - self.paper.foot
        most = max(1, int(room // (MIN_LINE_HEIGHT / self.scale)))
        pages = max(1, -(-len(rows) // most))
        lines_per_page = max(1, -(-len(rows) // pages))
        return lines_per_page, min(MAX_LINE_HEIGHT / self.scale, room / lines_per_page)

    def _name_size(self) -> float:
        """The size of all names; those too long for it have two lines."""
        names = [row.line.row.marked_name for row in self.results.cross.rows]
        most = min(NAME_SIZE / self.scale, self.step * 0.6)
        room = self._names(len(self.rounds)) - 10
        least = max(most * ONE_LINE_SCALE, self.paper.form.smallest)
        return shared_size(names, BOLD_FACE, most, room, least=least)

    def draw(self) -> None:
        """Every line, over as many pages as there must be."""
        paper = self.paper
        rows = self.results.cross.rows
        lines_per_page = self.lines_per_page
        step = self.step
        for first in range(0, max(1, len(rows)), lines_per_page):
            if first:
                paper.next_page()
            y = self._head()
            for row in rows[first : first + lines_per_page]:
                y -= step
                self._line(row, y, step)

    def _head(self) -> float:
        """The heads of a page: the tournament, and what each column is."""
        paper, results = self.paper, self.results
        y = paper.masthead(self.tournament.club.name, long_date(self.tournament.held_on))
        with paper.tags.element("H1"):
            size = 20.0 if paper.form.is_large else 28.0
            y = paper.lines(
                paper.margin,
                y - size - (4 if paper.form.is_large else 6),
                self.tournament.name,
                size=size,
                face=DISPLAY_FACE,
                room=paper.room,
                most=1,
            )
        y -= 17
        standing = results.board.standing
        paper.text(paper.margin, y, standing[:1].upper() + standing[1:], size=11, colour=SOFT_INK)
        paper.footer(_footer(self.tournament, results))
        y = self._below_heads()
        size, base = max(10.0, paper.form.smallest), y + 7
        for number, middle in zip(self.rounds, self._middles(), strict=True):
            paper.text(middle, base, str(number), size=size, face=BOLD_FACE, align="centre")
        if self.rounds:
            left_edge = self._middles()[0] - self.cell / 2 - 5
            word = "Round" if len(self.rounds) == 1 else "Rounds"
            paper.text(left_edge, base, word, size=size, colour=SOFT_INK, align="right")
        first = results.board.columns[0] if results.board.columns else ""
        lines = first.split(" ", 1)
        for line_index, line in enumerate(lines):
            low = base + size * (len(lines) - 1 - line_index)
            paper.text(paper.right, low, line, size=size, face=BOLD_FACE, align="right")
        paper.rule(paper.margin, y, paper.right, y, width=1.2, colour=INK)
        return y

    def _middles(self) -> list[float]:
        """The middle of the column of each round."""
        start = self.paper.right - self._totals() - len(self.rounds) * self.cell
        return [start + (index + 0.5) * self.cell for index in range(len(self.rounds))]

    def _line(self, row: CrossRow, floor: float, step: float) -> None:
        """Place, name, rounds and total of one entrant above ``floor``."""
        paper, middle = self.paper, floor + step / 2
        large = min(POINTS_SIZE / self.scale, step * 0.56)
        base = middle - large * 0.34
        with paper.tags.paragraph():
            paper.text(
                paper.margin,
                base,
                row.line.place,
                size=large,
                face=DISPLAY_FACE,
                colour=CINNABAR,
                room=self.place - 3,
            )
            room = self._names(len(self.rounds)) - 10
            left_edge, name, size = paper.margin + self.place, row.line.row.marked_name, self.size
            if width_of(name, BOLD_FACE, size) > room:
                size = max(min(size, step * TWO_LINE_SCALE), paper.form.smallest)
            low = middle - size * 0.34
            paper.lines(left_edge, low, name, size=size, face=BOLD_FACE, room=room, is_centred=True)
            cells = row.cells[len(row.cells) - len(self.rounds) :]
            for cell, x in zip(cells, self._middles(), strict=True):
                self._figures(x, floor, step, self._share(cell), self._gain(cell), "centre")
            figures = [*map(_printable, row.line.figures), "", ""]
            self._figures(paper.right, floor, step, figures[0], figures[1], "right")
        paper.rule(paper.margin, floor, paper.right, floor, colour=HAIRLINE_COLOUR)

    def _figures(
        self, x: float, floor: float, step: float, upper: str, lower: str, align: Align
    ) -> None:
        """A figure in large letters, and a small one below it where there is room."""
        paper, large = self.paper, min(POINTS_SIZE / self.scale, step * 0.56)
        small = self._small
        line_gap = small + large * 0.12
        has_both = bool(lower) and large * 0.7 + line_gap + FIGURE_PADDING <= step
        low = floor + step / 2 - large * 0.34 + (line_gap / 2 if has_both else 0)
        paper.text(x, low, upper, size=large, face=BOLD_FACE, align=align)
        if has_both:
            paper.text(x, low - line_gap, lower, size=small, colour=SOFT_INK, align=align)


def _draw_rounds(paper: Paper, tournament: Tournament, results: Results, footer: str) -> None:
    """Draw everyone's table points and gain by round, with as many rounds per list as fit."""
    cross = results.cross
    wide = max(1, int((paper.room - 190) // ROUND_WIDTH))
    for first in range(0, len(cross.rounds), wide):
        numbers = cross.rounds[first : first + wide]
        paper.next_page()
        title = "Round by round"
        if len(cross.rounds) > wide:
            title = f"{title}: {numbers[0]} to {numbers[-1]}"
        columns = (
            Column("Place", 40, "left", is_bold=True),
            Column("Name", 150, "left", is_bold=True),
            *(Column(f"Round {number}", ROUND_WIDTH, "left", wraps=True) for number in numbers),
        )
        rows = []
        for row in cross.rows:
            cells = row.cells[first : first + wide]
            figures = (_round_text(cell, pays=tournament.pays) for cell in cells)
            rows.append((row.line.place, row.line.row.marked_name, *figures))
        top = _page_top(paper, tournament, results, title, ROUNDS_LEDE)
        draw_list(
            paper, columns=columns, parts=(ListPart("", tuple(rows)),), top=top, footer=footer
        )


def _round_text(cell: RoundCell, *, pays: bool) -> str:
    """``4 (+96)``, with the substitute's name if there was one."""
    if cell.table is None:
        return "sat out" if cell.sits_out else "–"
    if not cell.hands:
        return "–"
    figures = f"{_printable(cell.share)} ({points_text(cell.points, pays=pays)})"
    return f"{figures} {cell.substitute}".strip()


def _hand_parts(hands: Sequence[PlayedHand], *, pays: bool) -> Iterator[ListPart]:
    """For each table its players, then a row per hand: number, winner, and each seat's part."""
    for (round_, table), table_hands in by_table(hands).items():
        by_seat = zip(*(hand.seats for hand in table_hands), strict=True)
        names = [" then ".join(_players_in_turn(seats)) for seats in by_seat]
        rows = []
        for hand in table_hands:
            points = [points_text(seat.points, pays=pays) for seat in hand.seats]
            rows.append((f"{hand.number}", hand.winner or "nobody", *points))
        yield ListPart(f"Round {round_}, table {table}: {', '.join(names)}", tuple(rows))


def _players_in_turn(seats: Iterable[SeatAtHand]) -> Iterator[str]:
    """Who played a seat's hands, each change named."""
    return (name for name, _ in groupby(seat.substitute or seat.name for seat in seats))


def draw_standings(paper: Paper, tournament: Tournament, results: Results) -> float:
    """Draw the places of players and teams from a new page on; returns the height below."""
    day = long_date(tournament.held_on)
    lede = f"{day}, {results.board.standing}. {_printable(results.board.rule)}"
    top = _page_top(paper, tournament, results, tournament.name, lede)
    lines, teams = [], []
    for line in results.board.lines:
        row = line.row
        rounds = f"{row.rounds} (sat out {row.sat_out})" if row.sat_out else f"{row.rounds}"
        figures = map(_printable, line.figures)
        lines.append((line.place, row.marked_name, row.from_club, rounds, *figures))
    for team in results.board.teams:
        players = count_words(len(team.row.members), "player")
        figures = map(_printable, team.figures)
        teams.append((team.place, team.row.name, players, "", *figures))
    first, *other_headers = results.board.columns
    has_places = any(place for _, _, place, *_ in lines) or bool(teams)
    if not has_places:
        lines = [(*line[:2], *line[3:]) for line in lines]
    columns = (
        Column("Place", 40, "left", is_bold=True),
        Column("Name", 160, "left", is_bold=True),
        *([Column("From", 122, "left")] if has_places else []),
        Column("Rounds", 44),
        Column(first, 62, is_bold=True),
        *(Column(header, 54) for header in other_headers),
    )
    parts = (ListPart("", tuple(lines)), ListPart("Teams", tuple(teams)))
    footer = _footer(tournament, results)
    return draw_list(paper, columns=columns, parts=parts, top=top, footer=footer)


def _footer(tournament: Tournament, results: Results) -> str:
    return f"{tournament.name}, {results.board.standing}{verification_text(tournament.book)}"


def _page_top(
    paper: Paper, tournament: Tournament, results: Results, title: str, lede: str = ""
) -> PageTop:
    """Draw the heading of a page: the club, and on the first page the title."""
    return title_drawer(paper, tournament.club.name, results.board.players, title, lede)


def _top_with_best_hand(paper: Paper, page_top: PageTop, results: Results) -> PageTop:
    """The same with the tiles of the highest hand under the title, if they were entered."""

    def top(page: int) -> float:
        y = page_top(page)
        if page > 1 or not results.records.highest or not results.records.highest[0].tiles:
            return y
        best = results.records.highest[0]
        x, y = paper.margin, y - TILE_SIZE - 6
        for group in best.tiles:
            x += paper.tiles(group, x, y, TILE_SIZE * _tile_scale(best)) + 9 * _tile_scale(best)
        return y - 8

    return top


def _tile_scale(hand: MadeHand) -> float:
    """The scale at which all the tiles fit in one row."""
    return min(1.0, 15 / sum(len(group) for group in hand.tiles))


def _printable(figure: str) -> str:
    return figure.translate(FRACTION_TEXTS).strip()


def _record_parts(results: Results) -> Iterator[ListPart]:
    records = results.records
    prizes = (
        (row.title, ", ".join(row.names), _printable(row.figure), row.gift)
        for row in results.prizes
    )
    yield ListPart("Prizes", tuple(prizes))
    yield ListPart(
        "Highest hand", tuple(_record_row(hand) for hand in records.highest), is_unbreakable=True
    )
    most = tuple(("", name, f"Mah-Jongs: {records.mahjongs}", "") for name in records.most_mahjongs)
    yield ListPart("Most Mah-Jongs", most, is_unbreakable=True)
    yield ListPart("Special hands", tuple(_record_row(hand) for hand in records.special))


def _record_row(hand: MadeHand) -> tuple[str, ...]:
    return (f"{hand.score:,} points", hand.name, hand.special, hand.location)


@dataclass(frozen=True, slots=True)
class RulingBlock:
    """A ruling as it is printed: how many lines its name takes, and the lines below."""

    ruling: RulingRow
    names: int
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return 28 + LEADING * (self.names - 1) + LEADING * len(self.lines) + 6


def _ruling_blocks(paper: Paper, rulings: Sequence[RulingRow]) -> tuple[RulingBlock, ...]:
    return tuple(_ruling_block(paper, row) for row in rulings if not row.takes_back)


def _ruling_block(paper: Paper, ruling: RulingRow) -> RulingBlock:
    cancellation_text = f"Cancelled: {ruling.why_cancelled}" if ruling.why_cancelled else ""
    texts = filter(None, (ruling.what, ruling.cost, ruling.reason, cancellation_text))
    lines = tuple(
        line for text in texts for line in break_lines(text, TEXT_FACE, NOTE_SIZE, paper.room)
    )
    half = paper.room * RULING_NAME_WIDTH
    least = paper.form.smallest
    names, _ = fit_lines(ruling.name, BOLD_FACE, max(12, least), half, most=2, least=least)
    return RulingBlock(ruling, len(names), lines)


def _ruling_place(ruling: RulingRow) -> str:
    return f"{ruling.location}, cancelled" if ruling.is_taken_back else ruling.location


def _blocks_together(blocks: Sequence[object], index: int) -> int:
    """How many from this one on stand on one page: the last is never alone on one."""
    return 2 if index == len(blocks) - 2 else 1


def _draw_rulings(paper: Paper, blocks: Sequence[RulingBlock], top: PageTop, footer: str) -> None:
    page, y = 1, top(1)
    for index, block in enumerate(blocks):
        height = sum(
            next_block.height
            for next_block in blocks[index : index + _blocks_together(blocks, index)]
        )
        if index and y - height < paper.foot:
            paper.next_page()
            page += 1
            y = top(page)
            paper.footer(footer)
        y = _draw_ruling(paper, block, y)


def _draw_ruling(paper: Paper, block: RulingBlock, y: float) -> float:
    bottom, half = y - block.height, paper.room * RULING_NAME_WIDTH
    y -= 28
    paper.lines(paper.margin, y, block.ruling.name, size=12, face=BOLD_FACE, room=half)
    paper.lines(
        paper.right,
        y,
        _ruling_place(block.ruling),
        size=NOTE_SIZE,
        colour=CINNABAR,
        align="right",
        room=paper.room - half - 12,
    )
    for lines_below, line in zip(range(len(block.lines))[::-1], block.lines, strict=True):
        paper.text(paper.margin, bottom + 6 + LEADING * lines_below, line, size=NOTE_SIZE)
    paper.rule(paper.margin, bottom, paper.right, bottom, colour=LINE_COLOUR)
    return bottom


def prize_giving_pdf(
    tournament: Tournament, giving: PrizeGiving, form: Format = DEFAULT_FORMAT
) -> bytes:
    """A PDF to read out: the prizes in the order in which they are given, last first."""
    paper = Paper(f"{tournament.name}: prize-giving", form)
    footer = f"{tournament.name}, {giving.standing}"
    paper.footer(footer)
    reading_hint = "Read from the top. The last prize comes first."
    state = f"{giving.standing[:1].upper()}{giving.standing[1:]}"
    lede = reading_hint if giving.is_final else f"{state}. {reading_hint}"
    y = paper.masthead(tournament.club.name, long_date(tournament.held_on))
    y = paper.title(y, f"Prizes: {tournament.name}", lede)
    is_first = False  # below the rule of a page's head
    prizes = [_named_prize(paper, row) for row in reversed(giving.rows)]
    for index, prize in enumerate(prizes):
        together = prizes[index : index + _blocks_together(prizes, index)]
        if y - sum(next_prize.height for next_prize in together) < paper.foot:
            paper.next_page()
            paper.footer(footer)
            y, is_first = paper.masthead(tournament.club.name, tournament.name), True
        y, is_first = _draw_prize(paper, prize, y, is_first=is_first), False
    return paper.finish()


def _prize_notes(paper: Paper, row: PrizeRow) -> list[str]:
    """The notes below the names: the result, and why the prize is shared or passed on."""
    text = f"{_printable(row.figure)}. {row.note}" if row.figure else row.note
    return break_lines(text.strip(), TEXT_FACE, NOTE_SIZE, paper.room - TICK_BOX_SIZE - 20)


@dataclass(frozen=True, slots=True)
class NamedPrize:
    """A prize with its winners in lines, the size of their letters, and the notes below."""

    row: PrizeRow
    lines: tuple[str, ...]
    size: float
    notes: tuple[str, ...]

    @property
    def height(self) -> float:
        return 60 + (self.size + 3) * len(self.lines) + LEADING * len(self.notes)


def _named_prize(paper: Paper, row: PrizeRow) -> NamedPrize:
    winners, room = ", ".join(row.names) or "no one yet", paper.room - TICK_BOX_SIZE - 20
    least, most = paper.form.smallest, len(break_lines(winners, DISPLAY_FACE, WINNER_SIZE, room))
    lines, size = fit_lines(winners, DISPLAY_FACE, WINNER_SIZE, room, most=most, least=least)
    return NamedPrize(row, tuple(lines), size, tuple(_prize_notes(paper, row)))


def _draw_prize(paper: Paper, prize: NamedPrize, y: float, *, is_first: bool) -> float:
    """Draw one prize below y: what it is for, what is given, its winner, and a box to tick."""
    row = prize.row
    if not is_first:
        paper.rule(paper.margin, y - 8, paper.right, y - 8, colour=LINE_COLOUR)
    y -= 28
    half, gift_width = paper.room * 0.44, paper.room * 0.52
    y = min(
        paper.lines(
            paper.margin, y, row.title, size=13, face=BOLD_FACE, colour=CINNABAR, room=half
        ),
        paper.lines(
            paper.right, y, row.gift, size=12, face=BOLD_FACE, align="right", room=gift_width
        ),
    )
    paper.box(
        paper.right - TICK_BOX_SIZE,
        y - 12 - TICK_BOX_SIZE,
        TICK_BOX_SIZE,
        TICK_BOX_SIZE,
        line=1.2,
        round_by=3,
    )
    y -= 6
    for line in prize.lines:
        y -= prize.size + 3
        room = paper.room - TICK_BOX_SIZE - 20
        paper.text(paper.margin, y, line, size=prize.size, face=DISPLAY_FACE, room=room)
    y -= 4
    for line in prize.notes:
        y -= LEADING
        paper.text(paper.margin, y, line, size=NOTE_SIZE, colour=SOFT_INK)
    return y - 6


def certificate_rows(giving: PrizeGiving, records: Records) -> tuple[CertificateRow, ...]:
    """Each winner of each prize: the prize, the name, and the result.

    The highest hand and most Mah-Jongs are included even without a declared prize, or if the prize
    passed to the next in line.
    """
    won = [(row.title, name, row.figure) for row in giving.rows for name in row.names]
    figures = {(name, figure) for _, name, figure in won}
    title, word = BEST_OF_METRICS["best_hand"]
    highest = dict.fromkeys((hand.name, hand.score) for hand in records.highest)
    best = [(title, name, f"{word}: {score:,}") for name, score in highest]
    title, word = BEST_OF_METRICS["mahjongs"]
    most = [(title, name, f"{word}: {records.mahjongs:,}") for name in records.most_mahjongs]
    return (*won, *(item for item in (*best, *most) if item[1:] not in figures))


def certificates_pdf(
    tournament: Tournament, honours: Sequence[CertificateRow], form: Format = DEFAULT_FORMAT
) -> bytes:
    """A PDF with a landscape page for each winner, to be signed."""
    paper = Paper(f"{tournament.name}: certificates", form, wide=True)
    for index, item in enumerate(honours):
        if index:
            paper.next_page()
        _certificate(paper, tournament, *item)
    return paper.finish()


def _certificate(paper: Paper, tournament: Tournament, title: str, name: str, figure: str) -> None:
    high, edge = paper.height, paper.margin
    paper.box(edge, edge, paper.room, high - 2 * edge, line=2.4, colour=CINNABAR)
    paper.box(edge + 7, edge + 7, paper.room - 14, high - 2 * edge - 14, colour=LINE_COLOUR)
    tiles = high * 0.12
    wide = 3 * tiles * 0.75 + 2 * tiles / 16
    paper.tiles(HONOUR_TILES, (paper.width - wide) / 2, high * 0.78, tiles)
    draw_centred(paper, high * 0.7, tournament.club.name, 13, BOLD_FACE)
    place = f"{title} place" if title in ORDINALS else title
    draw_centred(paper, high * 0.6, place, min(34.0, high * 0.062), DISPLAY_FACE, CINNABAR)
    draw_centred(paper, high * 0.515, "Awarded to", 13, TEXT_FACE, SOFT_INK)
    one_line = width_of(name, DISPLAY_FACE, high * 0.075) <= paper.room - 60
    middle, size = (0.42, 0.075) if one_line else (0.405, 0.055)
    draw_centred(paper, high * middle, name, high * size, DISPLAY_FACE)
    draw_centred(paper, high * 0.3, figure.translate(FRACTION_TEXTS), 14, TEXT_FACE, SOFT_INK)
    event_text = f"{tournament.name}, {long_date(tournament.held_on)}"
    draw_centred(paper, high * 0.235, event_text, 13, TEXT_FACE)
    floor = edge + high * 0.085
    for middle, label in ((0.3, "Date"), (0.7, "Tournament director")):
        x, reach = paper.width * middle, min(90.0, paper.room * 0.17)
        paper.rule(x - reach, floor + 13, x + reach, floor + 13, width=0.8, colour=INK)
        paper.text(x, floor, label, size=10.5, colour=SOFT_INK, align="centre")


def poster_pdf(tournament: Tournament, results: Results, form: Format = DEFAULT_FORMAT) -> bytes:
    """A one-page PDF for the wall: the first in large type, the next, the highest hand."""
    board, highest = results.board, results.records.highest
    names = [hand.name for hand in highest]
    poster = Poster(
        club=tournament.club.name,
        date_text=long_date(tournament.held_on),
        title=tournament.name,
        standing=board.standing.capitalize(),
        lines=[
            (line.place, line.row.name, _printable(line.figures[0]) if line.figures else "")
            for line in board.lines
        ],
        highest=highest_hand(names, highest[0].score) if highest else "",
        footer=f"{tournament.name}, {board.standing}{verification_text(tournament.book)}",
        unit=board.columns[0] if board.columns else "",
    )
    return first_ten_pdf(poster, form)
