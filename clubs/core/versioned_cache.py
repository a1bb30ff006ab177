"""What is counted over all clubs; nothing here knows a row."""

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
    """What stands under the key, or what ``make`` gives, kept for so many seconds.

    What is given must not be changed by whoever gets it.

    Of many who ask while it is missing one makes it and the others wait; whoever has waited
    ``PATIENCE`` seconds, or finds no cache, makes their own.
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
    """Let everything go, near and far: to be measured or tested anew."""
    _near.clear()
    cache.clear()


def _shared(key: str, make: Callable[[], Made], seconds: int) -> Made:
    kept: tuple[Made] | None = cache.get(key)
    if kept is None and not cache.add(_being_made(key), 1, PATIENCE):
        # What someone else has made meanwhile; None where they gave up or take too long.
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and cache.get(_being_made(key)):
            time.sleep(LOOKS_AGAIN)
        kept = cache.get(key)
    count_lookup("nowhere" if kept is None else "shared")
    return _made(key, make, seconds) if kept is None else kept[0]


def _being_made(key: str) -> str:
    return f"{key}-being-made"


def _made(key: str, make: Callable[[], Made], seconds: int) -> Made:
    try:
        made = make()
        cache.set(key, (made,), seconds)
    finally:
        cache.delete(_being_made(key))
    return made
