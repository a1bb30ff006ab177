"""A form that was sent before, sent with other figures: what stands is shown, nothing is lost."""

from typing import Any

import pytest
from django.test import Client

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from tests.api import SOUTH_GAINS, game_at, hand_payload, link_client, refusal, send
from tests.clubs.nights import DRAWN, correct
from tests.clubs.tables import sheet

OTHER: dict[str, Any] = {"winner": 3, "scores": {"1": 20, "2": 4, "3": 60, "4": 8}}
TYPED: dict[str, str | int] = {
    "winner": 2,
    "score_1": 20,
    "score_2": 60,
    "score_3": 8,
    "score_4": 4,
}
OTHERWISE = TYPED | {"winner": 3, "score_3": 66}


@pytest.fixture
def api(table: SessionTable) -> str:
    return f"{game_at(table)}hands/"


@pytest.fixture
def client(table: SessionTable) -> Client:
    return link_client(table.link_key)


def take_back(table: SessionTable) -> None:
    """Undo the hand that stands."""
    hand = Hand.objects.get()
    at_table.undo_last_hand(table=EveningTable(table), hand_id=hand.pk, taken_by="table 1")


@pytest.fixture
def first(client: Client, api: str) -> dict[str, Any]:
    """Hand 1 as it was sent and stored."""
    hand = hand_payload()
    assert send(client, api, hand).status_code == 201
    return hand


def test_a_program_is_told_what_stands(client: Client, api: str, first: dict[str, Any]) -> None:
    answer = send(client, api, {**first, **OTHER})
    assert refusal(answer) == (409, [("already_stands", "")])
    assert answer.json()["recorded_hand"]["gains"] == SOUTH_GAINS
    assert Hand.objects.count() == 1


def test_the_same_again_is_answered_with_the_hand(
    client: Client, api: str, first: dict[str, Any]
) -> None:
    answer = send(client, api, first)
    assert (answer.status_code, answer.json()["gains"]) == (200, SOUTH_GAINS)


def test_the_same_again_is_no_conflict_after_a_ruling(
    client: Client, api: str, table: SessionTable, first: dict[str, Any]
) -> None:
    correct(Hand.objects.get(), DRAWN)
    assert send(client, api, first).status_code == 200
    answer = send(client, api, {**first, **OTHER})
    assert (answer.status_code, answer.json()["recorded_hand"]["winner"]) == (409, None)


def test_of_several_kept_hands_each_is_answered_for_itself(
    client: Client, api: str, first: dict[str, Any]
) -> None:
    hands = [
        {**first, **OTHER, "seconds_since_entry": 5},
        {**hand_payload(2), "seconds_since_entry": 5},
    ]
    answer = send(client, f"{api}batch/", {"hands": hands}).json()
    assert [hand["outcome"] for hand in answer["hands"]] == ["conflict", "saved"]


def test_a_hand_that_was_undone_is_not_taken_for_another(
    client: Client, api: str, table: SessionTable, first: dict[str, Any]
) -> None:
    take_back(table)
    answer = send(client, api, {**first, **OTHER})
    assert refusal(answer) == (409, [("used_submission", "")])
    assert send(client, api, {**first, **OTHER, **hand_payload(**OTHER)}).status_code == 201


@pytest.mark.parametrize("step", ["check", "save"])
def test_the_page_shows_what_stands_beside_what_was_typed(
    client: Client, phone: str, step: str
) -> None:
    page = sheet(client.get(phone))
    client.post(phone, page | {"step": "save"} | TYPED)
    answer = client.post(phone, page | {"step": step} | OTHERWISE)
    assert answer.status_code == 409
    assert "Hand 1 was already entered" in answer.content.decode()
    assert answer.context["form"]["score_3"].value() == "66"
    assert Hand.objects.get().winner == 2


def test_the_page_keeps_what_was_typed_after_the_hand_was_undone(
    client: Client, phone: str, table: SessionTable
) -> None:
    page = sheet(client.get(phone))
    client.post(phone, page | {"step": "save"} | TYPED)
    take_back(table)
    answer = client.post(phone, page | {"step": "save"} | OTHERWISE)
    assert answer.status_code == 422
    assert "This form was already sent with other scores" in answer.content.decode()
    second_sheet = sheet(answer)
    assert second_sheet["submission_id"] != page["submission_id"]
    client.post(phone, second_sheet | {"step": "save"} | OTHERWISE)
    assert Hand.objects.get(is_current=True).winner == 3


def test_a_phone_keeps_its_other_hand(client: Client, phone: str, table: SessionTable) -> None:
    sheet_data = sheet(client.get(phone))
    assert client.post(f"{phone}send/", sheet_data | TYPED).status_code == 201
    assert client.post(f"{phone}send/", sheet_data | TYPED).status_code == 200
    assert client.post(f"{phone}send/", sheet_data | OTHERWISE).status_code == 409
    take_back(table)
    answer = client.post(f"{phone}send/", sheet_data | OTHERWISE)
    assert answer.status_code == 422
    assert sheet_data["submission_id"] not in answer.json()["page"]
    assert "Edit hand" in answer.json()["page"]
