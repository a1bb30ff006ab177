"""A whole document: lists over its pages, contents, page numbers, the response that sends it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate, pairwise
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from clubs.paper.fonts import BOLD, TEXT, lines_of, width_of
from clubs.paper.formats import SMALLEST
from clubs.paper.page import CINNABAR, HAIR, INK, LANGUAGE, LINE, SOFT, Align, Paper, fitted

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


def titled(
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


STEP, NUMBER = 19.0, 30.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents; level 1 belongs to the last of level 0."""

    key: str
    title: str
    level: int = 0

    @property
    def letters(self) -> tuple[float, str]:
        return (10.5, TEXT) if self.level else (12.5, BOLD)


@dataclass
class Contents:
    """The lines of a book's contents, and the page on which each begins."""

    paper: Paper
    entries: Sequence[Entry]
    pages: dict[str, int] = field(default_factory=dict)

    def draw(self, y: float, club: str, footer: str) -> None:
        """Every line with room for its number, from y downwards, over as many pages as it takes."""
        paper = self.paper
        paper.footer(footer)
        for entry in self.entries:
            if y - STEP - 8 * (not entry.level) < paper.foot:
                paper.next_page()
                y = paper.masthead(club, "Contents")
                paper.footer(footer)
            y -= STEP if entry.level else STEP + 8
            left, (size, face) = paper.margin + 18 * entry.level, entry.letters
            room = paper.right - NUMBER - left - 8
            paper.text(left, y, entry.title, size=size, face=face, room=room)
            end = left + min(room, width_of(entry.title, face, size)) + 6
            paper.rule(end, y + 2, paper.right - NUMBER, y + 2, colour=HAIR)
            link = (left, y - 4, paper.right, y + 12)
            paper.canvas.linkRect("", entry.key, link, relative=1, thickness=0)
            with paper.tags.content():
                paper.put(f"page-of-{entry.key}", paper.right - NUMBER, y - 2)

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
            paper.canvas.beginForm(f"page-of-{entry.key}", 0, 0, NUMBER, STEP)
            number = str(self.pages[entry.key])
            with paper.tags.silence():
                paper.text(NUMBER, 2, number, size=size, face=face, colour=SOFT, align="right")
            paper.canvas.endForm()


MOST_TYPED = 200
ONE = re.compile(r"([0-9]{1,6})(?:\s*[-–]\s*([0-9]{1,6}))?")


class NoSuchPages(ValueError):
    """Pages that a paper does not have; the message is a sentence for the reader."""


def only_pages(paper: bytes, wanted: str) -> bytes:
    """The paper with only the wanted pages, in its own order.

    Their numbers stay as printed. Raises NoSuchPages where one of them does not exist.
    """
    whole, some = PdfReader(BytesIO(paper)), PdfWriter()
    for number in read_pages(wanted, len(whole.pages)):
        some.add_page(whole.pages[number - 1])
    some.add_metadata({key: str(value) for key, value in (whole.metadata or {}).items()})
    some.root_object[NameObject("/Lang")] = TextStringObject(LANGUAGE)
    written = BytesIO()
    some.write(written)
    return written.getvalue()


def read_pages(wanted: str, count: int) -> list[int]:
    """The numbers in ``3, 7-9``, each once and in order, of a paper of so many pages.

    Raises NoSuchPages with a sentence.
    """
    words = [word for word in re.split(r"[,;]", wanted[:MOST_TYPED]) if word.strip()]
    if not words:
        raise NoSuchPages("Enter pages such as 3 or 7-9, with commas between them.")
    numbers: set[int] = set()
    for word in map(str.strip, words):
        match = ONE.fullmatch(word)
        if match is None:
            raise NoSuchPages(
                f"“{word[:20]}” is not a page. Enter 3 for one page or 7-9 for several, "
                "with commas between them."
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise NoSuchPages(f"“{word}” is the wrong way round: enter {last}-{first}.")
        for number in (first, last):
            if not 1 <= number <= count:
                pages = "1 page" if count == 1 else f"{count} pages"
                raise NoSuchPages(f"There is no page {number}: this printout has {pages}.")
        numbers.update(range(first, last + 1))
    return sorted(numbers)


BAD_REQUEST = 400


def pdf(request: HttpRequest, paper: bytes, name: str, *, keeps: bool = False) -> HttpResponse:
    """A PDF that the browser shows, or saves at once (``keeps``), under the name.

    For pages that do not exist, a page that asks again (400).
    """
    wanted = request.GET.get("pages", "").strip()
    try:
        paper = only_pages(paper, wanted) if wanted else paper
    except NoSuchPages as wrong:
        others = {key: value for key, value in request.GET.items() if key != "pages"}
        whole = f"?{urlencode(others)}" if others else request.path
        context = {"asked": wanted, "said": str(wrong), "others": others.items(), "whole": whole}
        return render(request, "clubs/paper/which_pages.html", context, status=BAD_REQUEST)
    how = "attachment" if keeps else "inline"
    headers = {"Content-Disposition": f'{how}; filename="{name}.pdf"'}
    return HttpResponse(paper, content_type="application/pdf", headers=headers)
