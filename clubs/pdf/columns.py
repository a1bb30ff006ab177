"""Lists that go on from page to page: repeated headers, page numbers, one row a line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from clubs.pdf.page import (
    BOLD,
    CINNABAR,
    FOOT,
    HAIR,
    INK,
    LINE,
    MARGIN,
    RIGHT,
    SOFT,
    TEXT,
    Align,
    Paper,
)

ROW = 19.0
HEADER = 24.0
PAD = 4.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, its share of the width, where its words stand."""

    header: str
    share: float
    align: Align = "right"
    is_bold: bool = False


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
    def anchor(self) -> float:
        """Where its words begin, stand or end."""
        return {
            "left": self.left + PAD,
            "centre": (self.left + self.right) / 2,
            "right": self.right - PAD,
        }[self.column.align]


def laid(columns: Sequence[Column]) -> list[Place]:
    """The columns across the whole width between the margins."""
    unit = (RIGHT - MARGIN) / sum(column.share for column in columns)
    places, left = [], MARGIN
    for column in columns:
        right = left + column.share * unit
        places.append(Place(column, left, right))
        left = right
    return places


def draw_list(
    paper: Paper,
    *,
    columns: Sequence[Column],
    parts: Sequence[Part],
    top: Callable[[int], float],
    footer: str,
) -> None:
    """Draw the rows over as many pages as they take.

    ``top`` is told which page of the list it is (1, 2 …), draws what stands above the rows and
    returns the height below it.
    """
    places, pages = laid(columns), 1
    y = _begin(paper, places, top(pages), footer)
    for heading, row in _in_order(parts):
        if y - (ROW if row else 2 * ROW) < FOOT:
            paper.next_page()
            pages += 1
            y = _begin(paper, places, top(pages), footer)
        y -= ROW
        if row:
            _row(paper, places, row, y)
        else:
            paper.text(MARGIN + PAD, y + 4, heading, size=9, face=BOLD, colour=CINNABAR)


def _in_order(parts: Sequence[Part]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for part in parts:
        if part.heading and part.rows:
            yield part.heading, ()
        for row in part.rows:
            yield "", row


def _begin(paper: Paper, places: Sequence[Place], y: float, footer: str) -> float:
    paper.footer(footer)
    y -= HEADER
    for place in places:
        paper.text(
            place.anchor,
            y + 6,
            place.column.header,
            size=8.5,
            face=BOLD,
            colour=SOFT,
            align=place.column.align,
            room=place.room,
        )
    paper.rule(MARGIN, y, RIGHT, y, width=0.9, colour=LINE)
    return y


def _row(paper: Paper, places: Sequence[Place], row: Sequence[str], y: float) -> None:
    for place, words in zip(places, row, strict=True):
        paper.text(
            place.anchor,
            y + 5.5,
            words,
            size=10.5,
            face=BOLD if place.column.is_bold else TEXT,
            colour=INK,
            align=place.column.align,
            room=place.room,
        )
    paper.rule(MARGIN, y, RIGHT, y, colour=HAIR)
