"""Who may do what in a club over the API: every address and method tried by the whole cast."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import pytest

from clubs import api_urls
from tests.admission import MEMBERS, ORGANISERS, PEOPLE, SCORERS, SECRETARY, Entry, differences
from tests.api import api_client
from tests.clubs.office import PURBECK, Office, make_office, parts_of
from tests.people import make_cast

SERIES = {
    "name": "Afternoon",
    "first_on": "2026-12-01",
    "last_on": "2026-12-15",
    "how": "every",
    "starts_at": "14:00",
    "ends_at": "16:30",
}
FORBIDDEN = {401, 403}
Sent = Callable[[Office], dict[str, Any]] | None


class Way(NamedTuple):
    """One thing that can be done at an address, by whom, with what, and what comes of it.

    Without a ``status`` anything may come of it but a refusal.
    """

    name: str
    method: str
    who: tuple[str, ...]
    status: int | None = 200
    sent: Sent = None


def ways(who: tuple[str, ...], method: str, names: str, status: int | None = 200) -> list[Way]:
    """The same by the same people at each of these addresses (without their ``api-``)."""
    return [Way(f"api-{name}", method, who, status) for name in names.split()]


def one(**told: Any) -> Sent:
    """The same, whatever is there."""
    return lambda _: told


def sends(name: str, sent: Sent, status: int = 201) -> Way:
    """What only the secretary may, with something to say."""
    return Way(f"api-{name}", "post", SECRETARY, status, sent)


def changes(name: str, **told: Any) -> Way:
    return Way(f"api-{name}", "patch", SECRETARY, 200, one(**told))


def pat(office: Office) -> dict[str, Any]:
    return {"player": office.pat.pk}


def margaret(office: Office) -> dict[str, Any]:
    """Someone who sits at a table."""
    return {"player": office.club.players.get(name="Margaret").pk}


def message(office: Office) -> dict[str, Any]:
    return {"message": office.message.pk}


AT_THE_DESK = (
    *ways(
        MEMBERS,
        "get",
        "club players my-name my-everything calendar series-list series player-career "
        "player-evenings player-company house-rules special-hands "
        "special-book papers special-hands-pdf",
    ),
    *ways(MEMBERS, "get", "rating", 404),
    *ways(
        SECRETARY,
        "get",
        "members player subscriptions twins merges imports kept erasures backup who-did-what "
        "player-erase player-everything wishes wish holidays holiday standby filling-in price "
        "money-year money messages message-kinds undelivered batch letters letter by-hand "
        "batch-papers letters-pdf phone-pdf jobs job settings club-public house-list house "
        "house-book webhooks webhook deliveries",
    ),
    *ways(SECRETARY, "get", "job-result", 404),
    *ways(ORGANISERS, "get", "rehearsal", 404),
    *ways(
        SECRETARY,
        "post",
        "player-renew player-lapse merge-undo import-undo batch-stop batch-again house-retire "
        "house-offer webhook-secret delivery-again",
    ),
    *ways(SECRETARY, "post", "player-join", 400),
    *ways(SECRETARY, "post", "webhook-test", 201),
    *ways(ORGANISERS, "post", "rehearse", 201),
    *ways(SECRETARY, "post", "rehearsal-again", 404),
    *ways(SECRETARY, "delete", "kept wish series holiday standby-person payment webhook", 204),
    *ways(SECRETARY, "delete", "rehearsal", 404),
    Way("api-rehearsal-play", "post", ORGANISERS, 404, one(hands=1)),
    Way("api-my-name", "patch", MEMBERS, 200, one(shown_as="initial")),
    changes("player", phone="01234"),
    changes("subscriptions", visits=4),
    changes("kept", guests=6),
    changes("series", place="Hall"),
    changes("price", pence=300),
    changes("batch", subject="Tea"),
    changes("letter", subject="Tea"),
    changes("settings", rates=True),
    changes("club-public", shows_league=True),
    changes("webhook", kinds=["hand.recorded"]),
    sends("players", one(name="Zoë Adams")),
    sends("player-merge", lambda o: {"gone": o.twin.pk}),
    sends("imports", one(text="name\nBronwen")),
    sends("import-preview", one(people=[{"name": "Bronwen"}]), 200),
    sends("player-erase", one(name="Pat"), 200),
    sends("wishes", lambda o: {"kind": "apart", "player": o.pat.pk, "other": o.twin.pk}),
    sends("series-list", one(**SERIES)),
    sends("series-preview", one(**SERIES), 200),
    sends("holidays", one(name="Snow", first_on="2026-12-01", last_on="2026-12-02")),
    sends("standby", pat),
    sends("invitations", pat),
    sends("money", margaret),
    sends("messages", one(kind="message", subject="Lunch", text="Come, {name}.", who="members")),
    sends("batch-send", lambda o: {"seen": o.seen}, 200),
    sends("batch-leave-out", message, 200),
    sends("batch-take-in", message, 200),
    sends("batch-told", lambda o: {**message(o), "by": "letter"}, 200),
    sends("webhooks", one(address="https://example.org/", kinds=["member.added"])),
    sends("house-list", one(rules={**PURBECK, "limit": 400})),
    sends("house-preview", one(rules=PURBECK), 200),
)
TABLE_READS = "book said tapped seats aid ahead receipt tiles"
TABLE_ACTS = "preview agree dispute undo dealer send tiles"


def at_table(name: str, who: tuple[str, ...]) -> list[Way]:
    """What can be read and done at a table, by a link or by the club's own address."""
    return [
        *ways(who, "get", " ".join(f"{name}-{part}" for part in TABLE_READS.split()), None),
        *ways(who, "post", " ".join(f"{name}-{part}" for part in TABLE_ACTS.split()), None),
        *ways(who, "put", f"{name}-tiles", None),
        *ways(who, "delete", f"{name}-tiles", None),
    ]


WHILE_PLAYING = (
    *ways(
        MEMBERS,
        "get",
        "evenings evening evening-result evening-floor evening-why evening-why-paper "
        "evening-paper-crib evening-table seasons season season-why season-paper-table "
        "season-paper-poster",
        None,
    ),
    *ways(
        ORGANISERS,
        "get",
        "evening-disputes evening-sheets evening-links evening-papers evening-paper-emergency "
        "evening-paper-sheets evening-paper-cards evening-paper-seating-cards "
        "evening-paper-seats evening-paper-tally evening-paper-door evening-paper-blank-sheets "
        "evening-table-sheet season-papers",
        None,
    ),
    *ways(SCORERS, "get", "evening-repairs evening-table-repairs", None),
    *ways(
        SECRETARY,
        "get",
        "evening-door evening-advice evening-changes season-rules season-trial season-given",
        None,
    ),
    *ways(
        PEOPLE, "get", "table table-standings table-receipt-code wall rules-page rules-aid", None
    ),
    *ways(PEOPLE, "post", "table score score-taps", None),
    *ways(
        SECRETARY,
        "post",
        "evenings evening-tick evening-guests evening-seat evening-clear evening-close "
        "evening-reopen evening-places evening-move evening-comes evening-leaves "
        "evening-new-table evening-change-undo seasons season-rules season-adopt "
        "season-handicap season-credit season-credit-back season-pack season-book",
        None,
    ),
    *ways(SECRETARY, "patch", "season", None),
    *ways(ORGANISERS, "post", "evening-table evening-table-sheet evening-table-new-link", None),
    *ways(
        SCORERS,
        "post",
        "evening-table-decide evening-table-correct evening-table-repair-figures "
        "evening-table-repair-seats evening-table-repair-sheets evening-table-repair-winner "
        "evening-table-repair-back",
        None,
    ),
    *at_table("evening-table", ORGANISERS),
    *at_table("table", PEOPLE),
)
WAYS = (*AT_THE_DESK, *WHILE_PLAYING)
OF_NO_ROW = {"club", "year", "day", "key"}
OF_A_CLUBS_ROW = [
    way for way in WAYS if "club" in parts_of(way.name) and {*parts_of(way.name)} - OF_NO_ROW
]
OF_NO_CLUB = {"api-token", "api-keys", "api-key", "api-clubs", "api-rules", "api-answer"}
UNTRIED = {("api-player-merge", "get"): "it needs ?gone"}
SHOWN = """
    club player-career player-evenings player-company house-rules special-hands special-book
    papers special-hands-pdf evenings evening evening-result evening-floor evening-why
    evening-why-paper seasons season season-paper-table season-paper-poster
"""
PUBLIC = (
    "club calendar player-career player-evenings player-company house-rules special-hands "
    "special-book papers special-hands-pdf"
)


@pytest.fixture(scope="module")
def made(standing: None) -> Office:
    return make_office(make_cast())


@pytest.fixture
def office(db: None, made: Office) -> Office:
    return deepcopy(made)


def named(way: Way) -> str:
    return f"{way.method} {way.name}"


def answer(office: Office, way: Way, user: Any, **instead: Any) -> int:
    """The status that someone gets."""
    sent = way.sent(office) if way.sent else {}
    told = {} if way.method == "get" else {"data": sent, "content_type": "application/json"}
    address = office.address(way.name, **instead)
    status: int = getattr(api_client(user), way.method)(address, **told).status_code
    return status


def test_the_doors_let_in_whom_the_table_names(office: Office) -> None:
    found = {Entry(office.address(way.name), way.method, frozenset(way.who)): way for way in WAYS}
    everybody = office.cast.everybody()
    asked = lambda who, entry: answer(office, found[entry], everybody[who])  # noqa: E731
    assert differences(found, office.cast, asked) == []


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS, ids=named)
def test_who_may(office: Office, way: Way) -> None:
    everybody = office.cast.everybody()
    found = {person: answer(office, way, everybody[person]) for person in reversed(PEOPLE)}
    refused = dict.fromkeys(PEOPLE, 403) | {"nobody": 401}
    if way.status is None:
        assert {who for who, status in found.items() if status not in FORBIDDEN} == {*way.who}
        assert max(found.values()) < 500
    else:
        assert found == refused | dict.fromkeys(way.who, way.status)


@pytest.mark.sampled
@pytest.mark.parametrize("way", OF_A_CLUBS_ROW, ids=named)
def test_nothing_of_another_club_is_found_under_ones_own(office: Office, way: Way) -> None:
    assert answer(office, way, office.cast.stranger, club="hill-top") == 404


@pytest.mark.parametrize("way", ways(PEOPLE, "get", PUBLIC), ids=named)
def test_a_club_may_show_its_results_to_everybody(office: Office, way: Way) -> None:
    office.club.shows_results = way.name != "api-calendar"
    office.club.shows_calendar = way.name == "api-calendar"
    office.club.save()
    found = {answer(office, way, user) for user in office.cast.everybody().values()}
    assert found == {200}


def test_a_club_that_shows_its_results_keeps_its_calendars_addresses(office: Office) -> None:
    office.club.shows_calendar = True
    office.club.save()
    assert answer(office, Way("api-series-list", "get", ()), office.cast.stranger) == 403


def test_a_club_that_shows_results_and_league_shows_nothing_else(office: Office) -> None:
    office.club.shows_results = office.club.shows_league = True
    office.club.save()
    reads = [way for way in WAYS if way.method == "get" and way.who != PEOPLE]
    shown = {way.name for way in reads if answer(office, way, None) == 200}
    assert shown == {way.name for way in ways((), "get", SHOWN)}


def methods_of(view: Any) -> set[str]:
    offered = {"get", "post", "put", "patch", "delete"} & {*view.cls.http_method_names}
    return {method for method in offered if hasattr(view.cls, method)}


def test_every_address_and_method_is_in_the_table() -> None:
    offered = {
        (str(pattern.name), method)
        for pattern in api_urls.urlpatterns
        if pattern.name not in OF_NO_CLUB
        for method in methods_of(pattern.callback)
    }
    assert offered - UNTRIED.keys() == {(way.name, way.method) for way in WAYS}
