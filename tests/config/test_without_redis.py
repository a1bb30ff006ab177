"""Redis may be gone: nothing is kept then, nothing breaks, and tries are counted all the same."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from config.caching import FALLBACK_COUNTS, ForgivingRedisCache
from tests.api import send
from tests.clubs.accounts.test_second_step import set_up
from tests.clubs.accounts.test_signin import ALICE, is_in, sign_in
from tests.config.served import (
    LAST_JOB,
    SECRETARY,
    Serve,
    StallingMailServer,
    Visitor,
    finish_evening_again,
    free_port,
)
from tests.people import Cast

pytestmark = pytest.mark.django_db
TOKEN = "/api/v1/token/"


@pytest.fixture(autouse=True)
def redis_is_away(settings: Any) -> Iterator[None]:
    location = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {
        "default": {"BACKEND": "config.caching.ForgivingRedisCache", "LOCATION": location}
    }
    FALLBACK_COUNTS.clear()
    yield
    FALLBACK_COUNTS.clear()


@pytest.fixture
def dead_cache() -> ForgivingRedisCache:
    """A cache whose Redis is not there: nobody listens at its port."""
    return ForgivingRedisCache(f"redis://127.0.0.1:{free_port()}/0", {})


def test_a_cache_that_is_gone_finds_nothing(dead_cache: ForgivingRedisCache) -> None:
    dead_cache.set("standings", 1)
    assert dead_cache.get("standings") is None
    assert dead_cache.get("standings", 7) == 7
    assert dead_cache.get_many(["standings"]) == {}
    assert "standings" not in dead_cache


def test_a_cache_that_is_gone_holds_nobody_up(dead_cache: ForgivingRedisCache) -> None:
    assert dead_cache.add("lock", 1)
    assert dead_cache.add("lock", 1)
    assert [dead_cache.incr("visits"), dead_cache.incr("visits")] == [1, 1]
    assert not dead_cache.delete("lock")
    assert not dead_cache.touch("lock")
    dead_cache.set_many({"one": 1})
    dead_cache.delete_many(["one"])


COUNTS = ("allauth:rl:login_failed:x", "throttle_sign-in_127.0.0.1", "failed-sign-ins:1")


@pytest.mark.parametrize("key", COUNTS)
def test_tries_are_counted_by_the_process_meanwhile(
    dead_cache: ForgivingRedisCache, key: str
) -> None:
    assert dead_cache.get(key, []) == []
    dead_cache.set(key, [2.0, 1.0], 60)
    assert dead_cache.get(key) == [2.0, 1.0]
    dead_cache.delete(key)
    assert [dead_cache.add(key, 0, 60), dead_cache.add(key, 0, 60)] == [True, False]
    assert [dead_cache.incr(key), dead_cache.incr(key)] == [1, 2]


def test_an_increment_of_what_nobody_began_begins_it(dead_cache: ForgivingRedisCache) -> None:
    assert [dead_cache.incr("failed-sign-ins:2"), dead_cache.incr("failed-sign-ins:2")] == [1, 2]


def test_a_cache_that_is_gone_counts_on(dead_cache: ForgivingRedisCache) -> None:
    assert [dead_cache.count("asked:key:x", 60), dead_cache.count("asked:key:x", 60)] == [1, 2]


def test_five_wrong_passwords_and_the_sixth_waits(client: Client, cast: Cast) -> None:
    for _ in range(5):
        sign_in(client, "not this one")
    assert "Wait 5 minutes" in sign_in(client).content.decode()
    assert not is_in(client)


def test_programs_wait_as_well(cast: Cast) -> None:
    wrong = {"email": ALICE, "password": "not this one"}
    assert [send(Client(), TOKEN, wrong).status_code for _ in range(6)] == [400] * 5 + [429]
    statuses = [
        send(Client(), TOKEN, {**wrong, "email": f"p{number}@example.org"}).status_code
        for number in range(5)
    ]
    assert statuses == [400] * 4 + [429]


def test_guessing_codes_has_to_wait(client: Client, cast: Cast) -> None:
    sign_in(client)
    set_up(client)
    other_client = Client()
    sign_in(other_client)
    for _ in range(6):
        page = other_client.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
    assert "Wait 5 minutes" in page


def test_a_mailed_code_is_sent_three_times_in_ten_minutes(client: Client, cast: Cast) -> None:
    for _ in range(3):
        Client().post(reverse("account_request_login_code"), {"email": ALICE})
    page = client.post(reverse("account_request_login_code"), {"email": ALICE}).content.decode()
    assert "Wait 10 minutes" in page


@pytest.mark.sampled(law="long plays")
def test_letters_that_are_sent_without_redis_wait_for_it(serve: Serve) -> None:
    with StallingMailServer() as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
        house.open()
        visitor = Visitor(house.address, SECRETARY)
        finish_evening_again(house, visitor)
        assert visitor.get("/c/riverside/")[0] == 200
        assert house.rows(LAST_JOB) == [("waiting", "")]
        post_office.shutdown()
