"""What the secretary's desk takes over the API: what its description says, and nothing else."""

import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.api import api_client, faults, send
from tests.clubs.api.test_api_doors import WAYS, Way, made, named, office
from tests.clubs.office import Office
from tests.people import make_player

__all__ = ["made", "office"]
SENT = tuple(way for way in WAYS if way.sent is not None)
NEVER_RIGHT: tuple[Any, ...] = ({}, [[{}]], 10**30, -(10**30), 1.5, "x" * 20_000, "\x00")
NO_OBJECT: tuple[Any, ...] = ([], "x", 1, None, [{}])
PEOPLE = "/api/v1/clubs/riverside/players/"


def secretary(office: Office) -> Client:
    return api_client(office.cast.secretary)


def tried(office: Office, way: Way, sent: Any) -> int:
    """The status that the secretary gets; what was done is taken back."""
    client = secretary(office)
    address = office.address(way.name)
    with transaction.atomic():
        body = json.dumps(sent)
        answer = getattr(client, way.method)(address, body, content_type="application/json")
        transaction.set_rollback(True)
    status: int = answer.status_code
    return status


@pytest.mark.sampled
@pytest.mark.parametrize("way", SENT, ids=named)
def test_what_is_not_described_is_refused(office: Office, way: Way) -> None:
    assert way.sent is not None
    right = way.sent(office)
    wrong: list[Any] = [{**right, field: never} for field in right for never in NEVER_RIGHT]
    wrong += [{**right, "strange": 1}, *NO_OBJECT]
    taken = [sent for sent in wrong if tried(office, way, sent) != 400]
    assert taken == []


def test_a_person_who_is_not_there_is_said_at_the_field(office: Office) -> None:
    client = secretary(office)
    sent = client.post(
        office.address("api-standby"), {"player": 2**63 - 1}, content_type="application/json"
    )
    assert faults(sent) == [("invalid_choice", "player")]


@pytest.mark.parametrize("day", ["2026-02-30", "tomorrow", "9" * 40])
def test_a_day_that_there_is_not_is_not_found(office: Office, day: str) -> None:
    client = secretary(office)
    assert client.get(office.address("api-filling-in", day=day)).status_code == 404


def test_a_paper_says_in_which_ways_it_is_printed(office: Office) -> None:
    (paper,) = secretary(office).get(office.address("api-papers")).json()["results"]
    assert [(option["name"], option["title"], option["values"]) for option in paper["options"]] == [
        ("paper", "Paper", ["a4", "letter"]),
        ("print", "Text size", ["ordinary", "large"]),
        ("contrast", "Colours", ["ordinary", "high"]),
    ]


@pytest.mark.parametrize("asked", ["paper=a3", "print=tiny", "pages=x", "strange=1"])
def test_a_paper_is_not_printed_in_a_way_that_there_is_not(office: Office, asked: str) -> None:
    client = secretary(office)
    answer = client.get(f"{office.address('api-special-hands-pdf')}?{asked}")
    assert (answer.status_code, [where for _, where in faults(answer)]) == (
        400,
        [asked.partition("=")[0]],
    )


def test_somebody_who_has_paid_for_thousands_of_years_is_not_renewed(office: Office) -> None:
    client = secretary(office)
    at = office.address("api-player")
    client.patch(at, {"paid_until": "9999-12-31"}, content_type="application/json")
    sent = send(client, office.address("api-player-renew"), {})
    assert faults(sent) == [("paid_for_long", "paid_until")]


@pytest.mark.parametrize("how", [{"how": "every"}, {"how": "weeks", "weeks": ["5"]}])
def test_a_series_until_the_end_of_time_is_refused(office: Office, how: dict[str, Any]) -> None:
    days = {"first_on": "9999-12-01", "last_on": "9999-12-31"}
    told = {"name": "Club", **days, "starts_at": "14:00", "ends_at": "16:00", **how}
    sent = secretary(office).post(
        office.address("api-series-list"), told, content_type="application/json"
    )
    assert faults(sent) == [("too_far", "last_on")]


def test_the_secretary_adds_a_member(office: Office) -> None:
    sent = send(secretary(office), PEOPLE, {"name": "Zoë Adams", "phone": "01234 5678"})
    assert (sent.status_code, sent.json()["name"]) == (201, "Zoë Adams")
    assert office.club.players.get(pk=sent.json()["id"]).phone == "01234 5678"


def test_a_name_that_is_there_already_is_refused_in_a_sentence(office: Office) -> None:
    make_player(office.club, "Zoë Adams")
    sent = send(secretary(office), PEOPLE, {"name": "zoe adams"})
    assert (sent.status_code, [where for _, where in faults(sent)]) == (400, ["name"])


def test_what_the_form_finds_is_told_at_its_field(office: Office) -> None:
    sent = send(secretary(office), PEOPLE, {"name": "Zoë", "wants_results": True, "x": 1})
    assert faults(sent) == [("unknown_field", "x")]
    sent = send(secretary(office), PEOPLE, {"name": "Zoë", "wants_results": True, "email": ""})
    assert [where for _, where in faults(sent)] == ["email"]


def test_what_is_not_sent_stays(office: Office) -> None:
    player = make_player(office.club, "Zoë Adams", phone="01234", email="zoe@example.org")
    address = f"{PEOPLE}{player.pk}/"
    sent = secretary(office).patch(address, {"phone": "09876"}, content_type="application/json")
    assert sent.status_code == 200, sent.json()
    player.refresh_from_db()
    assert (player.name, player.phone, player.email) == ("Zoë Adams", "09876", "zoe@example.org")
