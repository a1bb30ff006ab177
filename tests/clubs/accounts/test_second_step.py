"""The second step of signing in: a code from the phone, or one from the paper."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Membership, Role, Session, User
from tests.clubs.accounts.test_signin import is_in, sign_in
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.usefixtures("cast")


def code_now(secret: str) -> str:
    """The code that an app shows now: good for one more step of 30 seconds, should this one end."""
    _previous_counter, counter, _next_counter = yield_hotp_counters_from_time()
    code: str = format_hotp_value(hotp_value(secret, counter))
    return code


def with_code(code: str) -> Client:
    """A browser in which the password, then this code are entered."""
    browser = Client()
    sign_in(browser)
    browser.post(reverse("mfa_authenticate"), {"code": code})
    return browser


def set_up(client: Client) -> str:
    """Set the second step up as a person does; the secret that the app keeps."""
    activate = reverse("mfa_activate_totp")
    page = client.get(activate, follow=True)
    if "password" in page.context["form"].fields:
        client.post(page.request["PATH_INFO"], {"password": PASSWORD, "next": activate})
        page = client.get(activate)
    secret: str = page.context["form"].secret
    answer = client.post(activate, {"code": code_now(secret)})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    return secret


@pytest.fixture
def secret(client: Client, cast: Cast) -> str:
    """The secretary has signed in and set the second step up."""
    sign_in(client)
    return set_up(client)


def test_with_a_second_step_the_password_alone_opens_nothing(secret: str) -> None:
    other_browser = Client()
    assert sign_in(other_browser)["Location"] == reverse("mfa_authenticate")
    assert not is_in(other_browser)
    with time_machine.travel(timezone.now() + timedelta(seconds=90)):
        other_browser.post(reverse("mfa_authenticate"), {"code": "000000"})
        assert not is_in(other_browser)
        other_browser.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
    assert is_in(other_browser)


def test_a_code_opens_once_as_long_as_it_would_be_right(secret: str) -> None:
    """It is right for 90 seconds, for old phones’ clocks; the cache may be emptied meanwhile."""
    start = 30 * (timezone.now().timestamp() // 30 + 10)
    with time_machine.travel(start, tick=False) as clock:
        newest = list(yield_hotp_counters_from_time())[-1]
        code, came_in = format_hotp_value(hotp_value(secret, newest)), []
        for _ in range(3):
            came_in += [is_in(with_code(code)) for _ in range(2)]
            cache.clear()
            clock.shift(31)
    assert came_in == [True, *[False] * 5]


def test_a_code_opens_once_the_one_that_set_it_up_too(client: Client) -> None:
    sign_in(client)
    with time_machine.travel(timezone.now(), tick=False):
        code = code_now(set_up(client))
        other_browser = Client()
        sign_in(other_browser)
        page = other_browser.post(reverse("mfa_authenticate"), {"code": code}).content.decode()
        assert "That code is wrong or has expired." in page
    assert not is_in(other_browser)


def test_a_code_opens_once_and_not_to_enter_it_again_either(client: Client) -> None:
    sign_in(client)
    with time_machine.travel(timezone.now(), tick=False):
        code = code_now(set_up(client))
        cache.clear()
        page = client.post(reverse("mfa_reauthenticate"), {"code": code}).content.decode()
    assert "That code is wrong or has expired." in page


def test_a_used_code_is_no_fresh_start_for_guessing(client: Client) -> None:
    sign_in(client)
    with time_machine.travel(timezone.now(), tick=False):
        used = code_now(set_up(client))
        other_browser = Client()
        sign_in(other_browser)
        for guess in ("000000", "000001", "000002", "000003", used):
            other_browser.post(reverse("mfa_authenticate"), {"code": guess})
        page = other_browser.post(reverse("mfa_authenticate"), {"code": "000004"}).content.decode()
    assert "Wait 5 minutes" in page


@pytest.mark.usefixtures("secret")
def test_guessing_codes_has_to_wait() -> None:
    other_browser = Client()
    sign_in(other_browser)
    for _ in range(6):
        page = other_browser.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
    assert "Wait 5 minutes" in page


@pytest.mark.usefixtures("secret")
def test_a_lost_phone_is_replaced_by_a_code_on_paper_once(client: Client) -> None:
    (code, *other_codes) = client.get(reverse("mfa_view_recovery_codes")).context["unused_codes"]
    assert len(other_codes) == 9
    assert [is_in(with_code(code)) for _ in range(2)] == [True, False]


def test_what_makes_codes_is_sealed_in_the_database(secret: str, settings: Any) -> None:
    authenticator = Authenticator.objects.get(type=Authenticator.Type.TOTP)
    assert secret not in str(authenticator.data)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of fifty letters, made for this one test alone"
    with time_machine.travel(timezone.now() + timedelta(seconds=90)):
        assert authenticator.wrap().validate_code(code_now(secret))


@pytest.fixture
def second_step_required(settings: Any) -> None:
    settings.SECOND_FACTOR = "required"


@pytest.mark.usefixtures("second_step_required")
def test_where_it_is_required_organisers_set_the_second_step_up_first(
    client: Client, cast: Cast
) -> None:
    sign_in(client)
    members = reverse("members-import", args=[cast.club.slug])
    assert client.get(members)["Location"] == reverse("mfa_activate_totp")
    set_up(client)
    assert client.get(members).status_code == 200
    player = Client()
    sign_in(player, email="pat@example.org")
    assert player.get(reverse("club", args=[cast.club.slug])).status_code == 200


@pytest.mark.usefixtures("second_step_required")
def test_where_it_is_required_the_password_alone_opens_no_evening(
    client: Client, cast: Cast
) -> None:
    sign_in(client)
    evenings = reverse("evenings", args=[cast.club.slug])
    assert "Set up two-step verification" in client.get(evenings).content.decode()
    response = client.post(evenings, {"held_on": "2026-11-17"})
    assert response["Location"] == reverse("mfa_activate_totp")
    assert not Session.objects.exists()
    set_up(client)
    assert "Set up two-step verification" not in client.get(evenings).content.decode()
    client.post(evenings, {"held_on": "2026-11-17"})
    assert Session.objects.count() == 1


@pytest.mark.usefixtures("second_step_required")
def test_where_it_is_required_a_superuser_has_only_their_own_clubs_without_it(
    client: Client, cast: Cast
) -> None:
    root = User.objects.create_superuser("root@example.org", PASSWORD, name="Root")
    Membership.objects.create(user=root, club=cast.club, role=Role.PLAYER)
    sign_in(client, email=root.email)
    assert [club["slug"] for club in client.get("/api/v1/clubs/").json()["results"]] == [
        "riverside"
    ]
    set_up(client)
    assert len(client.get("/api/v1/clubs/").json()["results"]) == 2
    assert "you cannot turn it off" in client.post(reverse("mfa_deactivate_totp")).content.decode()


def test_no_club_opens_to_a_superuser_without_it(client: Client, cast: Cast) -> None:
    """Whoever has the password of an administrator alone reads and erases nobody."""
    root = User.objects.create_superuser("root@example.org", PASSWORD, name="Root")
    sign_in(client, email=root.email)
    players = cast.club.players.count()
    person = cast.club.players.earliest("pk")
    erase = reverse("member-erase", args=["riverside", person.pk])
    pages = [
        reverse(name, args=["riverside"]) for name in ("members", "settings", "api-member-list")
    ]
    members, settings, api = (client.get(page) for page in pages)
    assert [members["Location"], settings["Location"]] == [reverse("mfa_activate_totp")] * 2
    assert api.status_code == 403
    assert client.post(erase, {"name": person.name})["Location"] == reverse("mfa_activate_totp")
    assert client.get("/api/v1/clubs/").json()["results"] == []
    assert "Set it up now" in api.json()["problems"][0]["message"]
    assert cast.club.players.filter(erased_on=None).count() == players
    set_up(client)
    assert [client.get(page).status_code for page in pages] == [200, 200, 200]
    assert len(client.get("/api/v1/clubs/").json()["results"]) == 2


def test_a_superuser_without_it_keeps_their_own_club(client: Client, cast: Cast) -> None:
    root = User.objects.create_superuser("root@example.org", PASSWORD, name="Root")
    Membership.objects.create(user=root, club=cast.club, role=Role.SECRETARY)
    sign_in(client, email=root.email)
    assert client.get(reverse("members", args=["riverside"])).status_code == 200
    assert [club["slug"] for club in client.get("/api/v1/clubs/").json()["results"]] == [
        "riverside"
    ]


@pytest.mark.usefixtures("second_step_required")
def test_where_it_is_required_a_program_cannot_go_round_it(client: Client, cast: Cast) -> None:
    sign_in(client)
    evenings = reverse("api-evening-list", args=[cast.club.slug])
    answer = client.post(evenings, {}, content_type="application/json")
    assert answer.status_code == 403
    assert "Set it up now" in answer.json()["problems"][0]["message"]
    set_up(client)
    assert client.post(evenings, {}, content_type="application/json").status_code != 403


@pytest.mark.usefixtures("second_step_required", "secret")
def test_where_it_is_required_an_organiser_cannot_take_it_off(client: Client) -> None:
    page = client.post(reverse("mfa_deactivate_totp")).content.decode()
    assert "you cannot turn it off" in page
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()


def test_the_second_step_asks_for_the_password_again_later(client: Client) -> None:
    sign_in(client)
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        answer = client.get(reverse("mfa_activate_totp"))
        assert answer["Location"].startswith(reverse("account_reauthenticate"))
        set_up(client)
