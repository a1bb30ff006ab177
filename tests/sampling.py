"""What a day's run takes of a long law: its first case, and a share of the others that turns.

``make test`` runs the sample of the day, and over ``DAYS`` days the samples hold every case.
``TONGBOX_SAMPLE`` chooses another: a date (``2026-11-24``) repeats the sample of that day, and
``whole`` takes every case, as ``make test WHOLE=1`` does. Tests that take long by themselves are
the cases of one law, ``long plays``, which takes a fortnight as every law of several tests does.
"""

import os
from collections.abc import Callable, Collection, Sequence
from datetime import date
from zlib import crc32

from django.utils import timezone

DAYS = 7
FORTNIGHT = 14  # for laws of several tests
WHOLE = "whole"
SAMPLE = os.environ.setdefault("TONGBOX_SAMPLE", str(timezone.localdate()))  # workers read it too
IS_WHOLE = SAMPLE == WHOLE

SampleOf = Callable[[Collection[str]], list[str]]


def places_in_sample(names: Sequence[str], *, law: str, days: int, day: date) -> list[int]:
    """Where the cases of the day's sample stand among all cases of a law, in order.

    The law's name and those of its cases decide the day of each, so that neighbours fall on
    different days and two laws are not sampled alike.
    """
    other_places = sorted(
        range(1, len(names)), key=lambda place: crc32(f"{law} {names[place]}".encode())
    )
    turn = (day.toordinal() + crc32(law.encode())) % days
    return [0, *sorted(other_places[turn::days])] if names else []


def sample_of(cases: Collection[str], *, law: str, days: int = DAYS) -> list[str]:
    """Those cases of a law, by name, that are tried now: all of them in a whole run."""
    names = list(cases)
    if IS_WHOLE:
        return names
    day = date.fromisoformat(SAMPLE)
    return [names[place] for place in places_in_sample(names, law=law, days=days, day=day)]


def examples(number: int) -> int:
    """How many examples hypothesis tries where a whole run tries this number."""
    return number if IS_WHOLE else max(number // 4, 1)
