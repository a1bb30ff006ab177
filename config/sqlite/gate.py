"""Writers of one process queue for the database file, and their commits are flushed together.

SQLite's own back-off is unfair, which makes its slowest writes slow. And it flushes each commit to
disk before the next may begin. ``docs/decisions/0033-hands-flushed-together.md`` says more.
"""

import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.db import OperationalError

from scoring.scorebook.metrics import Histogram

WRITE_BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10)  # seconds

_wait_seconds = Histogram(
    "tongbox_sqlite_wait_seconds", "Time to come to write", buckets=WRITE_BUCKETS
)
_flush_seconds = Histogram(
    "tongbox_sqlite_flush_seconds", "Time to flush commits", buckets=WRITE_BUCKETS
)

log = logging.getLogger(__name__)

# A Mac and Windows have no fdatasync; SQLite itself uses fsync there.
_sync: Final[Callable[[int], None]] = getattr(os, "fdatasync", os.fsync)


class Flushes:
    """Flushes commits to disk: the first who waits flushes all that is committed by then.

    When a flush fails, nobody knows what is on the disk. All who wait for it get an error, and
    so does everyone who wants to write, until the process is started again.
    """

    def __init__(self, flush: Callable[[], None]) -> None:
        self._flush = flush
        self._condition = threading.Condition()
        self._commit_count = self._flushed_count = 0
        self._is_flushing = False
        self._fault: OSError | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the disk did not take what was saved, so that nothing more is."""
        return self._fault is not None

    def add(self) -> int:
        """Count a commit, before the next writer begins; its number is for ``wait``."""
        with self._condition:
            self._commit_count += 1
            return self._commit_count

    def wait(self, number: int) -> None:
        """Return when this commit is on the disk. Raises ``OperationalError`` if a flush failed."""
        with self._condition:
            while self._flushed_count < number:
                self.check()
                if self._is_flushing:
                    self._condition.wait()
                else:
                    self._flush_all()

    def check(self) -> None:
        """Raises ``OperationalError`` if a flush has failed."""
        if self._fault:
            raise OperationalError("The disk did not take what was saved.") from self._fault

    def _flush_all(self) -> None:
        """Flush what is committed by now; others go on committing."""
        number, started_at = self._commit_count, perf_counter()
        self._is_flushing = True
        self._condition.release()
        try:
            self._flush()
        except OSError as fault:
            self._fault = fault
            log.critical("The disk did not take what was saved. Check it, and restart Tongbox.")
        else:
            self._flushed_count = number
            _flush_seconds.observe(perf_counter() - started_at)
        finally:
            self._condition.acquire()
            self._is_flushing = False
            self._condition.notify_all()


class Gate:
    """A lock that is handed over in the order of asking; ``flushes`` are those of its file."""

    def __init__(self, flush: Callable[[], None] = lambda: None) -> None:
        self.flushes = Flushes(flush)
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_taken = False

    def enter(self) -> None:
        """Wait for one's turn, if somebody is inside.

        Raises ``OperationalError`` if a flush has failed.
        """
        self.flushes.check()
        started_at = perf_counter()
        turn = None
        with self._lock:
            if self._is_taken:
                turn = threading.Event()
                self._waiting.append(turn)
            self._is_taken = True
        if turn is not None:
            turn.wait()
        _wait_seconds.observe(perf_counter() - started_at)

    def leave(self) -> None:
        """Let in whoever has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False


def flush_wal(database: str) -> None:
    """Flush a database's write-ahead log to disk. Raises ``OSError``.

    It is opened each time, as SQLite deletes it with its last connection. SQLite holds its locks on
    other files, so none is lost by closing this one.
    """
    log_file = os.open(f"{database}-wal", os.O_RDWR)
    try:
        _sync(log_file)
    finally:
        os.close(log_file)
