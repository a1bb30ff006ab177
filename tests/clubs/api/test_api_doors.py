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
    people: tuple[str, ...]
    status: int | None = 200
    make_data: Sent = None


def operations_of(
    people: tuple[str, ...], method: str, names: str, status: int | None = 200
) -> list[Way]:
    """The same by the same people at each of these addresses (without their ``api-``)."""
    return [Way(f"api-{name}", method, people, status) for name in names.split()]


def constant_data(**data: Any) -> Sent:
    """The same, whatever is there."""
    return lambda _: data


def sends(name: str, make_data: Sent, status: int = 201) -> Way:
    """What only the secretary may, with something to say."""
    return Way(f"api-{name}", "post", SECRETARY, status, make_data)


def changes(name: str, /, **data: Any) -> Way:
    return Way(f"api-{name}", "patch", SECRETARY, 200, constant_data(**data))


def margaret(office: Office) -> dict[str, Any]:
    """Someone who sits at a table."""
    return {"player": office.club.players.get(name="Margaret").pk}


AT_THE_DESK = (
    *operations_of(
        MEMBERS,
        "get",
        "club player-list my-name my-emails my-everything calendar series-list series-detail "
        "player-career player-evening-list player-company house-rules hand-list special-hand-list "
        "special-book papers club-paper",
    ),
    *operations_of(MEMBERS, "get", "rating", 404),
    *operations_of(
        SECRETARY,
        "get",
        "member-list player-detail subscriptions import-list backup activity-list "
        "player-everything holiday-list holiday-detail price money-year money batch-list "
        "undelivered batch-detail job-list job-detail settings club-name club-public house-list "
        "house-detail webhook-list webhook-detail delivery-list",
    ),
    *operations_of(SECRETARY, "get", "job-result club-file-result", 404),
    *operations_of(SECRETARY, "post", "club-file", 201),
    *operations_of(
        SECRETARY, "post", "player-renew player-lapse import-undo webhook-secret delivery-again"
    ),
    *operations_of(SECRETARY, "post", "player-join", 409),
    *operations_of(SECRETARY, "delete", "player-detail", 409),
    *operations_of(SECRETARY, "post", "webhook-test", 201),
    *operations_of(SECRETARY, "delete", "series-detail holiday-detail payment webhook-detail", 204),
    Way("api-my-name", "patch", MEMBERS, 200, constant_data(shown_as="initial")),
    Way("api-my-emails", "patch", MEMBERS, 200, constant_data(wants_results=True)),
    changes("player-detail", phone="01234"),
    changes("subscriptions", visits=4),
    changes("series-detail", place="Hall"),
    changes("price", pence=300),
    changes("settings", rates=True),
    changes("club-name", name="Riverside Winds"),
    changes("club-public", shows_league=True),
    changes("webhook-detail", kinds=["hand.recorded"]),
    sends("player-list", constant_data(name="Zoë Adams")),
    sends("import-list", constant_data(text="name\nBronwen")),
    sends("series-list", constant_data(**SERIES)),
    sends("holiday-list", constant_data(name="Snow", first_on="2026-12-01", last_on="2026-12-02")),
    sends("money", margaret),
    sends("webhook-list", constant_data(address="https://example.org/", kinds=["member.added"])),
)
WHILE_PLAYING = (
    *operations_of(
        MEMBERS,
        "get",
        "evening-list evening-detail evening-result evening-floor evening-why evening-paper "
        "season-list season-detail season-standings season-why season-paper",
        None,
    ),
    *operations_of(
        ORGANISERS,
        "get",
        "evening-disputes evening-sheets evening-links evening-papers season-papers",
        None,
    ),
    *operations_of(SCORERS, "get", "evening-repairs", None),
    *operations_of(
        SECRETARY,
        "get",
        "evening-check-in evening-advice evening-changes season-rules season-given",
        None,
    ),
    *operations_of(PEOPLE, "get", "receipt wall rules-page rules-aid", None),
    *operations_of(PEOPLE, "post", "score score-taps", None),
    *operations_of(
        SECRETARY,
        "post",
        "evening-list evening-check-in evening-guests evening-seat evening-clear evening-close "
        "evening-reopen evening-cancel evening-restore evening-places evening-move "
        "evening-comes evening-leaves evening-new-table evening-change-undo season-list "
        "season-pack season-book",
        None,
    ),
    *operations_of(SECRETARY, "patch", "season-detail", None),
    *operations_of(SECRETARY, "delete", "evening-detail", None),
)
WAYS = (*AT_THE_DESK, *WHILE_PLAYING)
OF_NO_ROW = {"club", "year", "day", "key", "printout"}
OF_A_CLUBS_ROW = [
    operation
    for operation in WAYS
    if "club" in parts_of(operation.name) and {*parts_of(operation.name)} - OF_NO_ROW
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


def label_of(operation: Way) -> str:
    return f"{operation.method} {operation.name}"


def answer(office: Office, operation: Way, user: Any, **overrides: Any) -> int:
    """The status that someone gets."""
    data = operation.make_data(office) if operation.make_data else {}
    options = (
        {} if operation.method == "get" else {"data": data, "content_type": "application/json"}
    )
    address = office.address(operation.name, **overrides)
    status: int = getattr(api_client(user), operation.method)(address, **options).status_code
    return status


def test_the_doors_let_in_whom_the_table_names(office: Office) -> None:
    operations = {
        Entry(
            office.address(operation.name), operation.method, frozenset(operation.people)
        ): operation
        for operation in WAYS
    }
    people = office.cast.people()
    status_for = lambda person, entry: answer(office, operations[entry], people[person])  # noqa: E731
    assert differences(operations, office.cast, status_for) == []


@pytest.mark.sampled
@pytest.mark.parametrize("operation", WAYS, ids=label_of)
def test_who_may(office: Office, operation: Way) -> None:
    people = office.cast.people()
    statuses = {person: answer(office, operation, people[person]) for person in reversed(PEOPLE)}
    refused_statuses = dict.fromkeys(PEOPLE, 403) | {"nobody": 401}
    if operation.status is None:
        assert {person for person, status in statuses.items() if status not in FORBIDDEN} == {
            *operation.people
        }
        assert max(statuses.values()) < 500
    else:
        assert statuses == refused_statuses | dict.fromkeys(operation.people, operation.status)


@pytest.mark.sampled
@pytest.mark.parametrize("operation", OF_A_CLUBS_ROW, ids=label_of)
def test_nothing_of_another_club_is_found_under_ones_own(office: Office, operation: Way) -> None:
    assert answer(office, operation, office.cast.stranger, club="hill-top") == 404


@pytest.mark.parametrize("operation", operations_of(PEOPLE, "get", PUBLIC), ids=label_of)
def test_a_club_may_show_its_results_to_everybody(office: Office, operation: Way) -> None:
    office.club.shows_results = operation.name != "api-calendar"
    office.club.shows_calendar = operation.name == "api-calendar"
    office.club.save()
    statuses = {answer(office, operation, user) for user in office.cast.people().values()}
    assert statuses == {200}


def test_a_club_that_shows_its_results_keeps_its_calendars_addresses(office: Office) -> None:
    office.club.shows_calendar = True
    office.club.save()
    assert answer(office, Way("api-series-list", "get", ()), office.cast.stranger) == 403


def test_a_club_that_shows_results_and_league_shows_nothing_else(office: Office) -> None:
    office.club.shows_results = office.club.shows_league = True
    office.club.save()
    reads = [
        operation for operation in WAYS if operation.method == "get" and operation.people != PEOPLE
    ]
    readable_names = {
        operation.name for operation in reads if answer(office, operation, None) == 200
    }
    assert readable_names == {operation.name for operation in operations_of((), "get", SHOWN)}


def test_every_address_and_method_is_in_the_table() -> None:
    endpoints = {
        (str(pattern.name), method)
        for pattern in api_urls.urlpatterns
        if pattern.name not in OF_NO_CLUB and not str(pattern.name).startswith(OF_A_GAME)
        for method in handlers_of(pattern.callback)
    }
    assert endpoints == {(operation.name, operation.method) for operation in WAYS}


SENT = tuple(operation for operation in WAYS if operation.make_data is not None)
NEVER_RIGHT: tuple[Any, ...] = ({}, [[{}]], 10**30, -(10**30), 1.5, "x" * 20_000, "\x00")
NO_OBJECT: tuple[Any, ...] = ([], "x", 1, None, [{}])
PLAYERS = "/api/v1/clubs/riverside/players/"


@pytest.fixture
def secretary(office: Office) -> Client:
    return api_client(office.cast.secretary)


@pytest.mark.sampled
@pytest.mark.parametrize("operation", SENT, ids=label_of)
def test_what_is_not_described_is_refused(
    office: Office, secretary: Client, operation: Way
) -> None:
    def status_for(data: Any) -> int:
        """The status that the secretary gets; what was done is taken back."""
        with transaction.atomic():
            body = json.dumps(data)
            answer = getattr(secretary, operation.method)(
                address, body, content_type="application/json"
            )
            transaction.set_rollback(True)
        return int(answer.status_code)

    assert operation.make_data is not None
    right, address = operation.make_data(office), office.address(operation.name)
    wrong: list[Any] = [{**right, field: never} for field in right for never in NEVER_RIGHT]
    wrong += [{**right, "strange": 1}, *NO_OBJECT]
    assert [data for data in wrong if status_for(data) != 400] == []


def test_a_person_who_is_not_there_is_said_at_the_field(office: Office, secretary: Client) -> None:
    response = send(secretary, office.address("api-money"), {"player": 2**63 - 1})
    assert faults(response) == [("invalid_choice", "player")]


def test_a_paper_says_in_which_ways_it_is_printed(office: Office, secretary: Client) -> None:
    (paper, *_) = secretary.get(office.address("api-papers")).json()["results"]
    assert [(option["name"], option["title"], option["values"]) for option in paper["options"]] == [
        ("paper", "Paper", ["a4", "letter"]),
        ("print", "Text size", ["ordinary", "large"]),
        ("contrast", "Colours", ["ordinary", "high"]),
    ]


@pytest.mark.parametrize("query", ["paper=a3", "print=tiny", "pages=x", "strange=1"])
def test_a_paper_is_not_printed_in_a_way_that_there_is_not(
    office: Office, secretary: Client, query: str
) -> None:
    answer = secretary.get(f"{office.address('api-club-paper')}?{query}")
    assert (answer.status_code, faults(answer)[0][1]) == (400, query.partition("=")[0])


def test_somebody_who_has_paid_for_thousands_of_years_is_not_renewed(
    office: Office, secretary: Client
) -> None:
    patch(secretary, office.address("api-player-detail"), paid_until="9999-12-31")
    response = send(secretary, office.address("api-player-renew"), {})
    assert faults(response) == [("paid_for_long", "paid_until")]


@pytest.mark.parametrize("series_fields", [{"how": "every"}, {"how": "weeks", "weeks": ["5"]}])
def test_a_series_until_the_end_of_time_is_refused(
    office: Office, secretary: Client, series_fields: dict[str, Any]
) -> None:
    series = {**SERIES, "first_on": "9999-12-01", "last_on": "9999-12-31", **series_fields}
    response = send(secretary, office.address("api-series-list"), series)
    assert faults(response) == [("too_far", "last_on")]


def test_the_secretary_adds_a_member(office: Office, secretary: Client) -> None:
    response = send(secretary, PLAYERS, {"name": "Zoë Adams", "phone": "01234 5678"})
    assert (response.status_code, response.json()["name"]) == (201, "Zoë Adams")
    assert office.club.players.get(pk=response.json()["id"]).phone == "01234 5678"


def test_a_name_that_is_there_already_is_refused_in_a_sentence(
    office: Office, secretary: Client
) -> None:
    make_player(office.club, "Zoë Adams")
    response = send(secretary, PLAYERS, {"name": "zoe adams"})
    assert (response.status_code, [field for _, field in faults(response)]) == (409, ["name"])


def test_what_the_form_finds_is_told_at_its_field(secretary: Client) -> None:
    response = send(secretary, PLAYERS, {"name": "Zoë", "wants_results": True, "x": 1})
    assert set(faults(response)) == {("unknown_field", "x"), ("invalid", "email")}
    response = send(secretary, PLAYERS, {"name": "Zoë", "wants_results": True, "email": ""})
    assert [field for _, field in faults(response)] == ["email"]


def test_what_is_not_sent_stays(office: Office, secretary: Client) -> None:
    player = make_player(office.club, "Zoë Adams", phone="01234", email="zoe@example.org")
    response = patch(secretary, f"{PLAYERS}{player.pk}/", phone="09876")
    assert response.status_code == 200, response.json()
    player.refresh_from_db()
    assert (player.name, player.phone, player.email) == ("Zoë Adams", "09876", "zoe@example.org")
