"""Every page of the sample club: no fault found by axe, nothing off the side, nothing that jumps.

On a phone a finger finds every target, and Tab comes to every control.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import URLPattern, get_resolver
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from config.apidocs import areas
from tests.browser.conftest import NARROW, PHONE
from tests.browser.detours import DETOURS
from tests.browser.reading import COLOURS, COUNT_SHIFTS, FAULTS_ALONE, jumps, out_of_reach
from tests.browser.tour import Stop, stops, visit
from tests.page_forms import is_only_sent_to
from tests.sample import lay_down_sample_club
from tests.sampling import SampleOf
from tests.test_doors import DECIDED_BY_ALLAUTH, patterns

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Parts of pages, files, and addresses that only lead on.
NO_PAGES = {
    *("alive", "calendar-day", "calendar-feed", "clock", "everything-data", "everything-file"),
    *("evening-repair-back", "evening-tapped", "tournament-repair-back", "tournament-tapped"),
    *("job-result", "metrics", "money-now", "ready", "role-links", "round-table-call", "schema"),
    "season-now",
    *("club-file-download", "club-web-app", "tonight", "web-app", "worker"),
    *("substitutes", "table-jump", "tournament-clock", "tournament-wall-worker", "wall-worker"),
}
# There only while there is no club: test_first_run looks at them. With one, it is the club.
NO_PAGES |= {"set-up", "bring-club", "home"}
# There only where clubs may be started, for an operator, or after the password: test_hosted does.
NO_PAGES |= {"start", "start-sent", "start-link", "start-link-bring", "start-bring"}
NO_PAGES |= {"terms", "privacy", "club-delete", "operator", "operator-club", "operator-bring"}
OF_A_TABLE = ("ahead", "clock", "formerly", "hand-receipt", "tapped", "worker")
NO_PAGES |= {f"{room}-{part}" for room in ("table", "round-table") for part in OF_A_TABLE}
FILES = (".pdf", ".csv", ".xlsx", ".json")
LOOKS: tuple[tuple[Literal["light", "dark"], ViewportSize, dict[str, Any]], ...] = (
    ("light", NARROW, FAULTS_ALONE),
    ("dark", PHONE, COLOURS),
)


def faults(page: Page, stop: Stop, server: str, *, with_axe: bool) -> Iterator[str]:
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    answer = page.goto(f"{server}{stop.address}")
    page.wait_for_load_state()
    yield from jumps(page)
    yield from _unread(page, is_for_phones="phone" in stop.sizes, with_axe=with_axe)
    is_ok = answer is not None and answer.ok
    yield from (line for line in complaints if is_ok or "Content Security Policy" in line)


def _unread(page: Page, *, is_for_phones: bool = True, with_axe: bool = True) -> Iterator[str]:
    """What hinders someone on the page that is open now."""
    page.wait_for_load_state()
    page.set_viewport_size(NARROW)
    if is_for_phones:
        yield from out_of_reach(page)
    for colours, size, rules in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=colours)
        violations = Axe().run(page, options=rules).response["violations"] if with_axe else ()
        for rule in violations:
            yield f"{rule['id']}, {colours}"
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > page.evaluate("document.documentElement.clientWidth"):
            yield f"runs off the side at {size['width']}: {width} px"


def first_of_each_page(tour_stops: list[Stop]) -> set[str]:
    """The name of the first stop at each page, where the same page is shown several times."""
    resolver = get_resolver()
    pages = {
        resolver.resolve(stop.address.partition("?")[0]).url_name if _is_ours(stop) else "": stop
        for stop in reversed(tour_stops)
    }
    return {stop.name for stop in pages.values()}


@pytest.mark.parametrize("half", [0, 1])
def test_every_page_can_be_read_by_everybody(
    live_server: LiveServer, browser: Browser, half: int, sample_of: SampleOf
) -> None:
    """Each page is opened; axe, which takes longest, looks at the stops of the sample."""
    lay_down_sample_club()
    visitors: dict[str, Page] = {}
    faults_by_page: dict[str, list[str]] = {}
    tour_stops = stops()[half::2]
    for_axe = set(sample_of([stop.name for stop in tour_stops]))
    stop_names = first_of_each_page(tour_stops) | for_axe
    for stop in (stop for stop in tour_stops if stop.name in stop_names):
        if stop.person not in visitors:
            visitors[stop.person] = visit(
                browser, live_server.url, stop.person, viewport=NARROW, reduced_motion="reduce"
            )
            visitors[stop.person].add_init_script(COUNT_SHIFTS)
        page, with_axe = visitors[stop.person], stop.name in for_axe
        if wrong := list(faults(page, stop, live_server.url, with_axe=with_axe)):
            faults_by_page[stop.name] = wrong
    for page in visitors.values():
        page.context.close()
    assert faults_by_page == {}


def test_what_is_come_to_by_doing_something_can_be_read_too(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf
) -> None:
    lay_down_sample_club()
    faults_by_page: dict[str, list[str]] = {}
    detour_names = sample_of([detour.__name__ for _, detour, _ in DETOURS])
    for person, detour in (
        (person, detour) for person, detour, _ in DETOURS if detour.__name__ in detour_names
    ):
        page = visit(browser, live_server.url, person, viewport=NARROW, reduced_motion="reduce")
        for name in detour(page, live_server.url):
            if wrong := list(_unread(page)):
                faults_by_page[name] = wrong
        page.context.close()
    assert faults_by_page == {}


@pytest.mark.django_db
def test_the_tour_leaves_no_page_out() -> None:
    """An address is on the tour, or it is an action, a file or a page of the API."""
    lay_down_sample_club()
    own_addresses = [stop.address.partition("?")[0] for stop in stops() if _is_ours(stop)]
    toured_names = {get_resolver().resolve(address).url_name for address in own_addresses}
    pages = {
        str(pattern.name)
        for pattern in patterns(get_resolver())
        if _is_a_page(pattern) and pattern.name not in NO_PAGES | DECIDED_BY_ALLAUTH
    }
    assert pages - toured_names == set()


def _is_ours(stop: Stop) -> bool:
    return stop.name != "not-found"


def _is_a_page(pattern: URLPattern) -> bool:
    is_file = str(pattern.pattern).endswith(FILES)
    is_of_the_api = str(pattern.name).startswith("api-")
    return not is_of_the_api and not is_file and not is_only_sent_to(pattern.callback)


def test_a_page_shows_every_operation_of_its_area_without_a_complaint(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{live_server.url}/api/", wait_until="networkidle")
    page.get_by_role("link", name=re.compile(r"^Games\b")).click()
    (area,) = (area for area in areas() if area.title == "Games")
    expect(page.locator("details.api")).to_have_count(len(area.operations))
    page.locator("summary").filter(has_text="Send hands that were entered offline").click()
    operation = page.locator("details.api[open]")
    expect(operation.get_by_text("6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10").first).to_be_visible()
    assert complaints == []
    outside = [url for url in requests if not url.startswith((live_server.url, "data:"))]
    assert outside == []
