"""Redis may be gone: nothing is kept then, and nothing breaks."""

import socket

import pytest

from config.caching import ForgivingRedisCache


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
    assert gone.incr("tries") == 1
    assert not gone.delete("lock")
    assert not gone.touch("lock")
    gone.set_many({"one": 1})
    gone.delete_many(["one"])


def test_a_cache_that_is_gone_counts_every_time_as_the_first(gone: ForgivingRedisCache) -> None:
    assert [gone.count("tries", 60), gone.count("tries", 60)] == [1, 1]
