"""Walking a guide: a page, the words that were seen on it, and the pictures taken."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from playwright.sync_api import Error, Locator, Page, expect

from clubs.house.guides import GUIDE_FOLDER, Guide, GuideSection, read_guide
from tests.browser.at_the_club import refresh, screen

PICTURES: Final = GUIDE_FOLDER / "pictures"
MOST_BYTES: Final = 60_000
QUOTED: Final = re.compile(r"\*\*(.+?)\*\*")
A_MOMENT: Final = 200  # milliseconds until what was pressed leads somewhere
OWN_HEADING: Final = ":"  # **No network:** opens a point of the guide itself

Step = Callable[["Walk"], None]
SEEN: Final = """() => {
  const hidden = new CSSStyleSheet(), before = [...document.adoptedStyleSheets];
  hidden.replaceSync(".hidden-text { display: none !important }");
  document.adoptedStyleSheets = [...before, hidden];
  const seen = document.body.innerText;
  document.adoptedStyleSheets = before;
  return seen;
}"""
STEPS: Final[dict[tuple[str, str], Step]] = {}


def step(guide_name: str, title: str) -> Callable[[Step], Step]:
    """How the section of that title is done, in the guide for ``guide_name``."""

    def keep(function: Step) -> Step:
        STEPS[guide_name, title] = function
        return function

    return keep


class Walk:
    """Someone who follows a guide, in a browser."""

    def __init__(self, page: Page, server: str, guide_name: str) -> None:
        self.page, self.server = page, server
        self.guide: Guide = read_guide(guide_name)
        self.page_texts: list[str] = []
        self.picture_names: list[str] = []
        self.section: GuideSection | None = None

    def go(self, address: str) -> None:
        self.page.goto(address if address.startswith("http") else f"{self.server}{address}")
        self.look()

    def look(self) -> None:
        """Remember what stands on the page; words for screen readers alone are no button's."""
        for _ in range(3):
            with suppress(Error):  # the page was left while it was read
                self.page.wait_for_load_state("networkidle")
                self.page_texts.append(plain(self.page.evaluate(SEEN)))
                return

    def find(self, label: str) -> Locator:
        """The first button or link that begins with these words."""
        parts = (re.sub(r"\d+", r"\\d+", re.escape(word)) for word in label.split())
        begins = re.compile(r"^\s*" + r"\s+".join(parts))
        page = self.page
        controls = page.get_by_role("button", name=begins).or_(
            page.get_by_role("link", name=begins)
        )
        return controls.filter(visible=True).first

    def press(self, *names: str) -> None:
        """Press what the guide names, one after the other, and look where each leads."""
        for label in names:
            self._press(label)

    def _press(self, label: str) -> None:
        """Press one of them, in its menus if it stands there."""
        self.look()
        for menu in self.page.locator("details.menu", has_text=label).all():
            button = menu.locator("> summary")
            if button.is_visible() and not self.find(label).count():
                button.click()
                self.look()
        self.find(label).click()
        self.page.wait_for_timeout(A_MOMENT)
        self.look()

    def expect(self, text: str) -> None:
        """Wait until the page says so."""
        expect(self.page.get_by_text(text).filter(visible=True).first).to_be_visible()
        self.look()

    def picture(self, name: str, target: Locator | None = None) -> None:
        """What is on the screen now; from ``target`` on, where the page is longer."""
        self.look()
        self.picture_names.append(f"{name}.png")
        if os.environ.get("GUIDES") != "write":
            return
        if target:
            target.evaluate("one => scrollTo(0, one.getBoundingClientRect().top + scrollY - 4)")
        refresh(PICTURES / f"{name}.png", screen(self.page), MOST_BYTES)

    def faults(self) -> Iterator[str]:
        """What the guide says that its steps do not show, section by section."""
        for section in self.guide.sections:
            self.page_texts, self.picture_names, self.section = [], [], section
            STEPS.get((self.guide.name, section.title), _do_nothing)(self)
            for quotation in quotes(section):
                if not stands(quotation, self.page_texts):
                    yield f"{section.title}: “{quotation}” is not there"
            if pictures(section) != self.picture_names:
                yield f"{section.title}: shows {pictures(section)}, taken {self.picture_names}"


def _do_nothing(walk: Walk) -> None:
    """A section that quotes no page needs no steps."""


def plain(text: str) -> str:
    """Words with one blank between them, every number the same: the guide's hand is any hand."""
    return re.sub(r"\d+", "1", " ".join(text.split()))


def quotes(section: GuideSection) -> list[str]:
    """What the section says to stand on a page."""
    lines = [line for block in section.blocks for line in block.lines]
    return [
        quotation
        for line in lines
        for quotation in QUOTED.findall(line)
        if quotation[-1] != OWN_HEADING
    ]


def pictures(section: GuideSection) -> list[str]:
    """The files that the section shows."""
    return [block.name for block in section.blocks if block.kind == "picture"]


def stands(quotation: str, page_texts: list[str]) -> bool:
    """Whether one of the pages says it, in whole words."""
    pattern = re.compile(rf"(?<!\w){re.escape(plain(quotation))}(?!\w)")
    return any(pattern.search(page) for page in page_texts)
