"""Keys for programs end with their person's trust, and are made by nobody but that person."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.accounts.services import make_token, sign_out_everywhere
from clubs.models import ApiToken, Scope, User
from scoring.scorebook.refusals import Refused
from tests.api import faults, send
from tests.clubs.accounts.test_api_keys import CLUBS, KEYS, holding, with_key
from tests.clubs.accounts.test_second_step import set_up
from tests.clubs.accounts.test_signin import NEW, is_in, reset_link, sign_in, type_password_again
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.django_db

PAGE = "/keys/"
WANTED = {"name": "The screen", "scopes": ["read"]}
NAMED = "Your API keys have ended too: “A program”."
Ends = Callable[[Client, Any], Any]


def press_sign_out(client: Client, settings: Any) -> Any:
    return client.post(reverse("sign-out-everywhere"), follow=True)


def change_password(client: Client, settings: Any) -> Any:
    changed = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    return client.post(reverse("account_change_password"), changed, follow=True)


def reset_password(client: Client, settings: Any) -> Any:
    browser = Client()
    link = reset_link(browser).removeprefix(settings.SITE_ADDRESS)
    page = browser.get(link, follow=True)
    chosen = {"password1": NEW, "password2": NEW}
    return browser.post(page.request["PATH_INFO"], chosen, follow=True)


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
    mine, of_others = with_key(cast.secretary, *Scope), with_key(cast.player, *Scope)
    sign_in(client)
    assert mine.get(CLUBS).status_code == 200
    page = ends(client, settings).content.decode()
    assert (mine.get(CLUBS).status_code, of_others.get(CLUBS).status_code) == (401, 200)
    assert NAMED in page
    (sent,) = [one for one in mail.outbox if "API keys" in one.subject]
    assert sent.to == [cast.secretary.email]
    assert reason in str(sent.body)
    assert "- A program\n" in str(sent.body)


@pytest.mark.django_db(transaction=True)
def test_who_has_no_key_hears_nothing_of_keys(client: Client, cast: Cast) -> None:
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
    client: Client, cast: Cast
) -> None:
    elsewhere = Client()
    for browser in (client, elsewhere):
        sign_in(browser)
    set_up(client)
    assert (is_in(client), is_in(elsewhere)) == (True, False)


def test_making_a_key_asks_for_the_password_again(client: Client, cast: Cast) -> None:
    sign_in(client)
    assert "enter your password again" in client.get(PAGE).content.decode()
    refused = client.post(PAGE, WANTED)
    assert refused["Location"] == f"{reverse('account_reauthenticate')}?next=%2Fkeys%2F"
    assert not ApiToken.objects.exists()
    type_password_again(client)
    assert "created" in client.post(PAGE, WANTED).content.decode()
    with travel(timezone.now() + timedelta(minutes=16)):
        assert client.post(PAGE, WANTED).status_code == 302
    assert ApiToken.objects.count() == 1


def test_making_a_key_over_the_api_asks_whoever_is_signed_in_for_the_password_again(
    client: Client, cast: Cast
) -> None:
    sign_in(client)
    refused = send(client, KEYS, WANTED)
    assert (refused.status_code, faults(refused)) == (403, [("password_again", "")])
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
    told = {"email": cast.secretary.email, "password": PASSWORD}
    for answer in (
        send(client, KEYS, WANTED),
        send(key, KEYS, {"scopes": ["own"]}),
        send(Client(), "/api/v1/token/", told),
    ):
        assert (answer.status_code, faults(answer)) == (403, [("second_step", "")])
    assert ApiToken.objects.count() == 1
    assert send(Client(), "/api/v1/token/", {**told, "email": cast.player.email}).status_code == 201


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
    mine = for_one.get(KEYS).json()["results"][0]["id"]
    assert for_one.delete(f"{KEYS}{mine}/").status_code == 204


def test_no_key_is_made_by_who_was_signed_out_meanwhile(cast: Cast) -> None:
    sign_out_everywhere(user=User.objects.get(pk=cast.secretary.pk))
    with pytest.raises(Refused, match="You have been signed out"):
        make_token(user=cast.secretary, name="Too late", scopes=["read"])
