"""Keys for programs: made by a password or a key, good for their scopes, ended, revoked."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone
from time_machine import travel

from clubs.accounts import services
from clubs.accounts.services import token_of
from clubs.models import ApiToken, Scope, User
from scoring.scorebook.refusals import Refused
from tests.api import api_client, faults, send
from tests.people import PASSWORD, Cast

TOKEN, KEYS, CLUBS = "/api/v1/token/", "/api/v1/keys/", "/api/v1/clubs/"
PLAYERS = "/api/v1/clubs/riverside/players/"


def sign_in(email: str = "alice@example.org", password: str = PASSWORD, **more: Any) -> Any:
    return send(Client(), TOKEN, {"email": email, "password": password, **more})


def holding(key: str, word: str = "Bearer") -> Client:
    return Client(headers={"authorization": f"{word} {key}"})


def with_key(user: User, *scopes: Scope, **more: Any) -> Client:
    made = services.make_token(user=user, name="A program", scopes=scopes, **more)
    return holding(made.key)


def test_address_and_password_give_a_key_that_opens_the_api(cast: Cast) -> None:
    answer = sign_in("Alice@Example.org")
    assert answer.status_code == 201
    key = answer.json()["token"]
    for word in ("Bearer", "Token", "bearer"):
        assert holding(key, word).get(CLUBS).json()[0]["slug"] == "riverside"


def test_only_the_digest_of_a_key_is_kept(cast: Cast) -> None:
    key = sign_in().json()["token"]
    kept = ApiToken.objects.values().get()
    assert key not in str(kept)
    assert kept["beginning"] == key[:12]
    assert token_of(key) is not None


@pytest.mark.parametrize(
    ("email", "password"), [("alice@example.org", "east wind"), ("nobody@example.org", PASSWORD)]
)
def test_a_wrong_sign_in_does_not_say_what_was_wrong(cast: Cast, email: str, password: str) -> None:
    answer = sign_in(email, password)
    assert (answer.status_code, faults(answer)) == (400, [("wrong_sign_in", "")])


def test_whoever_was_shut_out_gets_no_key(cast: Cast) -> None:
    cast.player.is_active = False
    cast.player.save()
    assert faults(sign_in(cast.player.email)) == [("wrong_sign_in", "")]
    assert api_client(cast.player).get(CLUBS).status_code == 401


def test_a_password_alone_makes_no_key_where_there_is_a_second_step(cast: Cast) -> None:
    Authenticator.objects.create(user=cast.secretary, type="totp", data={"secret": "x"})
    answer = sign_in()
    assert (answer.status_code, faults(answer)) == (403, [("second_step", "")])
    assert not ApiToken.objects.exists()


def test_the_sixth_wrong_password_for_a_person_has_to_wait_wherever_it_comes_from(
    cast: Cast,
) -> None:
    tries = [sign_in(password="east wind").status_code for _ in range(6)]
    assert tries == [400] * 5 + [429]
    assert sign_in("pat@example.org").status_code == 201


def test_the_eleventh_try_in_a_minute_from_one_address_has_to_wait(cast: Cast) -> None:
    tries = [
        send(
            Client(headers={"x-forwarded-for": f"192.0.2.{attempt}"}),
            TOKEN,
            {"email": f"somebody{attempt}@example.org", "password": "east wind"},
        )
        for attempt in range(11)
    ]
    assert [answer.status_code for answer in tries] == [400] * 10 + [429]
    assert faults(tries[-1]) == [("throttled", "")]
    assert 0 < int(tries[-1]["Retry-After"]) <= 60


def test_a_key_does_what_its_scopes_name_and_the_refusal_names_what_it_lacks(cast: Cast) -> None:
    reading = with_key(cast.secretary, Scope.READ)
    assert reading.get(PLAYERS).status_code == 200
    refused = send(reading, PLAYERS, {"name": "Zoe"})
    assert (refused.status_code, faults(refused)) == (403, [("permission_denied", "")])
    assert "lacks the scope “people”" in refused.json()["problems"][0]["message"]
    assert send(with_key(cast.secretary, Scope.PEOPLE), PLAYERS, {"name": "Zoe"}).status_code == 201


def test_a_key_for_people_does_not_read_the_rest(cast: Cast) -> None:
    assert with_key(cast.secretary, Scope.PEOPLE).get(CLUBS).status_code == 403


def test_a_key_opens_no_more_than_its_person(cast: Cast) -> None:
    everything = with_key(cast.player, *Scope)
    refused = send(everything, PLAYERS, {"name": "Zoe"})
    assert refused.json()["problems"][0]["message"].startswith("Only a secretary")


def test_a_key_for_one_club_opens_no_other(cast: Cast) -> None:
    key = with_key(cast.stranger, *Scope, club=cast.club)
    assert key.get(CLUBS).json() == []
    assert key.get("/api/v1/clubs/hill-top/players/").status_code == 403


def test_a_revoked_key_opens_nothing(cast: Cast) -> None:
    key = sign_in().json()["token"]
    client = holding(key)
    (mine,) = client.get(KEYS).json()["results"]
    assert client.delete(f"{KEYS}{mine['id']}/").status_code == 204
    answer = client.get(CLUBS)
    assert (answer.status_code, faults(answer)) == (401, [("authentication_failed", "")])


def test_a_key_ends_on_its_day(cast: Cast) -> None:
    key = sign_in(days=7).json()["token"]
    with travel(timezone.now() + timedelta(days=6, hours=23), tick=False):
        assert holding(key).get(CLUBS).status_code == 200
    with travel(timezone.now() + timedelta(days=7), tick=False):
        assert holding(key).get(CLUBS).status_code == 401


def test_when_a_key_was_used_is_written_once_a_minute(cast: Cast) -> None:
    client = with_key(cast.secretary, Scope.READ)
    with travel(timezone.now(), tick=False) as now:
        client.get(CLUBS)
        first = ApiToken.objects.get().used_at
        now.shift(59)
        client.get(CLUBS)
        assert ApiToken.objects.get().used_at == first
        now.shift(1)
        client.get(CLUBS)
        assert ApiToken.objects.get().used_at == timezone.now()


def test_nobody_sees_or_revokes_the_keys_of_others(cast: Cast) -> None:
    made = services.make_token(user=cast.secretary, name="Mine", scopes=["read"]).token
    pat = with_key(cast.player, *Scope)
    assert [key["name"] for key in pat.get(KEYS).json()["results"]] == ["A program"]
    assert pat.delete(f"{KEYS}{made.pk}/").status_code == 404


def test_a_key_makes_keys_no_better_than_itself(cast: Cast) -> None:
    client = with_key(cast.secretary, Scope.OWN, Scope.READ, days=None)
    made = send(client, KEYS, {"name": "The screen", "scopes": ["read"]})
    assert (made.status_code, made.json()["scopes"]) == (201, ["read"])
    refused = send(client, KEYS, {"scopes": ["read", "people"]})
    assert (refused.status_code, "people" in str(refused.json())) == (403, True)
    ended = with_key(cast.secretary, Scope.OWN, days=1)
    assert send(ended, KEYS, {}).status_code == 403


def test_nobody_hoards_keys(cast: Cast) -> None:
    for number in range(services.MOST):
        services.make_token(user=cast.player, name=str(number), scopes=["read"])
    with pytest.raises(Refused, match="You already have 50 keys"):
        services.make_token(user=cast.player, name="one more", scopes=["read"])


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({"scopes": []}, [("no_scope", "scopes")]),
        ({"scopes": ["everything"]}, [("invalid_choice", "scopes.0")]),
        ({"club": "hill-top"}, [("invalid", "club")]),
        ({"days": 0}, [("min_value", "days")]),
        ({"colour": "red"}, [("invalid", "colour")]),
    ],
)
def test_what_cannot_be_made_is_said(cast: Cast, sent: Any, found: Any) -> None:
    answer = sign_in(**sent)
    assert answer.status_code == 400
    assert [where for _, where in faults(answer)] == [where for _, where in found]
