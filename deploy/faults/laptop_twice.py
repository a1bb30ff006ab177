"""Somebody started Tongbox twice on the same book: two processes, each with its own sweep."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from clubs.models import Club
from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay
from deploy.faults.phones import Heard, tell
from deploy.faults.schedulers import all_done, letters_went_once, send
from deploy.stack import Laptop
from deploy.stack.asking import Place

WAVES = 3


def run(laptop: Laptop, asked: Asked) -> Iterator[Line]:
    """Hands come in by both, each is there once; each letter goes out once."""
    keys = lay(asked.tables)
    half = len(keys) // 2

    def play(place: Place, shares: list[str]) -> Heard:
        hands = asked.submissions // 2
        return tell(place, shares, submissions=hands, phones=asked.phones // 2)

    with ThreadPoolExecutor(2) as hall:
        one, other = hall.map(play, laptop.doors, (keys[:half], keys[half:]))
    one.add(other)
    yield from everything_holds(laptop, one)
    for _ in range(WAVES):
        for club in Club.objects.all():
            send(club)
        yield all_done("found by two sweeps, each in a process of its own")
    yield letters_went_once(laptop)
