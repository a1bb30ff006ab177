"""Reading a printed paper back: its words, its pages, and where every mark stands."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import combinations, product
from typing import Any, NamedTuple

from fontTools.ttLib import TTFont
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream, NameObject

from clubs.paper.fonts import (
    BOLD_FACE,
    DISPLAY_FACE,
    EAST_FACE,
    TEXT_FACE,
    WORLD_BOLD_FACE,
    WORLD_FACE,
    load_face,
)

FACES = {
    "YoungSerif": DISPLAY_FACE,
    "NotoSans-Bold": WORLD_BOLD_FACE,
    "NotoSansSC": EAST_FACE,
    "NotoSans": WORLD_FACE,
    "Bold": BOLD_FACE,
    "Regular": TEXT_FACE,
}
EDGE = 10.0  # what most printers leave white
TOUCH = 0.6  # points that letters may share
TAIL = 0.2  # of the size of letters, how far those like g reach below their line
Point = tuple[float, float]


STAMP = "/FormXob.stamp-"
Operations = list[tuple[Any, bytes]]


def pages_of(paper: bytes) -> list[PageObject]:
    """The pages of a PDF, each stamp replaced by what it shows."""
    reader = PdfReader(BytesIO(paper))
    pages, stamps = list(reader.pages), dict[str, Operations]()
    for page in pages:
        pictures: Any = page["/Resources"].get("/XObject", {})  # type: ignore[attr-defined]
        if not any(name.startswith(STAMP) for name in pictures):
            continue
        contents = ContentStream(page["/Contents"].get_object(), reader, "bytes")
        contents.operations = _spread(contents.operations, pictures, stamps)
        page[NameObject("/Contents")] = contents
    return pages


def _spread(operations: Operations, pictures: Any, stamps: dict[str, Operations]) -> Operations:
    """The operations with those of the stamps; other pictures of a stamp become the page's."""
    result: Operations = []
    for args, operator in operations:
        if operator != b"Do" or not args[0].startswith(STAMP):
            result.append((args, operator))
            continue
        if args[0] not in stamps:
            form = pictures[args[0]].get_object()
            inner_pictures = form["/Resources"].get("/XObject", {})
            pictures.update(
                {name: form for name, form in inner_pictures.items() if name not in pictures}
            )
            stamp_operations = ContentStream(form, None, "bytes").operations
            stamps[args[0]] = _spread(stamp_operations, inner_pictures, stamps)
        result += [([], b"q"), *stamps[args[0]], ([], b"Q")]
    return result


def words_of(paper: bytes) -> list[str]:
    """The words of each page."""
    return [page.extract_text() for page in pages_of(paper)]


def outside(paper: bytes) -> list[str]:
    """What stands outside what printers print: what and where."""
    return [
        f"page {number}: {mark} at {x:.0f}, {y:.0f}"
        for number, page in enumerate(pages_of(paper), start=1)
        for mark, (x, y) in _marks(page)
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
    lines: list[Words] = []
    _read(page, lines.append, lambda *_: None)
    return lines


def overlapping(paper: bytes) -> list[str]:
    """Each two lines of text of a page that run into one another."""
    return [
        f"page {number}: {line.text} / {other_line.text}"
        for number, page in enumerate(pages_of(paper), start=1)
        for line, other_line in combinations(lines_on(page), 2)
        if min(line.right, other_line.right) - max(line.left, other_line.left) > TOUCH
        and min(line.base + line.size * 0.68, other_line.base + other_line.size * 0.68)
        - max(line.base, other_line.base)
        > TOUCH
    ]


def crossed_lines(paper: bytes) -> list[str]:
    """The lines of text through which a level rule runs, tails of letters included."""
    return [
        f"page {number}: {line.text}"
        for number, page in enumerate(pages_of(paper), start=1)
        for rule, line in product(rules_on(page), lines_on(page))
        if min(rule.right, line.right) - max(rule.left, line.left) > TOUCH
        and line.base - line.size * TAIL < rule.y < line.base + line.size * 0.68
    ]


class Rule(NamedTuple):
    """A level rule of a page, in points."""

    left: float
    right: float
    y: float


def rules_on(page: PageObject) -> list[Rule]:
    """Every level rule of a page that is no picture's."""
    rules, start, depth = list[Rule](), (0.0, 0.0), 0

    def visit_before(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal start, depth
        depth += operator == b"Do"
        if depth or operator not in {b"m", b"l"}:
            return
        x, y = _transform(cm, *map(float, args))
        if operator == b"l" and abs(start[1] - y) < TOUCH:
            rules.append(Rule(min(start[0], x), max(start[0], x), y))
        start = (x, y)

    def visit_after(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        depth -= operator == b"Do"

    page.extract_text(visitor_operand_before=visit_before, visitor_operand_after=visit_after)
    return rules


def smaller_than(paper: bytes, size: float) -> list[str]:
    """The lines of text set in fewer points than that."""
    pages = [lines_on(page) for page in pages_of(paper)]
    return [
        f"{line.text} in {line.size:.1f}" for page in pages for line in page if line.size < size
    ]


def _marks(page: PageObject) -> list[tuple[str, Point]]:
    """Both ends of every text, every corner of every line, box and picture."""
    marks: list[tuple[str, Point]] = []

    def on_words(line: Words) -> None:
        marks.extend((line.text, (x, line.base)) for x in (line.left, line.right))

    def on_points(label: str, points: Iterable[Point]) -> None:
        marks.extend((label, point) for point in points)

    _read(page, on_words, on_points)
    return marks


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
            x, y = _transform(cm, tm[4], tm[5])
            width, high = load_face(face).stringWidth(text.strip(), size) * cm[0], abs(size * cm[0])
            low = y if cm[3] > 0 else y - high * 0.68  # words on their head hang from their line
            on_words(Words(text.strip(), min(x, x + width), max(x, x + width), low, high))

    def visit_before(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        if depth == 0:
            on_points("a line", [_transform(cm, x, y) for x, y in _points(operator, args)])
        if operator == b"Do":
            left, low, right, high = (float(edge) for edge in pictures[args[0]]["/BBox"])
            corners = ((left, low), (right, high)) if depth == 0 else ()
            on_points(f"picture {args[0]}", [_transform(cm, x, y) for x, y in corners])
            depth += 1

    def visit_after(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal depth
        depth -= operator == b"Do"

    page.extract_text(
        visitor_text=on_text, visitor_operand_before=visit_before, visitor_operand_after=visit_after
    )


def _points(operator: bytes, args: list[Any]) -> Iterator[Point]:
    numbers = [float(arg) for arg in args] if operator in {b"m", b"l", b"c", b"re"} else []
    if operator == b"re":
        x, y, width, height = numbers
        numbers = [x, y, x + width, y + height]
    yield from zip(numbers[::2], numbers[1::2], strict=True)


def _transform(cm: list[float], x: float, y: float) -> Point:
    return cm[0] * x + cm[2] * y + cm[4], cm[1] * x + cm[3] * y + cm[5]


def picture_on(page: PageObject, name: str) -> float:
    """Where the picture of that name ends on the right."""
    return max(x for label, (x, _) in _marks(page) if label.endswith(name))


def frames_on(page: PageObject) -> int:
    """How many frames are drawn on a page: paths that are closed."""
    closed_count = 0

    def on_operand(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal closed_count
        closed_count += operator == b"h"

    page.extract_text(visitor_operand_before=on_operand)
    return closed_count


def codes_of(page: PageObject) -> set[tuple[int, int]]:
    """The dark modules of a page's QR code as (row, column), from the corner of its first."""
    runs: list[list[float]] = []

    def on_operand(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        if operator == b"re":
            runs.append([float(arg) for arg in args])

    page.extract_text(visitor_operand_before=on_operand)
    step, left, top = runs[0][3], min(run[0] for run in runs), max(run[1] for run in runs)
    return {
        (round((top - y) / step), round((x - left) / step) + offset)
        for x, y, width, _ in runs
        for offset in range(round(width / step))
    }


def not_embedded(paper: bytes) -> set[str]:
    """The faces that the file names without holding them."""
    reader = PdfReader(BytesIO(paper))
    font_names: set[str] = set()
    for number in range(1, _size_of(reader)):
        font: Any = reader.get_object(number)
        if isinstance(font, dict) and font.get("/Type") == "/Font":
            descriptor = font.get("/FontDescriptor", {})
            if "/FontFile2" not in descriptor:
                font_names.add(str(font["/BaseFont"]))
    return font_names


def _size_of(reader: PdfReader) -> int:
    size: Any = reader.trailer["/Size"]
    return int(size)


def boxes(paper: bytes) -> list[str]:
    """Where a glyph stands for a letter that its face has not: the page and the face."""
    empty_codes: dict[str, frozenset[int]] = {}
    return [
        f"page {number}: {face}"
        for number, page in enumerate(pages_of(paper), start=1)
        for face in _boxes_on(page, empty_codes)
    ]


def _boxes_on(page: PageObject, empty_codes: dict[str, frozenset[int]]) -> list[str]:
    fonts: Any = page["/Resources"]["/Font"]  # type: ignore[index]
    codes: dict[str, set[int]] = {}
    font = ""

    def on_operand(operator: bytes, args: list[Any], cm: list[float], tm: list[float]) -> None:
        nonlocal font
        if operator == b"Tf":
            font = str(fonts[args[0]]["/BaseFont"])
            if font not in empty_codes:
                empty_codes[font] = _empty_codes(fonts[args[0]])
        if operator == b"Tj":
            codes.setdefault(font, set()).update(args[0].original_bytes)

    page.extract_text(visitor_operand_before=on_operand)
    return [face for face, used_codes in codes.items() if used_codes & empty_codes[face]]


def _empty_codes(font: Any) -> frozenset[int]:
    """The codes of an embedded face that draw the glyph for a missing letter."""
    file = TTFont(BytesIO(font["/FontDescriptor"]["/FontFile2"].get_data()))
    missing, *other_glyphs = (file["glyf"][name] for name in file.getGlyphOrder())
    return frozenset(
        code for code, glyph in enumerate([missing, *other_glyphs]) if glyph == missing
    )


def colours(paper: bytes) -> set[tuple[float, ...]]:
    """Every colour that is drawn with, pictures and all, as red, green and blue."""
    rgb_values: set[tuple[float, ...]] = set()
    reader = PdfReader(BytesIO(paper))
    streams = [page.get_contents() for page in reader.pages]
    for number in range(1, _size_of(reader)):
        form: Any = reader.get_object(number)
        if isinstance(form, dict) and form.get("/Subtype") == "/Form":
            streams.append(ContentStream(form, reader))
    for stream in streams:
        for operands, operator in stream.operations if stream else ():
            if operator in {b"rg", b"RG"}:
                rgb_values.add(tuple(float(part) for part in operands))
    return rgb_values
