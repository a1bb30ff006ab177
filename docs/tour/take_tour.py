"""Take a picture of every page of the sample club, on a phone, on a desk and on the wall.

Run it beside a server that shows the sample club (``make run``), with the same TONGBOX_VAR:
``.venv/bin/python docs/tour/take_tour.py http://127.0.0.1:8000 [name …]``, a stop's or a walk's.
"""

import os
import sys
from pathlib import Path

import django
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
django.setup()

from clubs.apart import across_clubs  # noqa: E402
from tests.browser.chromium import CHROMIUM, NO_SANDBOX  # noqa: E402
from tests.browser.tour import Stop, stops, visit  # noqa: E402
from tests.browser.walks import WALKS  # noqa: E402

HEAD = """# The tour

Every page of the sample club, taken by `docs/tour/take_tour.py` beside `make run`.
"""
SIZES = {
    "phone": ViewportSize(width=390, height=844),
    "desk": ViewportSize(width=1280, height=800),
    "wall": ViewportSize(width=1920, height=1080),
}


def take(browser: Browser, server: str, wanted: list[Stop], folder: Path) -> None:
    """One picture a stop and size, signed in once for each person and size."""
    pages: dict[tuple[str, str], Page] = {}
    for stop in wanted:
        for size in stop.sizes:
            key = (stop.who, size)
            if key not in pages:
                pages[key] = visit(browser, server, stop.who, viewport=SIZES[size])
            pages[key].goto(f"{server}{stop.address}")
            picture(pages[key], folder / f"{stop.name}-{size}.png", full_page=size != "wall")


def walk(browser: Browser, server: str, names: list[str], folder: Path) -> None:
    """A picture of each state that a walk comes to."""
    for who, walks, sizes in WALKS:
        if names and walks.__name__ not in names:
            continue
        for size in sizes:
            page = visit(browser, server, who, viewport=SIZES[size])
            for name in walks(page, server):
                picture(page, folder / f"{name}-{size}.png")
            page.context.close()


def picture(page: Page, path: Path, *, full_page: bool = True) -> None:
    """A third of the size in 256 colours, which is more than our pages have."""
    page.screenshot(path=path, full_page=full_page)
    small = Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def index(folder: Path) -> None:
    """README.md: the pictures by their pages."""
    pages: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*-*.png")):
        page, _, size = path.stem.rpartition("-")
        if size in SIZES:
            pages.setdefault(page, []).append(f"[{size}]({path.name})")
    lines = [f"- {page}: {', '.join(sizes)}" for page, sizes in pages.items()]
    (folder / "README.md").write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")


def main() -> None:
    """The whole tour, or the stops named on the command line."""
    server, *names = sys.argv[1:]
    wanted = [stop for stop in stops() if not names or stop.name in names]
    folder = Path(os.environ.get("TOUR", Path(__file__).parent))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=NO_SANDBOX)
        take(browser, server, wanted, folder)
        walk(browser, server, names, folder)
    index(folder)


with across_clubs():
    main()
