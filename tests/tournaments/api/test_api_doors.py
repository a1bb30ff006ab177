"""Who may pass which door of a tournament's API: every address tried by the whole cast."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from tests.admission import Entry, differences
from tests.api import api_client, handlers_of
from tests.sampling import SampleOf
from tests.tournaments.core.test_doors import Hall, hall, laid_hall
from tournaments import api_urls

__all__ = ["hall", "laid_hall"]
MEMBERS = ("secretary", "director", "scorer", "player")
SCORERS = ("secretary", "director", "scorer")
RUNNERS = ("secretary", "director")


def add_prefix(prefix: str, names: str) -> tuple[str, ...]:
    """These names, each after the prefix."""
    return tuple(f"{prefix}{name}" for name in names.split())


OPEN_GETS = (
    *add_prefix("api-", "tournament-wall tournament-clock find-me find-me-one why-open results"),
    "api-results-pdf",
)
MEMBERS_GETS = (
    *add_prefix("api-", "tournament-list tournament-detail standings clock seating seating-why"),
    *add_prefix("api-", "seating-draws"),
    *add_prefix("api-tournament-", "desk results records hand-list"),
    "api-tournament-paper",
)
SCORERS_GETS = (
    *add_prefix("api-tournament-", "sheets repairs links papers"),
    *add_prefix("api-tournament-", "printed printed-pdf"),
)
RUNNERS_GETS = (
    *add_prefix("api-tournament-", "presets settings"),
    "api-entrant-list",
    "api-entrant-member-list",
    "api-entrants-terms",
    "api-entrant-detail",
    *add_prefix("api-seating-", "draw-json changes ways by-hand"),
    *add_prefix("api-", "prize-list prize-detail"),
)


# What is not there yet: results are not published, no round is seated by standings or waits, nobody
# has won.
NOT_NOW = {
    **{name: 404 for name in OPEN_GETS if name.startswith("api-results")},
    "api-seating-ways": 409,
    "api-tournament-printed-pdf": 404,
}
SCORERS_WRITES = ("post api-tournament-printing",)
RUNNERS_WRITES = (
    *add_prefix("patch api-", "tournament-settings entrants-terms entrant-detail prize-detail"),
    *add_prefix("post api-", "tournament-list entrant-list entrant-withdraw entrant-readmit"),
    "post api-round-by-standing",
    "post api-entrant-member-list",
    *add_prefix("post api-entrants-", "names import"),
    *add_prefix("post api-seating-", "swap substitute anew takeover undo by-hand"),
    "post api-seating-list",
    *add_prefix("post api-tournament-", "seat clear finish reopen"),
    *add_prefix("post api-round-", "start unstart close reopen"),
    *add_prefix("post api-results-", "publish hide release withdraw"),
    "post api-stop-tables",
    *add_prefix("post api-", "clock-set clock-minutes"),
    *add_prefix("post api-", "prize-list prize-standard prize-rule prize-move"),
    "delete api-prize-detail",
    "delete api-tournament-detail",
)
READS = {
    **dict.fromkeys(OPEN_GETS, (*MEMBERS, "member of another club", "nobody")),
    **dict.fromkeys(MEMBERS_GETS, MEMBERS),
    **dict.fromkeys(SCORERS_GETS, SCORERS),
    **dict.fromkeys(RUNNERS_GETS, RUNNERS),
}
WRITES = {**dict.fromkeys(SCORERS_WRITES, SCORERS), **dict.fromkeys(RUNNERS_WRITES, RUNNERS)}
WRITTEN = {name.rpartition(" ")[2] for name in WRITES}
# Those of a game are tried in tests/clubs/table/test_game_doors.py.
PATTERNS: dict[str, URLPattern] = {
    str(url_pattern.name): url_pattern
    for url_pattern in api_urls.urlpatterns
    if not str(url_pattern.name).startswith("api-game")
}


def refusal_status(person: str) -> int:
    return 401 if person == "nobody" else 403


def ask(client: Client, method: str, url: str) -> int:
    """The status of an answer; what is sent has a field that nothing takes."""
    body = {} if method in {"get", "delete"} else {"no_such_field": 1}
    kind = {} if method in {"get", "delete"} else {"content_type": "application/json"}
    status: int = getattr(client, method)(url, body, **kind).status_code
    return status


def walk(hall: Hall, person: str, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    client = api_client(hall.cast.people()[person])
    for name in names:
        method, _, place = name.rpartition(" ")
        yield name, ask(client, method or "get", hall.address(place))


PEOPLE = (*MEMBERS, "member of another club", "nobody")


def test_the_doors_let_in_whom_the_tables_name(hall: Hall) -> None:
    def status_for(person: str, entry: Entry) -> int:
        return ask(api_client(hall.cast.people()[person]), entry.method, entry.address)

    entries = []
    for name, allowed_people in {**READS, **WRITES}.items():
        method, _, place = name.rpartition(" ")
        entries.append(Entry(hall.address(place), method or "get", frozenset(allowed_people)))
    assert differences(entries, hall.cast, status_for) == []


@pytest.mark.sampled
@pytest.mark.parametrize("person", PEOPLE)
def test_who_may_read_what(hall: Hall, person: str, sample_of: SampleOf) -> None:
    names = sample_of(READS)
    expected = {
        name: NOT_NOW.get(name, 200) if person in READS[name] else refusal_status(person)
        for name in names
    }
    assert dict(walk(hall, person, names)) == expected


DONE = {"delete api-prize-detail": 204, "delete api-tournament-detail": 409}


@pytest.mark.sampled
@pytest.mark.parametrize("person", PEOPLE)
def test_who_may_change_what(hall: Hall, person: str, sample_of: SampleOf) -> None:
    """Whoever may is told that there is no such field; a deletion, that it is done or cannot be."""
    names = sample_of(WRITES)
    expected = {
        name: DONE.get(name, 400) if person in WRITES[name] else refusal_status(person)
        for name in names
    }
    assert dict(walk(hall, person, names)) == expected


def test_every_address_of_the_api_is_tried() -> None:
    listed_names = {*READS, *WRITES}
    actual_names = set()
    for name, pattern in PATTERNS.items():
        for method in handlers_of(pattern.callback):
            actual_names.add(name if method == "get" else f"{method} {name}")
    assert listed_names ^ actual_names == set()


@pytest.mark.sampled(law="long plays")
def test_nothing_of_another_club_is_found_under_ones_own(hall: Hall) -> None:
    stranger = api_client(hall.cast.stranger)
    names = [
        name
        for name in {**READS, **WRITES}
        if "tournament>" in str(PATTERNS[name.rpartition(" ")[2]].pattern)
    ]
    statuses = {}
    for name in names:
        method, _, place = name.rpartition(" ")
        elsewhere = hall.address(place).replace("/riverside/", "/hill-top/")
        body = {} if (method or "get") in {"get", "delete"} else BODIES.get(place, {})
        kind = {} if not body and not method else {"content_type": "application/json"}
        statuses[name] = getattr(stranger, method or "get")(elsewhere, body, **kind).status_code
    assert {name: status for name, status in statuses.items() if status != 404} == {}


@pytest.mark.parametrize("name", MEMBERS_GETS)
def test_a_club_may_show_its_tournaments_to_everybody(hall: Hall, name: str) -> None:
    hall.cast.club.shows_results = True
    hall.cast.club.save()
    assert ask(Client(), "get", hall.address(name)) == 200


# What the acts are sent, each as its shape has it.
BODIES: dict[str, dict[str, Any]] = {
    "api-entrant-list": {"name": "Zoë Adams"},
    "api-entrant-member-list": {"players": [1]},
    "api-entrants-names": {"names": ["Zoë Adams"]},
    "api-entrants-import": {"text": "name\nZoë Adams"},
    "api-tournament-printing": {"kind": "sheets"},
    "api-seating-swap": {"number": 1, "one": 1, "other": 2},
    "api-seating-takeover": {"leaver": 1, "newcomer": 2},
    "api-seating-substitute": {"entrant": 1, "number": 1},
    "api-seating-by-hand": {"tables": [{"number": 1, "names": ["", "", "", ""]}]},
    "api-seating-list": {"text": "1,1,Ann,Ben,Cy,Di"},
    "api-round-by-standing": {},
    "api-round-reopen": {"reason": "Looking"},
    "api-tournament-reopen": {"reason": "Looking"},
    "api-clock-set": {"action": "pause"},
    "api-clock-minutes": {"minutes": 5},
    "api-prize-list": {"kind": "last"},
    "api-prize-rule": {"one_each": True},
    "api-prize-move": {"up": True},
}
