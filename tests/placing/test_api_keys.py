"""API keys, where clubs are in several databases: a club's key is where the club is."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.services import make_token, note_use, sign_out_everywhere, token_of, tokens_of
from clubs.databases import MAIN, at
from clubs.hosting.services.moving import move_club
from clubs.models import ApiToken, Club, Membership, Role, Scope, User
from tests.api import send
from tests.clubs.hosting.conftest import make_operator
from tests.people import PASSWORD, browser_of
from tests.placing.placed import placed_club

KEYS = "/api/v1/keys/"


@pytest.fixture
def riverside() -> Club:
    return placed_club("north")


@pytest.fixture
def ann(riverside: Club) -> User:
    """The secretary of a club in the north, who plays in the south too."""
    user = User.objects.get()
    with at("south"):
        user.copy_here()
    hilltop = placed_club("south", "hilltop")
    with at("south"):
        Membership.objects.create(club=hilltop, user=user, role=Role.PLAYER)
    return user


def key_of(user: User, club: Club | None = None) -> str:
    return make_token(user=user, name="A screen", scopes=Scope.values, club=club, days=None).key


def holding(key: str) -> Client:
    return Client(headers={"authorization": f"Bearer {key}"})


def players(slug: str = "riverside") -> str:
    return f"/api/v1/clubs/{slug}/players/"


def test_a_key_for_one_club_is_in_its_database(ann: User, riverside: Club) -> None:
    key, for_all = key_of(ann, riverside), key_of(ann)
    assert ApiToken.objects.get().club_id is None
    with at("north"):
        assert ApiToken.objects.get().club_id == riverside.pk
    for each in (key, for_all):
        assert holding(each).get(players()).status_code == 200
    assert holding(for_all).get(players("hilltop")).status_code == 200
    answer = holding(key).get(players("hilltop"))
    assert answer.status_code == 403
    assert "This API key is for another club." in answer.content.decode()


def test_a_key_lists_the_clubs_that_it_opens(ann: User, riverside: Club) -> None:
    for key, slugs in (
        (key_of(ann, riverside), ["riverside"]),
        (key_of(ann), ["hilltop", "riverside"]),
    ):
        assert [club["slug"] for club in holding(key).get("/api/v1/clubs/").json()] == slugs


def test_a_program_writes_in_the_name_of_its_person(ann: User, riverside: Club) -> None:
    olga = make_operator()
    answer = send(holding(key_of(olga)), players(), {"name": "Bertie Bamboo"})
    assert answer.status_code == 201
    with at("north"):
        entry = riverside.audit_entries.get(what="api-players")
        assert str(entry.made_by) == "Olga"
    assert User.objects.get(pk=olga.pk).check_password(PASSWORD)


def test_the_page_of_keys_makes_lists_and_revokes_them(ann: User, riverside: Club) -> None:
    browser = browser_of(ann)
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    sent = {"name": "Screen", "scopes": ["read"], "days": "30"}
    for club in ("", str(riverside.pk)):
        page = browser.post(reverse("keys"), {**sent, "club": club})
        assert page.context["made"].key
    assert browser.post(reverse("keys"), {**sent, "club": "7"}).context["made"] is None
    page = browser.get(reverse("keys"))
    clubs = [str(key.club) for key in page.context["keys"]]
    assert clubs == ["riverside", "None"]
    newest = page.context["keys"][0]
    browser.post(reverse("key-revoke", args=[newest.pk]))
    assert len(browser.get(reverse("keys")).context["keys"]) == 1
    with at("north"):
        assert ApiToken.objects.get().revoked_at
        whats = riverside.audit_entries.values_list("what", flat=True)
        assert list(whats.order_by("pk")) == ["keys", "keys", "key-revoke"]


def test_keys_are_listed_and_revoked_over_the_api(ann: User, riverside: Club) -> None:
    client = holding(key_of(ann))
    made = send(client, KEYS, {"name": "Screen", "club": "riverside"}).json()
    assert [key["club"] for key in client.get(KEYS).json()["results"]] == ["riverside", None]
    assert holding(made["token"]).get(KEYS).json()["count"] == 1
    assert client.delete(f"{KEYS}{made['id']}/").status_code == 204
    assert holding(made["token"]).get(players()).status_code == 401


def test_a_password_makes_a_key_for_a_club(ann: User) -> None:
    sent = {"email": ann.email, "password": PASSWORD, "club": "riverside"}
    answer = send(Client(), "/api/v1/token/", sent)
    assert answer.status_code == 201
    assert holding(answer.json()["token"]).get(players()).status_code == 200


def test_all_keys_end_wherever_they_are(ann: User, riverside: Club) -> None:
    keys = [key_of(ann, riverside), key_of(ann)]
    assert len(sign_out_everywhere(user=ann)) == 2
    assert [token_of(key) for key in keys] == [None, None]


def test_the_last_use_is_noted_where_the_key_is(ann: User, riverside: Club) -> None:
    token = token_of(key_of(ann, riverside))
    assert token
    note_use(token=token, now=timezone.now())
    with at("north"):
        assert ApiToken.objects.get().used_at
    assert [key.used_at is not None for key in tokens_of(ann)] == [True]


def test_a_key_that_was_revoked_does_not_come_back_with_a_leftover(
    ann: User, riverside: Club
) -> None:
    key = key_of(ann, riverside)
    with at("north"):
        values = ApiToken.objects.values().get()
    move_club("riverside", to="south")
    assert holding(key).get(players()).status_code == 200
    with at("north"):  # what a move that was broken off leaves
        Club.objects.create(pk=riverside.pk, name="riverside", slug="riverside")
        ann.copy_here()
        ApiToken.objects.create(**values)
    with at("south"):
        ApiToken.objects.update(revoked_at=timezone.now())
    assert token_of(key) is None
    with at("north"):
        assert token_of(key) is None


def test_a_key_of_someone_shut_out_opens_nothing(ann: User, riverside: Club) -> None:
    keys = [key_of(ann, riverside), key_of(ann)]
    ann.is_active = False
    ann.save()
    for name in (MAIN, "north"):
        with at(name):
            answers: list[Any] = [token_of(key) for key in keys]
            assert answers == [None, None]
