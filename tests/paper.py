"""Reading a printed paper back: its words, its pages, and where every mark stands."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PageObject, PdfReader

from clubs.pdf.page import BOLD, DISPLAY, HEIGHT, TEXT, WIDTH, width_of

FACES = {"YoungSerif": DISPLAY, "Bold": BOLD, "Regular": TEXT}
EDGE = 10.0  # what most printers leave white
Point = tuple[float, float]


def pages_of(paper: bytes) -> list[PageObject]:
    """The pages of a PDF."""
    return list(PdfReader(BytesIO(paper)).pages)


def words_of(paper: bytes) -> list[str]:
    """The words of each page."""
    return [page.extract_text() for page in pages_of(paper)]


def outside(paper: bytes) -> list[str]:
    """What stands outside what printers print: what and where."""
    return [
        f"page {number}: {said} at {x:.0f}, {y:.0f}"
        for number, page in enumerate(pages_of(paper), start=1)
        for said, (x, y) in _marks(page)
        if not (EDGE <= x <= WIDTH - EDGE and EDGE <= y <= HEIGHT - EDGE)
    ]


def _marks(page: PageObject) -> list[tuple[str, Point]]:
    """Both ends of every text, every corner of every line, box and picture."""
    found: list[tuple[str, Point]] = []
    depth = 0
    resources: Any = page["/Resources"]
    pictures: Any = resources["/XObject"]

    def on_text(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if text.strip() and font is not None and not depth:
            base = str(font["/BaseFont"])
            face = next(name for part, name in FACES.items() if part in base)
            taken = width_of(text.strip(), face, size)
            found.extend((text.strip(), _placed(cm, tm[4] + along, tm[5])) for along in (0, taken))

    def before(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        if depth == 0:
            found.extend(("a line", _placed(cm, x, y)) for x, y in _points(operator, args))
        if operator == b"Do":
            left, low, right, high = (float(edge) for edge in pictures[args[0]]["/BBox"])
            corners = ((left, low), (right, high)) if depth == 0 else ()
            found.extend((f"picture {args[0]}", _placed(cm, x, y)) for x, y in corners)
            depth += 1

    def after(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        depth -= operator == b"Do"

    page.extract_text(
        visitor_text=on_text, visitor_operand_before=before, visitor_operand_after=after
    )
    return found


def _points(operator: bytes, args: list[Any]) -> Iterator[Point]:
    numbers = [float(arg) for arg in args] if operator in {b"m", b"l", b"c", b"re"} else []
    if operator == b"re":
        x, y, width, height = numbers
        numbers = [x, y, x + width, y + height]
    yield from zip(numbers[::2], numbers[1::2], strict=True)


def _placed(cm: list[float], x: float, y: float) -> Point:
    return cm[0] * x + cm[2] * y + cm[4], cm[1] * x + cm[3] * y + cm[5]


def codes_of(page: PageObject) -> set[tuple[int, int]]:
    """The dark modules of a page's QR code as (row, column), from the corner of its first."""
    runs: list[list[float]] = []

    def on_operand(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        if operator == b"re":
            runs.append([float(arg) for arg in args])

    page.extract_text(visitor_operand_before=on_operand)
    step, left, top = runs[0][3], min(run[0] for run in runs), max(run[1] for run in runs)
    return {
        (round((top - y) / step), round((x - left) / step) + along)
        for x, y, width, _ in runs
        for along in range(round(width / step))
    }
