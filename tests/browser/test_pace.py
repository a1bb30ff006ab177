"""How often a page asks for news: as ever while something happens, less while nothing does."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route

from clubs.models import SessionTable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

USUAL, STEP = 3.0, 0.25  # seconds
MINUTE = 60.0
QUESTION = re.compile(r"[?&](v|totals)=")
SECONDS_TO_ANSWER = 20
NOTE_MOMENTS = """
self.moments = [];
document.addEventListener("news", ({target}) => {
  if (target.dataset.newsEvery === "3") moments.push(performance.now());
}, {capture: true});
"""
SET_HIDDEN = """isHidden => {
  Object.defineProperty(document, "hidden", {configurable: true, value: isHidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Watched:
    """The standings on a phone, whose clock the test turns; every question is counted."""

    def __init__(self, page: Page, table: SessionTable) -> None:
        self.page, self.answer_count = page, 0
        page.clock.install()
        page.add_init_script(NOTE_MOMENTS)
        page.on("requestfinished", self.answer)
        page.goto(f"/t/{table.link_key}/standings/")
        page.wait_for_load_state("networkidle")

    def answer(self, request: Request) -> None:
        self.answer_count += "/standings/?v=" in request.url

    def settle(self) -> None:
        """Wait until every question has its answer."""
        latest = time.monotonic() + SECONDS_TO_ANSWER
        while len(self.page.evaluate("moments")) != self.answer_count:
            assert time.monotonic() < latest, "a question has no answer"
            self.page.wait_for_timeout(5)

    def gaps(self, seconds: float) -> list[float]:
        """The seconds between one question and the next, while so many seconds pass."""
        start = len(self.page.evaluate("moments"))
        for _ in range(int(seconds / STEP)):
            self.page.clock.run_for(int(1000 * STEP))
            self.settle()
        moments = self.page.evaluate("moments")[start:]
        return [(end - start) / 1000 for start, end in pairwise(moments)]

    def sleep(self, minutes: float) -> None:
        """So many minutes pass in which the page is asleep."""
        self.page.clock.fast_forward(int(1000 * MINUTE * minutes))
        self.page.wait_for_timeout(50)
        self.settle()


@pytest.fixture
def standings(context: BrowserContext, table: SessionTable) -> Watched:
    return Watched(context.new_page(), table)


def are_within(gaps: list[float], longest: float) -> bool:
    return bool(gaps) and all(0.9 * longest <= gap <= longest + STEP for gap in gaps)


def test_while_play_goes_on_nobody_waits_longer_than_ever(standings: Watched) -> None:
    assert are_within(standings.gaps(30), USUAL)
    standings.sleep(15)
    assert are_within(standings.gaps(30), USUAL)


def test_what_is_quiet_for_long_asks_less_often_until_somebody_touches_it(
    standings: Watched,
) -> None:
    standings.sleep(21)
    assert are_within(standings.gaps(40), 8)
    standings.sleep(25)
    assert are_within(standings.gaps(60), 15)
    count_before = standings.answer_count
    standings.gaps(4)
    assert standings.answer_count == count_before
    standings.page.mouse.click(10, 300)
    standings.gaps(STEP)
    assert standings.answer_count == count_before + 1
    assert are_within(standings.gaps(20), USUAL)


def test_a_page_that_nobody_sees_asks_once_a_minute_and_at_once_when_it_is_seen(
    standings: Watched,
) -> None:
    standings.gaps(5)
    standings.page.evaluate(SET_HIDDEN, True)
    count_before = standings.answer_count
    standings.gaps(50)
    assert standings.answer_count == count_before
    with standings.page.expect_request(lambda request: "/standings/?v=" in request.url):
        standings.page.evaluate(SET_HIDDEN, False)
    standings.settle()
    assert are_within(standings.gaps(20), USUAL)


def test_a_server_with_its_hands_full_is_asked_less_often(standings: Watched) -> None:
    def beg(route: Route) -> None:
        route.fulfill(status=204, headers={"Retry-After": "8"})

    standings.page.route(QUESTION, beg)
    standings.gaps(6)
    assert are_within(standings.gaps(40), 8)
    standings.page.unroute(QUESTION)
    standings.gaps(10)
    assert are_within(standings.gaps(20), USUAL)
