"""Who may do what at the secretary's desk over the API: every address tried by the whole cast."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from django.urls import get_resolver

from clubs.audit import api as audit_api
from clubs.evenings.api import calendar
from clubs.house import api as house_api
from clubs.league.api import results
from clubs.members import api as members_api
from clubs.messages import api as messages_api
from clubs.privacy import api as privacy_api
from tests.admission import Entry, differences
from tests.api import api_client
from tests.clubs.office import PURBECK, Office, make_office
from tests.people import make_cast
from tests.test_doors import patterns

PEOPLE = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
MEMBERS = ("secretary", "director", "scorer", "player")
ORGANISERS = ("secretary", "director", "scorer")
SECRETARY = ("secretary",)
SERIES = {
    "name": "Afternoon",
    "first_on": "2026-12-01",
    "last_on": "2026-12-15",
    "how": "every",
    "starts_at": "14:00",
    "ends_at": "16:30",
}
Sent = Callable[[Office], dict[str, Any]] | None


class Way(NamedTuple):
    """One thing that can be done at an address, by whom, and what comes of it.

    ``parts`` are the keys in the address beside the club.
    """

    name: str
    method: str
    parts: str
    who: tuple[str, ...]
    status: int = 200
    sent: Sent = None


def one(**told: Any) -> Sent:
    """The same, whatever is there."""
    return lambda _: told


def pat(office: Office) -> dict[str, Any]:
    return {"player": office.pat.pk}


def margaret(office: Office) -> dict[str, Any]:
    """Someone who sits at a table."""
    return {"player": office.club.players.get(name="Margaret").pk}


def message(office: Office) -> dict[str, Any]:
    return {"message": office.message.pk}


WAYS = (
    Way("api-club", "get", "", MEMBERS),
    Way("api-players", "get", "", MEMBERS),
    Way("api-players", "post", "", SECRETARY, 201, one(name="Zoë Adams")),
    Way("api-members", "get", "", SECRETARY),
    Way("api-player", "get", "player", SECRETARY),
    Way("api-player", "patch", "player", SECRETARY, 200, one(phone="01234")),
    Way("api-player-renew", "post", "player", SECRETARY),
    Way("api-player-lapse", "post", "player", SECRETARY),
    Way("api-player-join", "post", "player", SECRETARY, 400),
    Way("api-subscriptions", "get", "", SECRETARY),
    Way("api-subscriptions", "patch", "", SECRETARY, 200, one(visits=4)),
    Way("api-twins", "get", "", SECRETARY),
    Way("api-merges", "get", "", SECRETARY),
    Way("api-merge-undo", "post", "merge", SECRETARY),
    Way("api-player-merge", "post", "player", SECRETARY, 201, lambda o: {"gone": o.twin.pk}),
    Way("api-imports", "get", "", SECRETARY),
    Way("api-imports", "post", "", SECRETARY, 201, one(text="name\nBronwen")),
    Way("api-import-preview", "post", "", SECRETARY, 200, one(people=[{"name": "Bronwen"}])),
    Way("api-import-undo", "post", "made", SECRETARY),
    Way("api-kept", "get", "", SECRETARY),
    Way("api-kept", "patch", "", SECRETARY, 200, one(guests=6)),
    Way("api-kept", "delete", "", SECRETARY, 204),
    Way("api-erasures", "get", "", SECRETARY),
    Way("api-backup", "get", "", SECRETARY),
    Way("api-who-did-what", "get", "", SECRETARY),
    Way("api-player-erase", "get", "player", SECRETARY),
    Way("api-player-erase", "post", "player", SECRETARY, 200, one(name="Pat")),
    Way("api-player-everything", "get", "player", SECRETARY),
    Way("api-my-name", "get", "", MEMBERS),
    Way("api-my-name", "patch", "", MEMBERS, 200, one(shown_as="initial")),
    Way("api-my-everything", "get", "", MEMBERS),
    Way("api-wishes", "get", "", SECRETARY),
    Way(
        "api-wishes",
        "post",
        "",
        SECRETARY,
        201,
        lambda o: {"kind": "apart", "player": o.pat.pk, "other": o.twin.pk},
    ),
    Way("api-wish", "get", "wish", SECRETARY),
    Way("api-wish", "delete", "wish", SECRETARY, 204),
    Way("api-calendar", "get", "", MEMBERS),
    Way("api-series-list", "get", "", MEMBERS),
    Way("api-series-list", "post", "", SECRETARY, 201, one(**SERIES)),
    Way("api-series-preview", "post", "", SECRETARY, 200, one(**SERIES)),
    Way("api-series", "get", "series", MEMBERS),
    Way("api-series", "patch", "series", SECRETARY, 200, one(place="Hall")),
    Way("api-series", "delete", "series", SECRETARY, 204),
    Way("api-holidays", "get", "", SECRETARY),
    Way(
        "api-holidays",
        "post",
        "",
        SECRETARY,
        201,
        one(name="Snow", first_on="2026-12-01", last_on="2026-12-02"),
    ),
    Way("api-holiday", "get", "holiday", SECRETARY),
    Way("api-holiday", "delete", "holiday", SECRETARY, 204),
    Way("api-standby", "get", "", SECRETARY),
    Way("api-standby", "post", "", SECRETARY, 201, pat),
    Way("api-standby-person", "delete", "player", SECRETARY, 204),
    Way("api-filling-in", "get", "day", SECRETARY),
    Way("api-invitations", "post", "day", SECRETARY, 201, pat),
    Way("api-price", "get", "", SECRETARY),
    Way("api-price", "patch", "", SECRETARY, 200, one(pence=300)),
    Way("api-money-year", "get", "year", SECRETARY),
    Way("api-money", "get", "evening", SECRETARY),
    Way("api-money", "post", "evening", SECRETARY, 201, margaret),
    Way("api-payment", "delete", "evening player", SECRETARY, 204),
    Way("api-messages", "get", "", SECRETARY),
    Way(
        "api-messages",
        "post",
        "",
        SECRETARY,
        201,
        one(kind="message", subject="Lunch", text="Come, {name}.", who="members"),
    ),
    Way("api-message-kinds", "get", "", SECRETARY),
    Way("api-undelivered", "get", "", SECRETARY),
    Way("api-batch", "get", "batch", SECRETARY),
    Way("api-batch", "patch", "batch", SECRETARY, 200, one(subject="Tea")),
    Way("api-letters", "get", "batch", SECRETARY),
    Way("api-letter", "get", "batch message", SECRETARY),
    Way("api-letter", "patch", "batch message", SECRETARY, 200, one(subject="Tea")),
    Way("api-batch-send", "post", "batch", SECRETARY, 200, lambda o: {"seen": o.seen}),
    Way("api-batch-stop", "post", "batch", SECRETARY),
    Way("api-batch-again", "post", "batch", SECRETARY),
    Way("api-batch-leave-out", "post", "batch", SECRETARY, 200, message),
    Way("api-batch-take-in", "post", "batch", SECRETARY, 200, message),
    Way(
        "api-batch-told", "post", "batch", SECRETARY, 200, lambda o: {**message(o), "by": "letter"}
    ),
    Way("api-by-hand", "get", "batch", SECRETARY),
    Way("api-batch-papers", "get", "batch", SECRETARY),
    Way("api-letters-pdf", "get", "batch", SECRETARY),
    Way("api-phone-pdf", "get", "batch", SECRETARY),
    Way("api-player-career", "get", "player", MEMBERS),
    Way("api-player-evenings", "get", "player", MEMBERS),
    Way("api-player-company", "get", "player", MEMBERS),
    Way("api-rating", "get", "", MEMBERS, 404),
    Way("api-special-hands", "get", "", MEMBERS),
    Way("api-special-book", "get", "", MEMBERS),
    Way("api-papers", "get", "", MEMBERS),
    Way("api-special-hands-pdf", "get", "", MEMBERS),
    Way("api-jobs", "get", "", SECRETARY),
    Way("api-job", "get", "job", SECRETARY),
    Way("api-job-result", "get", "job", SECRETARY, 404),
    Way("api-settings", "get", "", SECRETARY),
    Way("api-settings", "patch", "", SECRETARY, 200, one(rates=True)),
    Way("api-club-public", "get", "", SECRETARY),
    Way("api-club-public", "patch", "", SECRETARY, 200, one(shows_league=True)),
    Way("api-house-list", "get", "", SECRETARY),
    Way("api-house-list", "post", "", SECRETARY, 201, one(rules={**PURBECK, "limit": 400})),
    Way("api-house-preview", "post", "", SECRETARY, 200, one(rules=PURBECK)),
    Way("api-house", "get", "rules", SECRETARY),
    Way("api-house-retire", "post", "rules", SECRETARY),
    Way("api-house-offer", "post", "rules", SECRETARY),
    Way("api-rehearse", "post", "", ORGANISERS, 201),
    Way("api-rehearsal", "get", "", ORGANISERS, 404),
    Way("api-rehearsal", "delete", "", SECRETARY, 404),
    Way("api-rehearsal-play", "post", "", ORGANISERS, 404, one(hands=1)),
    Way("api-rehearsal-again", "post", "", SECRETARY, 404),
)
ELSEWHERE = {"api-answer": "by a link", "api-house-book": "with a key", "api-player-merge": "?gone"}
PUBLIC = (
    "api-club",
    "api-calendar",
    "api-player-career",
    "api-player-evenings",
    "api-player-company",
    "api-special-hands",
    "api-special-book",
    "api-papers",
    "api-special-hands-pdf",
)


@pytest.fixture(scope="module")
def made(standing: None) -> Office:
    return make_office(make_cast())


@pytest.fixture
def office(db: None, made: Office) -> Office:
    return deepcopy(made)


def named(way: Way) -> str:
    return f"{way.method} {way.name}"


def address_of(office: Office, way: Way, **instead: Any) -> str:
    return office.address(way.name, *way.parts.split(), **instead)


def answer(office: Office, way: Way, user: Any, **instead: Any) -> int:
    """The status that someone gets."""
    address = address_of(office, way, **instead)
    sent = way.sent(office) if way.sent else {}
    told = {} if way.method == "get" else {"data": sent, "content_type": "application/json"}
    status: int = getattr(api_client(user), way.method)(address, **told).status_code
    return status


def test_the_doors_let_in_whom_the_table_names(office: Office) -> None:
    ways = {Entry(address_of(office, way), way.method, frozenset(way.who)): way for way in WAYS}
    everybody = office.cast.everybody()
    asked = lambda who, entry: answer(office, ways[entry], everybody[who])  # noqa: E731
    assert differences(ways, office.cast, asked) == []


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS, ids=named)
def test_who_may(office: Office, way: Way) -> None:
    refused = dict.fromkeys(PEOPLE, 403) | {"nobody": 401}
    expected = refused | dict.fromkeys(way.who, way.status)
    everybody = office.cast.everybody()
    found = {person: answer(office, way, everybody[person]) for person in reversed(PEOPLE)}
    assert found == expected


@pytest.mark.parametrize(
    "way", [way for way in WAYS if way.parts not in {"", "year", "day"}], ids=named
)
def test_nothing_of_another_club_is_found_under_ones_own(office: Office, way: Way) -> None:
    assert answer(office, way, office.cast.stranger, club="hill-top") == 404


@pytest.mark.parametrize("name", PUBLIC)
def test_a_club_may_show_its_results_to_everybody(office: Office, name: str) -> None:
    office.club.shows_results = name != "api-calendar"
    office.club.shows_calendar = name == "api-calendar"
    office.club.save()
    (way,) = [way for way in WAYS if (way.name, way.method) == (name, "get")]
    found = {answer(office, way, user) for user in office.cast.everybody().values()}
    assert found == {200}


def test_a_club_that_shows_its_results_keeps_its_calendars_addresses(office: Office) -> None:
    office.club.shows_calendar = True
    office.club.save()
    (way,) = [way for way in WAYS if (way.name, way.method) == ("api-series-list", "get")]
    assert answer(office, way, office.cast.stranger) == 403


def test_every_address_of_the_desk_is_tried() -> None:
    rooms = (members_api, privacy_api, audit_api, calendar, messages_api, results, house_api)
    there = {str(pattern.name) for room in rooms for pattern in room.urlpatterns}
    assert there - {way.name for way in WAYS} - ELSEWHERE.keys() == set()
    assert there <= {str(pattern.name) for pattern in patterns(get_resolver())}
