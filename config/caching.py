"""Redis as a cache that may go away: a page is slower without it, but it is there.

What is counted, such as tries to sign in, is then counted by each process for itself.
"""

import logging
import re
from collections.abc import Callable
from typing import Any, Final

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
COUNTS: Final = re.compile(r":(allauth:rl|throttle_|asked|failed-sign-ins)")  # keys of counts
BESIDE: Final = LocMemCache("counts while Redis is away", {"OPTIONS": {"MAX_ENTRIES": 100_000}})
PATIENCE: Final = {"socket_connect_timeout": 1, "socket_timeout": 1}  # seconds


class ForgivingClient(RedisCacheClient):
    """Django's client, which behaves like an empty cache while Redis does not answer.

    A lock (``add``) is then always granted. Counts (``COUNTS``) are kept in ``BESIDE`` meanwhile.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client of Redis, made once and not for every request."""
        if write not in self._kept:
            self._kept[write] = super().get_client(key, write=write)
        return self._kept[write]

    def count(self, key: Any, seconds: int) -> int:
        """Count one more under this key, which expires after so many seconds; one round trip."""
        try:
            pipeline = self.get_client(key, write=True).pipeline(transaction=False)
            pipeline.set(key, 0, ex=seconds, nx=True)
            pipeline.incr(key)
            return int(pipeline.execute()[-1])
        except RedisError as gone:
            log.warning("Redis does not answer: %s", gone)
        BESIDE.add(key, 0, seconds)
        return int(BESIDE.incr(key))

    def add(self, key: Any, value: Any, timeout: Any) -> Any:
        """Whether the key was free; yes where nobody knows."""
        return _answer(super().add, key, value, timeout, otherwise=True, beside=BESIDE.add)

    def get(self, key: Any, default: Any) -> Any:
        return _answer(super().get, key, default, otherwise=default, beside=BESIDE.get)

    def set(self, key: Any, value: Any, timeout: Any) -> Any:
        """Store the value, if Redis answers."""
        return _answer(super().set, key, value, timeout, otherwise=None, beside=BESIDE.set)

    def touch(self, key: Any, timeout: Any) -> Any:
        """Whether the key was there, and now lasts longer."""
        return _answer(super().touch, key, timeout, otherwise=False)

    def delete(self, key: Any) -> Any:
        """Whether the key was there to delete."""
        return _answer(super().delete, key, otherwise=False, beside=BESIDE.delete)

    def get_many(self, keys: Any) -> Any:
        return _answer(super().get_many, keys, otherwise={})

    def has_key(self, key: Any) -> Any:
        return _answer(super().has_key, key, otherwise=False)

    def incr(self, key: Any, delta: Any) -> Any:
        """The new count; ``ValueError`` where there was none."""

        def incr_beside(key: str, delta: int) -> int:
            BESIDE.add(key, 0)
            return int(BESIDE.incr(key, delta))

        return _answer(super().incr, key, delta, otherwise=delta, beside=incr_beside)

    def set_many(self, data: Any, timeout: Any) -> Any:
        return _answer(super().set_many, data, timeout, otherwise=None)

    def delete_many(self, keys: Any) -> Any:
        return _answer(super().delete_many, keys, otherwise=None)


class ForgivingRedisCache(RedisCache):
    """The cache of settings, with a client that forgives."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params | {"OPTIONS": PATIENCE | params.get("OPTIONS", {})})
        self._class = ForgivingClient

    def count(self, key: str, seconds: int) -> int:
        """How often this key was counted, this time included."""
        cache: Any = self._cache
        return int(cache.count(self.make_and_validate_key(key), seconds))


def _answer(
    ask: Callable[..., Any], *args: Any, otherwise: Any, beside: Callable[..., Any] | None = None
) -> Any:
    """The answer of Redis; without one, ``beside`` for a count, else ``otherwise``."""
    try:
        return ask(*args)
    except RedisError as gone:
        log.warning("Redis does not answer: %s", gone)
    if beside is None or not COUNTS.search(str(args[0])):
        return otherwise
    return beside(*args)
