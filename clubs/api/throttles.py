"""How often a program may ask: counted a minute at a time, in the cache."""

from time import time
from typing import Any

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import AnonRateThrottle, BaseThrottle

from clubs.api.callers import caller

MINUTE = 60


class SignInThrottle(AnonRateThrottle):
    """Tries to sign in from one address; its rate stands in the settings."""

    scope = "sign-in"


class Fair(BaseThrottle):
    """So many requests a minute from one key, account, table's link or address."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Counts this request; False once the minute's share is used up."""
        who = caller(request, view, address=str(self.get_ident(request)))
        rate = str(api_settings.DEFAULT_THROTTLE_RATES[who.kind])
        window = int(time() // MINUTE)
        count = counted(f"asked:{who.kind}:{who.which}:{window}", MINUTE)
        return count <= int(rate.partition("/")[0])

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return MINUTE - time() % MINUTE


def counted(key: str, seconds: int) -> int:
    """How often this was asked under the key, this time included, in the seconds since the first.

    Where the cache cannot count in one go (``config.caching``), it is asked twice.
    """
    if count := getattr(cache, "count", None):
        return int(count(key, seconds))
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it was let go between the two
        return 1
