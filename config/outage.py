"""What is said when the database cannot be asked or has no room: 503, and what was kept."""

import sys
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError
from psycopg.errors import DiskFull, LockNotAvailable

SECONDS_TO_WAIT = 5


@dataclass(frozen=True, slots=True)
class Outage:
    """Why it cannot be done now: a code for programs, sentences for people."""

    code: str
    heading: str
    sentence: str


FULL = Outage(
    "disk_full",
    "Storage is full",
    "There is no disk space left, so what you sent was not saved. Everything saved earlier is "
    "safe. Tell your Tongbox administrator, then send it again.",
)
BUSY = Outage(
    "busy",
    "Tongbox is busy",
    "Too many people were saving at once, so what you sent was not saved. Please try again.",
)
AWAY = Outage(
    "book_away",
    "Tongbox cannot reach its database",
    "What you sent may not have been saved. Everything saved earlier is safe. Try again in a "
    "minute: sending a hand twice does not record it twice.",
)


def outage_now() -> Outage | None:
    """The outage behind the error that is being answered; None where it is another kind."""
    return outage_of(sys.exception())


def outage_of(raised: BaseException | None) -> Outage | None:
    """Which outage an error means; None where it means none."""
    if not isinstance(raised, (OperationalError, InterfaceError)):
        return None
    cause, words = raised.__cause__, str(raised).lower()
    if isinstance(cause, DiskFull) or "disk is full" in words or "no space left" in words:
        return FULL
    if isinstance(cause, LockNotAvailable) or "database is locked" in words:
        return BUSY
    return AWAY
