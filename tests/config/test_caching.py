"""Redis may be gone: nothing is kept then, and nothing breaks."""

import socket
from collections.abc import Iterator

import pytest

from config.caching import BESIDE, ForgivingRedisCache


@pytest.fixture(autouse=True)
def nothing_was_counted() -> Iterator[None]:
    BESIDE.clear()
    yield
    BESIDE.clear()


@pytest.fixture
def gone() -> ForgivingRedisCache:
    """A cache whose Redis is not there: nobody listens at its port."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    return ForgivingRedisCache(f"redis://127.0.0.1:{port}/0", {})


def test_a_cache_that_is_gone_finds_nothing(gone: ForgivingRedisCache) -> None:
    gone.set("standings", 1)
    assert gone.get("standings") is None
    assert gone.get("standings", 7) == 7
    assert gone.get_many(["standings"]) == {}
    assert "standings" not in gone


def test_a_cache_that_is_gone_holds_nobody_up(gone: ForgivingRedisCache) -> None:
    assert gone.add("lock", 1)
    assert gone.add("lock", 1)
    assert [gone.incr("visits"), gone.incr("visits")] == [1, 1]
    assert not gone.delete("lock")
    assert not gone.touch("lock")
    gone.set_many({"one": 1})
    gone.delete_many(["one"])


COUNTS = ("allauth:rl:login_failed:x", "throttle_sign-in_127.0.0.1", "failed-sign-ins:1")


@pytest.mark.parametrize("key", COUNTS)
def test_tries_are_counted_by_the_process_meanwhile(gone: ForgivingRedisCache, key: str) -> None:
    assert gone.get(key, []) == []
    gone.set(key, [2.0, 1.0], 60)
    assert gone.get(key) == [2.0, 1.0]
    gone.delete(key)
    assert [gone.add(key, 0, 60), gone.add(key, 0, 60)] == [True, False]
    assert [gone.incr(key), gone.incr(key)] == [1, 2]


def test_an_increment_of_what_nobody_began_begins_it(gone: ForgivingRedisCache) -> None:
    assert [gone.incr("failed-sign-ins:2"), gone.incr("failed-sign-ins:2")] == [1, 2]


def test_a_cache_that_is_gone_counts_on(gone: ForgivingRedisCache) -> None:
    assert [gone.count("asked:key:x", 60), gone.count("asked:key:x", 60)] == [1, 2]
