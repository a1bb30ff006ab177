"""Who may do what at a game over the API: every operation, at both kinds of table, by the cast.

A person or a key may do what their role allows. A link may do what its page does, at its own game.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from clubs.core.authentication import ORGANISER_SETUP_MESSAGE
from clubs.evenings.event import EveningTable
from clubs.models import ApiToken, AuditEntry, Club, SessionTable
from clubs.table.event import seat_key
from clubs.table.services import replace_links
from clubs.tenancy import club_scope
from scoring.scorebook.models import Hand
from tests.admission import MEMBERS, ORGANISERS, PEOPLE, SCORERS
from tests.api import api_client, game_at, hand_payload, link_client, send
from tests.clubs import nights
from tests.clubs.audit.test_deeds import log_sentences as log_of
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_cast
from tests.test_doors import patterns
from tests.tournaments import cups
from tournaments.models import Table
from tournaments.table.event import RoundTable

RUNNERS = ("secretary", "director")
READ = {"get": 200, "post": 400, "put": 400, "delete": 204}


class Door(NamedTuple):
    """An operation: who may at an evening and in a round (None: not there), and whether a link."""

    evening: tuple[str, ...] | None
    round: tuple[str, ...] | None
    by_link: bool = False


BY_ORGANISERS = Door(ORGANISERS, ORGANISERS)
AT_THE_TABLE = Door(ORGANISERS, ORGANISERS, by_link=True)
BY_SCORERS = Door(SCORERS, ORGANISERS)
BY_RUNNERS = Door(None, RUNNERS)
OPERATIONS: dict[str, Door] = {
    "get api-game": Door(MEMBERS, MEMBERS, by_link=True),
    **dict.fromkeys(
        (
            *("get api-game-hands", "post api-game-hands", "get api-game-hand"),
            *("post api-game-batch", "post api-game-agree"),
            *("post api-game-dispute", "post api-game-undo", "get api-game-receipt"),
            *("post api-game-dealer", "get api-game-seats", "get api-game-earlier"),
            *("get api-game-all-tiles", "get api-game-tiles", "put api-game-tiles"),
            "delete api-game-tiles",
        ),
        AT_THE_TABLE,
    ),
    **dict.fromkeys(
        ("post api-game-new-link", "get api-game-sheet", "post api-game-sheet"), BY_ORGANISERS
    ),
    **dict.fromkeys(
        (
            *("post api-game-decide", "post api-game-correct", "get api-game-corrections"),
            *("post api-game-correct-scores", "post api-game-correct-seats"),
            *("post api-game-correct-sheets", "post api-game-correct-winner"),
            "post api-game-correction-undo",
        ),
        BY_SCORERS,
    ),
    "get api-game-result": Door((), None, by_link=True),
    "get api-game-standings": Door(None, (), by_link=True),
    "get api-game-clock": Door(None, MEMBERS, by_link=True),
    "post api-game-stop": Door(None, ORGANISERS, by_link=True),
    **dict.fromkeys(
        ("get api-game-call", "post api-game-call", "delete api-game-call"),
        Door(None, (), by_link=True),
    ),
    "post api-game-call-answer": Door(None, ORGANISERS),
    **dict.fromkeys(
        (
            *("post api-game-minutes", "get api-game-rulings", "post api-game-rulings"),
            "post api-game-ruling-cancel",
        ),
        BY_RUNNERS,
    ),
}


class Games(NamedTuple):
    """A hand has been played at a table of an evening and at one of a round."""

    cast: Cast
    evening: SessionTable
    round: Table


@pytest.fixture(scope="module")
def stored_games(standing: None) -> Games:
    cast = make_cast()
    evening = seated_evening(cast.club).tables.get()
    nights.post(evening, nights.SECOND_WINS)
    round_ = cups.tables(cups.seated_cup(rounds=1, club=cast.club))[0]
    cups.post(round_, cups.DRAWN)
    return Games(cast, evening, round_)


@pytest.fixture
def games(db: None, stored_games: Games) -> Games:
    return deepcopy(stored_games)


def addresses() -> Iterator[tuple[str, Any]]:
    for url_pattern in patterns(get_resolver()):
        if str(url_pattern.name).startswith("api-game"):
            yield str(url_pattern.name), url_pattern


PARTS = {name: url_pattern.pattern.converters.keys() for name, url_pattern in addresses()}


def ask(client: Client, operation: str, table: Any) -> int:
    """The status of an operation at a table's game; what is sent has a field that none takes."""
    method, name = operation.split()
    hand = Hand.objects.filter(game=table.game_id).earliest("pk").pk
    url_values = {"game": table.game_id, "hand": hand, "seat": 1, "repair": 1, "ruling": 1}
    address = reverse(name, kwargs={part: url_values[part] for part in PARTS[name]})
    data = {} if method in {"get", "delete"} else {"no_such_field": 1}
    request_options = {"content_type": "application/json"} if data else {}
    status: int = getattr(client, method)(address, data, **request_options).status_code
    return status


def test_every_operation_of_a_game_is_tried() -> None:
    operations = {
        f"{method} {name}"
        for name, url_pattern in addresses()
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(url_pattern.callback.cls, method)
    }
    assert operations == OPERATIONS.keys()


def refusal(person: str, operation: str) -> int:
    """A stranger learns of no game; what only a link opens asks a person for one."""
    if person == "nobody" or () in OPERATIONS[operation][:2]:
        return 401
    return 404 if person == "member of another club" else 403


@pytest.mark.parametrize("kind", ["evening", "round"])
@pytest.mark.parametrize("person", PEOPLE)
def test_who_may_by_their_role(games: Games, person: str, kind: str) -> None:
    client, table = api_client(games.cast.people()[person]), getattr(games, kind)
    expected, statuses = {}, {}
    for operation, door in OPERATIONS.items():
        allowed_people, elsewhere = (door.evening, door.round) if kind == "evening" else door[1::-1]
        usual = READ[operation.split()[0]]
        is_allowed = person in (elsewhere if allowed_people is None else allowed_people)  # type: ignore[operator]
        allowed_status = 404 if allowed_people is None else usual
        expected[operation] = allowed_status if is_allowed else refusal(person, operation)
        statuses[operation] = ask(client, operation, table)
    assert statuses == expected


@pytest.mark.parametrize("kind", ["evening", "round"])
def test_what_a_link_opens_at_its_own_game(games: Games, kind: str) -> None:
    table = getattr(games, kind)
    for key in (table.link_key, seat_key(table, 2)):
        expected, statuses = {}, {}
        for operation, door in OPERATIONS.items():
            is_there = (door.evening if kind == "evening" else door.round) is not None
            allowed_status = READ[operation.split()[0]] if is_there else 404
            expected[operation] = allowed_status if door.by_link else 401
            statuses[operation] = ask(link_client(key), operation, table)
        if key != table.link_key:
            expected["get api-game-seats"] = 403
        assert statuses == expected


OPENED = [operation for operation, door in OPERATIONS.items() if door.by_link]


@pytest.mark.parametrize("operation", OPENED)
def test_a_link_opens_no_other_game(games: Games, operation: str) -> None:
    for table, other_table in ((games.evening, games.round), (games.round, games.evening)):
        for key in (other_table.link_key, seat_key(other_table, 1)):
            assert ask(link_client(key), operation, table) == 403
        strange = [table.link_key[::-1], table.link_key[:-1], f"{table.link_key} x", "x" * 24]
        strange += [seat_key(table, 1)[:-1], seat_key(table, 1).replace("s1_", "s2_")]
        assert {ask(link_client(key), operation, table) for key in strange} == {401}


@pytest.mark.parametrize("operation", OPENED)
def test_a_link_that_was_replaced_opens_nothing(games: Games, operation: str) -> None:
    for event in (EveningTable(games.evening), RoundTable(games.round)):
        table = event.row
        keys = [table.link_key, seat_key(table, 1)]
        with club_scope(games.cast.club.pk):
            replace_links(table=event)
        assert {ask(link_client(key), operation, table) for key in keys} == {410}


@pytest.mark.parametrize("person", ["secretary", "member of another club"])
def test_nobody_learns_which_games_there_are(games: Games, person: str) -> None:
    client = api_client(games.cast.people()[person])
    absent = client.get("/api/v1/games/999999/")
    assert absent.status_code == 404
    if person != "secretary":
        response = client.get(game_at(games.evening))
        assert response.json() | {"request_id": ""} == absent.json() | {"request_id": ""}
    unknown = Client().get("/api/v1/games/999999/").json() | {"request_id": ""}
    assert Client().get(game_at(games.evening)).json() | {"request_id": ""} == unknown


def test_a_key_needs_the_club_and_the_scope(games: Games) -> None:
    client, hands = api_client(games.cast.secretary), f"{game_at(games.evening)}hands/"
    ApiToken.objects.filter(user=games.cast.secretary).update(scopes=["read"])
    assert client.get(game_at(games.evening)).status_code == 200
    response = send(client, hands, hand_payload(2, winner=None))
    assert (response.status_code, "lacks the scope" in response.json()["detail"]) == (403, True)
    elsewhere = Club.objects.exclude(pk=games.cast.club.pk).first()
    ApiToken.objects.filter(user=games.cast.secretary).update(club=elsewhere)
    assert client.get(game_at(games.evening)).status_code == 403


def test_an_organiser_without_the_second_step_reads_as_a_member(
    games: Games, settings: Any
) -> None:
    settings.SECOND_FACTOR = "required"
    secretary = api_client(games.cast.secretary)
    for table in (games.evening, games.round):
        assert ask(secretary, "get api-game", table) == 200
        response = secretary.get(f"{game_at(table)}hands/")
        assert (response.status_code, ORGANISER_SETUP_MESSAGE in response.json()["detail"]) == (
            403,
            True,
        )


def test_no_hand_of_another_game_is_found_at_ones_own(games: Games) -> None:
    secretary = api_client(games.cast.secretary)
    for table, other_table in ((games.evening, games.round), (games.round, games.evening)):
        hand = Hand.objects.filter(game=other_table.game_id).earliest("pk").pk
        url = f"{game_at(table)}hands/{hand}/"
        assert secretary.get(url).status_code == secretary.get(f"{url}receipt/").status_code == 404
        assert send(secretary, f"{url}undo/", {}).status_code == 404


def test_a_club_that_shows_its_results_shows_rounds_and_no_evening(games: Games) -> None:
    Club.objects.filter(pk=games.cast.club.pk).update(shows_results=True)
    statuses = [ask(Client(), "get api-game", table) for table in (games.evening, games.round)]
    assert statuses == [401, 200]
    assert ask(Client(), "get api-game-hands", games.round) == 401


def test_the_log_says_at_which_table(games: Games) -> None:
    scorer = api_client(games.cast.scorer)
    for table in (games.evening, games.round):
        hands = f"{game_at(table)}hands/"
        response = send(scorer, hands, hand_payload(2, winner=None))
        assert response.status_code == 201
        by_link = send(link_client(table.link_key), f"{hands}{response.json()['id']}/undo/", {})
        assert by_link.status_code == 204
    round_, evening = log_of(games.cast.club)
    assert evening.endswith("entered a hand for table 1 on the evening of 17 November 2026.")
    assert round_.endswith("entered a hand for table 1 in round 1 of Autumn Cup.")
    assert [entry.about["game"] for entry in AuditEntry.objects.order_by("pk")] == [
        games.evening.game_id,
        games.round.game_id,
    ]


def test_a_link_leads_to_its_game(games: Games) -> None:
    for table in (games.evening, games.round):
        table_json = link_client(table.link_key).get("/api/v1/link/").json()
        seat = link_client(seat_key(table, 3)).get("/api/v1/link/").json()
        assert (table_json["seat"], seat["seat"]) == (None, 3)
        assert table_json["game"] == seat["game"]
        assert table_json["game"] == link_client(table.link_key).get(game_at(table)).json()
    assert Client().get("/api/v1/link/").status_code == 401
    assert api_client(games.cast.secretary).get("/api/v1/link/").status_code == 401
    assert link_client("x" * 24).get("/api/v1/link/").status_code == 401
