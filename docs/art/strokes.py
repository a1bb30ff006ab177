"""Shapes that tile faces are drawn with: closed or open paths of lines and cubic curves."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTCollection, TTFont

BEND = 0.5523
VENDOR = Path(__file__).parents[2] / "static" / "vendor"
CJK = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc")

Point = tuple[float, float]
Op = tuple[str, tuple[Point, ...]]


@dataclass(frozen=True)
class Shape:
    """One painted path; the unit is a sixtieth of a tile's width, y grows downwards."""

    ops: tuple[Op, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    plain: str = ""

    def data(self) -> str:
        """Return the path as absolute M, L, C and Z, one decimal."""
        return "".join(
            name + " ".join(f"{number(x)} {number(y)}" for x, y in points)
            for name, points in self.ops
        )

    def short_data(self) -> str:
        """Return the same path with each point counted from the one before: a third shorter."""
        here = start = (0.0, 0.0)
        words: list[str] = []
        for name, points in self.ops:
            steps = [(round(x, 1) - here[0], round(y, 1) - here[1]) for x, y in points]
            words.append(name.lower() if words else name)
            words.append(joined(value for step in steps for value in step))
            here = (round(points[-1][0], 1), round(points[-1][1], 1)) if points else start
            start = here if name == "M" else start
        return "".join(words)

    def turned(self, degrees: float, about: Point) -> "Shape":
        """Return the shape turned clockwise about a point."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        cx, cy = about

        def turn(point: Point) -> Point:
            x, y = point[0] - cx, point[1] - cy
            return cx + x * cos - y * sin, cy + x * sin + y * cos

        turned = tuple((name, tuple(map(turn, points))) for name, points in self.ops)
        return replace(self, ops=turned, plain="")

    def placed(self, x: float, y: float, scale: float = 1.0, *, flip: bool = False) -> "Shape":
        """Return the shape scaled about the origin, then moved; `flip` mirrors it sideways."""
        across = -scale if flip else scale
        moved = tuple(
            (name, tuple((x + px * across, y + py * scale) for px, py in points))
            for name, points in self.ops
        )
        return replace(self, ops=moved, width=self.width * scale, plain="")


def number(value: float) -> str:
    """Return a coordinate as short as one decimal allows."""
    return f"{round(value, 1):g}" if round(value, 1) else "0"


def joined(values: Iterable[float]) -> str:
    """Return numbers with the least that keeps them apart."""
    words = [
        number(value).replace("0.", ".") if abs(value) < 1 else number(value) for value in values
    ]
    return "".join(
        word
        if at == 0 or word[0] == "-" or (word[0] == "." and "." in words[at - 1])
        else f" {word}"
        for at, word in enumerate(words)
    )


def path(text: str, fill: str | None = None, stroke: str | None = None, width: float = 0) -> Shape:
    """Read `M x y L x y C x y x y x y Z` (absolute, letters repeated) into a shape."""
    ops: list[Op] = []
    for name, rest in re.findall("([MLCZ])([^MLCZ]*)", text):
        values = [float(word) for word in rest.split()]
        ops.append((name, tuple(zip(values[::2], values[1::2], strict=True))))
    return Shape(tuple(ops), fill, stroke, width)


def ellipse(
    centre: Point,
    rx: float,
    ry: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0,
) -> Shape:
    """Return an ellipse of four curves."""
    (x, y), kx, ky = centre, rx * BEND, ry * BEND
    quarter: tuple[Op, ...] = (
        ("M", ((x + rx, y),)),
        ("C", ((x + rx, y + ky), (x + kx, y + ry), (x, y + ry))),
        ("C", ((x - kx, y + ry), (x - rx, y + ky), (x - rx, y))),
        ("C", ((x - rx, y - ky), (x - kx, y - ry), (x, y - ry))),
        ("C", ((x + kx, y - ry), (x + rx, y - ky), (x + rx, y))),
        ("Z", ()),
    )
    plain = f'ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(ry)}"'
    return Shape(quarter, fill, stroke, width, plain)


def disc(centre: Point, radius: float, fill: str) -> Shape:
    """Return a filled circle."""
    return ellipse(centre, radius, radius, fill)


def box(
    corner: Point,
    size: Point,
    radius: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0,
) -> Shape:
    """Return a rectangle with round corners from its upper left corner and its size."""
    (x, y), (w, h), r = corner, size, radius
    k = r * (1 - BEND)
    ops: tuple[Op, ...] = (
        ("M", ((x + r, y),)),
        ("L", ((x + w - r, y),)),
        ("C", ((x + w - k, y), (x + w, y + k), (x + w, y + r))),
        ("L", ((x + w, y + h - r),)),
        ("C", ((x + w, y + h - k), (x + w - k, y + h), (x + w - r, y + h))),
        ("L", ((x + r, y + h),)),
        ("C", ((x + k, y + h), (x, y + h - k), (x, y + h - r))),
        ("L", ((x, y + r),)),
        ("C", ((x, y + k), (x + k, y), (x + r, y))),
        ("Z", ()),
    )
    plain = (
        f'rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        f' rx="{number(r)}"'
    )
    return Shape(ops, fill, stroke, width, plain)


def around(shape: Shape, centre: Point, count: int, start: float = 0.0) -> list[Shape]:
    """Return copies of a shape turned evenly about a centre."""
    return [shape.turned(start + turn * 360 / count, centre) for turn in range(count)]


class Letters:
    """Outlines of letters from one font, used as art."""

    def __init__(self, font: TTFont) -> None:
        self.glyphs = font.getGlyphSet()
        self.names = font.getBestCmap()

    def _ops(self, letter: str) -> tuple[Op, ...]:
        pen = DecomposingRecordingPen(self.glyphs)
        self.glyphs[self.names[ord(letter)]].draw(pen)
        return tuple(_cubic(pen.value))

    def shape(self, text: str, middle: Point, height: float, fill: str) -> Shape:
        """Return a text whose ink is `height` high and stands about the point `middle`."""
        ops: list[Op] = []
        across = 0.0
        for letter in text:
            ops += [(n, tuple((x + across, -y) for x, y in ps)) for n, ps in self._ops(letter)]
            across += self.glyphs[self.names[ord(letter)]].width
        return fitted(ops, middle, height, fill)

    def square(self, letter: str, middle: Point, size: float, fill: str) -> Shape:
        """Return a letter whose em square (1000 units) is `size` wide about `middle`."""
        scale = size / 1000
        flipped = tuple(
            (n, tuple((x - 500, 380 - y) for x, y in ps)) for n, ps in self._ops(letter)
        )
        return Shape(flipped, fill).placed(middle[0], middle[1], scale)


def _cubic(calls: Iterable[tuple[str, Sequence[Point]]]) -> Iterable[Op]:
    here: Point = (0, 0)
    for name, points in calls:
        if name == "moveTo":
            yield "M", tuple(points)
        elif name == "lineTo":
            yield "L", tuple(points)
        elif name == "curveTo":
            yield "C", tuple(points)
        elif name == "qCurveTo":
            yield from _quadratics(here, points)
        else:
            yield "Z", ()
        here = points[-1] if points else here


def _quadratics(start: Point, points: Sequence[Point]) -> Iterable[Op]:
    controls, end = points[:-1], points[-1]
    for index, control in enumerate(controls):
        last = index == len(controls) - 1
        after = end if last else _between(control, controls[index + 1], 0.5)
        yield "C", (_between(start, control, 2 / 3), _between(after, control, 2 / 3), after)
        start = after


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def fitted(ops: Sequence[Op], middle: Point, height: float, fill: str) -> Shape:
    """Return the outlines scaled to a height of ink and centred on a point."""
    xs = [x for _, points in ops for x, _ in points]
    ys = [y for _, points in ops for _, y in points]
    scale = height / (max(ys) - min(ys))
    x = middle[0] - scale * (min(xs) + max(xs)) / 2
    y = middle[1] - scale * (min(ys) + max(ys)) / 2
    return Shape(tuple(ops), fill).placed(x, y, scale)


def brush() -> Letters:
    """Return the serif letters of the Traditional Chinese face."""
    faces = TTCollection(CJK).fonts
    return Letters(next(f for f in faces if f["name"].getDebugName(1) == "Noto Serif CJK TC"))


def index_letters() -> Letters:
    """Return the letters of the corner index."""
    return Letters(TTFont(VENDOR / "atkinson-hyperlegible-next" / "bold.ttf"))
