"""One way to write a thing down, the same on every machine and database, and its SHA-256."""

import json
from collections.abc import Iterable
from datetime import date, datetime
from fractions import Fraction
from hashlib import sha256
from typing import Final

Told = str | int | bool | Fraction | date | None

PLAIN: Final = (str, int, bool, type(None))


def line(*told: Told) -> str:
    """``["seat",7,"3/2",null]``: what is told on one line of ASCII, in the order of telling.

    A fraction is written in lowest terms, a day as 2026-11-22. Anything that a database might keep
    with a precision of its own (floats, decimals, times of day) raises ``TypeError``.
    """
    return json.dumps([_plain(one) for one in told], separators=(",", ":"))


def digest_of(lines: Iterable[str]) -> str:
    """SHA-256 over the lines, each ended by a newline; 64 hexadecimal digits."""
    told = sha256()
    for one in lines:
        told.update(one.encode("ascii"))
        told.update(b"\n")
    return told.hexdigest()


def _plain(one: Told) -> str | int | bool | None:
    if isinstance(one, Fraction):
        return f"{one.numerator}/{one.denominator}"
    if isinstance(one, date) and not isinstance(one, datetime):
        return one.isoformat()
    if isinstance(one, PLAIN):
        return one
    raise TypeError(f"{type(one).__name__} is not written alike everywhere: {one!r}")
