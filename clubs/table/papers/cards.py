"""Table cards, tents, badges and seating lists."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from clubs.language.words import count_words
from clubs.models.names import first_names, marked_as_withdrawn, split_surname, surname_key
from clubs.paper.document import (
    ROW_HEIGHT,
    TALL_ROW,
    YES,
    Column,
    ListPart,
    draw_list,
    title_drawer,
)
from clubs.paper.fonts import BOLD_FACE, DISPLAY_FACE, TEXT_FACE, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import (
    CINNABAR,
    INK,
    LEADING,
    LINE_COLOUR,
    SOFT_INK,
    Paper,
    fit_lines,
    shared_size,
)
from clubs.table.rows import Arrival, TableView, points_text
from scoring import RuleSet, Wind, deals
from scoring.scorebook.editions import rule_set
from scoring.scorebook.selectors import GameView, starting_winds

BADGE_PAD = 14.0
# Of badges: the largest and the smallest letters that all of a set share.
FIRST_NAME_SIZE, MIN_FIRST_NAME_SIZE = 44.0, 26.0
SURNAME_SIZE, MIN_SURNAME_SIZE = 25.0, 17.0
HEAD_SIZE, PLACE_SIZE, NUMBER_SIZE = 9.0, 10.5, 13.0
MAX_LINES_OF_TEXT = 6  # lines of an event, a club or a place: of 80 letters in large print
NAME_CLEARANCE = 7.0  # between a name and what is above or below it
MIN_NAME_ROOM = 80.0  # for a name with that: a long club that is host goes before it is less
CARD_NAME_SIZE, MIN_CARD_NAME_SIZE = 20.0, 13.0
CARD_FOOT = 12.0  # white below the last player
BESIDE_NAME = 24.0  # of a player: what is above the name, the wind below it, and the space between
BELOW_NAME = 16.0  # points for the wind below a name
CARD_SENTENCES = (
    "Scan with a phone to enter hands.",
    "One phone per table is enough.",
    "You do not need an account.",
)

TENT_PAD = 16.0
TENT_NAME_SIZE, MIN_TENT_NAME_SIZE = 34.0, 22.0
DISC_SIZE = 30.0
CODE_SIZE, FLAT_HEIGHT = 84.0, 180.0
SPARE_LINES = 8
DOOR_ROW_HEIGHT = 22.0
SETTLING_TITLE = "Settling-up sheet"
UNBOXED_CELL = " "  # a cell without its box


class Badge(NamedTuple):
    """Who wears it, where they come from (may be empty), and their number in the list."""

    name: str
    place: str
    number: int


def badges_pdf(
    event: str, host: str, badges: Sequence[Badge], form: Format = DEFAULT_FORMAT
) -> bytes:
    """A PDF with a badge for each person, headed by the event and the club that is its host."""
    paper = Paper(f"Name badges: {event}", form)
    badge_set = BadgeSet(paper, (event, host), badges)
    for index, badge in enumerate(badges):
        if index and index % (2 * badge_set.rows) == 0:
            paper.next_page()
        left_edge = paper.margin + index % 2 * badge_set.width
        row_number = index // 2 % badge_set.rows + 1
        badge_set.draw(
            badge, left_edge, paper.height - paper.margin - row_number * badge_set.height
        )
    return paper.finish()


def _badge_lines(name: str) -> tuple[str, str]:
    """What is large on a badge, and what is below it: of one word nothing."""
    first, surname = split_surname(name)
    return (first, surname) if first else (surname, "")


class BadgeSet:
    """Draws badges alike: names in the same letters, in the same room between head and place."""

    def __init__(self, paper: Paper, heads: Sequence[str], badges: Sequence[Badge]) -> None:
        self.paper = paper
        self.rows = 2 if paper.form.is_large else 4
        self.width, self.height = paper.room / 2, (paper.height - 2 * paper.margin) / self.rows
        self.room = self.width - 2 * BADGE_PAD
        numbers = [width_of(f"{badge.number}", BOLD_FACE, NUMBER_SIZE) for badge in badges]
        self.head_width = self.room - 28 - max(numbers, default=0.0)
        places = [self._high(badge.place, PLACE_SIZE, self.room) for badge in badges]
        self.bottom_height = BADGE_PAD + max(places, default=0.0)
        self.heads, self.top_height = heads, self._measure_top(heads)
        if self.height - self.top_height - self.bottom_height < MIN_NAME_ROOM:
            self.heads, self.top_height = heads[:1], self._measure_top(heads[:1])
        parts = [_badge_lines(badge.name) for badge in badges]
        self.first, self.surname = (
            shared_size(
                [name_lines[index] for name_lines in parts],
                DISPLAY_FACE,
                size,
                self.room,
                least=least,
            )
            for index, (size, least) in enumerate(
                [(FIRST_NAME_SIZE, MIN_FIRST_NAME_SIZE), (SURNAME_SIZE, MIN_SURNAME_SIZE)]
            )
        )

    def _measure_top(self, heads: Sequence[str]) -> float:
        """How much of a badge these take at its top."""
        return BADGE_PAD + 3 + sum(self._high(text, HEAD_SIZE, self.head_width) for text in heads)

    def _high(self, text: str, size: float, room: float) -> float:
        """The height of the lines that these words need."""
        least = self.paper.form.smallest
        lines, size = fit_lines(
            text, TEXT_FACE, max(size, least), room, most=MAX_LINES_OF_TEXT, least=least
        )
        return len(lines) * size * LEADING

    def draw(self, badge: Badge, left_edge: float, floor: float) -> None:
        """One badge, its lower left corner at (left, floor)."""
        paper, top = self.paper, floor + self.height
        paper.box(left_edge, floor, self.width, self.height, colour=LINE_COLOUR)
        paper.mark("sign", left_edge + BADGE_PAD, top - BADGE_PAD - 16, 16)
        self._head(badge, left_edge + BADGE_PAD, top - BADGE_PAD - 11)
        self._name(badge, left_edge + self.width / 2, floor)
        paper.lines(
            left_edge + self.width / 2,
            floor + BADGE_PAD - 10 + self._high(badge.place, PLACE_SIZE, self.room),
            badge.place,
            size=PLACE_SIZE,
            colour=SOFT_INK,
            align="centre",
            room=self.room,
            most=MAX_LINES_OF_TEXT,
        )

    def _head(self, badge: Badge, left_edge: float, top: float) -> None:
        """Event and host beside the mark, and the number at the right."""
        paper, number = self.paper, f"{badge.number}"
        right = left_edge + self.room
        paper.text(right, top, number, size=NUMBER_SIZE, face=BOLD_FACE, align="right")
        y = top + 4
        for text in self.heads:
            paper.lines(
                left_edge + 22,
                y,
                text,
                size=HEAD_SIZE,
                colour=SOFT_INK,
                room=self.head_width,
                most=MAX_LINES_OF_TEXT,
            )
            y -= self._high(text, HEAD_SIZE, self.head_width)

    def _name(self, badge: Badge, middle: float, floor: float) -> None:
        """The first name and the surname below it, in the middle of the room for them."""
        paper, least = self.paper, self.paper.form.smallest
        low = self.bottom_height + NAME_CLEARANCE
        high = self.height - self.top_height - NAME_CLEARANCE
        first, surname = _badge_lines(badge.name)
        lines = [
            (line, fits)
            for text, size in ((first, self.first), (surname, self.surname))
            for parts, fits in [
                fit_lines(text, DISPLAY_FACE, size, self.room, most=3, least=least, spare=2)
            ]
            for line in parts
        ]
        tall = sum(size for _, size in lines) * LEADING
        part = min(1.0, (high - low) / tall)
        y = floor + (low + high + tall * part) / 2
        with paper.tags.paragraph():
            for line, full_size in lines:
                size = max(full_size * part, least)
                y -= size * LEADING
                base = y + size * (LEADING - 1)
                paper.text(
                    middle, base, line, size=size, face=DISPLAY_FACE, align="centre", room=self.room
                )


@dataclass(frozen=True, slots=True)
class Chair:
    """One player of the table; no wind for the fifth, who starts by sitting out."""

    number: int
    name: str
    short_name: str
    wind: Wind | None
    has_withdrawn: bool = False

    @property
    def marked_name(self) -> str:
        """The name, with a word for someone who has withdrawn: ``Ann Cox (withdrew)``."""
        return marked_as_withdrawn(self.name) if self.has_withdrawn else self.name

    @property
    def part(self) -> str:
        """``East`` or ``starts by sitting out``."""
        return self.wind.label if self.wind else "starts by sitting out"


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table with its club and the full address of its phone page."""

    club: str
    view: TableView
    address: str

    @property
    def title(self) -> str:
        """``Table 3``, or ``Table`` with a number to be written in."""
        return self.view.title if self.view.number else "Table ____"

    @property
    def rules(self) -> RuleSet:
        return rule_set(self.view.game.rules)

    @property
    def address_lines(self) -> tuple[str, str]:
        """The address in two parts for a narrow column: the site, the rest."""
        scheme, _, host_and_path = self.address.partition("://")
        site, _, path = host_and_path.partition("/")
        return f"{scheme}://{site}", f"/{path}"

    @property
    def chairs(self) -> tuple[Chair, ...]:
        winds = starting_winds(self.view.game)
        short_names = first_names(self.view.names)
        return tuple(
            Chair(
                number, name, short_names[number], winds.get(number), number in self.view.withdrawn
            )
            for number, name in sorted(self.view.names.items())
        )

    @property
    def chairs_from_east(self) -> tuple[Chair, ...]:
        """The same from East on: where a game goes on, that need not be the first seat."""
        winds = [*Wind]
        wind_order = {
            chair: winds.index(chair.wind) if chair.wind else len(winds) for chair in self.chairs
        }
        return tuple(sorted(self.chairs, key=wind_order.__getitem__))


def blank_table(club: str, event: str, rules: str, players: int) -> SeatedTable:
    """A table without number, names and address, for a blank sheet."""
    seats = range(1, players + 1)
    game = GameView(
        pk=0,
        rules=rules,
        size=players,
        is_closed=False,
        hands_planned=None,
        hands=(),
        totals=dict.fromkeys(seats, 0),
        next_deal=deals((), rules=rule_set(rules), seats=players).deals[0],
    )
    return SeatedTable(club, TableView(0, event, dict.fromkeys(seats, ""), game), "")


def table_cards(tables: Sequence[SeatedTable], form: Format = DEFAULT_FORMAT) -> bytes:
    """A PDF with a card for each table: number, names with their winds, a large QR code.

    Two on a portrait page; in large print, one on a landscape page.
    """
    title = f"Table cards: {tables[0].view.event}" if tables else "Table cards"
    paper, cards_per_page = Paper(title, form, wide=form.is_large), 1 if form.is_large else 2
    names = [chair.marked_name for table in tables for chair in table.chairs]
    for index, table in enumerate(tables):
        if index and index % cards_per_page == 0:
            paper.next_page()
        height = paper.height / cards_per_page
        upper = cards_per_page == 2 and index % cards_per_page == 0
        Card(paper, table, height if upper else 0, height, names).draw()
        if upper:
            paper.dashes(height)
    return paper.finish()


class Card:
    """Draws one card above ``floor``; ``names`` are those of all cards, in letters of one size."""

    def __init__(
        self, paper: Paper, table: SeatedTable, floor: float, height: float, names: Sequence[str]
    ) -> None:
        self.paper, self.table = paper, table
        self.top, self.floor = floor + height - 24, floor
        self.code = 186.0 if paper.form.is_large else 216.0
        self.names = paper.room - self.code - 24
        self.disc = 30.0 if paper.form.is_large else 36.0
        room = self.names - self.disc - 12
        self.size = shared_size(names, BOLD_FACE, CARD_NAME_SIZE, room, least=MIN_CARD_NAME_SIZE)

    def draw(self) -> None:
        """The club and the event, the number, the names, the code."""
        paper, table = self.paper, self.table
        left_edge, half = paper.margin, paper.room * 0.48
        paper.mark("sign", left_edge, self.top - 20, 20)
        base, room = self.top - 13, half - 27
        paper.lines(
            left_edge + 27, base, table.club, size=11, face=BOLD_FACE, room=room, is_centred=True
        )
        paper.lines(
            paper.right,
            base,
            table.view.event,
            size=10.5,
            colour=SOFT_INK,
            align="right",
            room=half,
            is_centred=True,
        )
        paper.rule(left_edge, self.top - 28, paper.right, self.top - 28, width=1.2, colour=INK)
        paper.text(
            left_edge, self.top - 82, table.view.title, size=48, face=DISPLAY_FACE, room=self.names
        )
        chairs, first = table.chairs_from_east, self.top - 104
        step = min(70.0, (first - self.floor - CARD_FOOT) / len(chairs))
        for index, chair in enumerate(chairs):
            self._chair(chair, first - index * step, step)
        self._code()

    def _chair(self, chair: Chair, top: float, high: float) -> None:
        """A player with their wind: a name of two lines in letters that leave room for it."""
        paper, left_edge, disc = self.paper, self.paper.margin, self.disc
        if chair.wind:
            paper.mark(f"w-{chair.wind.value}", left_edge, top - disc - 1, disc)
        else:
            paper.box(left_edge + 1, top - disc, disc - 2, disc - 2, round_by=disc / 2 - 1)
        left_edge, room = left_edge + disc + 12, self.names - disc - 12
        size = self.size
        if width_of(chair.marked_name, BOLD_FACE, size) > room:
            size = min(size, (high - BESIDE_NAME) / (LEADING + 0.5))
        least = paper.form.smallest
        spare = int(high >= 3 * LEADING * least + BELOW_NAME)
        name, full_size = chair.marked_name, max(size, least)
        lines, size = fit_lines(name, BOLD_FACE, full_size, room, most=2, least=least, spare=spare)
        y = top - 4 - size / 2
        low = paper.name(left_edge, y, name, size=size, room=room, most=len(lines))
        colour = CINNABAR if chair.part == "East" else SOFT_INK
        paper.text(left_edge, low - 14, chair.part, size=11, colour=colour, room=room)

    def _code(self) -> None:
        paper, left_edge = self.paper, self.paper.right - self.code
        floor = self.top - 34 - self.code
        paper.qr(self.table.address, left_edge, floor, self.code)
        middle, y = left_edge + self.code / 2, floor - 8
        for text in CARD_SENTENCES:
            y = paper.paragraph(
                middle, y, text, room=self.code, size=10.5, align="centre", colour=INK
            )
        for line in self.table.address_lines:
            paper.text(middle, y, line, size=8.5, colour=SOFT_INK, align="centre", room=self.code)
            y -= 13


@dataclass(frozen=True, slots=True)
class CardSide:
    """One side of a folded card: its position on the sheet, and whether it has the code."""

    left: float
    floor: float
    width: float
    height: float
    has_code: bool

    @property
    def code(self) -> float:
        return min(CODE_SIZE, self.height - 2 * TENT_PAD) if self.has_code else 0.0

    @property
    def is_flat(self) -> bool:
        """Whether the code is beside the name, because there is no room above it."""
        return self.height < FLAT_HEIGHT

    @property
    def width_beside_code(self) -> float:
        """The maximum width of what is beside the code."""
        return self.width - 2 * TENT_PAD - self.code

    @property
    def room(self) -> float:
        return self.width_beside_code if self.is_flat else self.width - 2 * TENT_PAD

    @property
    def span(self) -> tuple[float, float]:
        low = max(TENT_PAD + DISC_SIZE, 0 if self.is_flat else TENT_PAD / 2 + self.code) + 10
        return self.floor + low, self.floor + self.height - TENT_PAD - 12


def seating_cards(
    tables: Sequence[SeatedTable], form: Format = DEFAULT_FORMAT, *, with_code: bool = False
) -> bytes:
    """A PDF with a card for each place, table by table: four a sheet, two in large print.

    The upper half is upside down, so that the folded card reads from both sides.
    """
    paper = Paper(f"Seating cards: {tables[0].view.event}" if tables else "Seating cards", form)
    cards_across = 1 if form.is_large else 2
    places = [(table, chair) for table in tables for chair in table.chairs]
    names = [chair.marked_name for _, chair in places]
    front = CardSide(0, 0, paper.width / cards_across, paper.height / 4, with_code)
    size = shared_size(names, DISPLAY_FACE, TENT_NAME_SIZE, front.room, least=MIN_TENT_NAME_SIZE)
    for index, (table, chair) in enumerate(places):
        if index and index % (2 * cards_across) == 0:
            paper.next_page()
        if index % (2 * cards_across) == 0:
            _draw_cuts(paper, cards_across)
        width, height = paper.width / cards_across, paper.height / 2
        left_edge, floor = index % cards_across * width, height * (1 - index // cards_across % 2)
        side = replace(front, left=left_edge, floor=floor)
        _draw_side(paper, table, chair, side, size)
        paper.canvas.saveState()
        paper.canvas.translate(2 * left_edge + width, 2 * floor + height)
        paper.canvas.rotate(180)
        _draw_side(paper, table, chair, replace(side, has_code=False), size)
        paper.canvas.restoreState()
    return paper.finish()


def _draw_cuts(paper: Paper, cards_across: int) -> None:
    """Draw dashes to cut along, and short marks for folding each card."""
    paper.dashes(paper.height / 2)
    if cards_across > 1:
        paper.dashes_down(paper.width / 2)
    for part in (0.25, 0.75):
        for edge in (12.0, paper.width - 24):
            paper.rule(
                edge, paper.height * part, edge + 12, paper.height * part, colour=LINE_COLOUR
            )


def _draw_side(paper: Paper, table: SeatedTable, chair: Chair, side: CardSide, size: float) -> None:
    """Draw one side of a card, its name in letters of that size unless it is too long."""
    left_edge, top = side.left + TENT_PAD, side.floor + side.height - TENT_PAD - 8
    paper.mark("sign", left_edge, top - 3, 14)
    paper.text(left_edge + 20, top, table.view.event, size=9, colour=SOFT_INK, room=side.room - 20)
    low, high = side.span
    name, least = chair.marked_name, paper.form.smallest
    lines, size = fit_lines(name, DISPLAY_FACE, size, side.room, most=2, least=least, spare=1)
    size = min((high - low) / (1.2 * len(lines)), size)
    for index, line in enumerate(lines):
        y = (low + high) / 2 - size * 0.34 + size * 1.05 * ((len(lines) - 1) / 2 - index)
        middle = left_edge + side.room / 2
        paper.text(middle, y, line, size=size, face=DISPLAY_FACE, align="centre", room=side.room)
    base = side.floor + TENT_PAD + 4
    if chair.wind:
        paper.mark(f"w-{chair.wind.value}", left_edge, base - 4, DISC_SIZE)
    else:
        paper.box(left_edge + 1, base - 3, DISC_SIZE - 2, DISC_SIZE - 2, round_by=DISC_SIZE / 2 - 1)
    room = side.width_beside_code - DISC_SIZE - 10
    colour = CINNABAR if chair.part == "East" else SOFT_INK
    part = f"starts as {chair.part}" if chair.wind else chair.part
    paper.text(
        left_edge + DISC_SIZE + 10, base + 13, table.title, size=15, face=BOLD_FACE, room=room
    )
    paper.text(left_edge + DISC_SIZE + 10, base, part, size=10, colour=colour, room=room)
    if side.code:
        right = side.left + side.width - TENT_PAD / 2
        paper.qr(table.address, right - side.code, side.floor + TENT_PAD / 2, side.code)


@dataclass(frozen=True, slots=True)
class PrintedEvent:
    """The club, the evening or tournament, and the format of a list."""

    club: str
    event: str
    form: Format = DEFAULT_FORMAT

    def paper(self, title: str) -> Paper:
        return Paper(f"{title}: {self.event}", self.form, wide=self.form.is_large)


def seats_pdf(
    occasion: PrintedEvent, tables: Sequence[SeatedTable], unseated_note: str = ""
) -> bytes:
    """A PDF of everyone by surname, with table and wind, to hang on the door.

    ``unseated_note`` says who has no seat.
    """
    paper = occasion.paper("Seating list")
    draw_seats(paper, occasion, tables, unseated_note)
    return paper.finish()


def draw_seats(
    paper: Paper, occasion: PrintedEvent, tables: Sequence[SeatedTable], unseated_note: str = ""
) -> None:
    """Draw the list of seats from a new page on; ``unseated_note`` says who has no seat."""
    seat_rows = [
        (chair.marked_name, f"{table.view.number}", chair.part)
        for table in tables
        for chair in table.chairs
    ]
    rows = sorted(seat_rows, key=lambda row: surname_key(row[0]))
    columns = (
        Column("Name", 60, "left", is_bold=True, holds="surnames"),
        Column("Table", 14, "left", is_bold=True),
        Column("Starts as", 30, "left"),
    )
    draw_list(
        paper,
        columns=columns,
        parts=(ListPart("", tuple(rows)),),
        top=title_drawer(paper, occasion.club, occasion.event, "Seating list", unseated_note),
        footer=f"Seating list, {occasion.event}",
        fills=True,
    )


def attendance_pdf(occasion: PrintedEvent, people: Sequence[Arrival]) -> bytes:
    """A PDF for ticking names at the door; those already checked in are ticked."""
    paper = occasion.paper("Attendance list")
    draw_attendance(paper, occasion, people)
    return paper.finish()


def draw_attendance(paper: Paper, occasion: PrintedEvent, people: Sequence[Arrival]) -> None:
    """Draw the check-in list by surname from a new page on, with empty lines for guests."""
    in_order = sorted(people, key=lambda person: surname_key(person.name))
    rows = [(person.name, YES if person.is_here else "", person.paid, "") for person in in_order]
    rows += [("", "", "", "")] * SPARE_LINES
    columns = (
        Column("Name", 60, "left", is_bold=True, holds="surnames"),
        Column("Here", 14, "centre", holds="ticks"),
        Column("Paid", 18, "centre", holds="ticks"),
        Column("Notes", 40, "left"),
    )
    present_count = sum(person.is_here for person in people)
    lede = (
        f"{present_count} of {count_words(len(people), 'person', 'people')} are here."
        if present_count
        else ""
    )
    draw_list(
        paper,
        columns=columns,
        parts=(ListPart("", tuple(rows)),),
        top=title_drawer(paper, occasion.club, occasion.event, "Attendance list", lede),
        footer=f"Attendance list, {occasion.event}",
        height=max(ROW_HEIGHT, DOOR_ROW_HEIGHT / paper.form.scale),
    )


def settling_pdf(occasion: PrintedEvent, tables: Sequence[SeatedTable]) -> bytes:
    """A PDF for settling up with sticks: everyone's start, end and gain."""
    paper = occasion.paper(SETTLING_TITLE)
    draw_settling(paper, occasion, tables)
    return paper.finish()


def draw_settling(paper: Paper, occasion: PrintedEvent, tables: Sequence[SeatedTable]) -> None:
    """Draw the settling-up sheet from a new page on: a part for each table, with its sum."""
    columns = (
        Column("Name", 50, "left", is_bold=True),
        Column("At the start", 22, "centre", holds="boxes"),
        Column("At the end", 22, "centre", holds="boxes"),
        Column("Gained or lost", 22, "centre", holds="boxes"),
        Column("Recorded", 20),
    )
    parts = []
    for table in tables:
        totals, pays = table.view.totals, table.rules.zero_sum
        stake = f"{table.view.stake:,}" if table.view.stake else ""
        rows = [
            (chair.marked_name, stake, "", "", points_text(totals[chair.number], pays=pays))
            for chair in table.chairs
        ]
        rows += [
            (f"{name} (has left)", stake, "", "", points_text(points, pays=pays))
            for name, points in table.view.leavers
        ]
        total = "All gains must add up to 0" if pays else "Total"
        parts.append(
            ListPart(
                table.view.title,
                (*rows, (total, UNBOXED_CELL, UNBOXED_CELL, "", "")),
                is_unbreakable=True,
            )
        )
    draw_list(
        paper,
        columns=columns,
        parts=parts,
        top=title_drawer(paper, occasion.club, occasion.event, SETTLING_TITLE),
        footer=f"{SETTLING_TITLE}, {occasion.event}",
        height=max(ROW_HEIGHT, TALL_ROW / paper.form.scale),
    )
