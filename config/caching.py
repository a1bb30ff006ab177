"""Redis as a cache that may go away: a page is slower without it, but it is there.

What is counted, such as tries to sign in, is then counted by each process for itself.
"""

import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

if TYPE_CHECKING:
    from redis import Redis
    from redis.exceptions import RedisError
else:
    try:
        from redis import Redis
        from redis.exceptions import RedisError
    except ImportError:  # nothing here is used then: settings refuse a REDIS_URL
        Redis, RedisError = None, ConnectionError

log = logging.getLogger(__name__)
COUNT_KEYS: Final = re.compile(r":(allauth:rl|throttle_|asked|failed-sign-ins)")  # keys of counts
FALLBACK_COUNTS: Final = LocMemCache(
    "counts while Redis is away", {"OPTIONS": {"MAX_ENTRIES": 100_000}}
)
SECOND_ARGUMENT: Final = object()  # the default of ``get``, the step of ``incr``
REDIS_TIMEOUTS: Final = {"socket_connect_timeout": 1, "socket_timeout": 1}  # seconds


def forgiving_method(
    name: str, *, otherwise: Any, count_fallback: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """The client's method; without an answer ``count_fallback``, or ``otherwise`` for no count."""
    ask = getattr(RedisCacheClient, name)

    def answer(client: RedisCacheClient, *args: Any) -> Any:
        try:
            return ask(client, *args)
        except RedisError as gone:
            log.warning("Redis does not answer: %s", gone)
        if count_fallback is not None and COUNT_KEYS.search(str(args[0])):
            return count_fallback(*args)
        return args[1] if otherwise is SECOND_ARGUMENT else otherwise

    return answer


def incr_fallback(key: str, delta: int) -> int:
    """Count on from nothing where nobody began."""
    FALLBACK_COUNTS.add(key, 0)
    return int(FALLBACK_COUNTS.incr(key, delta))


class ForgivingClient(RedisCacheClient):
    """Django's client, which behaves like an empty cache while Redis does not answer.

    A lock (``add``) is then always granted. Counts (``COUNT_KEYS``) are kept in
    ``FALLBACK_COUNTS`` meanwhile.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clients_by_mode: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client of Redis, made once and not for every request."""
        if write not in self._clients_by_mode:
            self._clients_by_mode[write] = super().get_client(key, write=write)
        return self._clients_by_mode[write]

    def count(self, key: Any, seconds: int) -> int:
        """Count one more under this key, which expires after so many seconds; one round trip."""
        try:
            pipeline = self.get_client(key, write=True).pipeline(transaction=False)
            pipeline.set(key, 0, ex=seconds, nx=True)
            pipeline.incr(key)
            return int(pipeline.execute()[-1])
        except RedisError as gone:
            log.warning("Redis does not answer: %s", gone)
        FALLBACK_COUNTS.add(key, 0, seconds)
        return int(FALLBACK_COUNTS.incr(key))

    add = forgiving_method("add", otherwise=True, count_fallback=FALLBACK_COUNTS.add)
    get = forgiving_method("get", otherwise=SECOND_ARGUMENT, count_fallback=FALLBACK_COUNTS.get)
    set = forgiving_method("set", otherwise=None, count_fallback=FALLBACK_COUNTS.set)
    touch = forgiving_method("touch", otherwise=False)
    delete = forgiving_method("delete", otherwise=False, count_fallback=FALLBACK_COUNTS.delete)
    get_many = forgiving_method("get_many", otherwise={})
    has_key = forgiving_method("has_key", otherwise=False)
    incr = forgiving_method("incr", otherwise=SECOND_ARGUMENT, count_fallback=incr_fallback)
    set_many = forgiving_method("set_many", otherwise=None)
    delete_many = forgiving_method("delete_many", otherwise=None)


class ForgivingRedisCache(RedisCache):
    """The cache of settings, with a client that forgives."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params | {"OPTIONS": REDIS_TIMEOUTS | params.get("OPTIONS", {})})
        self._class = ForgivingClient

    def count(self, key: str, seconds: int) -> int:
        """How often this key was counted, this time included."""
        cache: Any = self._cache
        return int(cache.count(self.make_and_validate_key(key), seconds))


def is_redis_up(url: str, *, seconds: int) -> bool:
    """Whether the Redis at this address does, within so many seconds."""
    patience = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    try:
        with Redis.from_url(url, **patience) as client:
            client.ping()
    except RedisError:
        return False
    return True


def queue_length(url: str, queue: str) -> float | None:
    """How many tasks a queue holds; None if Redis does not answer."""
    try:
        with Redis.from_url(url, **REDIS_TIMEOUTS) as client:
            waiting: int = client.llen(queue)
            return waiting
    except RedisError:
        return None
