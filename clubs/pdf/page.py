"""A4 in the look of Tongbox: letters that fit, lines, marks, QR codes, page numbers."""

from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any, Final, Literal

from django.conf import settings

from clubs.tilepdf import draw_mark, draw_tiles

WIDTH, HEIGHT = 595.28, 841.89
MARGIN = 40.0
RIGHT = WIDTH - MARGIN
FOOT = 58.0

TEXT, BOLD, DISPLAY = "Tongbox", "Tongbox-Bold", "Tongbox-Display"
INK, SOFT, LINE, HAIR = "#1d1914", "#5b5247", "#7d7260", "#cfc6b2"
BAMBOO, CINNABAR = "#08503a", "#8f1419"
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


class Paper:
    """A document of A4 pages; all measures in points from the lower left corner."""

    def __init__(self, title: str) -> None:
        from reportlab.pdfgen.canvas import Canvas

        load_letters()
        self._bytes = BytesIO()
        self.canvas = Canvas(self._bytes, pagesize=(WIDTH, HEIGHT), invariant=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor("Tongbox")
        self.canvas.setCreator("Tongbox")
        self.canvas.setSubject(title)
        self.pages = 0
        self._counted = False

    def next_page(self) -> None:
        """End the page and begin another."""
        self.canvas.showPage()
        self.pages += 1

    def done(self) -> bytes:
        """End the last page and return the document."""
        self.next_page()
        if self._counted:
            self._write_page_count()
        with ONE_READER:
            self.canvas.save()
        return self._bytes.getvalue()

    def _write_page_count(self) -> None:
        self.canvas.beginForm("pages", 0, 0, 40, 12)
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
        if room is not None:
            words, size = fitted(words, face, size, room)
        self.canvas.setFont(face, size)
        self.canvas.setFillColor(ink_of(colour))
        taken = width_of(words, face, size)
        shift = {"left": 0.0, "centre": taken / 2, "right": taken}[align]
        self.canvas.drawString(x - shift, y, words)

    def paragraph(
        self, x: float, y: float, words: str, *, room: float, size: float = 10, colour: str = SOFT
    ) -> float:
        """Write lines from y downwards; returns the baseline below the last."""
        for line in lines_of(words, TEXT, size, room):
            self.text(x, y, line, size=size, colour=colour)
            y -= size * 1.4
        return y

    def rule(
        self, x1: float, y1: float, x2: float, y2: float, *, width: float = 0.5, colour: str = HAIR
    ) -> None:
        """Draw a straight line."""
        self.canvas.setStrokeColor(ink_of(colour))
        self.canvas.setLineWidth(width)
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
        self.canvas.setStrokeColor(ink_of(colour))
        self.canvas.setLineWidth(line)
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
        """Draw a wind disc (``w-E``) or the ``sign`` of Tongbox."""
        draw_mark(self.canvas, name, x, y, side)

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
        self.canvas.setFillColor(ink_of(INK))
        self.canvas.drawPath(path, stroke=0, fill=1)

    def dashes(self, y: float) -> None:
        """Draw a line across the page to cut along."""
        self.canvas.saveState()
        self.canvas.setDash(4, 4)
        self.rule(12, y, WIDTH - 12, y, width=0.6, colour=LINE)
        self.canvas.restoreState()

    def masthead(self, club: str, eyebrow: str) -> float:
        """The sign and the club on top of a page; returns the height to go on from."""
        top = HEIGHT - MARGIN
        self.mark("sign", MARGIN, top - 20, 20)
        self.text(MARGIN + 27, top - 14, club, size=11, face=BOLD, room=250)
        self.text(RIGHT, top - 14, eyebrow, size=9.5, colour=SOFT, align="right", room=220)
        self.rule(MARGIN, top - 27, RIGHT, top - 27, width=1.2, colour=INK)
        return top - 27

    def title(self, y: float, words: str, lede: str = "") -> float:
        """A large title below y with a sentence under it; returns the height to go on from."""
        y -= 38
        self.text(MARGIN, y, words, size=26, face=DISPLAY, room=RIGHT - MARGIN)
        return self.paragraph(MARGIN, y - 20, lede, room=RIGHT - MARGIN) if lede else y - 12

    def footer(self, words: str) -> None:
        """What the page is about, and ``Page 2 of 3``."""
        self._counted = True
        self.rule(MARGIN, FOOT - 14, RIGHT, FOOT - 14, colour=LINE)
        self.text(MARGIN, FOOT - 26, words, size=8, colour=SOFT, room=380)
        said = f"Page {self.pages + 1} of "
        self.text(RIGHT - 11, FOOT - 26, said, size=8, colour=SOFT, align="right")
        self.canvas.saveState()
        self.canvas.translate(RIGHT - 11, FOOT - 28)
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
