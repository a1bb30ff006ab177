"""With Redis away, tries to sign in are counted all the same."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from config.caching import BESIDE
from tests.api import send
from tests.clubs.accounts.test_second_step import set_up
from tests.clubs.accounts.test_signin import ALICE, is_in, sign_in
from tests.people import Cast

pytestmark = pytest.mark.django_db
TOKEN = "/api/v1/token/"


@pytest.fixture(autouse=True)
def redis_is_away(settings: Any) -> Iterator[None]:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    location = f"redis://127.0.0.1:{port}/0"
    settings.CACHES = {
        "default": {"BACKEND": "config.caching.ForgivingRedisCache", "LOCATION": location}
    }
    BESIDE.clear()
    yield
    BESIDE.clear()


def test_five_wrong_passwords_and_the_sixth_waits(client: Client, cast: Cast) -> None:
    for _ in range(5):
        sign_in(client, "not this one")
    assert "Wait 5 minutes" in sign_in(client).content.decode()
    assert not is_in(client)


def test_programs_wait_as_well(cast: Cast) -> None:
    wrong = {"email": ALICE, "password": "not this one"}
    assert [send(Client(), TOKEN, wrong).status_code for _ in range(6)] == [400] * 5 + [429]
    others = [
        send(Client(), TOKEN, {**wrong, "email": f"p{number}@example.org"}).status_code
        for number in range(5)
    ]
    assert others == [400] * 4 + [429]


def test_guessing_codes_has_to_wait(client: Client, cast: Cast) -> None:
    sign_in(client)
    set_up(client)
    other = Client()
    sign_in(other)
    for _ in range(6):
        said = other.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
    assert "Wait 5 minutes" in said


def test_a_mailed_code_is_sent_three_times_in_ten_minutes(client: Client, cast: Cast) -> None:
    for _ in range(3):
        Client().post(reverse("account_request_login_code"), {"email": ALICE})
    said = client.post(reverse("account_request_login_code"), {"email": ALICE}).content.decode()
    assert "Wait 10 minutes" in said
