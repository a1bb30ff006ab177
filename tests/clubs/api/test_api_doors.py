"""A club over the API: who may do what at every address, and what the secretary's desk takes."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.test import Client

from clubs import api_urls
from tests.admission import MEMBERS, ORGANISERS, PEOPLE, SCORERS, SECRETARY, Entry, differences
from tests.api import api_client, faults, handlers_of, patch, send
from tests.clubs.office import Office, parts_of
from tests.people import make_player

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


def changes(name: str, /, **told: Any) -> Way:
    return Way(f"api-{name}", "patch", SECRETARY, 200, one(**told))


def margaret(office: Office) -> dict[str, Any]:
    """Someone who sits at a table."""
    return {"player": office.club.players.get(name="Margaret").pk}


AT_THE_DESK = (
    *ways(
        MEMBERS,
        "get",
        "club player-list my-name my-emails my-everything calendar series-list series-detail "
        "player-career player-evening-list player-company house-rules hand-list special-hand-list "
        "special-book papers club-paper",
    ),
    *ways(MEMBERS, "get", "rating", 404),
    *ways(
        SECRETARY,
        "get",
        "member-list player-detail subscriptions import-list backup activity-list "
        "player-everything holiday-list holiday-detail price money-year money batch-list "
        "undelivered batch-detail job-list job-detail settings club-name club-public house-list "
        "house-detail webhook-list webhook-detail delivery-list",
    ),
    *ways(SECRETARY, "get", "job-result club-file-result", 404),
    *ways(SECRETARY, "post", "club-file", 201),
    *ways(SECRETARY, "post", "player-renew player-lapse import-undo webhook-secret delivery-again"),
    *ways(SECRETARY, "post", "player-join", 409),
    *ways(SECRETARY, "delete", "player-detail", 409),
    *ways(SECRETARY, "post", "webhook-test", 201),
    *ways(SECRETARY, "delete", "series-detail holiday-detail payment webhook-detail", 204),
    Way("api-my-name", "patch", MEMBERS, 200, one(shown_as="initial")),
    Way("api-my-emails", "patch", MEMBERS, 200, one(wants_results=True)),
    changes("player-detail", phone="01234"),
    changes("subscriptions", visits=4),
    changes("series-detail", place="Hall"),
    changes("price", pence=300),
    changes("settings", rates=True),
    changes("club-name", name="Riverside Winds"),
    changes("club-public", shows_league=True),
    changes("webhook-detail", kinds=["hand.recorded"]),
    sends("player-list", one(name="Zoë Adams")),
    sends("import-list", one(text="name\nBronwen")),
    sends("series-list", one(**SERIES)),
    sends("holiday-list", one(name="Snow", first_on="2026-12-01", last_on="2026-12-02")),
    sends("money", margaret),
    sends("webhook-list", one(address="https://example.org/", kinds=["member.added"])),
)
WHILE_PLAYING = (
    *ways(
        MEMBERS,
        "get",
        "evening-list evening-detail evening-result evening-floor evening-why evening-paper "
        "season-list season-detail season-standings season-why season-paper",
        None,
    ),
    *ways(
        ORGANISERS,
        "get",
        "evening-disputes evening-sheets evening-links evening-papers season-papers",
        None,
    ),
    *ways(SCORERS, "get", "evening-repairs", None),
    *ways(
        SECRETARY,
        "get",
        "evening-check-in evening-advice evening-changes season-rules season-given",
        None,
    ),
    *ways(PEOPLE, "get", "receipt wall rules-page rules-aid", None),
    *ways(PEOPLE, "post", "score score-taps", None),
    *ways(
        SECRETARY,
        "post",
        "evening-list evening-check-in evening-guests evening-seat evening-clear evening-close "
        "evening-reopen evening-cancel evening-restore evening-places evening-move "
        "evening-comes evening-leaves evening-new-table evening-change-undo season-list "
        "season-pack season-book",
        None,
    ),
    *ways(SECRETARY, "patch", "season-detail", None),
    *ways(SECRETARY, "delete", "evening-detail", None),
)
WAYS = (*AT_THE_DESK, *WHILE_PLAYING)
OF_NO_ROW = {"club", "year", "day", "key", "printout"}
OF_A_CLUBS_ROW = [
    way for way in WAYS if "club" in parts_of(way.name) and {*parts_of(way.name)} - OF_NO_ROW
]
OF_A_GAME = ("api-game", "api-link")  # tried in tests/clubs/table/test_game_doors.py
OF_NO_CLUB = {"api-token", "api-key-list", "api-key-detail", "api-clubs", "api-rules"}
SHOWN = """
    club player-career player-evening-list player-company house-rules hand-list special-hand-list
    special-book papers club-paper evening-list evening-detail evening-result evening-floor
    evening-why evening-paper season-list season-detail season-standings season-paper
"""
PUBLIC = (
    "club calendar player-career player-evening-list player-company house-rules hand-list "
    "special-hand-list special-book papers club-paper"
)


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


def test_every_address_and_method_is_in_the_table() -> None:
    offered = {
        (str(pattern.name), method)
        for pattern in api_urls.urlpatterns
        if pattern.name not in OF_NO_CLUB and not str(pattern.name).startswith(OF_A_GAME)
        for method in handlers_of(pattern.callback)
    }
    assert offered == {(way.name, way.method) for way in WAYS}


SENT = tuple(way for way in WAYS if way.sent is not None)
NEVER_RIGHT: tuple[Any, ...] = ({}, [[{}]], 10**30, -(10**30), 1.5, "x" * 20_000, "\x00")
NO_OBJECT: tuple[Any, ...] = ([], "x", 1, None, [{}])
PLAYERS = "/api/v1/clubs/riverside/players/"


@pytest.fixture
def secretary(office: Office) -> Client:
    return api_client(office.cast.secretary)


@pytest.mark.sampled
@pytest.mark.parametrize("way", SENT, ids=named)
def test_what_is_not_described_is_refused(office: Office, secretary: Client, way: Way) -> None:
    def status_for(sent: Any) -> int:
        """The status that the secretary gets; what was done is taken back."""
        with transaction.atomic():
            body = json.dumps(sent)
            answer = getattr(secretary, way.method)(address, body, content_type="application/json")
            transaction.set_rollback(True)
        return int(answer.status_code)

    assert way.sent is not None
    right, address = way.sent(office), office.address(way.name)
    wrong: list[Any] = [{**right, field: never} for field in right for never in NEVER_RIGHT]
    wrong += [{**right, "strange": 1}, *NO_OBJECT]
    assert [sent for sent in wrong if status_for(sent) != 400] == []


def test_a_person_who_is_not_there_is_said_at_the_field(office: Office, secretary: Client) -> None:
    sent = send(secretary, office.address("api-money"), {"player": 2**63 - 1})
    assert faults(sent) == [("invalid_choice", "player")]


def test_a_paper_says_in_which_ways_it_is_printed(office: Office, secretary: Client) -> None:
    (paper, *_) = secretary.get(office.address("api-papers")).json()["results"]
    assert [(option["name"], option["title"], option["values"]) for option in paper["options"]] == [
        ("paper", "Paper", ["a4", "letter"]),
        ("print", "Text size", ["ordinary", "large"]),
        ("contrast", "Colours", ["ordinary", "high"]),
    ]


@pytest.mark.parametrize("asked", ["paper=a3", "print=tiny", "pages=x", "strange=1"])
def test_a_paper_is_not_printed_in_a_way_that_there_is_not(
    office: Office, secretary: Client, asked: str
) -> None:
    answer = secretary.get(f"{office.address('api-club-paper')}?{asked}")
    assert (answer.status_code, faults(answer)[0][1]) == (400, asked.partition("=")[0])


def test_somebody_who_has_paid_for_thousands_of_years_is_not_renewed(
    office: Office, secretary: Client
) -> None:
    patch(secretary, office.address("api-player-detail"), paid_until="9999-12-31")
    sent = send(secretary, office.address("api-player-renew"), {})
    assert faults(sent) == [("paid_for_long", "paid_until")]


@pytest.mark.parametrize("how", [{"how": "every"}, {"how": "weeks", "weeks": ["5"]}])
def test_a_series_until_the_end_of_time_is_refused(
    office: Office, secretary: Client, how: dict[str, Any]
) -> None:
    series = {**SERIES, "first_on": "9999-12-01", "last_on": "9999-12-31", **how}
    sent = send(secretary, office.address("api-series-list"), series)
    assert faults(sent) == [("too_far", "last_on")]


def test_the_secretary_adds_a_member(office: Office, secretary: Client) -> None:
    sent = send(secretary, PLAYERS, {"name": "Zoë Adams", "phone": "01234 5678"})
    assert (sent.status_code, sent.json()["name"]) == (201, "Zoë Adams")
    assert office.club.players.get(pk=sent.json()["id"]).phone == "01234 5678"


def test_a_name_that_is_there_already_is_refused_in_a_sentence(
    office: Office, secretary: Client
) -> None:
    make_player(office.club, "Zoë Adams")
    sent = send(secretary, PLAYERS, {"name": "zoe adams"})
    assert (sent.status_code, [where for _, where in faults(sent)]) == (409, ["name"])


def test_what_the_form_finds_is_told_at_its_field(secretary: Client) -> None:
    sent = send(secretary, PLAYERS, {"name": "Zoë", "wants_results": True, "x": 1})
    assert set(faults(sent)) == {("unknown_field", "x"), ("invalid", "email")}
    sent = send(secretary, PLAYERS, {"name": "Zoë", "wants_results": True, "email": ""})
    assert [where for _, where in faults(sent)] == ["email"]


def test_what_is_not_sent_stays(office: Office, secretary: Client) -> None:
    player = make_player(office.club, "Zoë Adams", phone="01234", email="zoe@example.org")
    sent = patch(secretary, f"{PLAYERS}{player.pk}/", phone="09876")
    assert sent.status_code == 200, sent.json()
    player.refresh_from_db()
    assert (player.name, player.phone, player.email) == ("Zoë Adams", "09876", "zoe@example.org")
