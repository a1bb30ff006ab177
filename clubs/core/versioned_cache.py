"""A cache in this process and in the shared cache: one caller computes, the others wait."""

import time
from collections.abc import Callable
from typing import Final, TypeVar, cast
from zlib import crc32

from django.conf import settings
from django.core.cache import cache

from scoring.scorebook.metrics import Counter

_lookups = Counter("tongbox_kept", "Asked for what is kept, by where it was found", ["where"])
Computed = TypeVar("Computed")
WAIT_SECONDS: Final = 5  # seconds that others wait for the caller who computes the value
POLL_SECONDS: Final = 0.02  # seconds
MAX_LOCAL_ENTRIES: Final = 64
_local_cache: dict[str, tuple[float, object]] = {}  # expiry, value
# Releases may differ in shapes.
_KEY_PREFIX: Final = f"{crc32(f'{settings.VERSION} {settings.BASE_DIR}'.encode()):x}"


def count_lookup(location: str) -> None:
    """``near`` (in this process), ``shared`` (in the cache), or ``nowhere`` (computed)."""
    _lookups.labels(location).inc()


def get_or_compute(key: str, make: Callable[[], Computed], *, seconds: int) -> Computed:
    """The cached value, or that of ``make``, which is then stored for so many seconds.

    Callers must not change the value. While it is missing, one caller computes it and the others
    wait; after ``WAIT_SECONDS`` seconds, or without a cache, a caller computes its own.
    """
    if (local_entry := _local_cache.get(key)) is not None and local_entry[0] > time.monotonic():
        count_lookup("near")
        return cast("Computed", local_entry[1])
    value = _get_shared(f"{_KEY_PREFIX}-{key}", make, seconds)
    # Cache it in this process too, so that it need not be unpickled for everyone.
    if len(_local_cache) >= MAX_LOCAL_ENTRIES:
        _local_cache.clear()
    _local_cache[key] = time.monotonic() + seconds, value
    return value


def clear_caches() -> None:
    """Empty both caches, for tests and measurements."""
    _local_cache.clear()
    cache.clear()


def _get_shared(key: str, make: Callable[[], Computed], seconds: int) -> Computed:
    cached_entry: tuple[Computed] | None = cache.get(key)
    being_made = f"{key}-being-made"
    if cached_entry is None and not cache.add(being_made, 1, WAIT_SECONDS):
        # What another caller has computed meanwhile; None if it failed or takes too long.
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline and cache.get(being_made):
            time.sleep(POLL_SECONDS)
        cached_entry = cache.get(key)
    count_lookup("nowhere" if cached_entry is None else "shared")
    if cached_entry is not None:
        return cached_entry[0]
    try:
        value = make()
        cache.set(key, (value,), seconds)
    finally:
        cache.delete(being_made)
    return value
