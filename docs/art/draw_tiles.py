"""Writes the tile pictures: a sprite for pages, path data for printed sheets, the icons."""

import json
from pathlib import Path

from colours import LACQUERS, USUAL
from faces import faces
from strokes import Shape
from winds import four_discs, sign, tong_box, wind_disc

STATIC = Path(__file__).parents[2] / "static"
SIZE = (60, 80)


def element(shape: Shape) -> str:
    """Return one shape in SVG: an ellipse or a rectangle where it is one, else a path."""
    fill = shape.fill or "none"
    line = (
        f' stroke="{shape.stroke}" stroke-width="{shape.width:g}" stroke-linecap="round"'
        if shape.stroke
        else ""
    )
    start = shape.plain or f'path d="{shape.short_data()}"'
    return f'<{start} fill="{fill}"{line}/>'


def symbol(name: str, size: tuple[int, int], shapes: list[Shape]) -> str:
    """Return one picture of the sprite."""
    drawn = "".join(map(element, shapes))
    return f'<symbol id="{name}" viewBox="0 0 {size[0]} {size[1]}">{drawn}</symbol>'


def in_colour_of_club(box: str) -> str:
    """Return the box, painted as the page says, or in the usual colour where it says nothing."""
    for part, colour in LACQUERS[USUAL]._asdict().items():
        box = box.replace(f'"{colour}"', f'"var(--mark-{part},{colour})"')
    return box


def sprite(tiles: dict[str, list[Shape]]) -> str:
    """Return every picture that pages refer to by name."""
    symbols = [symbol(f"t-{code}", SIZE, shapes) for code, shapes in tiles.items()]
    symbols += [symbol(f"w-{letter}", (64, 64), wind_disc(letter)) for letter in "ESWN"]
    symbols += [
        in_colour_of_club(symbol("tong-box", (120, 120), tong_box())),
        symbol("four-discs", (64, 64), four_discs()),
    ]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def painted(shapes: list[Shape]) -> list[list[object]]:
    """Return shapes as rows of a JSON list."""
    return [[s.fill, s.stroke, s.width, s.data()] for s in shapes]


def paths(tiles: dict[str, list[Shape]]) -> str:
    """Return tiles and square marks as JSON: lists of [fill, stroke, line width, path data]."""
    marks = {f"w-{letter}": (64, wind_disc(letter)) for letter in "ESWN"}
    marks |= {f"sign-{name}": (120, sign(lacquer)) for name, lacquer in LACQUERS.items()}
    box = {
        "width": SIZE[0],
        "height": SIZE[1],
        "tiles": {code: painted(shapes) for code, shapes in tiles.items()},
        "marks": {
            name: {"size": size, "paths": painted(shapes)} for name, (size, shapes) in marks.items()
        },
    }
    return json.dumps(box, separators=(",", ":")) + "\n"


def icon(colour: str) -> str:
    """Return the sign of Tongbox: the box with East prevailing."""
    drawn = "".join(map(element, sign(LACQUERS[colour])))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">{drawn}</svg>\n'


def main() -> None:
    """Write all the files."""
    tiles = faces()
    (STATIC / "tiles" / "sprite.svg").write_text(sprite(tiles), encoding="utf-8")
    (STATIC / "tiles" / "paths.json").write_text(paths(tiles), encoding="utf-8")
    for colour in LACQUERS:
        (STATIC / "img" / f"mark-{colour}.svg").write_text(icon(colour), encoding="utf-8")


if __name__ == "__main__":
    main()
