"""Messages over the API: written, looked at, sent as they were looked at, told by hand."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.core import mail

from clubs.models import Batch
from tests.api import api_client, faults, send
from tests.clubs.nights import make_players
from tests.clubs.outbox import states, with_emails, work
from tests.clubs.year import TUESDAY, make_series
from tests.paper import words_of
from tests.people import Cast

AT = "/api/v1/clubs/riverside/messages/"
LUNCH = {"kind": "message", "subject": "Lunch", "text": "Dear {name}, come.", "who": "chosen"}


@pytest.fixture(autouse=True)
def before_it() -> Iterator[None]:
    with time_machine.travel("2026-11-15T10:00Z", tick=False):
        yield


@pytest.fixture
def lunch(cast: Cast) -> dict[str, Any]:
    """A message to Ann, Ben and Cy, who has no email address."""
    players = make_players(cast.club, 3)
    with_emails(players[:2])
    told = {**LUNCH, "people": [player.pk for player in players]}
    made = send(api_client(cast.secretary), AT, told)
    assert made.status_code == 201, made.json()
    batch: dict[str, Any] = made.json()
    return batch


def test_what_is_written_waits_as_drafts(lunch: dict[str, Any], cast: Cast) -> None:
    assert (lunch["drafts"], lunch["sent"]) == (3, 0)
    assert [letter["body"] for letter in lunch["letters"]][:1] == ["Dear Ann, come."]
    (row,) = api_client(cast.secretary).get(AT).json()["results"]
    assert (row["draft"], row["to_send"], row["by_hand"], row["made_by"]) == (3, 2, 1, "Alice")
    assert mail.outbox == []


def test_it_is_sent_only_as_it_was_looked_at(lunch: dict[str, Any], cast: Cast) -> None:
    client, at = api_client(cast.secretary), f"{AT}{lunch['id']}/"
    changed = client.patch(at, {"text": "Dear {name}, come soon."}, content_type="application/json")
    assert faults(send(client, f"{at}send/", {"seen": lunch["seen"]})) == [("changed", "")]
    sent = send(client, f"{at}send/", {"seen": changed.json()["seen"]})
    assert (sent.status_code, sent.json()["waiting"]) == (200, 2)
    batch = Batch.objects.get(pk=lunch["id"])
    work(batch)
    assert states(batch) == {"Ann": "sent", "Ben": "sent", "Cy": "draft"}
    assert sorted(message.body.strip() for message in mail.outbox) == [
        "Dear Ann, come soon.",
        "Dear Ben, come soon.",
    ]


def test_a_field_that_the_text_has_not_is_refused(lunch: dict[str, Any], cast: Cast) -> None:
    client, at = api_client(cast.secretary), f"{AT}{lunch['id']}/"
    sent = client.patch(at, {"text": "Dear {nmae}"}, content_type="application/json")
    assert [where for _, where in faults(sent)] == ["text"]


def test_one_person_has_their_own_words_or_none(lunch: dict[str, Any], cast: Cast) -> None:
    client, at = api_client(cast.secretary), f"{AT}{lunch['id']}/"
    ann, ben, cy = (letter["id"] for letter in lunch["letters"])
    own = client.patch(
        f"{at}letters/{ann}/", {"text": "Ann, bring a cake."}, content_type="application/json"
    )
    assert (own.json()["body"], own.json()["has_own_text"]) == ("Ann, bring a cake.", True)
    assert send(client, f"{at}leave-out/", {"message": ben}).json()["dropped"] == 1
    assert send(client, f"{at}take-in/", {"message": ben}).json()["dropped"] == 0
    assert send(client, f"{at}told/", {"message": cy, "by": "telephone"}).json()["sent"] == 1
    assert send(client, f"{at}leave-out/", {}).json()["dropped"] == 2
    assert faults(send(client, f"{at}take-in/", {"message": 10**12})) == [
        ("invalid_choice", "message")
    ]


def test_what_has_not_left_is_stopped(lunch: dict[str, Any], cast: Cast) -> None:
    client, at = api_client(cast.secretary), f"{AT}{lunch['id']}/"
    send(client, f"{at}send/", {"seen": lunch["seen"]})
    stopped = send(client, f"{at}stop/", {}).json()
    assert (stopped["drafts"], stopped["waiting"]) == (3, 0)


def test_those_without_an_address_are_told_by_hand(lunch: dict[str, Any], cast: Cast) -> None:
    client, at = api_client(cast.secretary), f"{AT}{lunch['id']}/"
    (call,) = client.get(f"{at}by-hand/").json()["results"]
    assert (call["name"], call["say"], call["address"]) == ("Cy", "Lunch", "")
    letters, phone = client.get(f"{at}papers/").json()["results"]
    assert "Dear Cy, come." in "".join(words_of(client.get(letters["address"]).content))
    assert "Lunch" in "".join(words_of(client.get(phone["address"]).content))
    ann = lunch["letters"][0]["id"]
    one = client.get(f"{letters['address']}?message={ann}&paper=letter&print=large")
    assert "Dear Ann, come." in "".join(words_of(one.content))
    assert client.get(f"{letters['address']}?message=999999").status_code == 404
    assert client.get(f"{letters['address']}?message=x").status_code == 400


def test_people_are_asked_to_come_and_told_that_there_is_nothing(cast: Cast) -> None:
    players = make_players(cast.club, 2)
    with_emails(players)
    make_series(cast.club)
    told = {"who": "chosen", "people": [player.pk for player in players], "day": str(TUESDAY)}
    client = api_client(cast.secretary)
    asked = send(client, AT, {**told, "kind": "invitation"}).json()
    assert asked["subject"] == "Can you come on Tuesday 17 November, 2pm, Village Hall?"
    assert cast.club.invitations.count() == 2
    off = send(client, AT, {**told, "kind": "no-evening", "why": "the hall is let"}).json()
    assert "(the hall is let)" in off["text"]
    rows = client.get(f"{AT}?kind=no-evening&from=2026-11-15&to=2026-11-15").json()
    assert [row["id"] for row in rows["results"]] == [off["id"]]


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"kind": "renewal"}, [""]),
        ({"kind": "renewal", "subject": "x"}, ["subject"]),
        ({**LUNCH, "people": []}, ["people"]),
        ({**LUNCH, "who": "here"}, ["who"]),
        ({**LUNCH, "day": "2026-11-17"}, ["day"]),
        ({"kind": "invitation", "who": "members", "day": "2026-11-14"}, ["day"]),
        ({"kind": "result"}, ["kind"]),
    ],
)
def test_a_message_asks_what_its_kind_needs(
    cast: Cast, told: dict[str, Any], where: list[str]
) -> None:
    sent = send(api_client(cast.secretary), AT, told)
    assert (sent.status_code, [place for _, place in faults(sent)]) == (400, where)


def test_nothing_leaves_a_rehearsal(cast: Cast) -> None:
    client = api_client(cast.secretary)
    begun = send(client, "/api/v1/clubs/riverside/rehearse/", {}).json()
    at = f"/api/v1/clubs/{begun['club']}/messages/"
    told = {"kind": "message", "subject": "Lunch", "text": "Come.", "who": "members"}
    made = send(client, at, told).json()
    sent = send(client, f"{at}{made['id']}/send/", {"seen": made["seen"]})
    assert faults(sent) == [("rehearsal", "")]
