"""Old eyes and hands: every state of a table's pages, measured in a real browser."""

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.evenings.services import ending, evenings
from clubs.models import SessionTable
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.browser.conftest import NARROW, OpenBrowser
from tests.browser.reading import faults, small_targets
from tests.browser.telling import begin, choose, tell_by
from tests.clubs.nights import SECOND_WINS, post
from tests.people import make_club, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Wilhelmina-Theodora-Alexandrina-Harriet"
PEOPLE = ("Margaret", LONG, "Zoë", "Ngaio", "Seán")
Look = Callable[[Page], list[str]]
LEAST = 48  # pixels of a target, each way
LOST = """() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    found.push(`sideways: ${document.documentElement.scrollWidth} of ${width} px`);
  }
  for (const one of document.querySelectorAll("body *")) {
    if (!one.checkVisibility() || one.closest(".scroll, .hidden-text, .skip, svg")) continue;
    const box = one.getBoundingClientRect();
    const words = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || box.width < 2) continue;
    const style = getComputedStyle(one);
    const cut = style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    if (box.right > width + 1 || box.left < -1 || cut) {
      found.push(`${one.className || one.tagName}: ${one.textContent.trim().slice(0, 30)}`);
    }
  }
  return found;
}"""


@pytest.fixture
def table() -> SessionTable:
    """Five people at a table, one of them with a very long name."""
    session = evenings.open_session(club=make_club(), held_on=date(2026, 11, 17))
    for name in PEOPLE:
        player = make_player(session.club, name)
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    return session.tables.get()


def states(page: Page, table: SessionTable) -> Iterator[str]:
    """Every state of the table's pages in turn; the page shows the one that is named."""
    address = reverse("table", args=[table.link_key])
    page.goto(address)
    yield "a fresh table"
    choose(page, 1)
    yield "the scores"
    tell_by(page, "Counted sticks")
    expect(page.get_by_text("had 2,000")).to_have_count(4)
    yield "the sticks of each"
    tell_by(page, "Scores")
    expect(page.locator("#id_score_1")).to_be_visible()
    tell(page, 37, 60, 8, 4)
    press(page, "Check hand 1")
    yield "an impossible total"
    tell(page, 20, 60, 8, 4)
    press(page, "Check hand 1")
    yield "is this right?"
    press(page, "Save")
    expect(page.get_by_text("Hand 1 saved.")).to_be_visible()
    yield "a hand to agree on"
    yield from _states_of_a_hand(page, table)
    yield from _states_beside(page, table)
    yield from _states_at_the_end(page, address, table)


def _states_of_a_hand(page: Page, table: SessionTable) -> Iterator[str]:
    hand = Hand.objects.get(number=1).pk
    for act, name in (("undo", "take it back?"), ("dispute", "what is not right?")):
        page.goto(reverse(f"table-{act}", args=[table.link_key, hand]))
        yield name
    press(page, "Tell the scorer")
    yield "nobody said who it is"
    page.locator("main label:has([name=seat])").first.click()
    press(page, "Tell the scorer")
    yield "someone said not right"
    page.goto(reverse("table", args=[seat_key(table, 2)]))
    yield "a seat's own page"


def _states_beside(page: Page, table: SessionTable) -> Iterator[str]:
    url_args = [table.link_key]
    for address, name in (
        (f"{reverse('table-tiles', args=[*url_args, 2])}?winner=2", "tiles"),
        (reverse("table-tiles", args=[*url_args, 2]), "no tiles yet"),
        (reverse("table-seats", args=url_args), "each on their own phone"),
        (f"{reverse('table-aid', args=url_args)}?tile=WS", "What is this tile?"),
        (reverse("table-standings", args=url_args), "the scores"),
        (reverse("table-hands", args=url_args), "the hands so far"),
        (reverse("table-more", args=url_args), "more"),
        (f"/display/?from={reverse('table', args=url_args)}", "how it looks"),
    ):
        page.goto(address)
        yield name
        for screen in ("the sets", "the last tile") if name == "tiles" else ():
            page.locator("[data-screen-next]").click()
            yield screen


def _states_at_the_end(page: Page, address: str, table: SessionTable) -> Iterator[str]:
    page.goto(address)
    page.get_by_role("button", name="All agree").click()
    expect(page.get_by_role("heading", name="Hand 2: who")).to_be_visible()
    yield "agreed after all"
    tell(page, 20, 60, 8, 4)
    press(page, "Check hand 2")
    post(table, SECOND_WINS, Report(winner=2, totals={2: 64, 3: 0, 4: 0, 5: 0}))
    press(page, "Save")
    expect(page.get_by_role("heading", name="was already entered")).to_be_visible()
    yield "someone was first"
    ending.close_session(session=table.session)
    page.goto(address)
    yield "a finished evening"


def press(page: Page, name: str) -> None:
    """Press the button and wait for what it leads to: another page, or the check in its place."""
    page.evaluate("document.getElementById('content').firstElementChild.dataset.old = ''")
    page.get_by_role("button", name=name).first.click()
    expect(page.locator("[data-old]")).to_have_count(0)
    page.wait_for_load_state()


def tell(page: Page, *scores: int) -> None:
    """Tap the second seat from East and type the scores, East first."""
    if not page.locator(".entry").is_visible():
        begin(page)
        choose(page, 1)
    for field, score in zip(page.locator(".entry input").all(), scores, strict=True):
        field.fill(str(score))


@pytest.fixture
def phone(open_browser: OpenBrowser, live_server: LiveServer) -> Callable[..., Page]:
    """A narrow phone on which this has been chosen."""

    def looking(looks: str = "", **media: Any) -> Page:
        context = open_browser(viewport=NARROW, reduced_motion="reduce", **media)
        if looks:
            context.add_cookies([{"name": "looks", "value": looks, "url": live_server.url}])
        return context.new_page()

    return looking


def hindrances(page: Page, table: SessionTable, look: Look) -> dict[str, list[str]]:
    """What someone who looks like this finds wrong in each state of the table's pages."""
    wrong = {}
    for state in states(page, table):
        page.wait_for_load_state()
        wrong[state] = look(page)
    return {state: findings for state, findings in wrong.items() if findings}


def test_every_target_is_as_large_as_a_finger(
    phone: Callable[..., Page], table: SessionTable
) -> None:
    look = partial(small_targets, least=LEAST, also_in_words=True)
    assert hindrances(phone(), table, look) == {}


def lost_texts(page: Page) -> list[str]:
    """What cannot be read whole."""
    findings: list[str] = page.evaluate(LOST)
    return findings


def lost_at_twice_the_size(page: Page) -> list[str]:
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    return lost_texts(page)


@pytest.mark.parametrize(
    ("look_choice", "look"), [("", lost_at_twice_the_size), ("letters-largest", lost_texts)]
)
def test_letters_of_any_size_lose_nothing(
    phone: Callable[..., Page], table: SessionTable, look_choice: str, look: Look
) -> None:
    assert hindrances(phone(look_choice), table, look) == {}


LOOKS: dict[str, tuple[str, dict[str, Any]]] = {
    "as it comes": ("", {"color_scheme": "light"}),
    "strong in the dark": ("contrast-strong.letters-large", {"color_scheme": "dark"}),
    "left hand, strong": ("contrast-strong.hand-left", {"color_scheme": "light"}),
}


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_no_fault_in_any_state(
    phone: Callable[..., Page], table: SessionTable, look: str
) -> None:
    look_choice, media = LOOKS[look]
    assert hindrances(phone(look_choice, **media), table, faults) == {}
