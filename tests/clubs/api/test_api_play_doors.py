"""Who may do what on an evening and in the league over the API: every address, the whole cast."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from clubs.evenings.api import evenings, tables
from clubs.league.api import seasons
from clubs.models import Session
from clubs.table.api import entry
from tests.admission import Entry, differences
from tests.api import api_client
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import Cast, make_cast

Ways = tuple[str, ...]
Who = tuple[str, ...]

DAY = date(2026, 11, 17)
ROOMS = (tables, evenings, seasons, entry)
PATTERNS = [pattern for room in ROOMS for pattern in room.urlpatterns]
READS, ACTS = ("get",), ("post",)
BOTH = ("get", "post")
EVERYBODY = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
MEMBERS = EVERYBODY[:4]
ORGANISERS = EVERYBODY[:3]
SCORERS = ("secretary", "scorer")
SECRETARY = ("secretary",)
FORBIDDEN = {401, 403}
ALONE = ("api-evening", "api-season")
CLUBS_OWN = ("api-evening-", "api-season-")

AT_THE_TABLE = {
    "book": READS,
    "said": READS,
    "preview": ACTS,
    "agree": ACTS,
    "dispute": ACTS,
    "undo": ACTS,
    "dealer": ACTS,
    "tapped": READS,
    "tiles": ("get", "post", "put", "delete"),
    "send": ACTS,
    "seats": READS,
    "aid": READS,
    "ahead": READS,
    "receipt": READS,
}
BY_THE_SCORER = {
    "decide": ACTS,
    "correct": ACTS,
    "repairs": READS,
    "repair-figures": ACTS,
    "repair-seats": ACTS,
    "repair-sheets": ACTS,
    "repair-winner": ACTS,
    "repair-back": ACTS,
}
PAPERS = ("emergency", "sheets", "cards", "seating-cards", "seats", "tally", "door", "blank-sheets")
RUNNING = (
    "tick",
    "guests",
    "seat",
    "clear",
    "close",
    "reopen",
    "places",
    "move",
    "comes",
    "leaves",
    "new-table",
    "change-undo",
)


def rows(name: str, ways: Ways, who: Who) -> dict[tuple[str, str], Who]:
    return {(name, way): who for way in ways}


def below(
    name: str, acts: Mapping[str, tuple[str, ...]], who: tuple[str, ...]
) -> dict[tuple[str, str], Any]:
    return {(f"{name}-{act}", way): who for act, ways in acts.items() for way in ways}


WHO: dict[tuple[str, str], Who] = {
    ("api-evenings", "get"): MEMBERS,
    ("api-evenings", "post"): SECRETARY,
    ("api-evening", "get"): MEMBERS,
    **{(f"api-evening-{act}", "post"): SECRETARY for act in RUNNING},
    **{(f"api-evening-{name}", "get"): SECRETARY for name in ("door", "advice", "changes")},
    **{(f"api-evening-{name}", "get"): MEMBERS for name in ("result", "floor", "why")},
    **{(f"api-evening-{name}", "get"): ORGANISERS for name in ("disputes", "sheets", "links")},
    ("api-evening-repairs", "get"): SCORERS,
    ("api-evening-why-paper", "get"): MEMBERS,
    ("api-evening-papers", "get"): ORGANISERS,
    **{(f"api-evening-paper-{kind}", "get"): ORGANISERS for kind in PAPERS},
    ("api-evening-paper-crib", "get"): MEMBERS,
    ("api-evening-table", "get"): MEMBERS,
    ("api-evening-table", "post"): ORGANISERS,
    **below("api-evening-table", AT_THE_TABLE, ORGANISERS),
    **rows("api-evening-table-sheet", BOTH, ORGANISERS),
    ("api-evening-table-new-link", "post"): ORGANISERS,
    **below("api-evening-table", BY_THE_SCORER, SCORERS),
    **rows("api-table", BOTH, EVERYBODY),
    **below("api-table", AT_THE_TABLE, EVERYBODY),
    ("api-table-standings", "get"): EVERYBODY,
    ("api-table-receipt-code", "get"): EVERYBODY,
    ("api-wall", "get"): EVERYBODY,
    ("api-seasons", "get"): MEMBERS,
    ("api-seasons", "post"): SECRETARY,
    ("api-season", "get"): MEMBERS,
    ("api-season", "patch"): SECRETARY,
    ("api-season-why", "get"): MEMBERS,
    **rows("api-season-rules", BOTH, SECRETARY),
    ("api-season-trial", "get"): SECRETARY,
    ("api-season-adopt", "post"): SECRETARY,
    ("api-season-given", "get"): SECRETARY,
    **{
        (f"api-season-{act}", "post"): SECRETARY
        for act in ("handicap", "credit", "credit-back", "pack", "book")
    },
    ("api-season-papers", "get"): ORGANISERS,
    ("api-season-paper-table", "get"): MEMBERS,
    ("api-season-paper-poster", "get"): MEMBERS,
    ("api-score", "post"): EVERYBODY,
    ("api-score-taps", "post"): EVERYBODY,
    ("api-rules-page", "get"): EVERYBODY,
    ("api-rules-aid", "get"): EVERYBODY,
}


@pytest.fixture(scope="module")
def made(standing: None) -> tuple[Cast, Session]:
    """An evening of a season at which a hand was played."""
    cast = make_cast()
    make_season(cast.club)
    session = night(cast.club, DAY, make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    return cast, session


@pytest.fixture
def cast(db: None, made: tuple[Cast, Session]) -> Cast:
    return deepcopy(made[0])


@pytest.fixture
def played(db: None, made: tuple[Cast, Session]) -> Session:
    return deepcopy(made[1])


def address_of(name: str, session: Session) -> str:
    """Where it is for this evening, its table, its hand and its season."""
    table = session.tables.get()
    known: dict[str, Any] = {
        "club": session.club.slug,
        "evening": session.pk,
        "number": 1,
        "seat": 1,
        "hand": table.game.hands.get().pk,
        "repair": 1,
        "season": session.season_id,
        "player": table.places.first().player_id,  # type: ignore[union-attr]
        "credit": 1,
        "code": "0" * 32,
        "key": session.wall_key if name == "api-wall" else table.link_key,
    }
    if name.startswith(("api-score", "api-rules")):
        known["key"] = "bmja"
    pattern = next(one for one in PATTERNS if one.name == name)
    return reverse(name, kwargs={part: known[part] for part in _parts(pattern)})


def _parts(pattern: URLPattern) -> list[str]:
    return list(pattern.pattern.converters)


def asked(client: Client, way: str, address: str) -> int:
    told: dict[str, Any] = {} if way == "get" else {"data": {}, "content_type": "application/json"}
    return int(getattr(client, way)(address, **told).status_code)


def test_every_address_and_method_is_in_the_table() -> None:
    offered = {
        (str(one.name), way)
        for one in PATTERNS
        for way in ("get", "post", "put", "patch", "delete")
        if hasattr(one.callback.cls, way) and way in one.callback.cls.http_method_names
    }
    assert offered == WHO.keys()


def test_the_doors_let_in_whom_the_table_names(cast: Cast, played: Session) -> None:
    def status_for(who: str, entry: Entry) -> int:
        return asked(api_client(cast.everybody()[who]), entry.method, entry.address)

    entries = [
        Entry(address_of(name, played), way, frozenset(who)) for (name, way), who in WHO.items()
    ]
    assert differences(entries, cast, status_for) == []


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "way"), WHO)
def test_the_door_opens_for_those_and_nobody_else(
    cast: Cast, played: Session, name: str, way: str
) -> None:
    address = address_of(name, played)
    answers = {who: asked(api_client(user), way, address) for who, user in cast.everybody().items()}
    assert max(answers.values()) < 500
    assert {who for who, status in answers.items() if status not in FORBIDDEN} == set(
        WHO[name, way]
    )


OF_ONE_CLUB = [(name, way) for name, way in WHO if name.startswith(CLUBS_OWN) or name in ALONE]


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "way"), OF_ONE_CLUB)
def test_what_is_of_another_club_is_not_found(
    cast: Cast, played: Session, name: str, way: str
) -> None:
    elsewhere = address_of(name, played).replace("/riverside/", "/hill-top/")
    assert asked(api_client(cast.stranger), way, elsewhere) == 404


def test_a_club_that_shows_its_results_shows_them_here(cast: Cast, played: Session) -> None:
    cast.club.shows_results = cast.club.shows_league = True
    cast.club.save()
    shown = {
        name
        for name, way in WHO
        if way == "get" and asked(Client(), "get", address_of(name, played)) == 200
    }
    assert {"api-evening", "api-evening-result", "api-season", "api-evening-floor"} <= shown
    assert not shown & {"api-evening-links", "api-evening-door", "api-season-given"}
