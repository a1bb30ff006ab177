"""Keys for programs: made by their person alone, good for their scopes, ended and revoked."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.accounts.services import (
    MAX_KEYS,
    find_token,
    make_token,
    revoke_token,
    sign_out_everywhere,
)
from clubs.models import ApiToken, Scope, User
from scoring.scorebook.refusals import Refused
from tests.api import api_client, faults, refusal, send
from tests.clubs.accounts.test_second_step import set_up
from tests.clubs.accounts.test_signin import (
    ALICE,
    NEW,
    is_in,
    reset_link,
    sign_in,
    type_password_again,
)
from tests.clubs.visits import Visitor, confirmed_visitor
from tests.people import PASSWORD, Cast

TOKEN, KEYS, CLUBS = "/api/v1/token/", "/api/v1/keys/", "/api/v1/clubs/"
PLAYERS = "/api/v1/clubs/riverside/players/"
pytestmark = pytest.mark.usefixtures("cast")


def key_by_password(
    email: str = ALICE, password: str = PASSWORD, from_where: str = "127.0.0.1", **extra_fields: Any
) -> Any:
    phone = Client(headers={"x-forwarded-for": from_where})
    return send(phone, TOKEN, {"email": email, "password": password, **extra_fields})


def holding(key: str, word: str = "Bearer") -> Client:
    return Client(headers={"authorization": f"{word} {key}"})


def with_key(user: User, *scopes: Scope, **token_options: Any) -> Client:
    new_token = make_token(user=user, name="A program", scopes=scopes, **token_options)
    return holding(new_token.key)


def test_address_and_password_give_a_key_that_opens_the_api() -> None:
    answer = key_by_password("Alice@Example.org")
    assert answer.status_code == 201
    key = answer.json()["token"]
    for word in ("Bearer", "Token", "bearer"):
        assert holding(key, word).get(CLUBS).json()["results"][0]["slug"] == "riverside"


def test_only_the_digest_of_a_key_is_kept() -> None:
    key = key_by_password().json()["token"]
    stored_token = ApiToken.objects.values().get()
    assert key not in str(stored_token)
    assert stored_token["beginning"] == key[:12]
    assert find_token(key) is not None


@pytest.mark.parametrize(
    ("email", "password"), [(ALICE, "east wind"), ("nobody@example.org", PASSWORD)]
)
def test_a_wrong_sign_in_does_not_say_what_was_wrong(email: str, password: str) -> None:
    assert refusal(key_by_password(email, password)) == (400, [("wrong_sign_in", "")])


def test_whoever_was_shut_out_gets_no_key(cast: Cast) -> None:
    cast.player.is_active = False
    cast.player.save()
    assert faults(key_by_password(cast.player.email)) == [("wrong_sign_in", "")]
    assert api_client(cast.player).get(CLUBS).status_code == 401


def test_a_password_alone_makes_no_key_where_there_is_a_second_step(cast: Cast) -> None:
    Authenticator.objects.create(user=cast.secretary, type="totp", data={"secret": "x"})
    assert refusal(key_by_password()) == (403, [("second_step", "")])
    assert not ApiToken.objects.exists()


def test_the_sixth_wrong_password_for_a_person_has_to_wait_wherever_it_comes_from() -> None:
    tries = [key_by_password(password="east wind").status_code for _ in range(6)]
    assert tries == [400] * 5 + [429]
    assert key_by_password("pat@example.org").status_code == 201


def test_the_eleventh_try_in_a_minute_from_one_address_has_to_wait() -> None:
    tries = [
        key_by_password(f"somebody{attempt}@example.org", "east wind", f"192.0.2.{attempt}")
        for attempt in range(11)
    ]
    assert [answer.status_code for answer in tries[:-1]] == [400] * 10
    assert refusal(tries[-1]) == (429, [("throttled", "")])
    assert 0 < int(tries[-1]["Retry-After"]) <= 60


def test_a_key_does_what_its_scopes_name_and_the_refusal_names_what_it_lacks(cast: Cast) -> None:
    reading = with_key(cast.secretary, Scope.READ)
    assert reading.get(PLAYERS).status_code == 200
    response = send(reading, PLAYERS, {"name": "Zoe"})
    assert refusal(response) == (403, [("permission_denied", "")])
    assert "lacks the scope “people”" in response.json()["problems"][0]["message"]
    assert send(with_key(cast.secretary, Scope.PEOPLE), PLAYERS, {"name": "Zoe"}).status_code == 201


def test_a_key_for_people_does_not_read_the_rest(cast: Cast) -> None:
    assert with_key(cast.secretary, Scope.PEOPLE).get(CLUBS).status_code == 403


def test_a_key_opens_no_more_than_its_person(cast: Cast) -> None:
    client = with_key(cast.player, *Scope)
    response = send(client, PLAYERS, {"name": "Zoe"})
    assert response.json()["problems"][0]["message"].startswith("Only a secretary")


def test_a_key_for_one_club_opens_no_other(cast: Cast) -> None:
    key = with_key(cast.stranger, *Scope, club=cast.club)
    assert key.get(CLUBS).json()["results"] == []
    assert key.get("/api/v1/clubs/hill-top/players/").status_code == 403


def test_a_revoked_key_opens_nothing() -> None:
    key = key_by_password().json()["token"]
    client = holding(key)
    (key_data,) = client.get(KEYS).json()["results"]
    assert client.delete(f"{KEYS}{key_data['id']}/").status_code == 204
    assert refusal(client.get(CLUBS)) == (401, [("authentication_failed", "")])


def test_a_key_ends_on_its_day() -> None:
    key = key_by_password(days=7).json()["token"]
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
    token = make_token(user=cast.secretary, name="Mine", scopes=["read"]).token
    pat = with_key(cast.player, *Scope)
    assert [key["name"] for key in pat.get(KEYS).json()["results"]] == ["A program"]
    assert pat.delete(f"{KEYS}{token.pk}/").status_code == 404


def test_a_key_makes_keys_no_better_than_itself(cast: Cast) -> None:
    client = with_key(cast.secretary, Scope.OWN, Scope.READ, days=None)
    response = send(client, KEYS, {"name": "The screen", "scopes": ["read"]})
    assert (response.status_code, response.json()["scopes"]) == (201, ["read"])
    second_response = send(client, KEYS, {"scopes": ["read", "people"]})
    assert (second_response.status_code, "people" in str(second_response.json())) == (403, True)
    expiring_client = with_key(cast.secretary, Scope.OWN, days=1)
    assert send(expiring_client, KEYS, {}).status_code == 403


def test_the_keys_that_a_key_made_go_with_it(cast: Cast) -> None:
    own_key = make_token(user=cast.secretary, name="Mine", scopes=list(Scope)).key
    parent = make_token(user=cast.secretary, name="Old", scopes=list(Scope), days=None)
    child_data = {"name": "Child", "days": None}
    child = send(holding(parent.key), KEYS, child_data).json()["token"]
    for_the_club = {"name": "Grandchild", "club": "riverside"}
    grandchild = send(holding(child), KEYS, for_the_club).json()["token"]
    revoke_token(token=parent.token)
    assert [find_token(key) for key in (parent.key, child, grandchild)] == [None] * 3
    assert find_token(own_key) is not None
    with pytest.raises(Refused, match="This API key no longer works"):
        make_token(user=cast.secretary, name="Late", scopes=list(Scope), parent=parent.token)
    ended_token = make_token(user=cast.secretary, name="Ended", scopes=list(Scope), days=-1).token
    with pytest.raises(Refused, match="This API key no longer works"):
        make_token(user=cast.secretary, name="Late", scopes=list(Scope), parent=ended_token)


def test_nobody_hoards_keys(cast: Cast) -> None:
    for number in range(MAX_KEYS):
        make_token(user=cast.player, name=str(number), scopes=["read"])
    with pytest.raises(Refused, match="You already have 50 keys"):
        make_token(user=cast.player, name="one more", scopes=["read"])


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes.0"),
        ({"club": "hill-top"}, "club"),
        ({"days": 0}, "days"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_made_is_said(fields: Any, field: str) -> None:
    answer = key_by_password(**fields)
    assert (answer.status_code, [place for _, place in faults(answer)]) == (400, [field])


PAGE = "/keys/"
WANTED = {"name": "The screen", "scopes": ["read"]}
NAMED = "Your API keys have ended too: “A program”."
Ends = Callable[[Client, Any], Any]


def press_sign_out(client: Client, settings: Any) -> Any:
    return client.post(reverse("sign-out-everywhere"), follow=True)


def change_password(client: Client, settings: Any) -> Any:
    password_data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    return client.post(reverse("account_change_password"), password_data, follow=True)


def reset_password(client: Client, settings: Any) -> Any:
    browser = Client()
    link = reset_link(browser).removeprefix(settings.SITE_ADDRESS)
    page = browser.get(link, follow=True)
    password_data = {"password1": NEW, "password2": NEW}
    return browser.post(page.request["PATH_INFO"], password_data, follow=True)


def first_second_step(client: Client, settings: Any) -> Any:
    set_up(client)
    return client.get(reverse("account"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        (press_sign_out, "because you signed out everywhere"),
        (change_password, "because your password was changed"),
        (reset_password, "because your password was changed"),
        (first_second_step, "because you turned on two-step verification"),
    ],
)
def test_keys_end_and_it_is_said_on_the_page_and_in_a_mail(
    client: Client, cast: Cast, settings: Any, ends: Ends, reason: str
) -> None:
    own_client, of_others = with_key(cast.secretary, *Scope), with_key(cast.player, *Scope)
    sign_in(client)
    assert own_client.get(CLUBS).status_code == 200
    page = ends(client, settings).content.decode()
    assert (own_client.get(CLUBS).status_code, of_others.get(CLUBS).status_code) == (401, 200)
    assert NAMED in page
    (email,) = [message for message in mail.outbox if "API keys" in message.subject]
    assert email.to == [cast.secretary.email]
    assert reason in str(email.body)
    assert "- A program\n" in str(email.body)


@pytest.mark.django_db(transaction=True)
def test_who_has_no_key_hears_nothing_of_keys(client: Client) -> None:
    sign_in(client)
    page = client.post(reverse("sign-out-everywhere"), follow=True).content.decode()
    assert "API keys have ended" not in page
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_keys_end_though_no_mail_can_be_sent(client: Client, cast: Cast, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    key = with_key(cast.secretary, *Scope)
    sign_in(client)
    assert client.post(reverse("sign-out-everywhere")).status_code == 302
    assert key.get(CLUBS).status_code == 401


def test_the_first_second_step_signs_out_whoever_came_in_by_the_password_alone(
    client: Client,
) -> None:
    elsewhere = Client()
    for browser in (client, elsewhere):
        sign_in(browser)
    set_up(client)
    assert (is_in(client), is_in(elsewhere)) == (True, False)


def test_making_a_key_asks_for_the_password_again(client: Client) -> None:
    sign_in(client)
    assert "enter your password again" in client.get(PAGE).content.decode()
    response = client.post(PAGE, WANTED)
    assert response["Location"] == f"{reverse('account_reauthenticate')}?next=%2Fkeys%2F"
    assert not ApiToken.objects.exists()
    type_password_again(client)
    assert "created" in client.post(PAGE, WANTED).content.decode()
    with travel(timezone.now() + timedelta(minutes=16)):
        assert client.post(PAGE, WANTED).status_code == 302
    assert ApiToken.objects.count() == 1


def test_making_a_key_over_the_api_asks_whoever_is_signed_in_for_the_password_again(
    client: Client,
) -> None:
    sign_in(client)
    assert refusal(send(client, KEYS, WANTED)) == (403, [("password_again", "")])
    type_password_again(client)
    assert send(client, KEYS, WANTED).status_code == 201


def test_who_has_no_password_chooses_one_before_they_make_a_key(client: Client, cast: Cast) -> None:
    cast.secretary.set_unusable_password()
    cast.secretary.save()
    client.force_login(cast.secretary, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(PAGE, WANTED)["Location"] == reverse("account_set_password")
    assert faults(send(client, KEYS, WANTED)) == [("no_password", "")]
    assert not ApiToken.objects.exists()


def test_where_a_second_step_is_required_no_organiser_makes_a_key_without_it(
    client: Client, cast: Cast, settings: Any
) -> None:
    key = with_key(cast.secretary, Scope.OWN, days=None)
    settings.SECOND_FACTOR = "required"
    sign_in(client)
    type_password_again(client)
    assert client.post(PAGE, WANTED)["Location"] == reverse("mfa_activate_totp")
    key_data = {"scopes": ["own"]}
    for answer in (send(client, KEYS, WANTED), send(key, KEYS, key_data), key_by_password()):
        assert refusal(answer) == (403, [("second_step", "")])
    assert ApiToken.objects.count() == 1
    assert key_by_password(cast.player.email).status_code == 201


def test_a_key_ends_after_a_year_unless_somebody_says_otherwise(client: Client, cast: Cast) -> None:
    sign_in(client)
    type_password_again(client)
    client.post(PAGE, WANTED)
    client.post(PAGE, {**WANTED, "days": "never"})
    send(client, KEYS, WANTED)
    send(client, KEYS, {**WANTED, "days": None})
    send(client, KEYS, {**WANTED, "days": 30})
    make_token(user=cast.secretary, name="By a script", scopes=["read"])
    lives = [
        key.ends_at and round((key.ends_at - key.made_at) / timedelta(days=1))
        for key in ApiToken.objects.order_by("pk")
    ]
    assert lives == [365, None, 365, None, 30, 365]


def test_a_key_for_one_club_neither_lists_nor_revokes_the_keys_for_all(cast: Cast) -> None:
    for_all = make_token(user=cast.secretary, name="For all", scopes=["read"])
    for_one = with_key(cast.secretary, Scope.OWN, Scope.READ, club=cast.club, days=None)
    address = f"{KEYS}{for_all.token.pk}/"
    assert [key["name"] for key in for_one.get(KEYS).json()["results"]] == ["A program"]
    assert (for_one.get(address).status_code, for_one.delete(address).status_code) == (404, 404)
    assert holding(for_all.key).get(CLUBS).status_code == 200
    own_key_id = for_one.get(KEYS).json()["results"][0]["id"]
    assert for_one.delete(f"{KEYS}{own_key_id}/").status_code == 204


def test_no_key_is_made_by_who_was_signed_out_meanwhile(cast: Cast) -> None:
    sign_out_everywhere(user=User.objects.get(pk=cast.secretary.pk))
    with pytest.raises(Refused, match="You have been signed out"):
        make_token(user=cast.secretary, name="Too late", scopes=["read"])


def test_somebody_makes_a_key_and_reads_it_once(cast: Cast) -> None:
    me = confirmed_visitor(cast.secretary)
    data = {"name": "The screen", "scopes": ["read", "hands"], "club": cast.club.pk, "days": "90"}
    page = me.post(PAGE, data).content.decode()
    token = ApiToken.objects.get()
    key = page.split("<code>")[1].split("</code>")[0]
    assert key.startswith(token.beginning)
    assert (token.name, token.scopes, token.club) == ("The screen", ["read", "hands"], cast.club)
    assert token.ends_at is not None
    second_page = me.read(PAGE)
    assert (key in second_page, "The screen" in second_page) == (False, True)
    assert "View what you can see; Enter and correct hands" in second_page
    assert holding(key).get(CLUBS).json()["results"][0]["slug"] == cast.club.slug


def test_what_is_missing_is_said(cast: Cast) -> None:
    answer = confirmed_visitor(cast.secretary).post(PAGE, {"name": "The screen"})
    assert (answer.status_code, "Choose at least one." in answer.content.decode()) == (422, True)


def test_nobody_makes_a_key_for_a_club_of_others(cast: Cast) -> None:
    elsewhere = cast.stranger.memberships.get().club.pk
    data = {"name": "The screen", "scopes": ["read"], "club": elsewhere}
    assert confirmed_visitor(cast.secretary).post(PAGE, data).status_code == 422


def test_a_key_is_revoked_by_its_person_alone(cast: Cast) -> None:
    new_token = make_token(user=cast.secretary, name="The screen", scopes=["read"])
    address = reverse("key-revoke", args=[new_token.token.pk])
    assert Visitor(cast.player).post(address).status_code == 404
    page = Visitor(cast.secretary).post(address, follow=True).content.decode()
    assert "“The screen” has been revoked." in page
    assert "You have no API keys." in page


def test_nobody_in_particular_is_asked_to_sign_in(client: Client) -> None:
    assert client.get(PAGE).headers["Location"].startswith("/accounts/login/")
