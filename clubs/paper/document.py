"""A whole document: lists over its pages, contents, page numbers, the response that sends it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from operator import le
from typing import Final, Literal

from clubs.models.names import split_surname, without_post_nominals
from clubs.paper.fonts import BOLD_FACE, TEXT_FACE, break_lines, width_of
from clubs.paper.formats import MIN_SIZE
from clubs.paper.page import (
    BAMBOO,
    CINNABAR,
    HAIRLINE_COLOUR,
    INK,
    LINE_COLOUR,
    MASTHEAD_HEIGHT,
    SOFT_INK,
    Align,
    Paper,
    fit_line,
)

LETTER_SIZE = 10.5
HEADER_SIZE = 9.0
LIST_LEADING = 12.5
ROW_HEIGHT = 19.0
HEADER_HEIGHT = 24.0
CELL_PADDING = 4.0
TALL_ROW: Final = 24.0  # a row to write in by hand, on the sheet
MAX_SCALE: Final = 1.8  # times its usual letters, for a list that fills its pages
MAX_ROW_SCALE: Final = 1.5  # times the height of its rows, when its letters are as large as can be
SCALE_STEP: Final = 0.05
MAX_CELL_LINES: Final = 3  # of a name in larger letters
ROWS_PER_TALL_ROW: Final = 10  # of so many rows, another one may have several lines
FIGURE_GAP: Final = 8.0  # between figures and the words to their right, beside the usual space
FIRST_ROWS, LAST_ROWS = 2, 3  # of a part: none of these is alone on a page
YES: Final = "yes"  # in a column of boxes, one that is ticked

ColumnContent = Literal["words", "surnames", "ticks", "boxes"]
CONTENTS_STEP, NUMBER_WIDTH = 19.0, 30.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, its share of the width, its alignment, whether figures wrap.

    One of ``ticks`` has a box for each empty cell, and a ticked one for ``yes``; one of ``boxes``
    has a frame to write in. In one of ``surnames`` only the surname is bold, which it is sorted by.
    """

    header: str
    share: float
    align: Align = "right"
    is_bold: bool = False
    wraps: bool = False
    holds: ColumnContent = "words"


@dataclass(frozen=True, slots=True)
class ListPart:
    """Rows under one heading (empty: none), each a text for every column.

    One that is ``is_unbreakable`` begins on the next page rather than be cut by the end of this
    one.
    """

    heading: str
    rows: tuple[tuple[str, ...], ...]
    is_unbreakable: bool = False

    @property
    def filled_rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows without those at the end that are to be filled in by hand."""
        count = max(
            (row_number for row_number, row in enumerate(self.rows, start=1) if any(row)), default=0
        )
        return self.rows[:count]


@dataclass(frozen=True, slots=True)
class ListMeasures:
    """The measures of a list in points: of rows so high, and everything so many times larger."""

    height: float = ROW_HEIGHT
    scale: float = 1.0

    @property
    def row(self) -> float:
        return self.height * self.scale

    @property
    def size(self) -> float:
        return LETTER_SIZE * self.scale

    @property
    def leading(self) -> float:
        return LIST_LEADING * self.scale

    @property
    def header(self) -> float:
        return HEADER_HEIGHT * self.scale


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A column on the page, with the size of its letters."""

    column: Column
    left: float
    right: float
    size: float = LETTER_SIZE

    @property
    def room(self) -> float:
        return self.right - self.left - 2 * CELL_PADDING

    @property
    def face(self) -> str:
        return BOLD_FACE if self.column.is_bold else TEXT_FACE

    @property
    def anchor(self) -> float:
        """Where its words begin, stand or end."""
        return {
            "left": self.left + CELL_PADDING,
            "centre": (self.left + self.right) / 2,
            "right": self.right - CELL_PADDING,
        }[self.column.align]

    def holds(self, texts: Iterable[str]) -> bool:
        """Whether each of these fits in one line."""
        return all(width_of(word, BOLD_FACE, self.size) <= self.room for word in texts)

    def break_text(self, text: str) -> list[str]:
        """The words of a cell in lines; a figure in one."""
        if self.column.align == "right" and not self.column.wraps:
            return [text]
        return break_lines(text, self.face, self.size, self.room) or [""]


def place_columns(
    paper: Paper,
    columns: Sequence[Column],
    parts: Sequence[ListPart] = (),
    size: float = LETTER_SIZE,
) -> list[PlacedColumn]:
    """The columns across the whole width between the margins, for letters of that size.

    Each has its share; those with room to spare give it to headers and figures, and to all words
    where then none is broken. Where some must be, figures take no more than they need.
    """
    cells = [
        [row[column_index] for part in parts for row in part.rows]
        for column_index in range(len(columns))
    ]
    gaps, room = _column_gaps(columns), paper.room
    least = [
        _min_width(column, texts, size) + space
        for column, texts, space in zip(columns, cells, gaps, strict=True)
    ]
    widths = _widths_by_share(columns, least, room)
    if not any(column.wraps for column in columns):
        unbroken = [
            max(low, _max_width(texts, size) + space)
            for low, texts, space in zip(least, cells, gaps, strict=True)
        ]
        if sum(unbroken) <= room:
            widths = _widths_by_share(columns, unbroken, room)
        elif sum(least) < room and all(map(any, cells)):
            widths = _widths_by_need(least, unbroken, room)
    edges = pairwise(accumulate(widths, initial=paper.margin))
    return [
        PlacedColumn(column, left_edge + space, right, size)
        for column, space, (left_edge, right) in zip(columns, gaps, edges, strict=True)
    ]


def _widths_by_share(columns: Sequence[Column], least: Sequence[float], room: float) -> list[float]:
    """The widths by the shares of the columns, none below its least if there is so much room."""
    unit = room / sum(column.share for column in columns)
    widths = [max(column.share * unit, low) for column, low in zip(columns, least, strict=True)]
    spare = [width - low for width, low in zip(widths, least, strict=True)]
    excess = sum(widths) - room
    if excess > sum(spare):
        return [low * room / sum(least) for low in least]
    part = excess / sum(spare) if excess > 0 else 0
    return [width - free * part for width, free in zip(widths, spare, strict=True)]


def _widths_by_need(least: Sequence[float], unbroken: Sequence[float], room: float) -> list[float]:
    """The widths in which no words are broken but the widest, none below its least."""
    most = max(unbroken)
    while True:
        widths = [max(low, min(wide, most)) for low, wide in zip(least, unbroken, strict=True)]
        if sum(widths) <= room:
            return widths
        most -= 1


def _column_gaps(columns: Sequence[Column]) -> list[float]:
    """The space to the left of each column: of words beside figures, which would run together."""
    after_figures = [False, *(column.align == "right" for column in columns[:-1])]
    return [
        FIGURE_GAP if is_after and column.align == "left" else 0.0
        for is_after, column in zip(after_figures, columns, strict=True)
    ]


def _min_width(column: Column, cells: Sequence[str], size: float) -> float:
    """The width that words of the header need, and figures, which are never broken."""
    figures = cells if column.align == "right" else ()
    return _max_width([*column.header.split(), *figures], size)


def _max_width(texts: Sequence[str], size: float) -> float:
    """The width of a column that holds each of these in one line."""
    return max(
        (width_of(word, BOLD_FACE, size) + 2 * CELL_PADDING + 0.1 for word in texts), default=0.0
    )


def title_drawer(
    paper: Paper, club: str, right: str, title: str, lede: str = ""
) -> Callable[[int], float]:
    """Draw the heading of a list: the club, and on its first page the title."""

    def top(page: int) -> float:
        y = paper.masthead(club, right)
        return paper.title(y, title, lede) if page == 1 else y

    return top


def draw_list(
    paper: Paper,
    *,
    columns: Sequence[Column],
    parts: Sequence[ListPart],
    top: Callable[[int], float],
    footer: str,
    on_heading: Callable[[str], None] | None = None,
    height: float = ROW_HEIGHT,
    fills: bool = False,
) -> float:
    """Draw the rows over as many pages as they take; returns the height below the last.

    ``top`` gets the page of the list (1, 2 …), draws what is above the rows and returns the height
    below it. Words wrap to further lines; figures stay in one. A part that goes on over a page has
    its heading again. Empty rows at the end, to be filled in by hand, are drawn only as far as the
    page goes. ``on_heading`` is called with each part's heading on its page. Rows are at least as
    high as ``height``. A list that ``fills`` its pages, to hang on a wall, has the largest letters
    with which it needs no further page.
    """
    drawing = Listing(paper, columns, parts, top, footer, ListMeasures(height))
    if fills:
        drawing.grow()
    drawing.begin()
    for part in parts:
        for row_index, row in enumerate(part.rows):
            if not drawing.turn_for(part, row_index):
                return drawing.y
            if part.heading and not row_index:
                drawing.head(part.heading)
                if on_heading:
                    on_heading(part.heading)
            drawing.row(row)
    return drawing.y


def height_of_list(
    paper: Paper, columns: Sequence[Column], parts: Sequence[ListPart], height: float = ROW_HEIGHT
) -> float:
    """The height of a list without headings on one page, with the words above its columns."""
    measures, places = ListMeasures(height), place_columns(paper, columns, parts)
    rows = (row for part in parts for row in part.rows)
    return _header_height(places, measures) + sum(
        _row_height(row, measures, places) for row in rows
    )


def _header_lines(places: Sequence[PlacedColumn], measures: ListMeasures) -> list[list[str]]:
    """The words above each column, in lines."""
    return [
        break_lines(place.column.header, BOLD_FACE, measures.size, place.room) or [""]
        for place in places
    ]


def _header_height(places: Sequence[PlacedColumn], measures: ListMeasures) -> float:
    lines = max(map(len, _header_lines(places, measures)))
    return measures.header + measures.leading * (lines - 1)


def _count_lines(row: Sequence[str], places: Sequence[PlacedColumn]) -> int:
    """How many lines the longest cell of a row takes."""
    return max(len(place.break_text(text)) for place, text in zip(places, row, strict=True))


def _row_height(
    row: Sequence[str], measures: ListMeasures, places: Sequence[PlacedColumn]
) -> float:
    return measures.row + measures.leading * (_count_lines(row, places) - 1)


class Listing:
    """A list as it is drawn, ``y`` being the height below what is there."""

    def __init__(
        self,
        paper: Paper,
        columns: Sequence[Column],
        parts: Sequence[ListPart],
        top: Callable[[int], float],
        footer: str,
        measures: ListMeasures,
    ) -> None:
        self.paper, self.columns, self.parts = paper, columns, parts
        self.top, self.footer, self.measures = top, footer, measures
        self.places = place_columns(paper, columns, parts, measures.size)
        self.pages, self.y = 1, top(1)
        self.table = paper.tags.add("Table")

    def grow(self) -> None:
        """Take the largest letters, then the highest rows, that need no more pages.

        A few long names may then have several lines.
        """
        pages, tall, longest = self._measure_extent(self.measures)
        rows = sum(len(part.rows) for part in self.parts)
        most = (pages, tall + 1 + rows // ROWS_PER_TALL_ROW, max(longest, MAX_CELL_LINES))

        def is_kept(measures: ListMeasures) -> bool:
            extents = self._measure_extent(measures)
            return self._holds_words(measures) and all(map(le, extents, most))

        scale, higher = MAX_SCALE, MAX_ROW_SCALE
        while scale > 1 and not is_kept(replace(self.measures, scale=scale)):
            scale -= SCALE_STEP
        self.measures = low = replace(self.measures, scale=max(1.0, scale))
        self.places = place_columns(self.paper, self.columns, self.parts, low.size)
        while higher > 1 and not is_kept(replace(low, height=low.height * higher)):
            higher -= SCALE_STEP
        self.measures = replace(low, height=low.height * max(1.0, higher))

    def _holds_words(self, measures: ListMeasures) -> bool:
        """Whether every column is as wide as its figures and the words above it."""
        places = place_columns(self.paper, self.columns, self.parts, measures.size)
        rows = [row for part in self.parts for row in part.rows]
        return all(
            place.holds([*place.column.header.split(), *self._figures(place, column_index, rows)])
            for column_index, place in enumerate(places)
        )

    def _measure_extent(self, measures: ListMeasures) -> tuple[int, int, int]:
        """Of these measures: the pages, the rows of several lines, the lines of the longest."""
        places = place_columns(self.paper, self.columns, self.parts, measures.size)
        lines = [_count_lines(row, places) for part in self.parts for row in part.rows]
        tall, longest = sum(count > 1 for count in lines), max(lines, default=1)
        return self._pages(measures, places), tall, longest

    def _figures(
        self, place: PlacedColumn, column_index: int, rows: Sequence[Sequence[str]]
    ) -> list[str]:
        column = place.column
        return (
            [row[column_index] for row in rows]
            if column.align == "right" and not column.wraps
            else []
        )

    def _pages(self, measures: ListMeasures, places: Sequence[PlacedColumn]) -> int:
        """How many pages there are of these measures."""
        pages, room = 1, self.y - _header_height(places, measures) - self.paper.foot
        for part in self.parts:
            for row_index, row in enumerate(part.rows):
                if not any(row):
                    return pages
                is_turned = self._needed_room(part, row_index, measures, places) > room
                if is_turned:
                    pages, room = pages + 1, self._fresh(measures, places)
                room -= _row_height(row, measures, places)
                room -= (
                    self._heading_height(part.heading, measures)
                    if is_turned or not row_index
                    else 0
                )
        return pages

    def _fresh(self, measures: ListMeasures, places: Sequence[PlacedColumn]) -> float:
        """The room for rows on each page after the first."""
        paper = self.paper
        top = paper.height - paper.margin - MASTHEAD_HEIGHT
        return top - _header_height(places, measures) - paper.foot

    def _needed_room(
        self, part: ListPart, row_index: int, measures: ListMeasures, places: Sequence[PlacedColumn]
    ) -> float:
        """The room that this row of a part needs: its heading too, if it is the first.

        Neither the first row of a part nor its last stands alone on a page. The first of a part
        that stays whole needs the room of all, if a page has so much.
        """
        heading_height = self._heading_height(part.heading, measures) if not row_index else 0.0
        if not row_index and part.is_unbreakable:
            total_height = heading_height + sum(
                _row_height(row, measures, places) for row in part.filled_rows
            )
            if total_height <= self._fresh(measures, places):
                return total_height
        following = part.filled_rows[row_index : row_index + LAST_ROWS + 1]
        is_short = not row_index and len(part.filled_rows) < FIRST_ROWS + LAST_ROWS
        is_end = is_short or len(following) == LAST_ROWS
        kept_rows = following if is_end else following[: 1 if row_index else FIRST_ROWS]
        rows = kept_rows or part.rows[row_index : row_index + 1]  # one to be filled in
        return heading_height + sum(_row_height(row, measures, places) for row in rows)

    def begin(self) -> None:
        """The headers of the columns, and the footer."""
        paper, measures, places = self.paper, self.measures, self.places
        paper.footer(self.footer)
        size = max(8.5 * measures.scale, paper.form.smallest)
        heads = _header_lines(places, measures)
        self.y -= _header_height(places, measures)
        with paper.tags.open_part(self.table), paper.tags.element("TR"):
            for place, lines in zip(places, heads, strict=True):
                first = self.y + 6 + (len(lines) - 1) * measures.leading
                with paper.tags.element("TH"):
                    self._draw_lines(
                        place, lines, first, size=size, face=BOLD_FACE, colour=SOFT_INK
                    )
        paper.rule(paper.margin, self.y, paper.right, self.y, width=0.9, colour=LINE_COLOUR)

    def turn_for(self, part: ListPart, row_index: int) -> bool:
        """Turn the page where that row does not fit on it; false if an empty row then ends it."""
        row, heading = part.rows[row_index], part.heading
        if (
            self.y - self._needed_room(part, row_index, self.measures, self.places)
            >= self.paper.foot
        ):
            return True
        if not any(row):
            return False
        self.paper.next_page()
        self.pages += 1
        self.y = self.top(self.pages)
        self.begin()
        if heading and row_index:
            self.head(f"{heading} (continued)")
        return True

    def head(self, heading: str) -> None:
        """The heading of a part."""
        paper, measures, lines = self.paper, self.measures, self._head_lines(heading, self.measures)
        base = self.y - measures.row / 2 - 5.5 * measures.scale
        self.y -= self._heading_height(heading, self.measures)
        with paper.tags.paragraph():
            for line_index, line in enumerate(lines):
                low = base - line_index * measures.leading
                size = HEADER_SIZE * measures.scale
                paper.text(
                    paper.margin + CELL_PADDING,
                    low,
                    line,
                    size=size,
                    face=BOLD_FACE,
                    colour=CINNABAR,
                )

    def _head_lines(self, heading: str, measures: ListMeasures) -> list[str]:
        size = max(HEADER_SIZE * measures.scale, self.paper.form.smallest)
        return break_lines(heading, BOLD_FACE, size, self.paper.room - 2 * CELL_PADDING)

    def _heading_height(self, heading: str, measures: ListMeasures) -> float:
        """The height of a heading; none of an empty one."""
        lines = len(self._head_lines(heading, measures)) if heading else 0
        return measures.row + measures.leading * (lines - 1) if lines else 0.0

    def row(self, row: Sequence[str]) -> None:
        """One row, and the line below it."""
        paper, measures = self.paper, self.measures
        height = _row_height(row, measures, self.places)
        self.y -= height
        first = self.y + height - measures.row / 2 - 4 * measures.scale
        with paper.tags.open_part(self.table), paper.tags.element("TR"):
            for place, text in zip(self.places, row, strict=True):
                with paper.tags.element("TD"):
                    if not (self._box(place, text, first) or self._surname(place, text, first)):
                        lines, face = place.break_text(text), place.face
                        self._draw_lines(
                            place, lines, first, size=place.size, face=face, colour=INK
                        )
        paper.rule(paper.margin, self.y, paper.right, self.y, colour=HAIRLINE_COLOUR)

    def _box(self, place: PlacedColumn, text: str, base: float) -> bool:
        """Draw the box of a cell that has one instead of words."""
        paper, column = self.paper, place.column
        if column.holds == "boxes" and not text:
            high = self.measures.row - 5
            width = place.right - place.left - CELL_PADDING
            paper.box(
                place.left + CELL_PADDING / 2,
                self.y + 2.5,
                width,
                high,
                line=0.7,
                colour=LINE_COLOUR,
            )
            return True
        if column.holds != "ticks" or text not in {"", YES}:
            return False
        side = 0.6 * self.measures.row
        shift = {"left": 0.0, "centre": side / 2, "right": side}[column.align]
        x, low = place.anchor - shift, base + 4 * self.measures.scale - side / 2
        paper.box(x, low, side, side, line=0.8, colour=LINE_COLOUR)
        if text:
            with paper.tags.element("Figure", YES), paper.tags.content():
                middle = (x + side * 0.4, low + side * 0.2)
                paper.rule(x + side * 0.18, low + side * 0.5, *middle, width=1.5, colour=BAMBOO)
                paper.rule(*middle, x + side * 0.84, low + side * 0.86, width=1.5, colour=BAMBOO)
        return True

    def _surname(self, place: PlacedColumn, text: str, base: float) -> bool:
        """A name in one line with its surname in bold, if the column is of names."""
        first_names, surname = split_surname(text) if place.column.holds == "surnames" else ("", "")
        if not first_names or len(place.break_text(text)) > 1:
            return False
        size, left_edge = max(place.size, self.paper.form.smallest), place.anchor
        self.paper.text(left_edge, base, f"{first_names} ", size=size)
        left_edge += width_of(f"{first_names} ", TEXT_FACE, size)
        self.paper.text(left_edge, base, surname, size=size, face=BOLD_FACE)
        return True

    def _draw_lines(
        self,
        place: PlacedColumn,
        lines: Sequence[str],
        y: float,
        *,
        size: float,
        face: str,
        colour: str,
    ) -> None:
        """Write the lines of a cell from y downwards."""
        align, room = place.column.align, place.room
        for line in lines:
            self.paper.text(
                place.anchor, y, line, size=size, face=face, colour=colour, align=align, room=room
            )
            y -= self.measures.leading


def fitted_name(
    name: str, face: str, size: float, room: float, *, least: float = MIN_SIZE
) -> tuple[str, float]:
    """The fullest form of the name, and the size, that fit into ``room`` points.

    In letters of at least the size ``least``: with the first names by their initials, then the
    surname too.
    """
    forms = list(name_forms(name))
    for form in forms:
        if width_of(form, face, least) <= room:
            return fit_line(form, face, size, room, least)
    return fit_line(forms[-1], face, size, room, least)


def name_forms(name: str) -> Iterator[str]:
    """``Anne-Marie van Dyck``, ``A.-M. van Dyck``, ``Anne-Marie D.``, ``A.-M. D.``, ``A. D.``"""
    yield name
    if not any(letter.isupper() for letter in name):  # no initials: 王小明, محمد علي
        name_parts = name.split()
        yield from (" ".join(name_parts[:count]) for count in range(len(name_parts) - 1, 0, -1))
        return
    first, *other_parts = without_post_nominals(name.split()) or [""]
    first_initials = initials(first)
    if not other_parts:
        yield first_initials
        return
    last = other_parts[-1]
    yield " ".join((first_initials, *other_parts))
    yield " ".join((first_initials, last))
    yield f"{first} {initials(last)}"
    yield f"{first_initials} {initials(last)}"
    yield f"{first[:1]}. {last[:1]}."


def short_form(name: str) -> str:
    """``A. D.`` of ``Anne van Dyck``, ``A.`` of ``Anne``; a name without capitals as it is."""
    if not any(letter.isupper() for letter in name):
        return name
    *_, shortest = name_forms(name)
    return shortest


def initials(word: str) -> str:
    """``A.-M.`` of ``Anne-Marie``."""
    return "-".join(f"{part[:1]}." for part in word.split("-") if part)


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A line of the contents; level 1 belongs to the last of level 0."""

    key: str
    title: str
    level: int = 0

    @property
    def letters(self) -> tuple[float, str]:
        return (10.5, TEXT_FACE) if self.level else (12.5, BOLD_FACE)


@dataclass
class Contents:
    """The lines of a book's contents, and the page on which each begins."""

    paper: Paper
    entries: Sequence[ContentsEntry]
    pages: dict[str, int] = field(default_factory=dict)

    def draw(self, y: float, club: str, footer: str) -> None:
        """Every line with room for its number, from y downwards, over as many pages as it takes."""
        paper = self.paper
        paper.footer(footer)
        for entry in self.entries:
            if y - CONTENTS_STEP - 8 * (not entry.level) < paper.foot:
                paper.next_page()
                y = paper.masthead(club, "Contents")
                paper.footer(footer)
            y -= CONTENTS_STEP if entry.level else CONTENTS_STEP + 8
            left_edge, (size, face) = paper.margin + 18 * entry.level, entry.letters
            room = paper.right - NUMBER_WIDTH - left_edge - 8
            paper.text(left_edge, y, entry.title, size=size, face=face, room=room)
            end = left_edge + min(room, width_of(entry.title, face, size)) + 6
            paper.rule(end, y + 2, paper.right - NUMBER_WIDTH, y + 2, colour=HAIRLINE_COLOUR)
            link = (left_edge, y - 4, paper.right, y + 12)
            paper.canvas.linkRect("", entry.key, link, relative=1, thickness=0)
            with paper.tags.content():
                paper.draw_form(f"page-of-{entry.key}", paper.right - NUMBER_WIDTH, y - 2)

    def begins(self, key: str) -> None:
        """Note that this part of the book begins on this page."""
        entry = next(entry for entry in self.entries if entry.key == key)
        self.pages[key] = self.paper.pages + 1
        self.paper.begins(key, entry.title, entry.level)

    def fill_in(self) -> None:
        """Write the numbers, once everything is drawn."""
        paper = self.paper
        for entry in self.entries:
            size, face = entry.letters
            paper.canvas.beginForm(f"page-of-{entry.key}", 0, 0, NUMBER_WIDTH, CONTENTS_STEP)
            number = str(self.pages[entry.key])
            with paper.tags.silence():
                paper.text(
                    NUMBER_WIDTH, 2, number, size=size, face=face, colour=SOFT_INK, align="right"
                )
            paper.canvas.endForm()
