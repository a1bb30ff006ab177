"""Who serves a book that is a file: a lock beside it, held as long as the process lives.

A Tongbox in which nobody does anything has the book itself open for a minute at most.
"""

import logging
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from pathlib import Path
from typing import IO, Final

from clubs.safekeeping.databases import ours

BESIDE: Final = ".served"
log = logging.getLogger(__name__)
_held: list[IO[str]] = []


def begin() -> None:
    """Hold the lock of our book until this process ends; nothing where a server has the book.

    On a full disk it is served all the same, without a lock.
    """
    book = ours()
    if not isinstance(book, Path):
        return
    try:
        lock = _lock_of(book).open("a")
        flock(lock, LOCK_SH)
    except OSError as full:
        log.warning("A move to PostgreSQL would not notice that Tongbox runs: %s", full)
        return
    _held.append(lock)


def is_served(book: Path) -> bool:
    """Whether a Tongbox serves from this file."""
    try:
        with _lock_of(book).open() as lock:
            flock(lock, LOCK_EX | LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _lock_of(book: Path) -> Path:
    return book.with_name(f"{book.name}{BESIDE}")
