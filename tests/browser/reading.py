"""What hinders someone on a page: what axe finds, in the dark too, what hangs off the side, and
what a finger or the Tab key cannot reach.
"""

from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

# Half the work of telling all.
FAULTS_ALONE: Final[dict[str, Any]] = {"resultTypes": ["violations"]}
COLOURS: Final[dict[str, Any]] = {**FAULTS_ALONE, "runOnly": ["color-contrast"]}
A_FINGER: Final = 44  # pixels, each way

A_MOMENT: Final = 1.0  # seconds in which a page comes to rest
IN_SIGHT: Final = """(element) => {
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (y < 0 || y > innerHeight) return false;
  const top = document.elementFromPoint(x, y);
  const label = top?.closest("label");
  return element === top || element.contains(top) || Boolean(label?.contains(element));
}"""

SMALL_TARGETS: Final = """([least, alsoInWords]) => {
  const found = [];
  const sides = (boxes) => [
    Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left)),
    Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top)),
  ];
  const inWords = (one) => one.matches("a") && getComputedStyle(one).display === "inline"
    && [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const targets = "a[href], button, input, select, textarea, summary";
  for (const one of document.querySelectorAll(targets)) {
    if (one.type === "hidden" || one.closest(".hidden-text, .skip, [hidden], template")) continue;
    if (!alsoInWords && inWords(one)) continue;
    const label = one.matches("input") && one.closest("label");
    const shown = label ? [label] : [one, ...(one.labels || [])];
    const [width, height] = sides(shown.map((part) => part.getBoundingClientRect()));
    if (width <= 1 || height <= 1 || !shown[0].checkVisibility()) continue;
    if (width < least - 0.5 || height < least - 0.5) {
      const name = (one.textContent || one.name).trim().slice(0, 30);
      found.push(`${one.tagName} ${name}: ${Math.round(width)} × ${Math.round(height)}`);
    }
  }
  return found;
}"""

# Not in Tab's way: a form's first button, for Enter alone, and what letters tick on a paper sheet.
LOST_TO_TAB: Final = """() => {
  const found = [];
  const look = (part) => {
    const style = getComputedStyle(part);
    return [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join();
  };
  const controls = "a[href], button, input, select, textarea, summary, [role=button], [tabindex]";
  for (const one of document.querySelectorAll(controls)) {
    if (one.disabled || one.type === "hidden" || one.matches(".hidden-text, .paper__grid input")
      || !one.checkVisibility({ visibilityProperty: true })) continue;
    const name = `${one.tagName} ${(one.textContent || one.name || "").trim().slice(0, 30)}`;
    if (one.tabIndex > 0) found.push(`${name}: out of order`);
    if (one.tabIndex < 0) {
      if (one.matches("a, button, input, select, textarea, summary")) found.push(`${name}: no Tab`);
      continue;
    }
    const parts = [one, one.closest("label"), ...(one.labels || []), one.nextElementSibling]
      .filter(Boolean);
    document.activeElement.blur();
    const before = parts.map(look).join();
    one.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== one || parts.map(look).join() === before) {
      found.push(`${name}: no focus to be seen`);
    }
  }
  document.activeElement.blur();
  return found;
}"""


# Counted from the page's first moment: what moves by itself, not by a press.
COUNT_SHIFTS: Final = """
  self.shifted = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) self.shifted += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT: Final = 0.05


def jumps(page: Page) -> Iterator[str]:
    """How far the page has moved by itself since it came, where ``COUNT_SHIFTS`` has counted it."""
    shift: float = page.evaluate("document.fonts.ready.then(() => self.shifted)")
    if shift >= MOST_SHIFT:
        yield f"moves by itself: {shift:.3f}"


def faults(page: Page) -> list[str]:
    """The rules of axe that the page breaks, and whether it has to be pushed sideways."""
    broken_rules = _broken_rules(page, FAULTS_ALONE)
    sideways = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*broken_rules, *(["runs off the side"] if sideways else [])]


def faults_in_the_dark(page: Page) -> list[str]:
    """What axe finds of dark colours, since nothing else differs; the page is light again after."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    broken_rules = _broken_rules(page, COLOURS)
    page.emulate_media(color_scheme="light")
    return [f"{rule}, in the dark" for rule in broken_rules]


def look(page: Page) -> None:
    """Someone reads the page without a hindrance."""
    page.wait_for_load_state()
    assert faults(page) == []


def look_by_day_and_night(page: Page) -> None:
    """Someone reads the page without a hindrance, whichever colours the phone has."""
    look(page)
    assert faults_in_the_dark(page) == []


def _broken_rules(page: Page, options: dict[str, Any]) -> list[str]:
    violations = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {len(rule['nodes'])} ×" for rule in violations]


def small_targets(page: Page, least: int, *, also_in_words: bool = False) -> list[str]:
    """Targets of fewer pixels either way, each with its size; a box counts with its label.

    Links within a line of words are as high as the line and do not count, unless wanted.
    """
    targets: list[str] = page.evaluate(SMALL_TARGETS, [least, also_in_words])
    return targets


def out_of_reach(page: Page) -> Iterator[str]:
    """What is too small for a finger, and what Tab does not come to, in order and to be seen."""
    yield from small_targets(page, A_FINGER)
    yield from page.evaluate(LOST_TO_TAB)


def scroll_to(target: Locator) -> bool:
    """Wait until it is there; whether it took a scroll to see it, which is done."""
    expect(target).to_be_visible()
    deadline = monotonic() + A_MOMENT
    while not target.evaluate(IN_SIGHT):
        if monotonic() > deadline:
            target.evaluate("element => element.scrollIntoView({block: 'center'})")
            return True
        target.page.wait_for_timeout(50)
    return False
