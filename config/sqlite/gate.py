"""First come, first served among the threads of one process that want to write."""

import threading
from collections import deque


class Gate:
    """A lock that is handed over in the order of asking."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def enter(self) -> None:
        """Wait for one's turn."""
        with self._lock:
            if not self._taken:
                self._taken = True
                return
            turn = threading.Event()
            self._waiting.append(turn)
        turn.wait()

    def leave(self) -> None:
        """Let the one who has waited longest pass."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False
