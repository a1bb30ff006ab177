"""How many times a page asks for news in an evening: ``python -m benchmarks.pace``.

``static/js/pace.js`` runs in Chromium, whose clock is turned; the server is a line of script that
answers at once. Before it a page asked every 4 seconds for as long as it was open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import CHROMIUM, NO_SANDBOX

PACE = Path(__file__).parents[1] / "static" / "js" / "pace.js"
PAGE = "<!doctype html><div data-news-every=4></div>"
USUAL_SECONDS = 4  # seconds
MINUTE = 60
ANSWER_SCRIPT = """
self.asked = 0;
self.news = false;
document.addEventListener("news", ({target}) => {
  asked += 1;
  const xhr = {status: self.news ? 200 : 204, getResponseHeader: () => null};
  self.news = false;
  const detail = {requestConfig: {elt: target}, xhr};
  document.dispatchEvent(new CustomEvent("htmx:afterRequest", {detail}));
}, {capture: true});
"""
SET_HIDDEN_SCRIPT = """isHidden => {
  Object.defineProperty(document, "hidden", {configurable: true, value: isHidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that is open for ``minutes``; times are minutes from its beginning."""

    label: str
    minutes: int
    news: range  # when a hand is recorded that it shows
    seen_after_news: int | None = None  # for so long somebody looks; else all the time


PLAY_MINUTES = range(10, 180, 10)
OPEN_PAGES = (
    OpenPage("a phone that is looked at for all of 3 hours", 180, PLAY_MINUTES),
    OpenPage("a phone that is looked at for 2 minutes of each hand", 180, PLAY_MINUTES, 2),
    OpenPage("the same, left open until the next morning", 13 * 60, PLAY_MINUTES, 2),
    OpenPage("a projector screen: 3 hours of play, 2 hours left on", 300, range(1, 180)),
    OpenPage("an organiser's page: 3 hours of play, left open over night", 13 * 60, range(1, 180)),
)


def count_questions(page: Page, evening: OpenPage) -> int:
    """How often the page asks."""
    page.goto("about:blank")
    page.set_content(PAGE)
    page.evaluate(ANSWER_SCRIPT)
    page.add_script_tag(content=PACE.read_text(encoding="utf-8"))
    for minutes, script in moments(evening):
        if script:
            page.evaluate(script)
        page.clock.run_for(1000 * MINUTE * minutes)
    return int(page.evaluate("asked"))


def moments(evening: OpenPage) -> Iterator[tuple[int, str]]:
    """What happens, and how many minutes pass until the next thing does."""
    happens = {0: "0", evening.minutes: ""}
    for minute in evening.news:
        happens[minute] = "self.news = true"
        if evening.seen_after_news:
            happens[minute] += f"; ({SET_HIDDEN_SCRIPT})(false)"
            happens[minute + evening.seen_after_news] = f"({SET_HIDDEN_SCRIPT})(true)"
    for start_minute, next_minute in pairwise(sorted(happens)):
        yield next_minute - start_minute, happens[start_minute]


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=NO_SANDBOX)
        page = browser.new_page()
        page.clock.install()
        print("| page | every 4 s | now | share |\n| --- | --- | --- | --- |")
        for evening in OPEN_PAGES:
            usual_count = evening.minutes * MINUTE // USUAL_SECONDS
            now = count_questions(page, evening)
            print(
                f"| {evening.label} | {usual_count:,} | {now:,} | {100 * now / usual_count:.0f} % |"
            )
        browser.close()


if __name__ == "__main__":
    main()
