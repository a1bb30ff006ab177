"""Reading a printed paper back: its words, its pages, and where every mark stands."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import combinations
from typing import Any, NamedTuple

from pypdf import PageObject, PdfReader

from clubs.pdf.page import BOLD, DISPLAY, TEXT, width_of

FACES = {"YoungSerif": DISPLAY, "Bold": BOLD, "Regular": TEXT}
EDGE = 10.0  # what most printers leave white
TOUCH = 0.6  # points that letters may share
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
        if not (
            EDGE <= x <= float(page.mediabox.width) - EDGE
            and EDGE <= y <= float(page.mediabox.height) - EDGE
        )
    ]


class Words(NamedTuple):
    """A line of text as it stands on the sheet, in points: both ends, the baseline, the size."""

    text: str
    left: float
    right: float
    base: float
    size: float


def lines_on(page: PageObject) -> list[Words]:
    """Every line of text of a page that is no picture's."""
    found: list[Words] = []
    _read(page, found.append, lambda *_: None)
    return found


def overlapping(paper: bytes) -> list[str]:
    """Each two lines of text of a page that run into one another."""
    return [
        f"page {number}: {one.text} / {other.text}"
        for number, page in enumerate(pages_of(paper), start=1)
        for one, other in combinations(lines_on(page), 2)
        if min(one.right, other.right) - max(one.left, other.left) > TOUCH
        and min(one.base + one.size * 0.68, other.base + other.size * 0.68)
        - max(one.base, other.base)
        > TOUCH
    ]


def smaller_than(paper: bytes, size: float) -> list[str]:
    """The lines of text set in fewer points than that."""
    pages = [lines_on(page) for page in pages_of(paper)]
    return [f"{one.text} in {one.size:.1f}" for page in pages for one in page if one.size < size]


def _marks(page: PageObject) -> list[tuple[str, Point]]:
    """Both ends of every text, every corner of every line, box and picture."""
    found: list[tuple[str, Point]] = []

    def on_words(words: Words) -> None:
        found.extend((words.text, (x, words.base)) for x in (words.left, words.right))

    def on_points(said: str, points: Iterable[Point]) -> None:
        found.extend((said, point) for point in points)

    _read(page, on_words, on_points)
    return found


def _read(
    page: PageObject,
    on_words: Callable[[Words], None],
    on_points: Callable[[str, Iterable[Point]], None],
) -> None:
    depth = 0
    resources: Any = page["/Resources"]
    pictures: Any = resources.get("/XObject", {})

    def on_text(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if text.strip() and font is not None and not depth:
            base = str(font["/BaseFont"])
            face = next(name for part, name in FACES.items() if part in base)
            x, y = _placed(cm, tm[4], tm[5])
            taken, high = width_of(text.strip(), face, size) * cm[0], abs(size * cm[0])
            low = y if cm[3] > 0 else y - high * 0.68  # words on their head hang from their line
            on_words(Words(text.strip(), min(x, x + taken), max(x, x + taken), low, high))

    def before(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        if depth == 0:
            on_points("a line", [_placed(cm, x, y) for x, y in _points(operator, args)])
        if operator == b"Do":
            left, low, right, high = (float(edge) for edge in pictures[args[0]]["/BBox"])
            corners = ((left, low), (right, high)) if depth == 0 else ()
            on_points(f"picture {args[0]}", [_placed(cm, x, y) for x, y in corners])
            depth += 1

    def after(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        depth -= operator == b"Do"

    page.extract_text(
        visitor_text=on_text, visitor_operand_before=before, visitor_operand_after=after
    )


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
