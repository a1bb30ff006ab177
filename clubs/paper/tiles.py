"""Draws tiles and marks on printed sheets: each picture once per document, then by name."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.conf import settings
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

LIGHT = 0.68
Painted = tuple[str | None, str | None, float, str]


@cache
def tile_paths() -> dict[str, Any]:
    """Return the box of a tile (`width`, `height`), its painted paths by code, lowest first.

    `marks` holds the square ones by name: the wind discs `w-E` to `w-N` and the `sign` of Tongbox.
    """
    text = (settings.BASE_DIR / "static" / "tiles" / "paths.json").read_text(encoding="utf-8")
    box: dict[str, Any] = json.loads(text)
    return box


def draw_tile(
    canvas: Canvas, code: str, x: float, y: float, height: float, *, is_black: bool = False
) -> float:
    """Draw a tile with its lower left corner at (x, y); all in points.

    Returns the width it takes. A code that names no tile raises KeyError. ``is_black`` draws it
    without colours: what is dark in black, what is light in white.
    """
    box = tile_paths()
    name = f"tile-{code}{'-black' * is_black}"
    if not canvas.hasForm(name):
        painted = _painted(box["tiles"][code], is_black=is_black)
        _define(canvas, name, painted, box["width"], box["height"])
    scale = height / float(box["height"])
    _place(canvas, name, x, y, scale)
    return scale * float(box["width"])


def draw_mark(
    canvas: Canvas, name: str, x: float, y: float, side: float, *, is_black: bool = False
) -> float:
    """Draw a square mark (`w-E`, `sign`) with its lower left corner at (x, y); returns the side.

    A name that is no mark raises KeyError.
    """
    mark = tile_paths()["marks"][name]
    form = f"{name}{'-black' * is_black}"
    if not canvas.hasForm(form):
        painted = _painted(mark["paths"], is_black=is_black)
        _define(canvas, form, painted, mark["size"], mark["size"])
    _place(canvas, form, x, y, side / float(mark["size"]))
    return side


def _place(canvas: Canvas, name: str, x: float, y: float, scale: float) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(scale, scale)
    canvas.doForm(name)
    canvas.restoreState()


def draw_tiles(
    canvas: Canvas,
    codes: Iterable[str],
    x: float,
    y: float,
    height: float,
    gap: float = 1,
    *,
    is_black: bool = False,
) -> float:
    """Draw tiles side by side from (x, y), `gap` points apart; returns the width they take."""
    start = x
    for code in codes:
        x += draw_tile(canvas, code, x, y, height, is_black=is_black) + gap
    return max(0.0, x - gap - start)


def _painted(painted: Iterable[Painted], *, is_black: bool) -> Iterable[Painted]:
    if not is_black:
        return painted
    return [(_black(fill), _black(stroke), line, data) for fill, stroke, line, data in painted]


def _black(colour: str | None) -> str | None:
    """Black for a dark colour, white for a light one, by how bright it looks (BT.709)."""
    if colour is None:
        return None
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < LIGHT else "#ffffff"


def _define(
    canvas: Canvas, name: str, painted: Iterable[Painted], width: float, height: float
) -> None:
    canvas.beginForm(name, 0, 0, width, height)
    for fill, stroke, line, data in painted:
        _paint(canvas, fill, stroke, line, data, height)
    canvas.endForm()


def _paint(
    canvas: Canvas, fill: str | None, stroke: str | None, line: float, data: str, height: float
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


def _trace(path: PDFPathObject, data: str, height: float) -> None:
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
