"""Phones that ask a server for news again and again, one turn after another."""

import asyncio
import random
import re
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.urls import reverse

from benchmarks.load.processor import using
from benchmarks.reading_pages import sealed_anew
from deploy.stack.stack import Stack
from tournaments.models import Table, Tournament
from tournaments.results import services

NEWER = re.compile(rb"[?;]v=(\d+)")
NEWS, NOTHING_NEW = 200, 204
STANDINGS, OWN_PAGE = 3.0, 15.0  # seconds between two questions, as the pages say


@dataclass(slots=True)
class Phone:
    """One page that is open: where it asks, how often (seconds), which version it shows."""

    address: str
    every: float
    version: str = ""
    took: list[tuple[int, float]] = field(default_factory=list)  # status, seconds

    async def ask(self, door: "Door", until: float, chance: random.Random) -> None:
        """Ask until then, the first time at some moment of its turn."""
        await asyncio.sleep(chance.random() * self.every)
        while (begun := time.monotonic()) < until:
            status, body = await door.asked(f"{self.address}v={self.version}")
            done = time.monotonic()
            self.took.append((status, done - begun))
            if status == NEWS and (match := NEWER.search(body)):
                self.version = match[1].decode()
            await asyncio.sleep(max(0.0, self.every - (done - begun)))


@dataclass
class Door:
    """The installation's front door, as a phone finds it: over TLS, a connection each time."""

    stack: Stack

    @cached_property
    def trusted(self) -> ssl.SSLContext:
        """Its certificate, read once."""
        return ssl.create_default_context(cafile=self.stack.certificate)

    async def asked(self, address: str) -> tuple[int, bytes]:
        """Status and content."""
        where = ("127.0.0.1", self.stack.nginx.https)
        reader, writer = await asyncio.open_connection(*where, ssl=self.trusted)
        wanted = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        writer.write(wanted.encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        return int(head.split(b" ", 2)[1]), body


def measure(stack: Stack, *, phones: int, seconds: int) -> None:
    """Two stretches of polling, the release between them; a line for each kind of answer."""
    cup, door = sealed_anew(), Door(stack)
    services.hide_last_round(tournament=cup)
    hall = list(_hall(cup, phones))
    print("| answers | how many | median | 95 in 100 | longest | processor an answer |")
    asyncio.run(_polling(hall, door, seconds=OWN_PAGE))
    _show("at first", hall, stack, 0.0)
    worked = using(stack).web
    asyncio.run(_polling(hall, door, seconds=seconds))
    _show("nothing new", hall, stack, worked)
    worked = using(stack).web
    asyncio.run(_polling(hall, door, seconds=seconds, release=cup))
    _show("the last round released", hall, stack, worked)


async def _polling(
    hall: list[Phone], door: Door, *, seconds: float, release: Tournament | None = None
) -> None:
    chance, until = random.Random(1368), time.monotonic() + seconds
    asking = [asyncio.create_task(phone.ask(door, until, chance)) for phone in hall]
    if release is not None:
        await asyncio.sleep(seconds / 4)
        await asyncio.to_thread(services.release_results, tournament=release)
    await asyncio.gather(*asking)


def _hall(cup: Tournament, phones: int) -> Iterator[Phone]:
    """Two of three phones show the standings at a table, the third its owner's own page."""
    tables = Table.objects.filter(round__tournament=cup, round__number=cup.rounds_planned)
    keys = list(tables.values_list("link_key", flat=True))
    entrants = list(cup.entrants.values_list("pk", flat=True))
    find = reverse("find-me", args=[cup.wall_key])
    for number in range(phones):
        if number % 3:
            at = reverse("round-table-standings", args=[keys[number % len(keys)]])
            yield Phone(f"{at}?", STANDINGS)
        else:
            yield Phone(f"{find}?me={entrants[number % len(entrants)]}&", OWN_PAGE)


def _show(what: str, hall: list[Phone], stack: Stack, worked: float) -> None:
    rows = [item for phone in hall for item in phone.took]
    used = using(stack).web - worked
    if lost := [status for status, _ in rows if status not in {NEWS, NOTHING_NEW}]:
        raise SystemExit(f"{len(lost)} of {len(rows)} answers were {sorted(set(lost))}.")
    for status in sorted({status for status, _ in rows}):
        times = sorted(1000 * taken for code, taken in rows if code == status)
        middle, late = times[len(times) // 2], times[int(0.95 * len(times))]
        print(
            f"| {what}: {status} | {len(times):,} | {middle:,.0f} ms | {late:,.0f} ms "
            f"| {times[-1]:,.0f} ms | {1000 * used / len(rows):,.1f} ms |",
            flush=True,
        )
    for phone in hall:
        phone.took.clear()
