"""Draws tiles and marks on printed sheets: each picture once per document, then by name."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.pdfgen.pathobject import PDFPathObject

Painted = tuple[str | None, str | None, float, str]


@cache
def tile_paths() -> dict[str, Any]:
    """Return the box of a tile (`width`, `height`), its painted paths by code, lowest first.

    `marks` holds the square ones by name: the wind discs `w-E` to `w-N` and the `sign` of Tongbox.
    """
    text = (settings.BASE_DIR / "static" / "tiles" / "paths.json").read_text(encoding="utf-8")
    box: dict[str, Any] = json.loads(text)
    return box


def draw_tile(canvas: "Canvas", code: str, x: float, y: float, height: float) -> float:
    """Draw a tile with its lower left corner at (x, y); all in points.

    Returns the width it takes. A code that names no tile raises KeyError.
    """
    box = tile_paths()
    name = f"tile-{code}"
    if not canvas.hasForm(name):
        _define(canvas, name, box["tiles"][code], box["width"], box["height"])
    scale = height / float(box["height"])
    _place(canvas, name, x, y, scale)
    return scale * float(box["width"])


def draw_mark(canvas: "Canvas", name: str, x: float, y: float, side: float) -> float:
    """Draw a square mark (`w-E`, `sign`) with its lower left corner at (x, y); returns the side.

    A name that is no mark raises KeyError.
    """
    mark = tile_paths()["marks"][name]
    if not canvas.hasForm(name):
        _define(canvas, name, mark["paths"], mark["size"], mark["size"])
    _place(canvas, name, x, y, side / float(mark["size"]))
    return side


def _place(canvas: "Canvas", name: str, x: float, y: float, scale: float) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(scale, scale)
    canvas.doForm(name)
    canvas.restoreState()


def draw_tiles(
    canvas: "Canvas", codes: Iterable[str], x: float, y: float, height: float, gap: float = 1
) -> float:
    """Draw tiles side by side from (x, y), `gap` points apart; returns the width they take."""
    start = x
    for code in codes:
        x += draw_tile(canvas, code, x, y, height) + gap
    return max(0.0, x - gap - start)


def _define(
    canvas: "Canvas", name: str, painted: Iterable[Painted], width: float, height: float
) -> None:
    canvas.beginForm(name, 0, 0, width, height)
    for fill, stroke, line, data in painted:
        _paint(canvas, fill, stroke, line, data, height)
    canvas.endForm()


def _paint(
    canvas: "Canvas", fill: str | None, stroke: str | None, line: float, data: str, height: float
) -> None:
    if fill:
        canvas.setFillColor(fill)
    if stroke:
        canvas.setStrokeColor(stroke)
        canvas.setLineWidth(line)
        canvas.setLineCap(1)
    path = canvas.beginPath()
    _trace(path, data, height)
    canvas.drawPath(path, stroke=int(bool(stroke)), fill=int(bool(fill)), fillMode=1)


def _trace(path: "PDFPathObject", data: str, height: float) -> None:
    draw: dict[str, Callable[..., None]] = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo}
    for op, points in steps(data):
        if op == "Z":
            path.close()
        else:
            draw[op](*(height - v if at % 2 else v for at, v in enumerate(points)))


def steps(data: str) -> Iterable[tuple[str, list[float]]]:
    """Read path data of M, L, C and Z into its steps: `M1 2L3 4Z` is M [1, 2], L [3, 4], Z []."""
    for part in data.translate({ord(op): f"|{op}" for op in "MLCZ"}).split("|")[1:]:
        yield part[0], [float(word) for word in part[1:].split()]
