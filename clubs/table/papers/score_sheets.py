"""Score sheets, filled in or blank, and the pack for when everything is down."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import Final

from clubs.paper.document import fitted_name, short_form
from clubs.paper.fonts import BOLD_FACE, DISPLAY_FACE, TEXT_FACE, break_lines as broken, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import (
    CINNABAR,
    INK,
    LEADING,
    LINE_COLOUR,
    SOFT_INK,
    Paper,
    ReportProgress,
    fit_line,
    ignore_progress,
)
from clubs.table.papers.cards import (
    Chair,
    PrintedEvent,
    SeatedTable,
    blank_table,
    draw_attendance,
    draw_seats,
    draw_settling,
)
from clubs.table.papers.crib import draw_crib
from clubs.table.papers.grid import (
    BOX_WIDTH,
    GridCell,
    GridLine,
    draw_row,
    grid_lines,
    grid_of,
    total_words,
)
from clubs.table.rows import Arrival
from scoring import Wind
from scoring.rules.declarations import Rule, Succession
from scoring.scorebook.editions import rule_set
from scoring.scorebook.reports import asks_who_discarded

SHEET_EDGE = 26.0
MAX_BAND = 44.0
SIGNATURE_HEIGHT = 30.0
HOW_TO_SIZE, HOW_TO_LINE = 9.5, 12.0
HEAD_NAME_SIZE = 8.0
CLUB_SIZE = 11.0
AGREES = " agrees"
BLANK_DATE: Final = "Date ____________________"
SPARE_SHEETS = (4, 5)
Drawing = Callable[[Paper], object]
EMERGENCY_TITLE: Final = "If Tongbox stops"
EMERGENCY_STEPS: Final = (
    "Keep playing. Everyone stays at their table. The seating list is in this pack.",
    "Give each table its score sheet. It has every hand that was recorded when this was printed.",
    "Look at each table’s phone for later hands, and copy them onto the sheet.",
    "Write each new hand on the sheet. The crib sheet says what each hand is worth.",
    "Use a blank sheet for a new table. Tick off late arrivals on the attendance list.",
    "At the end, everyone signs their score sheet. Fill in the settling-up sheet. Keep all paper.",
    "When Tongbox is back, open each table and enter the hands from its sheet, in their order.",
)


def how_to_paragraphs(table: SeatedTable) -> list[str]:
    """A paragraph on writing, one on paying if anyone pays, one on who plays next."""
    payments, passing = table.rules.payments, table.rules.passing
    prevails = "the prevailing wind and " if passing.prevailing else ""
    first = "deals" if _has_winner_deal(table) else "is East"
    scores = "Write all the scores and circle the score of the player who went Mah-Jong"
    if not table.rules.losers_score:
        scores = "Write and circle the winner’s score; no one else scores"
    if asks_who_discarded(table.rules):
        scores += (
            ". Write D for the player who discarded the last tile; "
            "leave blank if it was drawn from the wall"
        )
    goulash = ", G for a goulash" if passing.goulash_after_a_draw else ""
    circle = f"Circle {prevails}the number of the player who {first}."
    paragraphs = [f"{circle} {scores}. Circle D for a drawn hand{goulash}."]
    if payments is not None:
        if len(table.chairs) > 2:  # then it need not say what is otherwise for two
            payments = payments._replace(multiplied_with_two=True)
        paragraphs.append(
            f"{_rules_text(payments.describe())} Under each pair, write what is paid and circle "
            "who receives it. Tick = 0 when the gains add up to zero."
        )
    unsaid = {"Order of the winds"} if passing.order == tuple(Wind) else set()
    if len(table.chairs) != 3:
        unsaid.add("The fourth wind with three players")
    paragraphs.append(_rules_text(rule for rule in passing.describe() if rule[0] not in unsaid))
    return paragraphs


def _has_winner_deal(table: SeatedTable) -> bool:
    return table.rules.passing.succession is Succession.WINNER_DEALS


def _rules_text(rules: Iterable[Rule]) -> str:
    return " ".join(f"{subject[:1].upper()}{subject[1:]}: {text}." for subject, text in rules)


def score_sheets(
    tables: Sequence[SeatedTable],
    form: Format = DEFAULT_FORMAT,
    progress: ReportProgress = ignore_progress,
) -> bytes:
    """A PDF with a score sheet for each table, wide, on as many pages as its hands need.

    Names, starting winds and the hands already recorded are printed in. In large print the pages
    that say how to fill a sheet in come last. ``progress`` is called after each table.
    """
    title = f"Score sheets: {tables[0].view.event}" if tables else "Score sheets"
    paper = Paper(title, form, wide=True)
    for index, table in enumerate(tables):
        if index:
            paper.next_page()
        draw_sheet(paper, table)
        progress(index + 1, len(tables))
    if form.is_large and tables:
        paper.next_page()
        draw_how_to(paper, tables[0])
    return paper.finish()


def draw_sheet(paper: Paper, table: SeatedTable) -> None:
    """Draw the table's sheet from a new landscape page on."""
    sheet = ScoreSheet(paper, table)
    lines = grid_lines(table)
    count = max(1, ceil(len(lines) / sheet.most_rows))
    step = max(1, ceil(len(lines) / count))
    for index in range(count):
        if index:
            paper.next_page()
        sheet.heading(f", sheet {index + 1} of {count}" if count > 1 else "")
        previous_line = lines[index * step - 1] if index else None
        sheet.grid_with(lines[index * step : (index + 1) * step], previous_line, step)
        sheet.foot()


def draw_how_to(paper: Paper, table: SeatedTable) -> None:
    y = paper.title(paper.height - 8, "How to fill in the score sheet")
    for paragraph in how_to_paragraphs(table):
        y = paper.paragraph(paper.margin, y - 10, paragraph, room=paper.room, size=11, colour=INK)


class ScoreSheet:
    def __init__(self, paper: Paper, table: SeatedTable) -> None:
        self.paper, self.table = paper, table
        self.is_large = paper.form.is_large
        self.grid = grid_of(paper, table)
        self.chairs = table.chairs
        self.edge = SHEET_EDGE / paper.form.scale
        self.top = paper.height - self.edge
        self.code = 72.0 if self.is_large else 86.0
        self.head = 31.0 if self.is_large else 43.0
        paragraphs = [] if self.is_large else how_to_paragraphs(table)
        self.instructions = [
            line for text in paragraphs for line in broken(text, TEXT_FACE, HOW_TO_SIZE, paper.room)
        ]
        self.title_room = width_of(table.title, DISPLAY_FACE, 24.0 if self.is_large else 32.0) + 14
        self.club_room = paper.room - self.title_room - self.code - (8 if self.is_large else 160)
        is_long = width_of(table.club, BOLD_FACE, paper.form.smallest) > self.club_room
        self.second = CLUB_SIZE * LEADING if is_long else 0.0
        rows = ceil(len(self.chairs) / 2)
        heading_height = max(self.code, 33 + 26 * rows) + 3 if self.is_large else self.code + 8
        self.grid_top = self.top - heading_height - self.second

    @property
    def rows_top(self) -> float:
        return self.grid_top - self.head * self.grid.bands

    @property
    def rows_floor(self) -> float:
        return self.edge + SIGNATURE_HEIGHT + HOW_TO_LINE * len(self.instructions)

    @property
    def most_rows(self) -> int:
        """How many hands fit with boxes of 9 mm, beside the rows of totals."""
        band = BOX_WIDTH / self.paper.form.scale
        sums = 2 if self.is_large else 1
        return int((self.rows_top - self.rows_floor - sums * band) // (band * self.grid.bands))

    def heading(self, note: str) -> None:
        """The table, its players with their winds, and the code of its phone page."""
        paper, table = self.paper, self.table
        size = 24.0 if self.is_large else 32.0
        paper.text(paper.margin, self.top - size * 0.85, table.title, size=size, face=DISPLAY_FACE)
        left_edge, room = paper.margin + self.title_room, self.club_room
        event = self._event(note if self.is_large else "", room)
        low, lines = self.top - 11, 2 if self.second else 1
        low = paper.lines(
            left_edge, low, table.club, size=CLUB_SIZE, face=BOLD_FACE, room=room, most=lines
        )
        paper.text(left_edge, low - 13, event, size=9.5, colour=SOFT_INK, room=room)
        if not self.is_large:
            paper.text(
                left_edge, low - 25, f"{table.rules.name}{note}", size=9, colour=SOFT_INK, room=room
            )
        left_edge, quiet = paper.right - self.code, self.code / 12
        if table.address:
            paper.qr(table.address, left_edge + quiet, self.top - self.code + quiet, self.code)
        has_scan_text = table.address and not self.is_large
        code_lines = ("Scan to enter hands", *table.address_lines) if has_scan_text else ()
        for line_index, line in enumerate(code_lines):
            y, face = self.top - 11 - 12.5 * line_index, TEXT_FACE if line_index else BOLD_FACE
            paper.text(
                left_edge - 2,
                y,
                line,
                size=8.5,
                face=face,
                colour=SOFT_INK,
                align="right",
                room=150,
            )
        for index, chair in enumerate(self.chairs):
            self._chair(chair, index)

    def _event(self, note: str, room: float) -> str:
        """The event and the note; a long name is cut before its round and the note are."""
        day, size = self.table.view.event or BLANK_DATE, self.paper.form.smallest
        if width_of(f"{day}{note}", TEXT_FACE, size) <= room:
            return f"{day}{note}"
        name, comma, round_ = day.rpartition(", ")
        tail = f"{comma}{round_}{note}"
        head, _ = fit_line(name, TEXT_FACE, size, room - width_of(tail, TEXT_FACE, size), size)
        return f"{head}{tail}"

    def _chair(self, chair: Chair, index: int) -> None:
        paper = self.paper
        column_count = 2 if self.is_large else len(self.chairs)
        width = (paper.right - self.code - 8 - paper.margin) / column_count
        is_alone = index % column_count == 0 and index + 1 == len(self.chairs)
        room = width * (column_count if is_alone else 1)
        step = 26.0 if self.is_large else 40.0
        x = paper.margin + (index % column_count) * width
        y = self.top - (41 if self.is_large else 54) - self.second - (index // column_count) * step
        side = 20.0 if self.is_large else 24.0
        if chair.wind:
            paper.mark(f"w-{chair.wind.value}", x, y - side + 8, side)
        else:
            paper.box(x + 1, y - side + 9, side - 2, side - 2, round_by=side / 2 - 1)
        name = f"{chair.number}\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}{chair.marked_name}"
        note = f"({chair.part})" if self.is_large and not chair.wind else ""
        if not chair.name:
            paper.rule(x + side + 20, y - 2, x + width - 14, y - 2, width=0.8, colour=LINE_COLOUR)
            paper.name(x + width - 8, y, note, size=11, room=room - width)
        elif note:
            name += f" {note}"
        room -= side + 10
        low = paper.name(x + side + 6, y, name, size=11, room=room, most=2 if self.is_large else 4)
        if not self.is_large:
            part_text = f"starts as {chair.part}" if chair.wind else chair.part
            colour = CINNABAR if chair.part == "East" else SOFT_INK
            paper.text(x + side + 6, low - 9.5, part_text, size=8, colour=colour)

    def grid_with(
        self, lines: Sequence[GridLine], previous_line: GridLine | None, rows: int
    ) -> None:
        """The headers and one row per hand, with totals carried over from the previous page."""
        bands = self.grid.bands
        sums = (previous_line is not None) + self.is_large
        space = self.rows_top - self.rows_floor
        band = min(MAX_BAND / self.paper.form.scale, space / (rows * bands + sums))
        paper = self.paper
        key = ("heads", self.grid.key, self.grid_top, self.chairs)
        paper.stamp(key, 0, 0, (paper.width, paper.height), self._headers, is_read=True)
        y = self.rows_top
        if previous_line:
            y -= band
            self._sum(
                "Brought forward", previous_line.so_far if previous_line.hand else {}, y, band
            )
        for line in lines:
            y -= band * bands
            draw_row(self.paper, self.grid, line, y, band * bands)
        if self.is_large:
            y -= band
            last = lines[-1] if lines else None
            self._sum("Total so far", last.so_far if last and last.hand else {}, y, band)
        paper.box(paper.margin, y, paper.room, self.grid_top - y, line=1.1, colour=INK)
        paper.rule(paper.margin, self.rows_top, paper.right, self.rows_top, width=0.9, colour=INK)

    def _sum(self, label: str, totals: Mapping[int, int], floor: float, height: float) -> None:
        paper, base = self.paper, floor + height / 2 - 3.6
        cells = self.grid.sum_cells
        first = next(iter(cells.values()))
        paper.text(first.left - 6, base, label, size=9.5, face=BOLD_FACE, align="right")
        for seat, cell in cells.items():
            paper.rule(cell.left, floor, cell.left, floor + height, colour=LINE_COLOUR)
            if totals:
                fit, room = self.grid.fits["sums"], cell.inner - 1
                text = fit.format_figure(total_words(self.grid, totals[seat]))
                paper.figure(
                    cell.right - 2,
                    base,
                    text,
                    size=fit.size,
                    face=BOLD_FACE,
                    align="right",
                    room=room,
                )
        last = list(cells.values())[-1]
        paper.rule(last.right, floor, last.right, floor + height, colour=LINE_COLOUR)
        paper.rule(paper.margin, floor, paper.right, floor, width=0.9, colour=INK)

    def _headers(self) -> None:
        grid, paper = self.grid, self.paper
        starts = "Dealer is" if _has_winner_deal(self.table) else "East is"
        lead = {"Hand": grid.hand, starts: grid.east, "Mark": grid.marks}
        if_any = {"Wind": grid.prevails, "Out": grid.sits_out, "= 0": grid.check}
        for head, cell in (lead | {head: cell for head, cell in if_any.items() if cell}).items():
            self._header(head, cell)
        for title, group in grid.groups.items():
            top = self._band_top(group)
            paper.text(
                group.middle,
                top - 12,
                title,
                size=9,
                face=BOLD_FACE,
                colour=CINNABAR,
                align="centre",
                room=group.room,
            )
            paper.rule(group.left, top - 17, group.right, top - 17, colour=LINE_COLOUR)
        for cell, is_strong in grid.edges:
            top = self._band_top(cell)
            high = top if is_strong else top - 17
            paper.rule(cell.right, top - self.head, cell.right, high, width=0.4, colour=LINE_COLOUR)
        for number, name in self._short_names().items():
            for cells in (grid.scores, grid.gains, grid.totals):
                if number in cells:
                    self._header(str(number), cells[number], name)
        for pair, cell in grid.payments.items():
            self._header(pair.title, cell)

    def _band_top(self, cell: GridCell) -> float:
        return self.grid_top - cell.band * self.head

    def _header(self, label: str, cell: GridCell, name: str = "") -> None:
        base = self._band_top(cell) - self.head + (3.5 if self.is_large else 14.5 if name else 6)
        room = cell.room + 3
        self.paper.text(cell.middle, base, label, size=9, face=BOLD_FACE, align="centre", room=room)
        if name and not self.is_large:
            name, size = fitted_name(name, TEXT_FACE, HEAD_NAME_SIZE, room)
            self.paper.text(cell.middle, base - 9, name, size=size, align="centre")

    def _short_names(self) -> dict[int, str]:
        """The names above the columns: whole where all fit, else all by their initials."""
        room = min(cell.room for cell in self.grid.scores.values()) + 3
        names = {chair.number: chair.short_name for chair in self.chairs}
        if all(width_of(name, TEXT_FACE, HEAD_NAME_SIZE) <= room for name in names.values()):
            return names
        return {number: short_form(name) for number, name in names.items()}

    def foot(self) -> None:
        """How to fill the sheet in, and a line for everyone to sign but who has withdrawn."""
        paper, chairs = self.paper, self.chairs
        key, box = ("how to", *self.instructions), (paper.width, self.rows_floor)
        paper.stamp(key, 0, 0, box, self._how_to, is_read=True)
        width = (paper.room + 12) / len(chairs)
        for index, chair in enumerate(chairs):
            if chair.has_withdrawn:
                continue
            left_edge, low = paper.margin + index * width, self.edge + 11
            paper.rule(left_edge, low, left_edge + width - 12, low, width=0.8, colour=INK)
            room = width - 12 - width_of(AGREES, TEXT_FACE, HOW_TO_SIZE)
            signer, size = f"{chair.number}", HOW_TO_SIZE
            if chair.name and not self.is_large:
                signer, size = fitted_name(chair.name, TEXT_FACE, HOW_TO_SIZE, room)
            paper.text(left_edge, low - 11, f"{signer}{AGREES}", size=size, room=width - 12)

    def _how_to(self) -> None:
        y = self.rows_floor - 11
        for line in self.instructions:
            self.paper.text(self.paper.margin, y, line, size=HOW_TO_SIZE)
            y -= HOW_TO_LINE


def blank_sheets(occasion: PrintedEvent, rules: str) -> bytes:
    """A PDF of score sheets without names: for four players and, where five may play, for five."""
    title = f"Blank score sheets: {occasion.event}" if occasion.event else "Blank score sheets"
    paper = Paper(title, occasion.form, wide=True)
    _draw_blanks(paper, occasion, rules, is_first=True)
    return paper.finish()


def draw_steps(paper: Paper, occasion: PrintedEvent) -> None:
    """What to do when the computer fails in the middle of an evening: one page, from its top."""
    y = paper.masthead(occasion.club, occasion.event)
    y = paper.title(
        y, EMERGENCY_TITLE, "Nothing is lost: each step needs only this pack and a pen."
    )
    size = 11.0 if paper.form.is_large else 17.0
    y -= size
    left_edge = paper.margin + 34
    for number, step in enumerate(EMERGENCY_STEPS, start=1):
        paper.text(
            paper.margin, y, f"{number}", size=size * 1.5, face=DISPLAY_FACE, colour=CINNABAR
        )
        y = paper.paragraph(left_edge, y, step, room=paper.right - left_edge, size=size, colour=INK)
        y -= 3 if paper.form.is_large else 16
    paper.footer(f"Emergency pack, {occasion.event}")


def emergency_pack(
    occasion: PrintedEvent,
    tables: Sequence[SeatedTable],
    people: Sequence[Arrival],
    rules: str,
    standings: Sequence[Drawing] = (),
    progress: ReportProgress = ignore_progress,
    *,
    earlier_tables: Sequence[SeatedTable] = (),
    unseated_notes: Mapping[str, str] | None = None,
) -> bytes:
    """A PDF of what to do, the seats, every sheet with what is recorded, blanks and rules.

    The tables of several rounds have a list of seats and a settling-up sheet for each round.
    ``earlier_tables`` are games that ended when someone joined or left; their sheets follow the
    others. ``unseated_notes`` says who has no seat, for the event of each list of seats.
    ``standings`` draw who stands where so far, each from a fresh page on. Whoever came can be
    ticked on the last list, so that nothing hangs on the machine. ``progress`` is called after each
    table.
    """
    form = occasion.form
    paper = Paper(f"Emergency pack: {occasion.event}", form, wide=form.is_large)
    rounds = [
        (replace(occasion, event=event), list(round_tables))
        for event, round_tables in groupby(tables, lambda table: table.view.event)
    ]
    draw_steps(paper, occasion)
    sheet_count = 0
    for of_round, round_tables in rounds:
        paper.next_page(wide=form.is_large)
        draw_seats(paper, of_round, round_tables, (unseated_notes or {}).get(of_round.event, ""))
        for table in round_tables:
            paper.next_page(wide=True)
            draw_sheet(paper, table)
            sheet_count += 1
            progress(sheet_count, len(tables))
    for table in earlier_tables:
        paper.next_page(wide=True)
        draw_sheet(paper, table)
    _draw_blanks(paper, occasion, rules)
    for draw in standings:
        paper.next_page(wide=form.is_large)
        draw(paper)
    _draw_last_pages(paper, occasion, rounds, people, rules)
    return paper.finish()


def _draw_last_pages(
    paper: Paper,
    occasion: PrintedEvent,
    rounds: Sequence[tuple[PrintedEvent, Sequence[SeatedTable]]],
    people: Sequence[Arrival],
    rules: str,
) -> None:
    """The last pages of the pack: a settling-up sheet for each round, the rules, who came."""
    for of_round, round_tables in rounds:
        paper.next_page(wide=occasion.form.is_large)
        draw_settling(paper, of_round, round_tables)
    paper.next_page(wide=occasion.form.is_large)
    draw_crib(paper, occasion.club, rule_set(rules))
    paper.next_page()
    draw_attendance(paper, occasion, people)


def _draw_blanks(
    paper: Paper, occasion: PrintedEvent, rules: str, *, is_first: bool = False
) -> None:
    sizes = [players for players in SPARE_SHEETS if players in rule_set(rules).seats]
    for index, players in enumerate(sizes):
        if index or not is_first:
            paper.next_page(wide=True)
        draw_sheet(paper, blank_table(occasion.club, occasion.event, rules, players))
    if paper.form.is_large:
        paper.next_page()
        draw_how_to(paper, blank_table(occasion.club, occasion.event, rules, sizes[0]))
