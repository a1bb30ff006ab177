"""A hall of phones that ask for news: `python -m benchmarks.polling --phones 300`.

``DATABASE_URL`` is the database of `benchmarks.reading`: 256 players x 12 rounds x 16 hands. Two of
three phones show the standings at a table (asking every 3 s), the others their owner's own page
(15 s), as these pages do. Then the last round is released, and all hear of it.
"""

import argparse
import asyncio
import os
import random
import re
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.conf import settings
from django.urls import reverse

from benchmarks.load import processor_use
from benchmarks.reading import reseal_cup
from clubs.tenancy import across_clubs
from deploy.stack import Stack
from tournaments.models import Table, Tournament
from tournaments.results import services

NEWER = re.compile(rb"[?;]v=(\d+)")
NEWS, NOTHING_NEW = 200, 204
STANDINGS, OWN_PAGE = 3.0, 15.0  # seconds between two questions, as the pages say


@dataclass(slots=True)
class Phone:
    """One page that is open: where it asks, how often (seconds), which version it shows."""

    address: str
    interval: float
    version: str = ""
    took: list[tuple[int, float]] = field(default_factory=list)  # status, seconds

    async def ask(
        self, port: int, ssl_context: ssl.SSLContext, deadline: float, first: float
    ) -> None:
        """Ask until then, the first time at some moment (0 to 1) of its turn."""
        await asyncio.sleep(first * self.interval)
        while (start := time.monotonic()) < deadline:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=ssl_context)
            head = f"GET {self.address}v={self.version} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            writer.write(f"{head}Connection: close\r\n\r\n".encode())
            answer, _, body = (await reader.read()).partition(b"\r\n\r\n")
            writer.close()
            status, end = int(answer.split(b" ", 2)[1]), time.monotonic()
            self.took.append((status, end - start))
            if status == NEWS and (match := NEWER.search(body)):
                self.version = match[1].decode()
            await asyncio.sleep(max(0.0, self.interval - (end - start)))


def phones_in(cup: Tournament, phones: int) -> Iterator[Phone]:
    """Two of three phones show the standings at a table, the third its owner's own page."""
    tables = Table.objects.filter(round__tournament=cup, round__number=cup.rounds_planned)
    keys = list(tables.values_list("link_key", flat=True))
    entrants = list(cup.entrants.values_list("pk", flat=True))
    own_page = reverse("find-me", args=[cup.wall_key])
    for number in range(phones):
        if number % 3:
            url = reverse("round-table-standings", args=[keys[number % len(keys)]])
            yield Phone(f"{url}?", STANDINGS)
        else:
            yield Phone(f"{own_page}?me={entrants[number % len(entrants)]}&", OWN_PAGE)


async def poll(
    hall: list[Phone], stack: Stack, *, seconds: float, release: Tournament | None = None
) -> None:
    """All phones ask for so long; a quarter of the way the last round is released."""
    chance, deadline = random.Random(1368), time.monotonic() + seconds
    ssl_context, port = ssl.create_default_context(cafile=stack.certificate), stack.nginx.https
    asking = [
        asyncio.create_task(phone.ask(port, ssl_context, deadline, chance.random()))
        for phone in hall
    ]
    if release is not None:
        await asyncio.sleep(seconds / 4)
        await asyncio.to_thread(services.release_results, tournament=release)
    await asyncio.gather(*asking)


def print_rows(label: str, hall: list[Phone], processor: float) -> None:
    """A line for each kind of answer; ``processor``: seconds that the web services have had."""
    rows = [row for phone in hall for row in phone.took]
    if bad_statuses := [status for status, _ in rows if status not in {NEWS, NOTHING_NEW}]:
        raise SystemExit(
            f"{len(bad_statuses)} of {len(rows)} answers were {sorted(set(bad_statuses))}."
        )
    for status in sorted({status for status, _ in rows}):
        times = sorted(1000 * seconds for code, seconds in rows if code == status)
        middle, percentile = times[len(times) // 2], times[int(0.95 * len(times))]
        print(
            f"| {label}: {status} | {len(times):,} | {middle:,.0f} ms | {percentile:,.0f} ms "
            f"| {times[-1]:,.0f} ms | {1000 * processor / len(rows):,.1f} ms |",
            flush=True,
        )
    for phone in hall:
        phone.took.clear()


def main() -> None:
    """Bring the installation up on that database, let the phones ask, release the round, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=20, help="before and after the release")
    options = parser.parse_args()
    stack_settings = {"DATABASE_URL": os.environ["DATABASE_URL"], "SECRET_KEY": settings.SECRET_KEY}
    with Stack(settings=stack_settings) as stack:
        cup = reseal_cup()
        services.hide_last_round(tournament=cup)
        hall = list(phones_in(cup, options.phones))
        print("| answers | how many | median | 95 in 100 | longest | processor an answer |")
        for label, seconds, release in (
            ("at first", OWN_PAGE, None),
            ("nothing new", options.seconds, None),
            ("the last round released", options.seconds, cup),
        ):
            processor_before = processor_use(stack).web
            asyncio.run(poll(hall, stack, seconds=seconds, release=release))
            print_rows(label, hall, processor_use(stack).web - processor_before)


if __name__ == "__main__":
    with across_clubs():
        main()
