"""The page of one's own keys for programs."""

from django.test import Client
from django.urls import reverse

from clubs.accounts.services import make_token
from clubs.models import ApiToken, User
from tests.clubs.visits import Visitor
from tests.people import PASSWORD, Cast

KEYS = "/keys/"


def known(user: User) -> Visitor:
    """Someone who has just typed their password."""
    me = Visitor(user)
    me.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return me


def test_somebody_makes_a_key_and_reads_it_once(cast: Cast) -> None:
    me = known(cast.secretary)
    told = {"name": "The screen", "scopes": ["read", "hands"], "club": cast.club.pk, "days": "90"}
    page = me.post(KEYS, told).content.decode()
    token = ApiToken.objects.get()
    key = page.split("<code>")[1].split("</code>")[0]
    assert key.startswith(token.beginning)
    assert (token.name, token.scopes, token.club) == ("The screen", ["read", "hands"], cast.club)
    assert token.ends_at is not None
    again = me.get(KEYS).content.decode()
    assert (key in again, "The screen" in again) == (False, True)
    assert "View what you can see; Enter and correct hands" in again
    opened = Client(headers={"authorization": f"Bearer {key}"}).get("/api/v1/clubs/")
    assert opened.json()[0]["slug"] == cast.club.slug


def test_what_is_missing_is_said(cast: Cast) -> None:
    answer = known(cast.secretary).post(KEYS, {"name": "The screen"})
    assert (answer.status_code, "Choose at least one." in answer.content.decode()) == (422, True)


def test_nobody_makes_a_key_for_a_club_of_others(cast: Cast) -> None:
    elsewhere = cast.stranger.memberships.get().club.pk
    told = {"name": "The screen", "scopes": ["read"], "club": elsewhere}
    assert known(cast.secretary).post(KEYS, told).status_code == 422


def test_a_key_is_revoked_by_its_person_alone(cast: Cast) -> None:
    made = make_token(user=cast.secretary, name="The screen", scopes=["read"])
    address = reverse("key-revoke", args=[made.token.pk])
    assert Visitor(cast.player).post(address).status_code == 404
    said = Visitor(cast.secretary).post(address, follow=True).content.decode()
    assert "“The screen” has been revoked." in said
    assert "You have no API keys." in said


def test_nobody_in_particular_is_asked_to_sign_in(client: Client, db: None) -> None:
    assert client.get(KEYS).headers["Location"].startswith("/accounts/login/")
