"""Calls made at the same moment from threads of their own, each with its own connection."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connections

from clubs.tenancy import across_clubs
from scoring.scorebook.refusals import Refused


def at_once(calls: Sequence[Callable[[], object]]) -> list[object]:
    """What each call answered or how it was refused, in the order of the calls."""
    start = Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        start.wait()
        try:
            with across_clubs():
                return call()
        except Refused as refused:
            return refused
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))
