"""Committed pictures: small, and written again only when their page has visibly changed."""

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops
from playwright.sync_api import Page

SAME_SHADE: Final = 48  # of 256: less is the work of fewer colours
SAME_PAGE: Final = 0.001  # the share of pixels that a clock or an edge of a letter may change
MOST_COLOURS: Final = 256
FEWEST_COLOURS: Final = 16


def screen(page: Page) -> Image.Image:
    """What the page shows on the screen now."""
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def refresh(path: Path, shown: Image.Image, most_bytes: int) -> bool:
    """Write the picture if it is new or visibly changed; whether it was written."""
    if path.exists() and not differs(Image.open(path).convert("RGB"), shown):
        return False
    colours = MOST_COLOURS
    while colours >= FEWEST_COLOURS:
        shown.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= most_bytes:
            break
        colours //= 2
    return True


def differs(before: Image.Image, after: Image.Image) -> bool:
    """Whether two pictures differ in more pixels than anyone would notice."""
    if before.size != after.size:
        return True
    different = ImageChops.difference(before, after).convert("L").histogram()[SAME_SHADE:]
    return sum(different) > SAME_PAGE * after.width * after.height
