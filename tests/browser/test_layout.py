"""Every page of the sample club has all the rules that its parts need, on a phone and at a desk.

All that it says can be read: nothing is cut, and nothing lies under something else.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from clubs.models import Player
from tests.browser.conftest import DESK, NARROW, PHONE, TABLET, TABLETS
from tests.browser.detours import DETOURS
from tests.browser.layout import (
    cut_figures,
    missing_rules,
    our_sheets,
    shrunk,
    stunted_texts,
    unread,
    unread_in_menus,
    unsaid_slides,
    unsized_pictures,
)
from tests.browser.refusals import Refusal, refusals
from tests.browser.tour import Stop, stops, visit
from tests.sample import lay_down_sample_club
from tests.sampling import SampleOf
from tournaments.models import Entrant

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

VISIBLY = 1.15  # times as large
LONGEST_FIGURE = "−12,345"
WITH_MENUS = {"club", "player", "tournament", "rehearsal", "sign-in", "guides"}
# Books of rules: a line above each of their ten tables would say the same ten times.
WITH_MANY_TABLES = {"rules", "rules-own", "style"}
LONGEST_NAMES = (
    "Margaret Wolstenholme-Fothergill-Smythe",
    "Bartholomew Featherstonehaugh",
    "Siobhán O’Shaughnessy-Whittingham",
    "Wilhelmina Cholmondeley-Marjoribanks",
)
LOOKS = {
    "as it comes": ("", (NARROW, PHONE, TABLET, DESK)),
    "largest letters": ("letters-largest", (NARROW, TABLET, DESK)),
}


def off_the_wall() -> list[Stop]:
    """Every page of the tour but those that hang on a wall."""
    return [stop for stop in stops() if stop.sizes != ("wall",)]


def sample_stops(pages: Iterable[Stop], sample_of: SampleOf) -> list[Stop]:
    by_name = {stop.name: stop for stop in pages}
    return [by_name[name] for name in sample_of(list(by_name))]


def open_stops(
    browser: Browser, server: str, pages: Iterable[Stop], letters: str = ""
) -> Iterator[tuple[Stop, Page]]:
    """Each of the pages as its reader sees it, who keeps one browser for all of theirs."""
    readers: dict[str, Page] = {}
    for stop in pages:
        if stop.person not in readers:
            readers[stop.person] = visit(browser, server, stop.person, reduced_motion="reduce")
            choose(readers[stop.person], server, letters)
        page = readers[stop.person]
        page.goto(f"{server}{stop.address}")
        yield stop, page
    for page in readers.values():
        page.context.close()


def choose(page: Page, server: str, letters: str) -> None:
    if letters:
        page.context.add_cookies([{"name": "looks", "value": letters, "url": server}])


def test_no_page_lacks_a_rule_or_cuts_a_figure(live_server: LiveServer, browser: Browser) -> None:
    """Pictures have a size, classes have their rules, and the longest figure is whole."""
    lay_down_sample_club()
    sheets = our_sheets()
    faults_by_page = defaultdict[str, list[str]](list)
    for stop, page in open_stops(browser, live_server.url, stops()):
        faults_by_page[stop.name] += missing_rules(page, sheets)
        for size in (DESK, NARROW):
            page.set_viewport_size(size)
            faults_by_page[stop.name] += unsized_pictures(page)
            if stop.sizes != ("wall",):
                faults_by_page[stop.name] += cut_figures(page, LONGEST_FIGURE)
    assert {name: wrong for name, wrong in faults_by_page.items() if wrong} == {}


def test_what_slides_says_so_on_a_phone(live_server: LiveServer, browser: Browser) -> None:
    lay_down_sample_club()
    faults_by_page: dict[str, list[str]] = {}
    pages = [stop for stop in off_the_wall() if stop.name not in WITH_MANY_TABLES]
    for stop, page in open_stops(browser, live_server.url, pages):
        for size in (NARROW, PHONE):
            page.set_viewport_size(size)
            if slides := unsaid_slides(page):
                faults_by_page[f"{stop.name}, {size['width']} px"] = slides
    assert faults_by_page == {}


def test_the_longest_figure_is_whole_at_every_size(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf
) -> None:
    """In every numeric field and cell, from the smallest phone to a desk, in all three letters."""
    lay_down_sample_club()
    faults_by_page: dict[str, list[str]] = {}
    for stop, page in open_stops(browser, live_server.url, sample_stops(off_the_wall(), sample_of)):
        for letters in ("", "large", "largest"):
            page.evaluate(
                "letters => { document.documentElement.dataset.letters = letters }", letters
            )
            for size in (NARROW, PHONE, *TABLETS, DESK):
                page.set_viewport_size(size)
                if wrong := cut_figures(page, LONGEST_FIGURE):
                    faults_by_page[f"{stop.name} ({letters or 'ordinary'}, {size['width']} px)"] = (
                        wrong
                    )
    assert faults_by_page == {}


def lay_down_long_names() -> None:
    """The sample club, in which every third player has a name as long as they come."""
    lay_down_sample_club()
    for model in (Player, Entrant):
        for number, pk in enumerate(model.objects.order_by("pk").values_list("pk", flat=True)):
            if number % 3 == 0:
                repetition, which = divmod(number // 3, len(LONGEST_NAMES))
                name = f"{LONGEST_NAMES[which]}{f' {repetition + 1}' if repetition else ''}"
                model.objects.filter(pk=pk).update(name=name)


def cut_or_covered(page: Page, sizes: tuple[ViewportSize, ...]) -> Iterator[str]:
    for size in sizes:
        page.set_viewport_size(size)
        yield from (f"{fault} ({size['width']} px)" for fault in unread(page))


@pytest.mark.parametrize("look", LOOKS)
def test_every_line_of_an_open_menu_can_be_read(
    live_server: LiveServer, browser: Browser, look: str
) -> None:
    """The menus of the masthead: signed out, as an organiser, a player, on a practice evening."""
    lay_down_long_names()
    letters, sizes = LOOKS[look]
    faults_by_page: dict[str, list[str]] = {}
    with_menus = [stop for stop in stops() if stop.name in WITH_MENUS]
    assert {stop.name for stop in with_menus} == set(WITH_MENUS)
    for stop in with_menus:
        page = visit(browser, live_server.url, stop.person, reduced_motion="reduce")
        choose(page, live_server.url, letters)
        page.goto(f"{live_server.url}{stop.address}")
        for size in sizes:
            page.set_viewport_size(size)
            if wrong := list(unread_in_menus(page)):
                faults_by_page[f"{stop.name} ({size['width']} px)"] = wrong
        page.context.close()
    assert faults_by_page == {}


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_on_a_page_is_cut_or_covered(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf, look: str
) -> None:
    lay_down_long_names()
    letters, sizes = LOOKS[look]
    faults_by_page: dict[str, list[str]] = {}
    pages = sample_stops(off_the_wall(), sample_of)
    for stop, page in open_stops(browser, live_server.url, pages, letters):
        if wrong := list(cut_or_covered(page, sizes)):
            faults_by_page[stop.name] = wrong
    assert faults_by_page == {}


@pytest.mark.parametrize("look", LOOKS)
def test_no_page_runs_off_the_side_of_a_tablet(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf, look: str
) -> None:
    lay_down_long_names()
    letters, _ = LOOKS[look]
    wide: dict[str, int] = {}
    pages = sample_stops(off_the_wall(), sample_of)
    for stop, page in open_stops(browser, live_server.url, pages, letters):
        for size in TABLETS:
            page.set_viewport_size(size)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > size["width"]:
                wide[f"{stop.name} ({size['width']} px)"] = width
    assert wide == {}


def test_larger_letters_make_nothing_smaller(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf
) -> None:
    """No visible text has smaller letters than at the ordinary size, in either larger size."""
    lay_down_sample_club()
    faults_by_page: dict[str, list[str]] = {}
    for stop, page in open_stops(browser, live_server.url, sample_stops(stops(), sample_of)):
        for size in (NARROW, PHONE, DESK):
            page.set_viewport_size(size)
            if wrong := shrunk(page, ("large", "largest")):
                faults_by_page[f"{stop.name} ({size['width']} px)"] = wrong
    assert faults_by_page == {}


def test_the_largest_letters_are_larger_in_every_table(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf
) -> None:
    lay_down_sample_club()
    faults_by_page: dict[str, list[str]] = {}
    for stop, page in open_stops(browser, live_server.url, sample_stops(off_the_wall(), sample_of)):
        for size in (NARROW, PHONE, TABLET, DESK):
            page.set_viewport_size(size)
            if wrong := stunted_texts(page, VISIBLY):
                faults_by_page[f"{stop.name} ({size['width']} px)"] = wrong
    assert faults_by_page == {}


@pytest.mark.parametrize("size", [NARROW, PHONE], ids=["320", "390"])
def test_money_is_read_without_swiping_in_the_largest_letters(
    live_server: LiveServer, browser: Browser, size: ViewportSize
) -> None:
    lay_down_sample_club()
    (money,) = (stop for stop in stops() if stop.name == "money-year")
    for _, page in open_stops(browser, live_server.url, [money], "letters-largest"):
        page.set_viewport_size(size)
        assert page.locator("main .scroll tbody tr").count()
        for box in page.locator("main, .scroll").all():
            assert box.evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_that_a_press_brings_is_cut_or_covered(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf, look: str
) -> None:
    """Codes and checks that are asked for, refused forms, previews, what waits offline."""
    lay_down_long_names()
    letters, sizes = LOOKS[look]
    faults_by_page: dict[str, list[str]] = {}
    detour_names = sample_of([detour.__name__ for _, detour, _ in DETOURS])
    for person, detour in (
        (person, detour) for person, detour, _ in DETOURS if detour.__name__ in detour_names
    ):
        page = visit(browser, live_server.url, person, viewport=NARROW, reduced_motion="reduce")
        choose(page, live_server.url, letters)
        for name in detour(page, live_server.url):
            if wrong := list(cut_or_covered(page, sizes)):
                faults_by_page[name] = wrong
        page.context.close()
    assert faults_by_page == {}


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_of_a_refused_form_is_cut_or_covered(
    live_server: LiveServer, browser: Browser, sample_of: SampleOf, look: str
) -> None:
    """Every form of the tour, sent empty and with what no field can take."""
    lay_down_long_names()
    letters, sizes = LOOKS[look]
    page = visit(browser, live_server.url, "", reduced_motion="reduce")
    choose(page, live_server.url, letters)
    faults_by_page: dict[str, list[str]] = {}
    refusal_names: set[str] = set()
    pages = off_the_wall()
    sample = sample_stops(pages, sample_of)
    for stop in sample:
        for refusal in refusals(stop):
            if refusal.name in refusal_names:
                continue
            refusal_names.add(refusal.name)
            show(page, live_server.url, refusal)
            if wrong := list(cut_or_covered(page, sizes)):
                faults_by_page[f"{refusal.name} ({stop.name})"] = wrong
    page.context.close()
    assert faults_by_page == {}
    assert refusal_names or len(sample) < len({stop.name for stop in pages})


def show(page: Page, server: str, refusal: Refusal) -> None:
    """The answer, at the address that gave it."""
    address = f"{server}{refusal.address}"
    page.route(
        address,
        lambda route: route.fulfill(body=refusal.page, content_type="text/html; charset=utf-8"),
    )
    page.goto(address)
    page.unroute(address)
