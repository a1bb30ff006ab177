"""A cache in this process and in the shared cache: one caller computes, the others wait."""

import time
from collections.abc import Callable
from typing import Final, TypeVar, cast
from zlib import crc32

from django.conf import settings
from django.core.cache import cache
from prometheus_client import Counter

_lookups = Counter("tongbox_kept", "Asked for what is kept, by where it was found", ["where"])


def count_lookup(where: str) -> None:
    """``near`` (in this process), ``shared`` (in the cache), or ``nowhere`` (it was made)."""
    _lookups.labels(where).inc()


Made = TypeVar("Made")
PATIENCE: Final = 5  # seconds that others wait for whoever is making it
LOOKS_AGAIN: Final = 0.02  # seconds
MOST_NEAR: Final = 64
_near: dict[str, tuple[float, object]] = {}  # until when, what
_RELEASE: Final = f"{crc32(str(settings.BASE_DIR).encode()):x}"  # another release, other shapes


def made_once(key: str, make: Callable[[], Made], *, seconds: int) -> Made:
    """The value under the key, or that of ``make``, kept for so many seconds.

    Callers must not change the value. While it is missing, one caller makes it and the others
    wait; whoever has waited ``PATIENCE`` seconds, or finds no cache, makes their own.
    """
    if (near := _near.get(key)) is not None and near[0] > time.monotonic():
        count_lookup("near")
        return cast("Made", near[1])
    made = _shared(f"{_RELEASE}-{key}", make, seconds)
    # Keep it in this process too, so that it need not be unpacked for everyone.
    if len(_near) >= MOST_NEAR:
        _near.clear()
    _near[key] = time.monotonic() + seconds, made
    return made


def forget() -> None:
    """Empty both caches, for a test or a measurement."""
    _near.clear()
    cache.clear()


def _shared(key: str, make: Callable[[], Made], seconds: int) -> Made:
    kept: tuple[Made] | None = cache.get(key)
    being_made = f"{key}-being-made"
    if kept is None and not cache.add(being_made, 1, PATIENCE):
        # What someone else has made meanwhile; None where they gave up or take too long.
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
