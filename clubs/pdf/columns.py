"""Lists that go on from page to page: repeated headers, page numbers, one row a line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from clubs.pdf.page import (
    BOLD,
    CINNABAR,
    HAIR,
    INK,
    LINE,
    SOFT,
    TEXT,
    Align,
    Paper,
    lines_of,
    width_of,
)

ROW = 19.0
HEADER = 24.0
PAD = 4.0
SIZE, LEADING = 10.5, 12.5


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, its share of the width, where its words stand, whether in lines."""

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
    """A column laid on the page."""

    column: Column
    left: float
    right: float

    @property
    def room(self) -> float:
        """How wide its words may be."""
        return self.right - self.left - 2 * PAD

    @property
    def face(self) -> str:
        """The letters its words are set in."""
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
    """The columns across the whole width between the margins."""
    rights = list(accumulate(_widths(paper, columns, parts), initial=paper.margin))
    spans = zip(columns, pairwise(rights), strict=True)
    return [Place(column, left, right) for column, (left, right) in spans]


def _widths(paper: Paper, columns: Sequence[Column], parts: Sequence[Part]) -> list[float]:
    """Each column's share; in large print the widest gives room for headers and figures."""
    unit = paper.room / sum(column.share for column in columns)
    widths = [column.share * unit for column in columns]
    if not paper.form.is_large:
        return widths
    rows = [row for part in parts for row in part.rows]
    least = [_least(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    widths = [max(width, low) for width, low in zip(widths, least, strict=True)]
    widest = widths.index(max(widths))
    widths[widest] -= sum(widths) - paper.room
    return widths


def _least(column: Column, cells: Sequence[str]) -> float:
    """What the words of the header need, and figures, which are never broken."""
    figures = cells if column.align == "right" else ()
    return max((_wide(word) for word in (*column.header.split(), *figures)), default=0)


def _wide(word: str) -> float:
    return width_of(word, BOLD, SIZE) + 2 * PAD + 0.1


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

    ``top`` is told which page of the list it is (1, 2 …), draws what stands above the rows and
    returns the height below it. In large print words go on in a second line before they shrink.
    ``on_heading`` is told of each part's heading on the page on which it stands.
    """
    places, pages = laid(paper, columns, parts), 1
    y = _begin(paper, places, top(pages), footer)
    for heading, row in _in_order(parts):
        told = [_broken(paper, place, words) for place, words in zip(places, row, strict=False)]
        height = ROW + LEADING * (max(map(len, told), default=1) - 1)
        if y - (height if row else 2 * ROW) < paper.foot:
            paper.next_page()
            pages += 1
            y = _begin(paper, places, top(pages), footer)
        y -= height
        if row:
            _row(paper, places, told, y + height - ROW)
            paper.rule(paper.margin, y, paper.right, y, colour=HAIR)
        else:
            paper.text(paper.margin + PAD, y + 4, heading, size=9, face=BOLD, colour=CINNABAR)
            if on_heading:
                on_heading(heading)
    return y


def _in_order(parts: Sequence[Part]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for part in parts:
        if part.heading and part.rows:
            yield part.heading, ()
        for row in part.rows:
            yield "", row


def _broken(paper: Paper, place: Place, words: str) -> list[str]:
    """The words of a cell in lines; one line in ordinary print, where they shrink instead."""
    if not paper.form.is_large and not place.column.wraps:
        return [words]
    return lines_of(words, place.face, SIZE, place.room) or [""]


def _begin(paper: Paper, places: Sequence[Place], y: float, footer: str) -> float:
    paper.footer(footer)
    size = max(8.5, paper.form.smallest)
    heads = [_header(paper, place) for place in places]
    y -= HEADER + LEADING * (max(map(len, heads)) - 1)
    for place, lines in zip(places, heads, strict=True):
        for up, line in enumerate(reversed(lines)):
            paper.text(
                place.anchor,
                y + 6 + up * LEADING,
                line,
                size=size,
                face=BOLD,
                colour=SOFT,
                align=place.column.align,
                room=place.room,
            )
    paper.rule(paper.margin, y, paper.right, y, width=0.9, colour=LINE)
    return y


def _header(paper: Paper, place: Place) -> list[str]:
    words = place.column.header
    return (lines_of(words, BOLD, SIZE, place.room) if paper.form.is_large else [words]) or [""]


def _row(paper: Paper, places: Sequence[Place], told: Sequence[Sequence[str]], y: float) -> None:
    for place, lines in zip(places, told, strict=True):
        for down, line in enumerate(lines):
            paper.text(
                place.anchor,
                y + 5.5 - down * LEADING,
                line,
                size=SIZE,
                face=place.face,
                colour=INK,
                align=place.column.align,
                room=place.room,
            )
