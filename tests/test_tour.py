"""Every page of the tour, as its visitor reads it.

Its title begins with its heading, every table can be taken along as CSV, Excel and JSON (as lists
of the API can), and no page asks the database too much or weighs too much.
"""

import re
from collections.abc import Callable
from functools import cache
from html import unescape
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from drf_spectacular.generators import SchemaGenerator

from clubs.models import User
from tests.browser.tour import Stop, stops
from tests.people import browser_of
from tests.sample import lay_down_sample_club
from tests.sampling import SampleOf

HEADED_OTHERWISE: Final = {
    "club": "its heading is the evening that comes next",
    "club-preview": "it is the home page as a visitor sees it",
    "ready": "its heading says whether hands can be recorded",
}
KINDS: Final = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
TO_DOWNLOAD = re.compile(r'href="([^"]*(?:\bas=|\.)(csv|xlsx|json)[^"]*)"')

# Tables that are no lists of the club's, by the beginning of the page's name, and why.
AT_A_TABLE = "one game's hands; the table's own page of the API tells them whole"
ON_A_WALL = "it hangs on a wall; the result and the standings can be taken along"
EXPLAINED = "it explains a line of a table that can be taken along"
WHY_SEATED = "it explains the seating, which can be taken along"
AS_A_FILE = "it is a file already, with the same as data inside"
NOT_YET = "it is looked at before anything is kept"
REASONS: Final = {
    "api": "it tells of the API",
    "style": "it shows the parts that pages are made of",
    "club": "it is the top of the league table, which can be taken along",
    "wall": ON_A_WALL,
    "tournament-wall": ON_A_WALL,
    "season-why": EXPLAINED,
    "season-try": NOT_YET,
    "seating-why": WHY_SEATED,
    "why-open": WHY_SEATED,
    "everything": AS_A_FILE,
    "table": AT_A_TABLE,
    "round-table": AT_A_TABLE,
    "tournament-table": AT_A_TABLE,
    "tournament-sheet": AT_A_TABLE,
    "tournament-tiles": AT_A_TABLE,
    "tournament-hand": AT_A_TABLE,
    "tournament-repair": AT_A_TABLE,
    "sheet": AT_A_TABLE,
    "repair": AT_A_TABLE,
    "evening-sheet": AT_A_TABLE,
    "hand-correct": AT_A_TABLE,
    "rules": "it is a page of the book, which the API tells line by line",
    "batch": "it shows letters as they will go",
}
MOST_STATEMENTS, MOST_BYTES = 10, 100_000

# Pages that ask more, as many as they ask, and why.
A_DESK = "a room of many parts: each is one statement, none grows with hands or players"
A_TABLE = "hands, agreements, rulings, seals, tiles and repairs of one game, each read once"
A_PERSON = "one for each table in which a person can stand, however many rows are in it"
TRIED_OUT = "every way is tried out and rolled back, to say what it costs before it is saved"
A_STATE = "what its forms were shown for is read too, so that no one saves over another's change"
A_CHECK = "what hangs on a step is looked for in every table before it is taken"
AN_ERASURE = f"{A_PERSON}; before it is done, what would stop it and what it leaves are read too"
WAYS = ("tiles", "tallies", "winner")
ASKS_MORE: dict[str, tuple[int, str]] = {
    "before-round-close": (12, A_CHECK),
    "before-deleting": (12, A_CHECK),
    "tournament": (13, A_DESK),
    "settings": (13, A_DESK),
    **dict.fromkeys(("member", "player"), (14, A_DESK)),
    "member-erase": (98, AN_ERASURE),
    "member-merge": (29, A_PERSON),
    "everything": (94, A_PERSON),
    "tournament-table": (13, A_TABLE),
    **{f"tournament-table-{page}": (13, A_TABLE) for page in ("scores", *WAYS)},
    "seating-ways": (26, TRIED_OUT),
    **dict.fromkeys(("prizes", "seating-changes"), (11, A_STATE)),
    **dict.fromkeys(("table-desk", "table-desk-disputed"), (11, A_TABLE)),
    **{f"table-desk-{page}": (11, A_TABLE) for page in WAYS},
}


@pytest.fixture
def visitor(db: None) -> Callable[[Stop], Client]:
    """The sample club, and for each stop of the tour somebody who may look at it."""
    lay_down_sample_club()

    @cache
    def client_of(person: str) -> Client:
        return browser_of(User.objects.filter(email=f"{person}@example.org").first())

    return lambda stop: client_of(stop.person)


def text_of(html: str, tag: str) -> str:
    """What the first element of that name says."""
    match = re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", html, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", match[1])).split()) if match else ""


@pytest.mark.sampled(law="long plays")
def test_titles_begin_with_their_headings(visitor: Callable[[Stop], Client]) -> None:
    titles = {}
    for stop in stops():
        answer = visitor(stop).get(stop.address, follow=True)
        if answer["Content-Type"].startswith("text/html"):
            page = answer.content.decode()
            titles[stop.name] = (text_of(page, "title"), text_of(page, "h1"))
    astray = {
        name: title_pair
        for name, title_pair in titles.items()
        if name not in HEADED_OTHERWISE
        and not (title_pair[1] and title_pair[0].startswith(title_pair[1]))
    }
    assert astray == {}
    assert len(titles) > 150


def why_not(stop: Stop) -> str:
    """The reason of the longest name that the page's name begins with."""
    fitting = [name for name in REASONS if f"{stop.name}-".startswith(f"{name}-")]
    return REASONS[max(fitting, key=len)] if fitting else ""


def fault_of(client: Client, stop: Stop) -> str:
    """What cannot be taken along from a page that has a table; empty where everything can."""
    page = client.get(stop.address).content.decode()
    downloads = {kind: address for address, kind in TO_DOWNLOAD.findall(page)}
    if "<table" not in page or (not downloads and why_not(stop)):
        return ""
    for kind, media_type in KINDS.items():
        if kind not in downloads:
            return f"no {kind}"
        answer = client.get(downloads[kind].replace("&amp;", "&"))
        if answer.status_code != 200 or not answer["Content-Type"].startswith(media_type):
            return f"{kind}: {answer.status_code} {answer['Content-Type']} {downloads[kind]}"
    return ""


@pytest.mark.sampled(law="long plays")
def test_every_table_of_the_sample_club_can_be_taken_along(
    visitor: Callable[[Stop], Client],
) -> None:
    tour_stops = stops()
    faults = {stop.name: fault for stop in tour_stops if (fault := fault_of(visitor(stop), stop))}
    assert faults == {}
    assert len(tour_stops) > 50


def is_a_list(operation: Any) -> bool:
    """Whether an operation answers with rows."""
    answer = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    schema = answer.get("schema", {})
    shape = str(schema.get("$ref", "")).rpartition("/")[2]
    return shape.startswith("Paginated") or bool(schema.get("type") == "array")


def test_every_list_of_the_api_is_a_file_as_well() -> None:
    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    lists = {
        path: set(methods["get"]["responses"]["200"]["content"])
        for path, methods in schema["paths"].items()
        if "get" in methods and is_a_list(methods["get"])
    }
    assert len(lists) > 40
    assert [path for path, kinds in lists.items() if not kinds >= set(KINDS.values())] == []


@pytest.mark.sampled(law="long plays")
def test_no_page_asks_or_weighs_too_much(
    visitor: Callable[[Stop], Client], sample_of: SampleOf
) -> None:
    """The second time someone looks; what is kept for everyone is there by then."""
    heavy: dict[str, tuple[int, int]] = {}
    looked_at = sample_of([stop.name for stop in stops()])
    for stop in (stop for stop in stops() if stop.name in looked_at):
        statements, size = _cost(visitor(stop), stop)
        most, _ = ASKS_MORE.get(stop.name, (MOST_STATEMENTS, ""))
        if statements > most or size > MOST_BYTES:
            heavy[stop.name] = (statements, size)
    assert heavy == {}


def _cost(client: Client, stop: Stop) -> tuple[int, int]:
    """Statements and bytes of a page that was looked at before."""
    client.get(stop.address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(stop.address)
    return len(queries), len(answer.content)
