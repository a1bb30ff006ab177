"""Paper in the look of Tongbox: letters that fit, lines, marks, QR codes, page numbers."""

from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any, Final, Literal

from django.conf import settings

from clubs.pdf.formats import USUAL, Format
from clubs.tilepdf import draw_mark, draw_tiles

TEXT, BOLD, DISPLAY = "Tongbox", "Tongbox-Bold", "Tongbox-Display"
INK, SOFT, LINE, HAIR = "#1d1914", "#5b5247", "#7d7260", "#cfc6b2"
BAMBOO, CINNABAR = "#08503a", "#8f1419"
BLACK, WHITE = "#000000", "#ffffff"
THICK = 1.2
SMALLEST = 5.0
ROUNDING = 0.01
ONE_READER: Final = Lock()  # ReportLab reads a face's file at one place for all documents
FACES = {
    TEXT: "atkinson-hyperlegible-next/regular.ttf",
    BOLD: "atkinson-hyperlegible-next/bold.ttf",
    DISPLAY: "young-serif/regular.ttf",
}

Align = Literal["left", "centre", "right"]


@cache
def load_letters() -> None:
    """Make the three faces known to ReportLab, once in a process."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    for name, file in FACES.items():
        registerFont(TTFont(name, settings.BASE_DIR / "static" / "vendor" / file))


@cache
def ink_of(colour: str) -> Any:
    """ReportLab's colour for ``#8f1419``: read once, for it is asked for at every word."""
    from reportlab.lib.colors import HexColor

    return HexColor(colour)


def width_of(words: str, face: str, size: float) -> float:
    """How many points the words take at this size."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    load_letters()
    return float(stringWidth(words, face, size))


def fitted(words: str, face: str, size: float, room: float) -> tuple[str, float]:
    """The words and the size, at most ``size``, at which they fit into ``room`` points.

    Below 5 points letters are taken away at the end instead, and an ellipsis says so.
    """
    taken = width_of(words, face, size)
    if taken <= room:
        return words, size
    smaller = max(SMALLEST, size * room / taken)
    while width_of(words, face, smaller) > room + ROUNDING and words:
        words = words.rstrip("…")[:-1].rstrip() + "…" if len(words) > 1 else ""
    return words, smaller


def lines_of(words: str, face: str, size: float, room: float) -> list[str]:
    """The words broken into lines no wider than ``room`` points."""
    from reportlab.lib.utils import simpleSplit

    load_letters()
    return list(simpleSplit(words, face, size, room))


def halves_of(words: str) -> list[str]:
    """The words in two lines as equal as can be, broken at a space or after a hyphen."""
    cuts = [at for at, letter in enumerate(words[:-1], start=1) if letter in " -"]
    pairs = [[words[:at].rstrip(), words[at:]] for at in cuts]
    return min(
        pairs, key=lambda pair: max(width_of(half, BOLD, 10) for half in pair), default=[words]
    )


class Paper:
    """A document in one format; all measures in drawn points from the lower left corner.

    ``wide`` pages lie on their long side.
    """

    def __init__(self, title: str, form: Format = USUAL, *, wide: bool = False) -> None:
        from reportlab.pdfgen.canvas import Canvas

        load_letters()
        self.form = form
        self.foot = 48.0 if form.is_large else 58.0
        self._bytes = BytesIO()
        self.canvas = Canvas(self._bytes, invariant=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor("Tongbox")
        self.canvas.setCreator("Tongbox")
        self.canvas.setSubject(title)
        self.pages = 0
        self._counted = 0
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
        self.pages += 1
        self._lay(wide=self.is_wide if wide is None else wide)

    def done(self) -> bytes:
        """End the last page and return the document."""
        self.canvas.showPage()
        self.pages += 1
        if self._counted:
            self._write_page_count()
        with ONE_READER:
            self.canvas.save()
        return self._bytes.getvalue()

    def ink(self, colour: str) -> Any:
        """ReportLab's colour for ``#8f1419``; black in high contrast, but for white."""
        return ink_of(BLACK if self.form.is_high and colour != WHITE else colour)

    def _pen(self, width: float, colour: str) -> None:
        self.canvas.setStrokeColor(self.ink(colour))
        self.canvas.setLineWidth(max(THICK, 2 * width) if self.form.is_high else width)

    def _write_page_count(self) -> None:
        self.canvas.beginForm("pages", 0, 0, 26, 12)
        self.text(0, 2, str(self.pages), size=8, colour=SOFT)
        self.canvas.endForm()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 10,
        face: str = TEXT,
        colour: str = INK,
        align: Align = "left",
        room: float | None = None,
    ) -> None:
        """Write one line with its baseline at y, smaller where it is wider than ``room``."""
        size = max(size, self.form.smallest)
        if room is not None:
            words, size = fitted(words, face, size, room)
        self.canvas.setFont(face, size)
        self.canvas.setFillColor(self.ink(colour))
        taken = width_of(words, face, size)
        shift = {"left": 0.0, "centre": taken / 2, "right": taken}[align]
        self.canvas.drawString(x - shift, y, words)

    def paragraph(
        self,
        x: float,
        y: float,
        words: str,
        *,
        room: float,
        size: float = 10,
        colour: str = SOFT,
        face: str = TEXT,
        align: Align = "left",
    ) -> float:
        """Write lines from y downwards; returns the baseline below the last."""
        size = max(size, self.form.smallest)
        for line in lines_of(words, face, size, room):
            self.text(x, y, line, size=size, face=face, colour=colour, align=align, room=room)
            y -= size * 1.35
        return y

    def name(self, x: float, y: float, words: str, *, size: float, room: float) -> float:
        """A name in bold from y downwards, in two lines where it is long; returns the lowest."""
        if width_of(words, BOLD, size) <= room:
            self.text(x, y, words, size=size, face=BOLD)
            return y
        size = max(size * 0.8, self.form.smallest)
        for down, line in enumerate(halves_of(words)):
            y -= size * 1.15 if down else 0
            self.text(x, y, line, size=size, face=BOLD, room=room)
        return y

    def rule(
        self, x1: float, y1: float, x2: float, y2: float, *, width: float = 0.5, colour: str = HAIR
    ) -> None:
        """Draw a straight line."""
        self._pen(width, colour)
        self.canvas.line(x1, y1, x2, y2)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        line: float = 0.5,
        colour: str = LINE,
        round_by: float = 0,
    ) -> None:
        """Draw the outline of a rectangle."""
        self._pen(line, colour)
        self.canvas.roundRect(x, y, width, height, round_by)

    def stamp(
        self, name: str, x: float, y: float, size: tuple[float, float], draw: Callable[[], None]
    ) -> None:
        """Put what ``draw`` draws in a box of that size at (x, y); it is drawn once a document."""
        if not self.canvas.hasForm(name):
            self.canvas.beginForm(name, 0, 0, *size)
            draw()
            self.canvas.endForm()
        self.canvas.saveState()
        self.canvas.translate(x, y)
        self.canvas.doForm(name)
        self.canvas.restoreState()

    def mark(self, name: str, x: float, y: float, side: float) -> None:
        """Draw a wind disc (``w-E``; in high contrast its letter) or the ``sign`` of Tongbox."""
        if not self.form.is_high or name == "sign":
            draw_mark(self.canvas, name, x, y, side)
            return
        self.box(x + 1, y + 1, side - 2, side - 2, line=0.8, round_by=side / 2 - 1)
        letter, base = name.removeprefix("w-"), y + side * 0.29
        self.text(x + side / 2, base, letter, size=side * 0.6, face=BOLD, align="centre")

    def begins(self, key: str, title: str, level: int = 0) -> None:
        """Something begins on this page: readers of the file find it by its title."""
        self.canvas.bookmarkPage(key, fit="Fit")
        self.canvas.addOutlineEntry(title, key, level, closed=level == 0)
        self.canvas.showOutline()

    def tiles(self, codes: Iterable[str], x: float, y: float, height: float) -> float:
        """Draw tiles side by side; returns the width they take."""
        return draw_tiles(self.canvas, codes, x, y, height, gap=height / 16)

    def qr(self, address: str, x: float, y: float, side: float) -> None:
        """Draw the address as a QR code within a square of ``side``, its quiet zone included."""
        import segno

        rows = list(segno.make(address, micro=False, error="m").matrix_iter(border=4))
        step = side / len(rows)
        path = self.canvas.beginPath()
        for down, row in enumerate(rows, start=1):
            for start, length in _runs(row):
                path.rect(x + start * step, y + side - down * step, length * step, step)
        self.canvas.setFillColor(self.ink(INK))
        self.canvas.drawPath(path, stroke=0, fill=1)

    def dashes(self, y: float) -> None:
        """Draw a line across the page to cut along."""
        self.canvas.saveState()
        self.canvas.setDash(4, 4)
        self.rule(12, y, self.width - 12, y, width=0.6, colour=LINE)
        self.canvas.restoreState()

    def dashes_down(self, x: float) -> None:
        """Draw a line down the page to cut along."""
        self.canvas.saveState()
        self.canvas.setDash(4, 4)
        self.rule(x, 12, x, self.height - 12, width=0.6, colour=LINE)
        self.canvas.restoreState()

    def masthead(self, club: str, eyebrow: str) -> float:
        """The sign and the club on top of a page; returns the height to go on from."""
        half = self.room * 0.43
        top = self.height - self.margin
        self.mark("sign", self.margin, top - 20, 20)
        self.text(self.margin + 27, top - 14, club, size=11, face=BOLD, room=self.room * 0.48)
        self.text(self.right, top - 14, eyebrow, size=9.5, colour=SOFT, align="right", room=half)
        self.rule(self.margin, top - 27, self.right, top - 27, width=1.2, colour=INK)
        return top - 27

    def title(self, y: float, words: str, lede: str = "") -> float:
        """A large title below y with a sentence under it; returns the height to go on from."""
        y -= 38
        self.text(self.margin, y, words, size=26, face=DISPLAY, room=self.room)
        return self.paragraph(self.margin, y - 20, lede, room=self.room) if lede else y - 12

    def footer(self, words: str) -> None:
        """What the page is about, and ``Page 2 of 3``; written once a page, however often asked."""
        if self._counted == self.pages + 1:
            return
        self._counted = self.pages + 1
        self.rule(self.margin, self.foot - 14, self.right, self.foot - 14, colour=LINE)
        size, room = max(8.0, self.form.smallest), self.room - 90
        lines = lines_of(words, TEXT, size, room) if self.form.is_large else [words]
        lines = lines if len(lines) < 3 else [words]
        for down, line in enumerate(lines):
            low = self.foot - 26 - 12 * down
            self.text(self.margin, low, line, size=size, colour=SOFT, room=room)
        said, number = f"Page {self.pages + 1} of ", self.right - (22 if self.form.is_large else 16)
        self.text(number, self.foot - 26, said, size=8, colour=SOFT, align="right")
        self.canvas.saveState()
        self.canvas.translate(number, self.foot - 28)
        self.canvas.doForm("pages")
        self.canvas.restoreState()


def _runs(row: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Where dark modules begin in a row, and how many lie side by side."""
    start = None
    for at, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = at
        elif not dark and start is not None:
            yield start, at - start
            start = None
