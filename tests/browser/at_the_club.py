"""The sample club as pictures show it: at an address of its own, on the same evening every time.

A picture that is committed is small, and written again only when its page has visibly changed.
"""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops
from playwright.sync_api import Browser, BrowserType, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import CHROMIUM, NO_SANDBOX
from tests.browser.tour import visit

HOST: Final = "tongbox.example.org"
ADDRESS: Final = f"http://{HOST}"
TONIGHT: Final = datetime(2026, 11, 17, 20, 30, tzinfo=UTC)  # a Tuesday
SAME_SHADE: Final = 48  # of 256: less is the work of fewer colours
SAME_PAGE: Final = 0.001  # the share of pixels that a clock or an edge of a letter may change
MOST_COLOURS: Final = 256
FEWEST_COLOURS: Final = 16


def launch(chromium: BrowserType, server: LiveServer) -> Browser:
    """A Chromium that finds the server at that address."""
    rules = f"--host-resolver-rules=MAP {HOST}:80 {server.thread.host}:{server.thread.port}"
    return chromium.launch(executable_path=CHROMIUM, args=[*NO_SANDBOX, rules])


def page_of(browser: Browser, person: str, size: ViewportSize, server: str = ADDRESS) -> Page:
    """A page of someone who has signed in on that evening (nobody: an empty name)."""
    page = visit(browser, server, person, viewport=size, reduced_motion="reduce")
    page.clock.install(time=TONIGHT)
    return page


def screen(page: Page) -> Image.Image:
    """What the page shows on the screen now."""
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def refresh(path: Path, picture: Image.Image, most_bytes: int) -> bool:
    """Write the picture if it is new or visibly changed; whether it was written."""
    if path.exists() and not differs(Image.open(path).convert("RGB"), picture):
        return False
    colours = MOST_COLOURS
    while colours >= FEWEST_COLOURS:
        picture.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= most_bytes:
            break
        colours //= 2
    return True


def differs(old_picture: Image.Image, new_picture: Image.Image) -> bool:
    """Whether two pictures differ in more pixels than anyone would notice."""
    if old_picture.size != new_picture.size:
        return True
    different = (
        ImageChops.difference(old_picture, new_picture).convert("L").histogram()[SAME_SHADE:]
    )
    return sum(different) > SAME_PAGE * new_picture.width * new_picture.height
