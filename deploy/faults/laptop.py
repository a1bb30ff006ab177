"""A laptop with SQLite: its process killed, its disk full, Tongbox started twice."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from clubs.models import Club
from deploy.faults import Line, Options
from deploy.faults.checks import everything_holds
from deploy.faults.disk import small_disk, told_meanwhile
from deploy.faults.hall import lay
from deploy.faults.phones import Heard, tell
from deploy.faults.servers import all_done, letters_went_once, send
from deploy.faults.trouble import Trouble
from deploy.stack import Laptop
from deploy.stack.asking import Place
from deploy.stack.program import until

SECONDS_OPEN = (1.0, 10.0)


def laptop_killed(laptop: Laptop, options: Options) -> Iterator[Line]:
    """The laptop's one process is killed with -9, again and again, while hands are told.

    Every acknowledged hand is there once, with nothing but a file to keep it.
    """
    keys, chance = lay(options.tables), random.Random()

    def harm() -> str:
        until(laptop.is_open)
        time.sleep(chance.uniform(*SECONDS_OPEN))
        laptop.cut_off(chance)
        return "the one process killed"

    with Trouble(harm, seconds=(0.0, 0.1)) as trouble:
        heard = tell(laptop, keys, submissions=options.submissions, phones=options.phones)
    yield Line(bool(trouble.done), trouble.said)
    yield from everything_holds(laptop, heard)


def laptop_disk(laptop: Laptop, options: Options) -> Iterator[Line]:
    """The laptop's disk is full in the middle of an evening, and has room again later.

    A sentence says that it cannot be kept, and then the same process goes on.
    """
    keys = lay(options.tables)
    connection.close()
    with small_disk(laptop.var, laptop.stop, laptop.start):
        before = laptop.webs[0].pid, laptop.webs[0].children()
        yield from told_meanwhile(laptop, options, keys, laptop.var, begin_again=lambda: None)
        after = laptop.webs[0].pid, laptop.webs[0].children()
        yield Line(before == after, "and it is the same process as before")
        connection.close()


WAVES = 3


def laptop_twice(laptop: Laptop, options: Options) -> Iterator[Line]:
    """Somebody started Tongbox twice on the same book: two processes, each with its own sweep.

    Hands come in by both, each is there once; each letter goes out once.
    """
    keys = lay(options.tables)
    half = len(keys) // 2

    def play(place: Place, shares: list[str]) -> Heard:
        hands = options.submissions // 2
        return tell(place, shares, submissions=hands, phones=options.phones // 2)

    with ThreadPoolExecutor(2) as hall:
        first, second = hall.map(play, laptop.doors, (keys[:half], keys[half:]))
    first.add(second)
    yield from everything_holds(laptop, first)
    for _ in range(WAVES):
        for club in Club.objects.all():
            send(club)
        yield all_done("found by two sweeps, each in a process of its own")
    yield letters_went_once(laptop)
