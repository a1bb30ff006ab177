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
    "There is no room left to write",
    "The disk on which Tongbox keeps its book is full. What you sent was not kept, and nothing "
    "that was saved before is lost. Please tell whoever looks after Tongbox for the club, then "
    "send it again.",
)
BUSY = Outage(
    "busy",
    "Too many are writing at once",
    "Others were writing in the book for so long that it was not your turn. What you sent was not "
    "kept. Please try again.",
)
AWAY = Outage(
    "book_away",
    "The book cannot be opened just now",
    "The database does not answer. What you sent may not have been kept; everything that was saved "
    "before is safe. Please try again in a minute: a hand that was kept is not kept twice.",
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
