"""What hinders someone on a page: what axe finds, in the dark too, and what hangs off the side."""

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

FAULTS_ALONE: Final[dict[str, Any]] = {
    "resultTypes": ["violations"]
}  # half the work of telling all
COLOURS: Final[dict[str, Any]] = {**FAULTS_ALONE, "runOnly": ["color-contrast"]}


def faults(page: Page) -> list[str]:
    """The rules of axe that the page breaks, and whether it has to be pushed sideways."""
    broken = _broken(page, FAULTS_ALONE)
    sideways = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*broken, *(["runs off the side"] if sideways else [])]


def faults_in_the_dark(page: Page) -> list[str]:
    """What axe finds of dark colours, since nothing else differs; the page is light again after."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    broken = _broken(page, COLOURS)
    page.emulate_media(color_scheme="light")
    return [f"{rule}, in the dark" for rule in broken]


def look(page: Page) -> None:
    """Someone reads the page without a hindrance."""
    page.wait_for_load_state()
    assert faults(page) == []


def look_by_day_and_night(page: Page) -> None:
    """Someone reads the page without a hindrance, whichever colours the phone has."""
    look(page)
    assert faults_in_the_dark(page) == []


def _broken(page: Page, asked: dict[str, Any]) -> list[str]:
    broken = Axe().run(page, options=asked).response["violations"]
    return [f"{rule['id']}: {len(rule['nodes'])} ×" for rule in broken]
