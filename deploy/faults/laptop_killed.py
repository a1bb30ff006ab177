"""The laptop's one process is killed with -9, again and again, while hands are told."""

import random
import time
from collections.abc import Iterator

from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay
from deploy.faults.phones import tell
from deploy.faults.trouble import Trouble
from deploy.stack import Laptop
from deploy.stack.program import until

SECONDS_OPEN = (1.0, 10.0)


def run(laptop: Laptop, asked: Asked) -> Iterator[Line]:
    """Every acknowledged hand is there once, with nothing but a file to keep it."""
    keys, chance = lay(asked.tables), random.Random()

    def harm() -> str:
        until(laptop.is_open)
        time.sleep(chance.uniform(*SECONDS_OPEN))
        laptop.cut_off(chance)
        return "the one process killed"

    with Trouble(harm, seconds=(0.0, 0.1)) as trouble:
        heard = tell(laptop, keys, submissions=asked.submissions, phones=asked.phones)
    yield Line(bool(trouble.done), trouble.said)
    yield from everything_holds(laptop, heard)
