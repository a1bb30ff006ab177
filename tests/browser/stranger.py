"""Someone who has never seen Tongbox: presses what is on the page, and counts what it takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from playwright.sync_api import Locator, Page

from tests.browser.reading import scroll_to


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
        self.efforts[-1].presses += 1

    def button(self, page: Page, name: str) -> None:
        """Press the first button or link of this name."""
        named = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
        self.press(named.locator("visible=true").first)

    def fill(self, target: Locator, text: str) -> None:
        """Type into a field, or choose from a list; the press that comes first counts as well."""
        self.efforts[-1].scrolls += scroll_to(target)
        if target.evaluate("element => element !== document.activeElement"):
            self.efforts[-1].presses += 1
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

    def report(self) -> str:
        """A table of all efforts, and their sum."""
        sums = {name: sum(getattr(effort, name) for effort in self.efforts) for name in COUNTED}
        whole = Effort("all", **sums)
        lines = [f"{'':34}{'presses':>9}{'fields':>8}{'scrolls':>9}{'seconds':>9}"]
        for effort in (*self.efforts, whole):
            counts = f"{effort.presses:>9}{effort.fields:>8}{effort.scrolls:>9}"
            lines.append(f"{effort.part:34}{counts}{effort.seconds:>9.1f}")
        return "\n".join(lines)


COUNTED: Final = ("presses", "fields", "scrolls", "seconds")
