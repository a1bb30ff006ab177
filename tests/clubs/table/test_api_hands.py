"""A hand over the API: once, checked, and never over what stands."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.api import openapi
from clubs.api.fields import MOST_BYTES
from clubs.evenings.services import evenings
from clubs.models import Session, SessionTable
from scoring.scorebook.models import Hand
from tests.api import SOUTH_GAINS, SOUTH_WINS, api_client, faults, send, told
from tests.clubs.api.test_api import DAY
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.people import Cast
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES

TILES = {str(seat): tiles for seat, tiles in EAST_WINS_IN_TILES.tiles.items()}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return night(cast.club, DAY, make_players(cast.club, 4)).tables.get()


@pytest.fixture
def phone(table: SessionTable) -> str:
    return f"/api/v1/t/{table.link_key}/"


def in_tiles(seat: str, **changed: Any) -> dict[str, Any]:
    tiles = {**TILES, seat: {**TILES[seat], **changed}}
    return told(winner=1, won_by="discard", tiles=tiles)


def test_the_examples_are_true(client: Client, phone: str) -> None:
    kept = send(client, phone, openapi.HAND_TOLD)
    shown = client.get(phone).json()
    moves = {"id": kept.json()["id"], "sent_at": kept.json()["sent_at"]}
    hand = openapi.HAND_KEPT | moves
    assert (kept.status_code, kept.json()) == (201, hand)
    assert shown == openapi.TABLE_TOLD | {"hands": [hand]}
    assert send(client, phone, openapi.DRAWN_HAND_TOLD).status_code == 201
    scores = {**openapi.HAND_TOLD["scores"], "3": 37}
    odd = send(client, phone, told(3, winner=2, scores=scores))
    number = {"request_id": odd.headers["X-Request-ID"]}
    assert (odd.status_code, odd.json()) == (400, openapi.PROBLEMS_TOLD | number)


def test_an_organiser_submits_under_their_own_name(cast: Cast, table: SessionTable) -> None:
    address = f"/api/v1/clubs/riverside/evenings/{table.session_id}/tables/1/"
    answer = send(api_client(cast.scorer), address, told())
    assert (answer.status_code, answer.json()["gains"]) == (201, SOUTH_GAINS)
    assert Hand.objects.get().sent_by == f"user {cast.scorer.pk}"
    assert Session.objects.get().version == table.session.version + 1


def test_whoever_holds_the_card_submits_for_the_table(
    client: Client, table: SessionTable, phone: str
) -> None:
    assert send(client, phone, told()).json()["gains"] == SOUTH_GAINS
    assert Hand.objects.get().sent_by == f"table {table.pk}"


def test_a_card_that_opens_nothing_is_not_found(client: Client, db: None) -> None:
    for answer in (client.get("/api/v1/t/no-such-key/"), send(client, "/api/v1/t/no-key/", told())):
        assert (answer.status_code, faults(answer)) == (404, [("not_found", "")])


def test_the_same_submission_twice_is_one_hand(client: Client, phone: str) -> None:
    hand = told()
    first, second = send(client, phone, hand), send(client, phone, hand)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert Hand.objects.count() == 1


def test_two_people_who_report_alike_make_one_hand(client: Client, phone: str) -> None:
    first, second = send(client, phone, told()), send(client, phone, told())
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()


def test_another_report_gets_what_stands(client: Client, phone: str) -> None:
    first = send(client, phone, told())
    other = send(client, phone, told(winner=3, scores={"1": 20, "2": 8, "3": 60, "4": 4}))
    assert (other.status_code, faults(other)) == (409, [("already_stands", "")])
    assert other.json()["stands"] == first.json()
    assert Hand.objects.count() == 1


def test_a_submission_of_another_table_is_refused(cast: Cast, client: Client, phone: str) -> None:
    hand = told()
    send(client, phone, hand)
    other = night(cast.club, DAY.replace(day=24), list(cast.club.players.order_by("pk")[4:8]))
    answer = send(client, f"/api/v1/t/{other.tables.get().link_key}/", hand)
    assert (answer.status_code, faults(answer)) == (400, [("bad_submission", "")])


def test_a_drawn_hand_pays_nobody(client: Client, phone: str) -> None:
    answer = send(client, phone, told(winner=None)).json()
    assert (answer["winner"], answer["payments"]) == (None, [])
    assert answer["gains"] == {"1": 0, "2": 0, "3": 0, "4": 0}


def test_a_hand_in_tiles_comes_back_with_its_lines(client: Client, phone: str) -> None:
    answer = send(client, phone, told(winner=1, won_by="discard", tiles=TILES))
    assert answer.status_code == 201
    assert answer.json()["scores"] == {"1": 64, "2": 0, "3": 0, "4": 24}
    assert {seat: lines["total"] for seat, lines in answer.json()["lines"].items()} == {
        "1": 64,
        "2": 0,
        "3": 0,
        "4": 24,
    }


SCORES = SOUTH_WINS["scores"]


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        (told(winner=2, scores={**SCORES, "3": 37}), [("bad_score", "scores.3")]),
        (told(winner=2, scores={**SCORES, "2": 1002}), [("bad_score", "scores.2")]),
        (told(winner=2, scores={**SCORES, "4": -4}), [("bad_score", "scores.4")]),
        (told(winner=2, scores={**SCORES, "2": 10**30}), [("bad_score", "scores.2")]),
        (told(winner=2, scores={**SCORES, "2": "60"}), [("bad_score", "scores.2")]),
        (told(winner=2, scores={**SCORES, "2": True}), [("bad_score", "scores.2")]),
        (told(winner=2, scores={**SCORES, "2": 60.0}), [("bad_score", "scores.2")]),
        (told(winner=2, scores={**SCORES, "2": None}), [("bad_score", "scores.2")]),
        (told(winner=2, scores={**SCORES, "5": 8}), [("bad_seat", "scores.5")]),
        (told(winner=2, scores={**SCORES, "9": 8}), [("bad_seat", "scores.9")]),
        (told(winner=2, scores=[20, 60, 8, 4]), [("not_a_dict", "scores")]),
        (told(winner=2), [("bad_score", f"scores.{seat}") for seat in range(1, 5)]),
        (told(winner=[2, 3], scores=SCORES), [("bad_seat", "winner")]),
        (told(winner=5, scores=SCORES), [("bad_seat", "winner")]),
        (told(winner=10**30, scores=SCORES), [("bad_seat", "winner")]),
        (told(scores=SCORES), [("required", "winner")]),
        (told(winner=2, scores=SCORES, pays_for_all="1"), [("bad_seat", "pays_for_all")]),
        (told(winner=2, scores=SCORES, won_by=["wall"]), [("invalid", "won_by")]),
        (told(winner=2, scores=SCORES, won_by="magic"), [("bad_value", "won_by")]),
        (told(winner=2, totals=SCORES), [("unknown_field", "totals")]),
        (told(winner=None, scores=SCORES), [("drawn_hand", f"scores.{n}") for n in range(1, 5)]),
        (told(2), [("wrong_number", "number")]),
        (told(0), [("wrong_number", "number")]),
        (told(10**30), [("wrong_number", "number")]),
        ({**told(), "number": "1"}, [("bad_value", "number")]),
        ({**told(), "submission_id": "one"}, [("invalid", "submission_id")]),
        ([told()], [("invalid", "")]),
        ('"hand"', [("invalid", "")]),
        (in_tiles("2", concealed=["B1"] * 5), [("too_many_copies", "tiles.2.concealed")]),
        (
            in_tiles("1", concealed=[*TILES["1"]["concealed"], "DR"]),
            [("wrong_count", "tiles.1.concealed")],
        ),
        (in_tiles("3", concealed=["X9"]), [("unknown_tile", "tiles.3.concealed.0")]),
        (told(winner=1, tiles={"2": ["B1"]}), [("not_an_object", "tiles.2")]),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_kept(
    client: Client, phone: str, hand: Any, found: list[tuple[str, str]]
) -> None:
    answer = send(client, phone, hand)
    assert (answer.status_code, faults(answer)) == (400, found)
    assert all(problem["message"].endswith(".") for problem in answer.json()["problems"])
    assert Hand.objects.count() == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe\xff",
        b'{"number": NaN}',
        b'{"number": ' + b"9" * 5000 + b"}",
        b'{"tiles": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"won_by": "\\ud800"}',
        b'{"won_by": "\\u0000"}',
        b'{"won_by": "\xed\xa0\x80"}',
        '{"won_by": "\ud800"}'.encode("utf-16", "surrogatepass"),
        b'{"tiles": {"1": ' + b"[" * 9 + b"]" * 9 + b"}}",
    ],
)
def test_what_cannot_be_read_is_said_in_the_same_shape(
    client: Client, phone: str, body: bytes
) -> None:
    answer = client.post(phone, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json().keys() == {"problems", "request_id"}


def test_more_than_any_hand_needs_is_not_read(client: Client, phone: str) -> None:
    for size in (MOST_BYTES + 1, 3_000_000):
        answer = client.post(phone, b" " * size, content_type="application/json")
        assert (answer.status_code, faults(answer)) == (413, [("too_large", "")])


def test_a_form_is_no_json(client: Client, phone: str) -> None:
    answer = client.post(phone, {"winner": "2"})
    assert (answer.status_code, faults(answer)) == (415, [("unsupported_media_type", "")])


def test_a_finished_game_takes_no_hand_but_knows_its_own(
    client: Client, table: SessionTable, phone: str
) -> None:
    hand = told()
    kept = send(client, phone, hand)
    evenings.close_session(session=table.session)
    late = send(client, phone, told(2))
    assert (late.status_code, faults(late)) == (400, [("game_closed", "")])
    again = send(client, phone, hand)
    assert (again.status_code, again.json()) == (200, kept.json())
    assert client.get(phone).json()["next_hand"] is None


@pytest.mark.parametrize("hands", [1, 3])
def test_a_table_needs_the_same_queries_however_long_it_plays(
    client: Client,
    table: SessionTable,
    phone: str,
    django_assert_num_queries: DjangoAssertNumQueries,
    hands: int,
) -> None:
    post(table, *[SECOND_WINS, DRAWN, SECOND_WINS][:hands])
    with django_assert_num_queries(4):
        client.get(phone)
    with django_assert_num_queries(15):
        send(client, phone, told(hands + 1, winner=None))
