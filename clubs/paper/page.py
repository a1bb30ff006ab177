"""The pages of a printout: text that fits, lines, marks, QR codes, page numbers."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable
from functools import cache, lru_cache
from io import BytesIO
from itertools import groupby
from threading import Lock
from typing import Any, Final, Literal

import segno
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from clubs.language.words import TILE_NAMES
from clubs.paper.fonts import (
    BOLD_FACE,
    DISPLAY_FACE,
    TEXT_FACE,
    break_lines,
    draw_mark,
    draw_tiles,
    face_runs,
    load_face,
    load_letters,
    width_of,
)
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.tagging import Tags

INK, SOFT_INK, LINE_COLOUR, HAIRLINE_COLOUR = "#1d1914", "#5b5247", "#7d7260", "#cfc6b2"
BAMBOO, CINNABAR = "#08503a", "#8f1419"
BLACK, WHITE = "#000000", "#ffffff"
THICK_RULE = 1.2
ROUNDING = 0.01
LEADING, READABLE_SCALE, SMALLEST_SCALE = 1.18, 0.8, 0.55
WORD_PARTS: Final = re.compile(r"[^ -]+-?")  # of words, which a line may end after
MASTHEAD_HEIGHT = 27.0  # of a page, with the club's name in one or two lines
PAGE_NUMBER_WIDTH = 80.0  # the width of ``Page 12 of 34``
FONT_LOCK: Final = Lock()  # ReportLab reads a face's file at one place for all documents
Align = Literal["left", "centre", "right"]
ReportProgress = Callable[[int, int], None]  # how many parts are drawn, and of how many

rl_config.useA85 = 0  # streams as bytes: letters for bytes are a quarter more, and slow to make


def ignore_progress(done: int, total: int) -> None:
    """No one waits to see the progress."""


@cache
def ink_of(colour: str) -> Any:
    """ReportLab's colour for ``#8f1419``, cached because every word needs it."""
    return HexColor(colour)


@lru_cache(maxsize=512)
def qr_modules(address: str) -> tuple[str, int]:
    """The dark modules of an address's QR code as PDF operators, and the modules of a side.

    A module is 1 point, the quiet zone is included.
    """
    rows = list(segno.make(address, micro=False, error="m").matrix_iter(border=4))
    dark = []
    for row_index, row in enumerate(reversed(rows)):
        start = 0
        for is_dark, modules in groupby(row):
            length = len(list(modules))
            if is_dark:
                dark.append(f"{start} {row_index} {length} 1 re")
            start += length
    return " ".join((*dark, "f")), len(rows)


def fit_line(text: str, face: str, size: float, room: float, least: float) -> tuple[str, float]:
    """The words and the size, from ``least`` to ``size``, at which they fit into ``room`` points.

    Where they do not fit even so, letters are taken away at the end, and an ellipsis says so.
    """
    width = width_of(text, face, size)
    if width <= room:
        return text, size
    smaller = max(least, size * room / width)
    while width_of(text, face, smaller) > room + ROUNDING and text:
        text = text.rstrip("…")[:-1].rstrip() + "…" if len(text) > 1 else ""
    return text, smaller


def fit_lines(
    text: str, face: str, size: float, room: float, *, most: int, least: float, spare: int = 0
) -> tuple[list[str], float]:
    """The words in as few lines as they need, at most ``most``, and the size to write them in.

    A further line comes before smaller letters, and smaller letters before an ellipsis, and so do
    up to ``spare`` more lines in the smallest. Words are broken only where they would be much
    smaller than the rest.
    """
    wide = max((width_of(part, face, 1.0) for part in WORD_PARTS.findall(text)), default=0.0)
    # The size to which letters shrink for whole words.
    whole_word_size = max(least, size * SMALLEST_SCALE)
    for count in range(1, most + 1):
        low = max(least, size * (1 if count == 1 else READABLE_SCALE)) if count < most else least
        smaller = size
        while True:
            for lines in (
                *(split_in_two(text, face, letters) for letters in (" ", " -") if count == 2),
                [text],
                break_lines(text, face, smaller, room),
            ):
                if (
                    len(lines) <= count
                    and (smaller <= whole_word_size or wide * smaller <= room)
                    and all(width_of(line, face, smaller) <= room for line in lines)
                ):
                    return lines, smaller
            if smaller <= low:
                break
            smaller = max(low, smaller - 0.5)
    lines = break_lines(text, face, least, room)
    if len(lines) <= most + spare:
        return lines, least
    last = fit_line(" ".join(lines[most - 1 :]), face, least, room, least)[0]
    return [*lines[: most - 1], last], least


def shared_size(
    texts: Iterable[str], face: str, size: float, room: float, *, least: float
) -> float:
    """The largest size up to ``size`` in which each of these fits into ``room`` points.

    Those too long for ``least`` do not make all the others small: they need lines of their own.
    """
    wide = (width_of(word, face, 1.0) for word in texts)
    widest = max((width for width in wide if width * least <= room), default=0.0)
    return min(size, (room - ROUNDING) / widest) if widest else size


def split_in_two(text: str, face: str = BOLD_FACE, letters: str = " -") -> list[str]:
    """The words in two lines as equal as can be, broken after a space or a hyphen."""
    cuts = [position for position, letter in enumerate(text[:-1], start=1) if letter in letters]
    pairs = [[text[:position].rstrip(), text[position:]] for position in cuts]
    return min(
        pairs, key=lambda pair: max(width_of(half, face, 10) for half in pair), default=[text]
    )


class Paper:
    """A document in one format; all measures in drawn points from the lower left corner.

    ``wide`` pages lie on their long side.
    """

    def __init__(self, title: str, form: Format = DEFAULT_FORMAT, *, wide: bool = False) -> None:
        load_letters()
        self.form = form
        self.foot = 48.0 if form.is_large else 58.0
        self._bytes = BytesIO()
        # The stubs of ReportLab take the name of a face for a number, and know no operators.
        self.canvas: Any = Canvas(self._bytes, invariant=1, initialFontName=TEXT_FACE)  # type: ignore[arg-type]
        self.tags = Tags(self.canvas)
        self.canvas.setTitle(title)
        self.canvas.setAuthor("Tongbox")
        self.canvas.setCreator("Tongbox")
        self.canvas.setSubject(title)
        self.pages = 0
        self._numbered_pages: list[int] = []
        self._stamps: dict[Hashable, str] = {}
        self._shown_texts: dict[tuple[str, str, float], str] = {}
        self._lay(wide=wide)

    def _lay(self, *, wide: bool) -> None:
        sheet, scale = self.form.sheet(wide=wide), self.form.scale
        self.is_wide = wide
        self.width, self.height = sheet[0] / scale, sheet[1] / scale
        self.margin = self.form.margin(wide=wide)
        self.right = self.width - self.margin
        self.room = self.right - self.margin
        self.canvas.setPageSize(sheet)
        if self.form.is_large:
            self.canvas.scale(scale, scale)

    def next_page(self, *, wide: bool | None = None) -> None:
        """End the page and begin another, lying as the last one unless told."""
        self.canvas.showPage()
        self.tags.next_page()
        self.pages += 1
        self._lay(wide=self.is_wide if wide is None else wide)

    def finish(self) -> bytes:
        """End the last page and return the document."""
        self.canvas.showPage()
        self.pages += 1
        for page in self._numbered_pages:
            self.canvas.beginForm(f"page-{page}", 0, 0, PAGE_NUMBER_WIDTH, 12)
            number = f"Page {page} of {self.pages}" if self.pages > 1 else ""
            with self.tags.silence():
                self.text(PAGE_NUMBER_WIDTH, 2, number, size=8, colour=SOFT_INK, align="right")
            self.canvas.endForm()
        self.tags.write()
        with FONT_LOCK:
            self.canvas.save()
        return self._bytes.getvalue()

    def ink(self, colour: str) -> Any:
        return ink_of(BLACK if self.form.is_high and colour != WHITE else colour)

    def _pen(self, width: float, colour: str) -> None:
        """Take a pen, unless it is in hand: a stamp and a page begin without one."""
        canvas, ink = self.canvas, self.ink(colour)
        width = max(THICK_RULE, 2 * width) if self.form.is_high else width
        if canvas._strokeColorObj is not ink or canvas._lineWidth != width:
            canvas.setStrokeColor(ink)
            canvas.setLineWidth(width)

    def _fill(self, colour: str) -> None:
        ink = self.ink(colour)
        if self.canvas._fillColorObj is not ink:
            self.canvas.setFillColor(ink)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 10,
        face: str = TEXT_FACE,
        colour: str = INK,
        align: Align = "left",
        room: float | None = None,
    ) -> None:
        """Write one line with its baseline at y, smaller where it is wider than ``room``."""
        size = max(size, self.form.smallest)
        if room is not None:
            text, size = fit_line(text, face, size, room, self.form.smallest)
        self._line(x, y, text, size=size, face=face, colour=colour, align=align)

    def figure(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        room: float,
        face: str = TEXT_FACE,
        colour: str = INK,
        align: Align = "centre",
    ) -> None:
        """Write a number of which no figure may be lost: without its comma where it is wide.

        Only a number that does not fit even so is set smaller than other words are.
        """
        size, has_commas = self.fit([text], face, size, room)
        text = text if has_commas else text.replace(",", "")
        self._line(x, y, text, size=size, face=face, colour=colour, align=align)

    def fit(
        self, figures: Collection[str], face: str, size: float, room: float
    ) -> tuple[float, bool]:
        """The size in which each of these fits into ``room`` points, and whether with commas."""
        least = min(size, self.form.smallest)
        has_commas = all(width_of(figure, face, least) <= room for figure in figures)
        plain = figures if has_commas else [figure.replace(",", "") for figure in figures]
        widest = max((width_of(figure, face, size) for figure in plain), default=0.0)
        return min(size, size * room / widest) if widest else size, has_commas

    def _line(
        self, x: float, y: float, text: str, *, size: float, face: str, colour: str, align: Align
    ) -> None:
        width = width_of(text, face, size)
        shift = {"left": 0.0, "centre": width / 2, "right": width}[align]
        with self.tags.content():
            self._fill(colour)
            x -= shift
            runs = face_runs(text, face)
            for part, name in runs:
                operators = self._shown_by(part, name, size)
                self.canvas._code.append(f"BT 1 0 0 1 {x:.4f} {y:.4f} Tm {operators} T* ET")
                x += load_face(name).stringWidth(part, size) if len(runs) > 1 else 0

    def _shown_by(self, text: str, face: str, size: float) -> str:
        """The PDF operators that show words of one face, as ReportLab says in ``ttfonts``."""
        operators = self._shown_texts.get((text, face, size))
        if operators is None:
            font, document = load_face(face), self.canvas._doc
            operators = self._shown_texts[text, face, size] = " ".join(
                f"{font.getSubsetInternalName(subset, document)} {size:.4f} Tf {size:.4f} TL"
                f" ({self.canvas._escape(letters)}) Tj"
                for subset, letters in font.splitString(text, document)
            )
        return operators

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        *,
        room: float,
        size: float = 10,
        colour: str = SOFT_INK,
        face: str = TEXT_FACE,
        align: Align = "left",
    ) -> float:
        """Write lines from y downwards; returns the baseline below the last."""
        size = max(size, self.form.smallest)
        with self.tags.paragraph():
            for line in break_lines(text, face, size, room):
                self.text(x, y, line, size=size, face=face, colour=colour, align=align, room=room)
                y -= size * 1.35
        return y

    def lines(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        room: float,
        most: int = 2,
        face: str = TEXT_FACE,
        colour: str = INK,
        align: Align = "left",
        is_centred: bool = False,
    ) -> float:
        """Write words in up to ``most`` lines from y downwards; returns the lowest baseline.

        ``is_centred`` sets the lines around y instead, as one line would stand there.
        """
        least = self.form.smallest
        parts, size = fit_lines(text, face, max(size, least), room, most=most, least=least)
        step = size * LEADING
        y += step * (len(parts) - 1) / 2 if is_centred else 0
        with self.tags.paragraph():
            for part in parts:
                self.text(x, y, part, size=size, face=face, colour=colour, align=align, room=room)
                y -= step
        return y + step if parts else y

    def name(
        self, x: float, y: float, text: str, *, size: float, room: float, most: int = 2
    ) -> float:
        """A name in bold from y downwards, in lines where it is long; returns the lowest."""
        return self.lines(x, y, text, size=size, room=room, face=BOLD_FACE, most=most)

    def rule(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        width: float = 0.5,
        colour: str = HAIRLINE_COLOUR,
    ) -> None:
        with self.tags.decoration():
            self._pen(width, colour)
            self.canvas._code.append(f"n {x1:.4f} {y1:.4f} m {x2:.4f} {y2:.4f} l S")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        line: float = 0.5,
        colour: str = LINE_COLOUR,
        round_by: float = 0,
    ) -> None:
        """Draw a frame; one with round corners is a stamp, because they are long to describe."""

        def draw(left_edge: float = 0, floor: float = 0) -> None:
            self._pen(line, colour)
            self.canvas.roundRect(left_edge, floor, width, height, round_by)

        if round_by:
            key = ("box", width, height, line, colour, round_by)
            self.stamp(key, x, y, (width, height), draw)
            return
        with self.tags.decoration():
            draw(x, y)

    def stamp(
        self,
        key: Hashable,
        x: float,
        y: float,
        size: tuple[float, float],
        draw: Callable[[], None],
        *,
        is_read: bool = False,
    ) -> None:
        """Put what ``draw`` draws in a box of that size at (x, y); it is drawn once a document.

        ``key`` stands for all that it shows. Readers who listen hear its words if it ``is_read``.
        """
        name = self._stamps.get(key)
        if name is None:
            name = self._stamps[key] = f"stamp-{len(self._stamps)}"
            self.canvas.beginForm(
                name, -THICK_RULE, -THICK_RULE, size[0] + THICK_RULE, size[1] + THICK_RULE
            )
            with self.tags.silence():
                draw()
            self.canvas.endForm()
        with self.tags.content() if is_read else self.tags.decoration():
            self.draw_form(name, x, y)

    def draw_form(self, name: str, x: float, y: float) -> None:
        """Draw the form of that name at (x, y), now or once it is known what it holds."""
        self.canvas._code.append(f"q 1 0 0 1 {x:.4f} {y:.4f} cm")
        self.canvas.doForm(name)
        self.canvas._code.append("Q")

    def mark(self, name: str, x: float, y: float, side: float) -> None:
        """Draw a wind disc (``w-E``; in high contrast its letter) or the ``sign`` of Tongbox."""
        if not self.form.is_high or name == "sign":
            with self.tags.decoration():
                mark_name = f"sign-{self.form.mark_colour}" if name == "sign" else name
                draw_mark(self.canvas, mark_name, x, y, side, is_black=self.form.is_high)
            return
        self.box(x + 1, y + 1, side - 2, side - 2, line=0.8, round_by=side / 2 - 1)
        letter, base = name.removeprefix("w-"), y + side * 0.29
        self.text(x + side / 2, base, letter, size=side * 0.6, face=BOLD_FACE, align="centre")

    def begins(self, key: str, title: str, level: int = 0) -> None:
        """Something begins on this page: readers of the file find it by its title."""
        self.canvas.bookmarkPage(key, fit="Fit")
        self.canvas.addOutlineEntry(title, key, level, closed=level == 0)
        self.canvas.showOutline()

    def tiles(self, codes: Iterable[str], x: float, y: float, height: float) -> float:
        codes = list(codes)
        names = "; ".join(TILE_NAMES[code] for code in codes)
        with self.tags.element("Figure", names), self.tags.content():
            return draw_tiles(
                self.canvas, codes, x, y, height, gap=height / 16, is_black=self.form.is_high
            )

    def qr(self, address: str, x: float, y: float, side: float) -> None:
        """Draw the address as a QR code within a square of ``side``, its quiet zone included."""
        code, modules = qr_modules(address)

        def draw() -> None:
            self._fill(INK)
            self.canvas._code.append(code)

        with self.tags.element("Figure", f"QR code: {address}"), self.tags.content():
            self.canvas.saveState()
            self.canvas.translate(x, y)
            self.canvas.scale(side / modules, side / modules)
            self.stamp(("qr", address), 0, 0, (modules, modules), draw)
            self.canvas.restoreState()

    def dashes(self, y: float) -> None:
        self._draw_dashes(12, y, self.width - 12, y)

    def dashes_down(self, x: float) -> None:
        self._draw_dashes(x, 12, x, self.height - 12)

    def _draw_dashes(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.canvas.saveState()
        self.canvas.setDash(4, 4)
        self.rule(x1, y1, x2, y2, width=0.6, colour=LINE_COLOUR)
        self.canvas.restoreState()

    def masthead(self, club: str, eyebrow: str) -> float:
        """The sign and the club on top of a page; returns the height to go on from."""
        top, least = self.height - self.margin, self.form.smallest
        half = min(self.room * 0.46, width_of(eyebrow, TEXT_FACE, max(9.5, least)) + 1)
        club_room = self.room - 27 - half - 12
        size = 11 if width_of(club, BOLD_FACE, 11) <= club_room else 9.5
        name, _ = fit_lines(club, BOLD_FACE, max(size, least), club_room, most=4, least=least)
        eyebrow_lines, _ = fit_lines(eyebrow, TEXT_FACE, max(9.5, least), half, most=4, least=least)
        height = MASTHEAD_HEIGHT + 12 * max(0, len(name) - 2, len(eyebrow_lines) - 2)
        middle = top - height / 2 + 0.5
        self.mark("sign", self.margin, top - 20, 20)
        left_edge = self.margin + 27
        self.lines(
            left_edge,
            middle,
            club,
            size=size,
            face=BOLD_FACE,
            room=club_room,
            most=4,
            is_centred=True,
        )
        self.lines(
            self.right,
            middle,
            eyebrow,
            size=9.5,
            colour=SOFT_INK,
            align="right",
            room=half,
            most=4,
            is_centred=True,
        )
        y = top - height
        self.rule(self.margin, y, self.right, y, width=1.2, colour=INK)
        return y

    def title(self, y: float, text: str, lede: str = "") -> float:
        """A large title below y with a sentence under it; returns the height to go on from."""
        with self.tags.element("H1"):
            size = 26 if width_of(text, DISPLAY_FACE, 26) <= self.room else 22
            y = self.lines(
                self.margin, y - 38, text, size=size, face=DISPLAY_FACE, room=self.room, most=3
            )
        return self.paragraph(self.margin, y - 20, lede, room=self.room) if lede else y - 12

    def footer(self, text: str) -> None:
        """What the page is about, and ``Page 2 of 3`` where there are several; once a page."""
        page = self.pages + 1
        if page in self._numbered_pages[-1:]:
            return
        self._numbered_pages.append(page)
        self.rule(self.margin, self.foot - 14, self.right, self.foot - 14, colour=LINE_COLOUR)
        least, room = self.form.smallest, self.room - PAGE_NUMBER_WIDTH - 10
        lines, size = fit_lines(text, TEXT_FACE, max(8, least), room, most=2, least=least)
        with self.tags.decoration():
            for line_index, line in enumerate(lines):
                low = self.foot - 26 - 12 * line_index
                self.text(self.margin, low, line, size=size, colour=SOFT_INK, room=room)
            self.draw_form(f"page-{page}", self.right - PAGE_NUMBER_WIDTH, self.foot - 28)
