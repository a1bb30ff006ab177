"""A table over the API, by its link and by the desk: hands, and all that its pages do."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.asserts import assertNumQueries

from clubs.api import openapi
from clubs.api.fields import MAX_BODY_BYTES
from clubs.evenings.services import ending
from clubs.models import Session, SessionTable
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand, TappedHand
from scoring.scorebook.selectors import receipt_address
from tests.api import (
    SOUTH_GAINS,
    SOUTH_WINS,
    api_client,
    faults,
    game_at,
    hand_payload,
    link_client,
    look,
    send,
)
from tests.clubs.api.test_api import DAY
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.people import Cast
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES

TILES = {str(seat): tiles for seat, tiles in EAST_WINS_IN_TILES.tiles.items()}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return night(cast.club, DAY, make_players(cast.club, 4)).tables.get()


@pytest.fixture
def client(table: SessionTable) -> Client:
    """A program that has the printed link of the table, and no key."""
    return link_client(table.link_key)


@pytest.fixture
def phone(table: SessionTable) -> str:
    return game_at(table)


def in_tiles(seat: str, **changed_tiles: Any) -> dict[str, Any]:
    tiles = {**TILES, seat: {**TILES[seat], **changed_tiles}}
    return hand_payload(winner=1, won_by="discard", tiles=tiles)


def test_the_examples_are_true(client: Client, table: SessionTable, phone: str) -> None:
    response = send(client, f"{phone}hands/", openapi.HAND_INPUT)
    game_json = client.get(phone).json()
    moves = {"id": response.json()["id"], "sent_at": response.json()["sent_at"]}
    hand = openapi.HAND_OUTPUT | moves
    assert (response.status_code, response.json()) == (201, hand)
    place_ids = {"id": table.game_id, "evening": table.session_id}
    places = table.places.order_by("seat__number")
    seats = [
        seat | {"player_id": place.player_id}
        for seat, place in zip(openapi.GAME_OUTPUT["seats"], places, strict=True)
    ]
    assert game_json == openapi.GAME_OUTPUT | place_ids | {"seats": seats, "hands": [hand]}
    assert send(client, f"{phone}hands/", openapi.DRAWN_HAND_INPUT).status_code == 201
    scores = {**openapi.HAND_INPUT["scores"], "3": 37}
    second_response = send(client, f"{phone}hands/", hand_payload(3, winner=2, scores=scores))
    number = {"request_id": second_response.headers["X-Request-ID"]}
    assert (second_response.status_code, second_response.json()) == (
        400,
        openapi.PROBLEMS_OUTPUT | number,
    )


def test_an_organiser_submits_under_their_own_name(cast: Cast, table: SessionTable) -> None:
    answer = send(api_client(cast.scorer), f"{game_at(table)}hands/", hand_payload())
    assert (answer.status_code, answer.json()["gains"]) == (201, SOUTH_GAINS)
    assert Hand.objects.get().sent_by == f"user {cast.scorer.pk}"
    assert Session.objects.get().version == table.session.version + 1


def test_whoever_holds_the_card_submits_for_the_table(
    client: Client, table: SessionTable, phone: str
) -> None:
    assert send(client, f"{phone}hands/", hand_payload()).json()["gains"] == SOUTH_GAINS
    assert Hand.objects.get().sent_by == f"table {table.pk}"


@pytest.mark.parametrize("key", ["no-such-key", "x", "x" * 16, "", "Ä", "1s1_" + "0" * 28])
def test_a_key_that_opens_nothing_is_no_credential(phone: str, key: str) -> None:
    program = link_client(key)
    for answer in (program.get(phone), send(program, f"{phone}hands/", hand_payload())):
        assert (answer.status_code, faults(answer)) == (401, [("authentication_failed", "")])


def test_the_same_hand_is_one_hand_and_another_report_gets_what_stands(
    client: Client, phone: str
) -> None:
    hand = hand_payload()
    answers = [
        send(client, f"{phone}hands/", hand_data) for hand_data in (hand, hand, hand_payload())
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    first, *repeat_answers = [answer.json() for answer in answers]
    assert repeat_answers == [first, first]
    response = send(
        client, f"{phone}hands/", hand_payload(winner=3, scores={"1": 20, "2": 8, "3": 60, "4": 4})
    )
    assert (response.status_code, faults(response)) == (409, [("already_stands", "")])
    assert response.json()["recorded_hand"] == first
    assert Hand.objects.count() == 1


def test_a_submission_of_another_table_is_refused(cast: Cast, client: Client, phone: str) -> None:
    hand = hand_payload()
    send(client, f"{phone}hands/", hand)
    other_session = night(
        cast.club, DAY.replace(day=24), list(cast.club.players.order_by("pk")[4:8])
    )
    other_table = other_session.tables.get()
    answer = send(link_client(other_table.link_key), f"{game_at(other_table)}hands/", hand)
    assert (answer.status_code, faults(answer)) == (400, [("bad_submission", "")])


def test_a_drawn_hand_pays_nobody(client: Client, phone: str) -> None:
    answer = send(client, f"{phone}hands/", hand_payload(winner=None)).json()
    assert (answer["winner"], answer["payments"]) == (None, [])
    assert answer["gains"] == {"1": 0, "2": 0, "3": 0, "4": 0}


def test_a_hand_in_tiles_comes_back_with_its_lines(client: Client, phone: str) -> None:
    answer = send(client, f"{phone}hands/", hand_payload(winner=1, won_by="discard", tiles=TILES))
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
    ("hand", "problems"),
    [
        (hand_payload(winner=2, scores={**SCORES, "3": 37}), [("bad_score", "scores.3")]),
        (hand_payload(winner=2, scores={**SCORES, "2": 1002}), [("bad_score", "scores.2")]),
        (hand_payload(winner=2, scores={**SCORES, "4": -4}), [("bad_score", "scores.4")]),
        (hand_payload(winner=2, scores={**SCORES, "2": 10**30}), [("bad_score", "scores.2")]),
        (hand_payload(winner=2, scores={**SCORES, "2": "60"}), [("bad_score", "scores.2")]),
        (hand_payload(winner=2, scores={**SCORES, "2": True}), [("bad_score", "scores.2")]),
        (hand_payload(winner=2, scores={**SCORES, "2": 60.0}), [("bad_score", "scores.2")]),
        (hand_payload(winner=2, scores={**SCORES, "2": None}), [("bad_score", "scores.2")]),
        (hand_payload(winner=2, scores={**SCORES, "5": 8}), [("bad_seat", "scores.5")]),
        (hand_payload(winner=2, scores={**SCORES, "9": 8}), [("bad_seat", "scores.9")]),
        (hand_payload(winner=2, scores=[20, 60, 8, 4]), [("not_a_dict", "scores")]),
        (hand_payload(winner=2), [("bad_score", f"scores.{seat}") for seat in range(1, 5)]),
        (hand_payload(winner=[2, 3], scores=SCORES), [("bad_seat", "winner")]),
        (hand_payload(winner=5, scores=SCORES), [("bad_seat", "winner")]),
        (hand_payload(winner=10**30, scores=SCORES), [("bad_seat", "winner")]),
        (hand_payload(scores=SCORES), [("required", "winner")]),
        (hand_payload(winner=2, scores=SCORES, pays_for_all="1"), [("bad_seat", "pays_for_all")]),
        (hand_payload(winner=2, scores=SCORES, won_by=["wall"]), [("invalid", "won_by")]),
        (hand_payload(winner=2, scores=SCORES, won_by="magic"), [("bad_value", "won_by")]),
        (hand_payload(winner=2, totals=SCORES), [("unknown_field", "totals")]),
        (
            hand_payload(winner=None, scores=SCORES),
            [("drawn_hand", f"scores.{n}") for n in range(1, 5)],
        ),
        (hand_payload(2), [("wrong_number", "number")]),
        (hand_payload(0), [("wrong_number", "number")]),
        (hand_payload(10**30), [("wrong_number", "number")]),
        ({**hand_payload(), "number": "1"}, [("bad_value", "number")]),
        ({**hand_payload(), "submission_id": "one"}, [("invalid", "submission_id")]),
        ([hand_payload()], [("invalid", "")]),
        ('"hand"', [("invalid", "")]),
        (in_tiles("2", concealed=["B1"] * 5), [("too_many_copies", "tiles.2.concealed")]),
        (
            in_tiles("1", concealed=[*TILES["1"]["concealed"], "DR"]),
            [("wrong_count", "tiles.1.concealed")],
        ),
        (in_tiles("3", concealed=["X9"]), [("unknown_tile", "tiles.3.concealed.0")]),
        (hand_payload(winner=1, tiles={"2": ["B1"]}), [("not_an_object", "tiles.2")]),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_kept(
    client: Client, phone: str, hand: Any, problems: list[tuple[str, str]]
) -> None:
    answer = send(client, f"{phone}hands/", hand)
    assert (answer.status_code, faults(answer)) == (400, problems)
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
    answer = client.post(f"{phone}hands/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json().keys() == openapi.PROBLEMS_OUTPUT.keys()


def test_more_than_any_hand_needs_is_not_read(client: Client, phone: str) -> None:
    for size in (MAX_BODY_BYTES + 1, 3_000_000):
        answer = client.post(f"{phone}hands/", b" " * size, content_type="application/json")
        assert (answer.status_code, faults(answer)) == (413, [("too_large", "")])


def test_a_form_is_no_json(client: Client, phone: str) -> None:
    answer = client.post(f"{phone}hands/", {"winner": "2"})
    assert (answer.status_code, faults(answer)) == (415, [("unsupported_media_type", "")])


def test_a_finished_game_takes_no_hand_but_knows_its_own(
    client: Client, table: SessionTable, phone: str
) -> None:
    hand = hand_payload()
    response = send(client, f"{phone}hands/", hand)
    ending.close_session(session=table.session)
    late_response = send(client, f"{phone}hands/", hand_payload(2))
    assert (late_response.status_code, faults(late_response)) == (409, [("game_closed", "")])
    second_response = send(client, f"{phone}hands/", hand)
    assert (second_response.status_code, second_response.json()) == (200, response.json())
    assert client.get(phone).json()["next_hand"] is None


@pytest.mark.parametrize("hands", [1, 3])
def test_a_table_needs_the_same_queries_however_long_it_plays(
    client: Client, table: SessionTable, phone: str, hands: int
) -> None:
    post(table, *[SECOND_WINS, DRAWN, SECOND_WINS][:hands])
    with assertNumQueries(4):
        client.get(phone)
    with assertNumQueries(15):
        send(client, f"{phone}hands/", hand_payload(hands + 1, winner=None))


@pytest.fixture
def desk(table: SessionTable) -> str:
    return game_at(table)


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return api_client(cast.scorer)


def of_seat(table: SessionTable, seat: int) -> Client:
    return link_client(seat_key(table, seat))


def tag_of(client: Client, base: str, hand: int) -> str:
    return str(client.get(f"{base}hands/{hand}/").headers["ETag"])


def test_a_hand_is_looked_at_before_it_is_sent(client: Client, phone: str) -> None:
    preview = look(client, f"{phone}hands/", hand_payload())
    assert (preview.status_code, preview.json()["gains"]) == (200, SOUTH_GAINS)
    assert preview.json()["sentences"][0] == "Ann pays Ben 120; Cy and Di pay 60 each."
    assert not preview.json()["is_in_the_book"]
    assert Hand.objects.count() == 0


def test_what_cannot_have_happened_is_noticed(client: Client, phone: str) -> None:
    hand_data = hand_payload() | {"won_by": "first_discard", "discarder": 3}
    (of_the_end,) = look(client, f"{phone}hands/", hand_data).json()["notices"]
    assert "discard" in of_the_end
    impossible = hand_payload(winner=1, won_by="first_discard", tiles=TILES)
    notices = look(client, f"{phone}hands/", impossible).json()["notices"]
    assert [notice.partition(": ")[0] for notice in notices] == ["Ann’s tiles"] * len(notices)
    assert notices
    assert send(client, f"{phone}hands/", impossible).json()["notices"] == notices


def test_a_hand_that_can_be_has_no_notice(client: Client, phone: str) -> None:
    assert look(client, f"{phone}hands/", hand_payload()).json()["notices"] == []
    possible = hand_payload(winner=1, won_by="discard", tiles=TILES)
    assert look(client, f"{phone}hands/", possible).json()["notices"] == []


def test_a_mistyped_field_of_tiles_is_refused(client: Client, phone: str) -> None:
    tiles = {"2": {"concealed": ["B1", "B1"], "bonuses": ["F2"]}}
    response = look(client, f"{phone}hands/", hand_payload() | {"scores": {}, "tiles": tiles})
    assert response.status_code == 400
    assert faults(response) == [("unknown_field", "tiles.2.bonuses")]


def test_a_look_at_a_hand_that_stands_otherwise_shows_what_stands(
    client: Client, phone: str, table: SessionTable
) -> None:
    (stands,) = post(table, SECOND_WINS)
    preview = look(client, f"{phone}hands/", hand_payload(winner=None))
    assert (preview.status_code, preview.json()["recorded_hand"]["id"]) == (409, stands.pk)


def test_each_seat_agrees_for_itself(client: Client, phone: str, table: SessionTable) -> None:
    (hand,) = post(table, SECOND_WINS)
    tag = tag_of(client, phone, hand.pk)
    for seat in (1, 2, 3):
        response = send(client, f"{phone}hands/{hand.pk}/agree/", {"seat": seat}, tag=tag)
        assert (response.status_code, response.json()["hand"]["state"]) == (200, "reported")
    last = send(client, f"{phone}hands/{hand.pk}/agree/", {"seat": 4}, tag=tag)
    assert last.json()["hand"]["state"] == "agreed"
    assert {answer["state"] for answer in last.json()["answers"]} == {"agreed"}


def test_the_whole_table_agrees_at_once_to_what_it_has_seen(
    client: Client, phone: str, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    agree = f"{phone}hands/{hand.pk}/agree/"
    unseen = send(client, agree, {"seat": 1}, tag='"another"')
    assert (unseen.status_code, faults(unseen)) == (412, [("shown_has_changed", "")])
    response = send(client, agree, {}, tag=tag_of(client, phone, hand.pk))
    assert response.json()["sentence"] == "Everyone has agreed."


def test_who_says_not_what_they_have_seen_agrees_to_what_stands(
    client: Client, phone: str, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    response = send(client, f"{phone}hands/{hand.pk}/agree/", {})
    assert (response.status_code, response.json()["sentence"]) == (200, "Everyone has agreed.")


def test_nobody_agrees_to_a_hand_that_was_corrected_or_undone_since(
    client: Client, phone: str, desk: str, scorer: Client, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    agree, tag = f"{phone}hands/{hand.pk}/agree/", tag_of(client, phone, hand.pk)
    correction = {"winner": 3, "scores": {"1": 20, "2": 8, "3": 60, "4": 4}, "reason": "misread"}
    assert send(scorer, f"{desk}hands/{hand.pk}/correct/", correction).status_code == 200
    late_response = send(client, agree, {}, tag=tag)
    assert (late_response.status_code, faults(late_response)) == (412, [("hand_corrected", "")])
    assert send(client, agree, {}).status_code == 409
    number = Hand.objects.filter(is_current=True).count() + 1
    other_id = send(client, f"{phone}hands/", hand_payload(number)).json()["id"]
    agree, tag = f"{phone}hands/{other_id}/agree/", tag_of(client, phone, other_id)
    assert send(client, f"{phone}hands/{other_id}/undo/", {}).status_code == 204
    late_response = send(client, agree, {}, tag=tag)
    assert (late_response.status_code, faults(late_response)) == (412, [("hand_undone", "")])


def test_the_link_of_a_seat_speaks_for_that_seat_alone(
    client: Client, phone: str, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    seat_client, tag = of_seat(table, 2), tag_of(client, phone, hand.pk)
    faulty_response = send(seat_client, f"{phone}hands/{hand.pk}/agree/", {"seat": 1}, tag=tag)
    assert (faulty_response.status_code, faults(faulty_response)) == (400, [("invalid", "seat")])
    response = send(seat_client, f"{phone}hands/{hand.pk}/agree/", {}, tag=tag)
    agreed_seats = [
        answer["seat"] for answer in response.json()["answers"] if answer["state"] == "agreed"
    ]
    assert agreed_seats == [2]
    assert seat_client.get(f"{phone}seats/").status_code == 403


def test_a_seat_that_sends_a_hand_has_agreed_to_it(phone: str, table: SessionTable) -> None:
    seat_client = of_seat(table, 3)
    hand = send(seat_client, f"{phone}hands/", hand_payload()).json()
    answers = seat_client.get(f"{phone}hands/{hand['id']}/").json()["answers"]
    assert [answer["seat"] for answer in answers if answer["state"] == "agreed"] == [3]
    assert Hand.objects.get().sent_by == f"table {table.pk} seat 3"


def test_a_dispute_waits_for_the_scorer_who_decides_it(
    client: Client, phone: str, desk: str, scorer: Client, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    nameless = send(client, f"{phone}hands/{hand.pk}/dispute/", {})
    assert faults(nameless) == [("invalid", "seat")]
    told_of, tag = {"seat": 3, "text": "mine was 46"}, tag_of(client, phone, hand.pk)
    response = send(client, f"{phone}hands/{hand.pk}/dispute/", told_of, tag=tag)
    assert response.json()["objections"][0]["text"] == "mine was 46"
    disputes = f"/api/v1/clubs/riverside/evenings/{table.session_id}/disputes/"
    assert [entry["hand"] for entry in scorer.get(disputes).json()["results"]] == [hand.pk]
    ruling_response = send(scorer, f"{desk}hands/{hand.pk}/decide/", {"reason": "as on the sheet"})
    assert (ruling_response.json()["hand"]["state"], ruling_response.json()["ruling"]) == (
        "decided",
        "as on the sheet",
    )
    assert scorer.get(disputes).json()["results"] == []


def test_a_hand_is_corrected_for_a_reason_after_a_look(
    desk: str, scorer: Client, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    correction = {"winner": 3, "scores": {"1": 20, "2": 8, "3": 60, "4": 4}, "reason": "misread"}
    address = f"{desk}hands/{hand.pk}/correct/"
    assert faults(send(scorer, address, SOUTH_WINS)) == [("required", "reason")]
    preview = look(scorer, address, correction).json()
    assert (preview["done"], preview["hands"][0]["after"]["winner"]) == (False, 3)
    assert Hand.objects.count() == 1
    assert send(scorer, address, correction).json()["done"]
    now = Hand.objects.get(is_current=True)
    assert (now.winner, now.reason, now.sent_by) == (
        3,
        "misread",
        f"user {table.session.club.memberships.get(role='scorer').user_id}",
    )
    assert send(scorer, address, correction).status_code == 404
    book = scorer.get(f"{desk}hands/").json()
    assert [entry["id"] for entry in book["corrected"]] == [hand.pk]


def test_the_last_hand_is_taken_back_and_none_before_it(
    client: Client, phone: str, table: SessionTable
) -> None:
    first, last = post(table, SECOND_WINS, DRAWN)
    response = send(client, f"{phone}hands/{first.pk}/undo/", {})
    assert response.status_code == 409
    assert send(client, f"{phone}hands/{last.pk}/undo/", {}).status_code == 204
    book = client.get(f"{phone}hands/").json()
    assert [entry["hand"]["id"] for entry in book["undone"]] == [last.pk]
    assert send(client, f"{phone}hands/{10**9}/undo/", {}).status_code == 404


def test_hands_kept_without_a_network_are_answered_one_by_one(
    client: Client, phone: str, table: SessionTable
) -> None:
    first, second = hand_payload(1), hand_payload(2)
    results = send(
        client, f"{phone}hands/batch/", {"hands": [first, second, hand_payload(7)]}
    ).json()["hands"]
    assert [result["outcome"] for result in results] == ["saved", "saved", "faulty"]
    second_results = send(
        client, f"{phone}hands/batch/", {"hands": [first, hand_payload(2, winner=None)]}
    ).json()["hands"]
    assert [result["outcome"] for result in second_results] == ["already_saved", "conflict"]
    assert Hand.objects.count() == 2
    ending.close_session(session=table.session)
    late_results = send(client, f"{phone}hands/batch/", {"hands": [hand_payload(3)]}).json()[
        "hands"
    ]
    assert [result["outcome"] for result in late_results] == ["not_now"]


def test_a_hand_that_was_taken_back_is_not_saved_again(
    client: Client, phone: str, table: SessionTable
) -> None:
    hand = hand_payload(1)
    hand_json = send(client, f"{phone}hands/", hand).json()
    send(client, f"{phone}hands/{hand_json['id']}/undo/", {})
    results = send(
        client, f"{phone}hands/batch/", {"hands": [{**hand, "seconds_since_entry": 60}]}
    ).json()["hands"]
    assert [result["outcome"] for result in results] == ["undone"]


def test_tiles_are_put_replaced_and_cleared(client: Client, phone: str) -> None:
    taps = ["pung:B5", "B7"]
    tile_data = {"number": 1, "taps": taps}
    response = client.put(f"{phone}tiles/1/", tile_data, content_type="application/json")
    assert (response.status_code, response.json()["total"]) == (200, 4)
    second_data = {"number": 1, "taps": [*taps, "C7"]}
    second_json = client.put(
        f"{phone}tiles/1/", second_data, content_type="application/json"
    ).json()
    assert [group["tiles"] for group in second_json["groups"]] == [["B5"] * 3, ["B7"], ["C7"]]
    assert client.get(f"{phone}tiles/1/").json()["hand"] == second_json["hand"]
    (seat,) = client.get(f"{phone}tiles/").json()["seats"]
    assert (seat["seat"], seat["total"]) == (1, 4)
    assert client.delete(f"{phone}tiles/1/").status_code == 204
    assert TappedHand.objects.count() == 0


def test_a_whole_hand_is_put_whole_or_not_at_all(client: Client, phone: str) -> None:
    tile_data = {"number": 1, "taps": ["kong:B5", "B5"]}
    response = client.put(f"{phone}tiles/1/", tile_data, content_type="application/json")
    assert (response.status_code, faults(response)) == (400, [("bad_tap", "taps")])
    assert TappedHand.objects.count() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": 2, "taps": ["B5"]},
        {"number": 1, "taps": []},
        {"number": 1, "taps": "B5"},
        {"number": 1, "taps": ["B5"], "hand": "one field too many"},
        {"number": "1", "taps": ["B5"]},
        {"taps": ["B5"]},
    ],
)
def test_taps_that_cannot_be_are_refused(client: Client, phone: str, wrong: Any) -> None:
    right = {"number": 1, "taps": ["B5"]}
    for seat, tile_data in ((1, wrong), (5, right)):
        response = client.put(f"{phone}tiles/{seat}/", tile_data, content_type="application/json")
        assert response.status_code == 400


def test_a_receipt_is_read_by_its_hand_and_by_its_code(
    client: Client, phone: str, table: SessionTable
) -> None:
    (hand,) = post(table, SECOND_WINS)
    receipt = client.get(f"{phone}hands/{hand.pk}/receipt/").json()
    assert (receipt["hand"]["id"], receipt["sent_by"]) == (hand.pk, "the table’s phone")
    by_code = Client().get(f"/api/v1/receipts/{receipt_address(hand)}/")
    assert by_code.json() == receipt
    assert Client().get(f"/api/v1/receipts/{'0' * 32}/").status_code == 404


def test_each_player_has_a_link(client: Client, phone: str, table: SessionTable) -> None:
    links = client.get(f"{phone}seats/").json()["results"]
    assert [link["key"] for link in links] == [seat_key(table, seat) for seat in (1, 2, 3, 4)]
    assert links[0]["address"].endswith(f"/t/{seat_key(table, 1)}/")


def test_another_link_makes_the_old_card_void(
    client: Client, phone: str, desk: str, scorer: Client, table: SessionTable
) -> None:
    seat_client = of_seat(table, 1)
    response = send(scorer, f"{desk}new-link/", {})
    assert (response.status_code, response.json()["number"]) == (200, 1)
    assert client.get(phone).status_code == seat_client.get(phone).status_code == 410
    assert (
        client.get("/api/v1/link/").status_code
        == seat_client.get("/api/v1/link/").status_code
        == 410
    )
    assert link_client(response.json()["key"]).get(phone).status_code == 200


def test_two_who_sat_in_each_others_place_are_put_right_and_that_is_taken_back(
    desk: str, scorer: Client, table: SessionTable
) -> None:
    post(table, SECOND_WINS)
    correction = {"seat": 3, "other_seat": 4, "first": 1, "reason": "wrong way round"}
    preview = look(scorer, f"{desk}corrections/scores/", correction)
    preview_json = preview.json()
    assert (preview_json["done"], preview_json["tables"][0]["totals"][2]["before"]) == (False, -80)
    response = send(scorer, f"{desk}corrections/scores/", correction, tag=preview.headers["ETag"])
    assert (response.status_code, response.json()["done"]) == (200, True), response.json()
    (repair,) = scorer.get(f"{desk}corrections/").json()["results"]
    assert (repair["reason"], repair["can_be_undone"]) == ("wrong way round", True)
    corrections_url = f"/api/v1/clubs/riverside/evenings/{table.session_id}/corrections/"
    assert scorer.get(corrections_url).json()["results"] == [repair]
    undo_response = send(scorer, f"{desk}corrections/{repair['id']}/undo/", {})
    assert (undo_response.status_code, undo_response.json()["done"]) == (200, True), (
        undo_response.json()
    )
    assert Hand.objects.get(is_current=True).gains[3] == -80


def test_another_winner_is_a_repair_too(desk: str, scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS, DRAWN)
    report = {"winner": 3, "scores": {"1": 20, "2": 8, "3": 60, "4": 4}}
    correction = {"hand": 1, "report": report, "reason": "it was Cy"}
    response = send(scorer, f"{desk}corrections/winner/", correction)
    assert (response.status_code, response.json()["text"]) == (200, "Hand 1: Cy went Mah-Jong.")
    assert Hand.objects.get(is_current=True, number=1).winner == 3


def test_the_sheets_of_two_tables_change_places(cast: Cast, scorer: Client) -> None:
    players = make_players(cast.club, 8)
    session = night(cast.club, DAY, players[:4], players[4:])
    post(session.tables.get(number=1), SECOND_WINS)
    desk = game_at(session.tables.get(number=1))
    correction = {"other": 2, "first": 1, "reason": "mixed up"}
    response = send(scorer, f"{desk}corrections/sheets/", correction)
    assert (response.status_code, response.json()["done"]) == (200, True), response.json()
    assert session.tables.get(number=2).game.hands.filter(is_current=True).count() == 1
    wrong = send(scorer, f"{desk}corrections/sheets/", {**correction, "other": 9})
    assert faults(wrong) == [("required", "other")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat": 3, "other_seat": 3, "first": 1, "reason": "x"},
        {"seat": 3, "other_seat": 4, "first": 9, "reason": "x"},
        {"seat": 3, "other_seat": 4, "first": 1},
        {"seat": 3, "other_seat": 4, "first": 1, "reason": "x", "last": 0},
    ],
)
def test_a_repair_that_cannot_be_is_refused(
    desk: str, scorer: Client, table: SessionTable, wrong: Any
) -> None:
    post(table, SECOND_WINS)
    assert send(scorer, f"{desk}corrections/scores/", wrong).status_code == 400
    assert Hand.objects.count() == 1


def row(**figures: str) -> dict[str, Any]:
    scores = {seat.removeprefix("s"): figure for seat, figure in figures.items()}
    return {"winner": 2, "figures": scores, "submission_id": str(uuid4())}


def test_a_whole_sheet_is_checked_then_saved_once(
    desk: str, scorer: Client, table: SessionTable
) -> None:
    rows = [row(s1="20", s2="60", s3="8", s4="4"), {"is_drawn": True}]
    rows[1]["submission_id"] = str(uuid4())
    sheet = {"rows": rows, "totals": {"1": "-64", "2": "240"}}
    check_json = look(scorer, f"{desk}score-sheet/", sheet).json()
    assert (check_json["can_be_saved"], check_json["is_saved"]) == (True, False)
    assert [column_sum["is_wrong"] for column_sum in check_json["sums"]] == [False] * 4
    response = send(scorer, f"{desk}score-sheet/", sheet)
    assert (response.status_code, response.json()["saved"]) == (200, 2), response.json()
    assert Hand.objects.count() == 2
    second_response = send(scorer, f"{desk}score-sheet/", {**sheet, "first": 1})
    assert (second_response.json()["saved"], second_response.json()["matching_rows"]) == (0, 2)
    assert scorer.get(f"{desk}score-sheet/").json()["first"] == 3


def test_a_row_that_cannot_be_is_told_at_its_place(desk: str, scorer: Client) -> None:
    response = send(
        scorer, f"{desk}score-sheet/", {"rows": [row(s1="20", s2="61", s3="8", s4="4")]}
    )
    assert (response.status_code, faults(response)) == (400, [("bad_row", "rows.0")])
    assert Hand.objects.count() == 0


def test_where_paper_and_book_differ_somebody_says_which_is_right(
    cast: Cast, desk: str, scorer: Client, table: SessionTable
) -> None:
    post(table, SECOND_WINS)
    sheet = {"first": 1, "rows": [row(s1="20", s2="64", s3="8", s4="4")]}
    differs = send(scorer, f"{desk}score-sheet/", sheet)
    assert (differs.status_code, faults(differs)) == (409, [("differs", "choices")])
    (choice,) = [entry["choice"] for entry in differs.json()["sheet"]["rows"]]
    chosen_sheet = {**sheet, "choices": [{"key": choice["key"], "right": "paper"}]}
    assert send(scorer, f"{desk}score-sheet/", chosen_sheet).status_code == 200
    assert Hand.objects.get(is_current=True).scores[2] == 64
    other_sheet = {"first": 1, "rows": [row(s1="20", s2="60", s3="8", s4="4")]}
    director = send(api_client(cast.director), f"{desk}score-sheet/", other_sheet)
    assert (director.status_code, director.json()["changed"]) == (200, 0)
    assert Hand.objects.get(is_current=True).scores[2] == 64


def test_the_stack_of_sheets_tells_how_far_they_are(
    scorer: Client, desk: str, table: SessionTable
) -> None:
    send(scorer, f"{desk}hands/", hand_payload())
    stack = scorer.get(f"/api/v1/clubs/riverside/evenings/{table.session_id}/score-sheets/").json()
    assert [(entry["number"], entry["typed"], entry["state"]) for entry in stack["results"]] == [
        (1, 1, "some")
    ]
