"""First come, first served among the threads of one process that want to write."""

import threading
from collections import deque
from time import perf_counter

from prometheus_client import Histogram

STEPS = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10)  # seconds

_waited = Histogram("tongbox_sqlite_wait_seconds", "Time to come to write", buckets=STEPS)


class Gate:
    """A lock that is handed over in the order of asking."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def enter(self) -> None:
        """Wait for one's turn."""
        begun = perf_counter()
        with self._lock:
            turn = self._turn()
        if turn is not None:
            turn.wait()
        _waited.observe(perf_counter() - begun)

    def _turn(self) -> threading.Event | None:
        """What to wait for; None where nobody is inside."""
        if not self._taken:
            self._taken = True
            return None
        turn = threading.Event()
        self._waiting.append(turn)
        return turn

    def leave(self) -> None:
        """Let the one who has waited longest pass."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False
