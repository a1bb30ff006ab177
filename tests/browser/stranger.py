"""Someone who has never seen Tongbox: presses what is on the page, which counts what it takes."""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Final

from playwright.sync_api import BrowserContext, Locator, Page

from tests.browser.reading import scroll_to

# Every press of a finger or a mouse, wherever on a page; the keys of a number pad are typing.
COUNT_PRESSES: Final = """
    addEventListener("pointerdown", (press) => {
        if (!press.target.closest("[data-key]")) window.countPress();
    }, true);
"""


@dataclass(slots=True)
class Effort:
    """What a part of the evening took."""

    part: str
    presses: int = 0
    fields: int = 0
    scrolls: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Stranger:
    """One person at one screen after the other, and the efforts so far."""

    efforts: list[Effort] = field(default_factory=list)

    def sits_at(self, browser: BrowserContext) -> Page:
        """A page on which every press counts, whoever makes it."""
        browser.expose_function("countPress", partial(_count_press, self))
        browser.add_init_script(COUNT_PRESSES)
        return browser.new_page()

    @contextmanager
    def doing(self, part: str) -> Iterator[Effort]:
        """All that is pressed in this block belongs to that part of the evening."""
        effort, began = Effort(part), monotonic()
        self.efforts.append(effort)
        yield effort
        effort.seconds = monotonic() - began

    def press(self, target: Locator) -> None:
        self.efforts[-1].scrolls += scroll_to(target)
        target.click()

    def button(self, page: Page, name: str) -> None:
        """Press the first button or link of this name."""
        controls = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
        self.press(controls.locator("visible=true").first)

    def fill(self, target: Locator, text: str) -> None:
        """Press a field and type into it, or choose from a list."""
        if target.evaluate("element => element !== document.activeElement"):
            self.press(target)
        if target.evaluate("element => element.tagName") == "SELECT":
            target.select_option(text)
        else:
            target.fill(text)
        self.efforts[-1].fields += 1

    def tap_digits(self, page: Page, number: int) -> None:
        """A figure by the keys of the number pad: one field."""
        for digit in str(number):
            page.locator(f'[data-key="{digit}"]').click()
        self.efforts[-1].fields += 1

    def together(self, name: str, parts: Container[str]) -> Effort:
        """What these parts took together."""
        efforts = [effort for effort in self.efforts if effort.part in parts]
        return Effort(name, **{n: sum(getattr(effort, n) for effort in efforts) for n in COUNTED})

    def report(self, *sums: Effort) -> str:
        """A table of all efforts, and of these sums of some."""
        lines = [f"{'':34}{'presses':>9}{'fields':>8}{'scrolls':>9}{'seconds':>9}"]
        for effort in (*self.efforts, *sums):
            counts = f"{effort.presses:>9}{effort.fields:>8}{effort.scrolls:>9}"
            lines.append(f"{effort.part:34}{counts}{effort.seconds:>9.1f}")
        return "\n".join(lines)


def _count_press(stranger: Stranger) -> None:
    stranger.efforts[-1].presses += 1


COUNTED: Final = ("presses", "fields", "scrolls", "seconds")
