"""Paints the icons of a club on home screens, in Chromium, from the marks of `draw_tiles.py`.

A phone cuts a maskable icon, and an iPhone every icon, into a shape of its own: there the box fills
the whole square, and its disc stays in the circle of four fifths that no phone cuts.
"""

import io
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parents[2] / "static" / "img"
CHROMIUM = "/usr/bin/chromium-headless-shell"
SHAPE = re.compile(r"<(?:rect|circle|ellipse|path)[^>]*/>")
BOX = 2  # the first shapes of a mark: the edge of the box and its face
MIDDLE = "translate(60 60) scale(.94) translate(-60 -57)"  # of the disc, which lies at 60, 57
COLOURS = 64
SIZES = {"icon": (192, 512), "mask": (180, 192, 512)}


def filling(mark: str) -> str:
    """Return the mark without the outline of its box."""
    shapes = SHAPE.findall(mark)
    face = shapes[BOX - 1].partition("fill=")[2]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">'
        f'<rect width="120" height="120" fill={face}'
        f'<g transform="{MIDDLE}">{"".join(shapes[BOX:])}</g></svg>'
    )


def painted(page: Page, drawing: str, size: int) -> Image.Image:
    """Return a square picture of a drawing, of so many pixels."""
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
    return Image.open(io.BytesIO(page.screenshot(omit_background=True)))


def main() -> None:
    """Paint all the icons of every mark."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        for path in sorted(IMAGES.glob("mark-*.svg")):
            mark, colour = path.read_text(encoding="utf-8"), path.stem.removeprefix("mark-")
            for kind, sizes in SIZES.items():
                for size in sizes:
                    picture = painted(page, mark if kind == "icon" else filling(mark), size)
                    few = picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
                    few.save(IMAGES / f"{kind}-{colour}-{size}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
