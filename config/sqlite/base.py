"""Writers of one process queue in order: a transaction waits its turn for the database file.

SQLite's own back-off is unfair, which makes its slowest writes slow.
"""

import threading
from collections import defaultdict, deque
from time import perf_counter
from typing import Any

from django.db.backends.sqlite3 import base

from scoring.scorebook.metrics import Histogram

STEPS = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10)  # seconds

_waited = Histogram("tongbox_sqlite_wait_seconds", "Time to come to write", buckets=STEPS)


class Gate:
    """A lock that is handed over in the order of asking."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def enter(self) -> None:
        """Wait for one's turn, if somebody is inside."""
        begun = perf_counter()
        turn = None
        with self._lock:
            if self._taken:
                turn = threading.Event()
                self._waiting.append(turn)
            self._taken = True
        if turn is not None:
            turn.wait()
        _waited.observe(perf_counter() - begun)

    def leave(self) -> None:
        """Let in whoever has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


_gates: defaultdict[str, Gate] = defaultdict(Gate)


class DatabaseWrapper(base.DatabaseWrapper):
    """Transactions begin behind the gate of their database file and leave it when they end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inside: Gate | None = None

    def _start_transaction_under_autocommit(self) -> None:
        gate = _gates[str(self.settings_dict["NAME"])]
        gate.enter()
        self._inside = gate
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave()
            raise

    def _leave(self) -> None:
        if self._inside is not None:
            gate, self._inside = self._inside, None
            gate.leave()

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave()
