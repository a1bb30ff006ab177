"""People with roles over the API: a key may list them, and only a confirmed person changes them."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client

from clubs.accounts import services
from clubs.models import AuditEntry, Membership, Role, RoleInvitation
from tests.api import api_client, patch, refusal, send
from tests.clubs.visits import Visitor, confirmed
from tests.people import Cast

SETTINGS = "/api/v1/clubs/riverside/settings/"
PEOPLE = f"{SETTINGS}people/"
INVITED = f"{SETTINGS}invitations/"
BEA = {"email": "bea@example.org", "role": "scorer"}


def at(cast: Cast, who: str) -> str:
    return f"{PEOPLE}{cast.club.memberships.get(user=cast.everybody()[who]).pk}/"


@pytest.fixture
def person(cast: Cast) -> Visitor:
    """The secretary's browser, after she has entered her password again."""
    return confirmed(cast.secretary)


def test_a_key_lists_everyone_with_a_role(cast: Cast, program: Client) -> None:
    rows = program.get(PEOPLE).json()["results"]
    assert [(row["name"], row["role"]) for row in rows] == [
        ("Alice", "secretary"),
        ("Dev", "director"),
        ("Sunil", "scorer"),
        ("Pat", "player"),
    ]
    pat = cast.player.memberships.get()
    assert program.get(at(cast, "player")).json() == {
        "id": pat.pk,
        "name": "Pat",
        "email": "pat@example.org",
        "role": "player",
        "player": pat.player_id,
    }


def test_no_key_gives_or_removes_a_role(cast: Cast, program: Client) -> None:
    by_a_person = (403, [("by_a_person", "")])
    assert refusal(send(program, PEOPLE, BEA)) == by_a_person
    assert refusal(patch(program, at(cast, "player"), role="secretary")) == by_a_person
    assert refusal(program.delete(at(cast, "scorer"))) == by_a_person
    assert not RoleInvitation.objects.exists()
    assert Membership.objects.filter(club=cast.club).count() == 4


def test_a_browser_is_asked_for_the_password_again(cast: Cast, alice: Visitor) -> None:
    assert refusal(send(alice, PEOPLE, BEA)) == (403, [("password_again", "")])
    assert refusal(patch(alice, at(cast, "player"), role="scorer")) == (
        403,
        [("password_again", "")],
    )


def test_an_invitation_is_sent_sent_again_and_withdrawn(cast: Cast, person: Visitor) -> None:
    made = send(person, PEOPLE, BEA)
    assert made.status_code == 201
    assert (made.json()["role"], made.json()["is_sent"]) == ("scorer", True)
    assert "key" not in made.json()
    one = f"{INVITED}{made.json()['id']}/"
    first = RoleInvitation.objects.get().key
    assert send(person, f"{one}again/", {}).json()["is_sent"]
    assert RoleInvitation.objects.get().key != first
    assert [letter.to for letter in mail.outbox] == [["bea@example.org"]] * 2
    assert [row["email"] for row in person.get(INVITED).json()["results"]] == ["bea@example.org"]
    assert person.get(one).json()["email"] == "bea@example.org"
    assert person.delete(one).status_code == 204
    assert person.get(one).status_code == 404


def test_a_role_is_changed_and_removed(cast: Cast, person: Visitor) -> None:
    assert patch(person, at(cast, "scorer"), role="director").json()["role"] == "director"
    scorer = at(cast, "scorer")
    assert person.delete(scorer).status_code == 204
    assert person.get(scorer).status_code == 404
    said = {entry.what for entry in AuditEntry.objects.filter(made_by=cast.secretary)}
    assert {"api-person", "api-person:delete"} <= said


def test_a_role_that_has_changed_since_it_was_read_stays(cast: Cast, person: Visitor) -> None:
    address = at(cast, "scorer")
    tag = person.get(address)["ETag"]
    services.change_role(membership=cast.scorer.memberships.get(), role=Role.DIRECTOR)
    sent: dict[str, Any] = {"data": {"role": "player"}, "content_type": "application/json"}
    assert person.patch(address, **sent, headers={"if-match": tag}).status_code == 412
    assert cast.scorer.memberships.get().role == Role.DIRECTOR


def test_the_only_secretary_stays(cast: Cast, person: Visitor) -> None:
    only = [("only_secretary", "role")]
    assert refusal(patch(person, at(cast, "secretary"), role="player"))[1] == only
    assert refusal(person.delete(at(cast, "secretary")))[1] == only


def test_a_person_of_another_club_is_not_found(cast: Cast, person: Visitor) -> None:
    elsewhere = Membership.objects.exclude(club=cast.club).get()
    address = f"{PEOPLE}{elsewhere.pk}/"
    assert person.get(address).status_code == 404
    assert patch(person, address, role="player").status_code == 404
    assert api_client(cast.secretary).delete(address).status_code == 404


@pytest.mark.parametrize("people", [1, 3])
def test_the_lists_ask_the_same_however_many_people_there_are(
    cast: Cast, program: Client, people: int, django_assert_num_queries: Any
) -> None:
    for number in range(people):
        email = f"p{number}@example.org"
        services.invite(club=cast.club, email=email, role=Role.SCORER, invited_by=cast.secretary)
    with django_assert_num_queries(5):
        assert len(program.get(INVITED).json()["results"]) == people
    with django_assert_num_queries(5):
        assert program.get(PEOPLE).status_code == 200
