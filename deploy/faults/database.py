"""PostgreSQL is ended and begun again while hands are told."""

import random
from collections.abc import Iterator
from functools import partial

from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay
from deploy.faults.phones import tell
from deploy.faults.trouble import Trouble, restart_database
from deploy.stack import Stack


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Every acknowledged hand is there once, whichever way the server ended."""
    keys = lay(asked.tables)
    trouble = Trouble(partial(restart_database, stack, random.Random()), seconds=(2.0, 8.0))
    with trouble:
        heard = tell(stack, keys, submissions=asked.submissions, phones=asked.phones)
    yield Line(bool(trouble.done), f"PostgreSQL begun again: {trouble.said}")
    yield from everything_holds(stack, heard)
