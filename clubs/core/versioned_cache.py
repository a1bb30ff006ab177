"""A cache in this process and in the shared cache: one caller computes, the others wait."""

import time
from collections.abc import Callable
from typing import Final, TypeVar, cast
from zlib import crc32

from django.conf import settings
from django.core.cache import cache

from scoring.scorebook.metrics import Counter

_lookups = Counter("tongbox_kept", "Asked for what is kept, by where it was found", ["where"])


def count_lookup(where: str) -> None:
    """``near`` (in this process), ``shared`` (in the cache), or ``nowhere`` (computed)."""
    _lookups.labels(where).inc()


Made = TypeVar("Made")
PATIENCE: Final = 5  # seconds that others wait for the caller who computes the value
LOOKS_AGAIN: Final = 0.02  # seconds
MOST_NEAR: Final = 64
_near: dict[str, tuple[float, object]] = {}  # expiry, value
# Releases may differ in shapes.
_RELEASE: Final = f"{crc32(f'{settings.VERSION} {settings.BASE_DIR}'.encode()):x}"


def made_once(key: str, make: Callable[[], Made], *, seconds: int) -> Made:
    """The cached value, or that of ``make``, which is then stored for so many seconds.

    Callers must not change the value. While it is missing, one caller computes it and the others
    wait; after ``PATIENCE`` seconds, or without a cache, a caller computes its own.
    """
    if (near := _near.get(key)) is not None and near[0] > time.monotonic():
        count_lookup("near")
        return cast("Made", near[1])
    made = _shared(f"{_RELEASE}-{key}", make, seconds)
    # Cache it in this process too, so that it need not be unpickled for everyone.
    if len(_near) >= MOST_NEAR:
        _near.clear()
    _near[key] = time.monotonic() + seconds, made
    return made


def forget() -> None:
    """Empty both caches, for tests and measurements."""
    _near.clear()
    cache.clear()


def _shared(key: str, make: Callable[[], Made], seconds: int) -> Made:
    kept: tuple[Made] | None = cache.get(key)
    being_made = f"{key}-being-made"
    if kept is None and not cache.add(being_made, 1, PATIENCE):
        # What another caller has computed meanwhile; None if it failed or takes too long.
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and cache.get(being_made):
            time.sleep(LOOKS_AGAIN)
        kept = cache.get(key)
    count_lookup("nowhere" if kept is None else "shared")
    if kept is not None:
        return kept[0]
    try:
        made = make()
        cache.set(key, (made,), seconds)
    finally:
        cache.delete(being_made)
    return made
