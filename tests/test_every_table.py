"""Every table of a page can be taken along as CSV, Excel and JSON, and so can lists of the API."""

import re
from typing import Any, Final

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.browser.tour import Stop, stops
from tests.sample import lay_down_sample_club
from tests.test_pages_weight import _visitor

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


def why_not(stop: Stop) -> str:
    """The reason of the longest name that the page's name begins with."""
    fitting = [name for name in REASONS if f"{stop.name}-".startswith(f"{name}-")]
    return REASONS[max(fitting, key=len)] if fitting else ""


def fault_of(client: Client, stop: Stop) -> str:
    """What cannot be taken along from a page that has a table; empty where everything can."""
    page = client.get(stop.address).content.decode()
    found = {kind: address for address, kind in TO_DOWNLOAD.findall(page)}
    if "<table" not in page or (not found and why_not(stop)):
        return ""
    for kind, media_type in KINDS.items():
        if kind not in found:
            return f"no {kind}"
        answer = client.get(found[kind].replace("&amp;", "&"))
        if answer.status_code != 200 or not answer["Content-Type"].startswith(media_type):
            return f"{kind}: {answer.status_code} {answer['Content-Type']} {found[kind]}"
    return ""


@pytest.mark.sampled(law="long plays")
@pytest.mark.django_db
def test_every_table_of_the_sample_club_can_be_taken_along() -> None:
    lay_down_sample_club()
    visitors: dict[str, Client] = {}
    faults: dict[str, str] = {}
    tables = 0
    for stop in stops():
        client = visitors.setdefault(stop.who, _visitor(stop.who))
        if fault := fault_of(client, stop):
            faults[stop.name] = fault
        tables += 1
    assert not faults, "; ".join(f"{name}: {fault}" for name, fault in faults.items())
    assert tables > 50


def is_a_list(told: Any) -> bool:
    """Whether an operation answers with rows."""
    answer = told["responses"].get("200", {}).get("content", {}).get("application/json", {})
    schema = answer.get("schema", {})
    shape = str(schema.get("$ref", "")).rpartition("/")[2]
    return shape.startswith("Paginated") or bool(schema.get("type") == "array")


def test_every_list_of_the_api_is_a_file_as_well() -> None:
    generator: Any = SchemaGenerator
    told = generator().get_schema(request=None, public=True)
    lists = {
        path: set(methods["get"]["responses"]["200"]["content"])
        for path, methods in told["paths"].items()
        if "get" in methods and is_a_list(methods["get"])
    }
    assert len(lists) > 40
    assert [path for path, kinds in lists.items() if not kinds >= set(KINDS.values())] == []
