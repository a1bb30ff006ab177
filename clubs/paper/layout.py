"""Columns on paper and the names that fit them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from clubs.paper.fonts import BOLD, TEXT, lines_of, width_of
from clubs.paper.formats import SMALLEST
from clubs.paper.page import CINNABAR, HAIR, INK, LINE, SOFT, Align, Paper, fitted

ROW = 19.0
HEADER = 24.0
PAD = 4.0
SIZE, LEADING = 10.5, 12.5


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, its share of the width, its alignment, whether it wraps."""

    header: str
    share: float
    align: Align = "right"
    is_bold: bool = False
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Rows under one heading (empty: none), each a text for every column."""

    heading: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Place:
    column: Column
    left: float
    right: float

    @property
    def room(self) -> float:
        return self.right - self.left - 2 * PAD

    @property
    def face(self) -> str:
        return BOLD if self.column.is_bold else TEXT

    @property
    def anchor(self) -> float:
        """Where its words begin, stand or end."""
        return {
            "left": self.left + PAD,
            "centre": (self.left + self.right) / 2,
            "right": self.right - PAD,
        }[self.column.align]


def laid(paper: Paper, columns: Sequence[Column], parts: Sequence[Part] = ()) -> list[Place]:
    """The columns across the whole width between the margins.

    Each has its share; those with room to spare give it to headers and figures.
    """
    unit = paper.room / sum(column.share for column in columns)
    rows = [row for part in parts for row in part.rows]
    # The width that words of the header need, and figures, which are never broken.
    least = []
    for at, column in enumerate(columns):
        figures = [row[at] for row in rows] if column.align == "right" else []
        words = [*column.header.split(), *figures]
        wide = (width_of(word, BOLD, SIZE) + 2 * PAD + 0.1 for word in words)
        least.append(max(wide, default=0))
    shares = [column.share * unit for column in columns]
    widths = [max(share, low) for share, low in zip(shares, least, strict=True)]
    spare = [width - low for width, low in zip(widths, least, strict=True)]
    over = sum(widths) - paper.room
    if over <= sum(spare):
        part = over / sum(spare) if over > 0 else 0
        widths = [width - free * part for width, free in zip(widths, spare, strict=True)]
    else:
        widths = [low * paper.room / sum(least) for low in least]
    spans = zip(columns, pairwise(accumulate(widths, initial=paper.margin)), strict=True)
    return [Place(column, left, right) for column, (left, right) in spans]


def draw_list(
    paper: Paper,
    *,
    columns: Sequence[Column],
    parts: Sequence[Part],
    top: Callable[[int], float],
    footer: str,
    on_heading: Callable[[str], None] | None = None,
) -> float:
    """Draw the rows over as many pages as they take; returns the height below the last.

    ``top`` gets the page of the list (1, 2 …), draws what is above the rows and returns the height
    below it. Words wrap to further lines; figures stay in one. Empty rows at the end, to be filled
    in by hand, are drawn only as far as the page goes. ``on_heading`` is called with each part's
    heading on its page.
    """
    places, pages = laid(paper, columns, parts), 1
    y = top(pages)
    table = paper.tags.add("Table")
    with paper.tags.within(table):
        y = _begin(paper, places, y, footer)
    rows = (("" if at else part.heading, row) for part in parts for at, row in enumerate(part.rows))
    for heading, row in rows:
        lines = [_broken(place, words) for place, words in zip(places, row, strict=True)]
        height = ROW + LEADING * (max(map(len, lines)) - 1)
        is_spare = not any(row)
        if y - height - (ROW if heading else 0) < paper.foot:
            if is_spare:
                break
            paper.next_page()
            pages += 1
            y = top(pages)
            with paper.tags.within(table):
                y = _begin(paper, places, y, footer)
        if heading:
            y -= ROW
            left, room = paper.margin + PAD, paper.room - 2 * PAD
            paper.text(left, y + 4, heading, size=9, face=BOLD, colour=CINNABAR, room=room)
            if on_heading:
                on_heading(heading)
        y -= height
        with paper.tags.within(table), paper.tags.element("TR"):
            for place, cell in zip(places, lines, strict=True):
                with paper.tags.element("TD"):
                    first = y + height - ROW + 5.5
                    _cell(paper, place, cell, first, size=SIZE, face=place.face, colour=INK)
        paper.rule(paper.margin, y, paper.right, y, colour=HAIR)
    return y


def _broken(place: Place, words: str) -> list[str]:
    """The words of a cell in lines; a figure in one."""
    if place.column.align == "right" and not place.column.wraps:
        return [words]
    return lines_of(words, place.face, SIZE, place.room) or [""]


def _begin(paper: Paper, places: Sequence[Place], y: float, footer: str) -> float:
    paper.footer(footer)
    size = max(8.5, paper.form.smallest)
    heads = [lines_of(place.column.header, BOLD, SIZE, place.room) or [""] for place in places]
    y -= HEADER + LEADING * (max(map(len, heads)) - 1)
    with paper.tags.element("TR"):
        for place, lines in zip(places, heads, strict=True):
            first = y + 6 + (len(lines) - 1) * LEADING
            with paper.tags.element("TH"):
                _cell(paper, place, lines, first, size=size, face=BOLD, colour=SOFT)
    paper.rule(paper.margin, y, paper.right, y, width=0.9, colour=LINE)
    return y


def _cell(
    paper: Paper,
    place: Place,
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
        paper.text(
            place.anchor, y, line, size=size, face=face, colour=colour, align=align, room=room
        )
        y -= LEADING


def fitted_name(
    name: str, face: str, size: float, room: float, *, least: float = SMALLEST
) -> tuple[str, float]:
    """The fullest form of the name, and the size, that fit into ``room`` points.

    In letters of at least the size ``least``: with the first names by their initials, then the
    surname too.
    """
    forms = list(forms_of(name))
    for form in forms:
        if width_of(form, face, least) <= room:
            return fitted(form, face, size, room, least)
    return fitted(forms[-1], face, size, room, least)


def forms_of(name: str) -> Iterator[str]:
    """``Anne-Marie van Dyck``, ``A.-M. van Dyck``, ``Anne-Marie D.``, ``A.-M. D.``, ``A. D.``"""
    yield name
    if not any(letter.isupper() for letter in name):  # no initials: 王小明, محمد علي
        words = name.split()
        yield from (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        return
    first, *others = name.split() or [""]
    short = initials(first)
    if not others:
        yield short
        return
    last = others[-1]
    yield " ".join((short, *others))
    yield " ".join((short, last))
    yield f"{first} {initials(last)}"
    yield f"{short} {initials(last)}"
    yield f"{first[:1]}. {last[:1]}."


def initials(word: str) -> str:
    """``A.-M.`` of ``Anne-Marie``."""
    return "-".join(f"{part[:1]}." for part in word.split("-") if part)
