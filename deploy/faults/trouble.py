"""What is done to a stack while hands are told, again and again until they are all in."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Self

from deploy.stack import Stack
from deploy.stack.program import until

Harm = Callable[[], str]


class Trouble:
    """Does harm at random moments, so many seconds apart, and counts it; what it raises is told."""

    def __init__(self, harm: Harm, *, seconds: tuple[float, float]) -> None:
        self._harm = harm
        self._seconds = seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self.done: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _go_on(self) -> None:
        while not self._over.wait(random.uniform(*self._seconds)):
            self.done[self._harm()] += 1

    @property
    def said(self) -> str:
        """``web process killed: 31, worker process killed: 9``."""
        return ", ".join(f"{what}: {count}" for what, count in sorted(self.done.items()))


def kill_something(stack: Stack, chance: random.Random) -> str:
    """A web process, a whole web service, a worker's process, or a whole worker, with -9.

    Only while pages open: what is begun again has its moment to come up.
    """
    until(stack.is_open)
    (what,) = chance.choices(("process", "service", "pool", "worker"), (6, 1, 2, 1))
    if what == "process" and stack.web_processes():
        stack.kill_a_web_process(chance)
        return "web process killed"
    if what == "pool" and stack.pool_processes():
        stack.kill_a_worker(chance)
        return "worker process killed"
    program = chance.choice(stack.webs if what in ("process", "service") else stack.workers)
    program.kill()
    program.start()
    return "whole web service killed" if program in stack.webs else "whole worker killed"


def kill_a_web(stack: Stack, chance: random.Random) -> str:
    """A process that answers requests, with -9, while pages open."""
    until(lambda: stack.is_open() and bool(stack.web_processes()))
    stack.kill_a_web_process(chance)
    return "web process killed"


def restart_database(stack: Stack, chance: random.Random) -> str:
    """PostgreSQL ended in order or as by a power cut, and begun again."""
    at_once = chance.random() < 0.5
    stack.postgres.stop(at_once=at_once)
    stack.postgres.start()
    return "immediate" if at_once else "fast"
