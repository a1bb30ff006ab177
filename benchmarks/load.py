"""Submitting under load: `python -m benchmarks.load --tables 64 --seconds 60 --rate 100`.

Brings the whole installation up on loopback (or a laptop's one process on SQLite), lets its tables
submit through its front door, and looks at the score book.
"""

import asyncio
import importlib
import os
import ssl
import time
from argparse import ArgumentParser, Namespace
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass
from operator import sub
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

from django.db import connections

from benchmarks.disk import measure_flushes, summary_of
from clubs.tenancy import across_clubs
from deploy.servers import Program, children_of
from deploy.stack import Installation, Laptop, Stack, Target

TICKS = os.sysconf("SC_CLK_TCK")
CREATED, BUSY = 201, 503
SHORT_PAUSE, WARM_UP_SECONDS = 0.001, 5.0  # seconds
FLAT_OUT = 400  # hands a second that are prepared where no rate is given
Requests = deque[bytes]  # of one table, in the order of its hands


@dataclass(frozen=True, slots=True)
class ProcessorSeconds:
    """Seconds of the processor: of web services, nginx, PostgreSQL, and of the phones.

    A laptop has neither nginx nor PostgreSQL; Redis and the workers are not in it.
    """

    web: float
    nginx: float
    database: float
    phones: float

    def spent_since(self, start: "ProcessorSeconds") -> "ProcessorSeconds":
        """What each has had from then on."""
        return ProcessorSeconds(*map(sub, astuple(self), astuple(start)))


def processor_use(house: Installation) -> ProcessorSeconds:
    """What each has had so far, its own processes and those that have ended included."""
    web, nginx, database = sum(map(spent_by, house.webs)), 0.0, 0.0
    if isinstance(house, Stack):
        nginx, database = spent_by(house.nginx.program), spent_by(house.postgres.program)
    return ProcessorSeconds(web, nginx, database, phones=time.process_time())


def spent_by(program: Program) -> float:
    """Seconds of a program and its own processes."""
    ticks = 0
    for pid in (program.pid, *children_of(program.pid)):
        with suppress(FileNotFoundError):
            text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
            ticks += sum(map(int, text.rpartition(")")[2].split()[11:15]))  # own, of ended ones
    return ticks / TICKS


class Load:
    """Hands sent at a steady rate, whatever the server does, or as fast as it answers (rate 0).

    At a rate a hand's time runs from the moment it was due, so that waiting counts as well.
    """

    def __init__(
        self, place: Target, tables: Sequence[Requests], *, rate: float, seconds: float
    ) -> None:
        self.place, self.rate, self.seconds = place, rate, seconds
        self.status_counts: Counter[int] = Counter()  # hands that were answered, by status
        self.answer_times: list[
            tuple[float, float]
        ] = []  # each hand: when it was due, and answered
        self.refusal_count = 0  # answers that asked to send again
        self.duration = 0.0
        self._ready, self._hands_left = deque(tables), sum(map(len, tables))
        self._due: asyncio.Queue[float | None] = asyncio.Queue()
        self._start_time = 0.0

    @property
    def latencies(self) -> list[float]:
        """Milliseconds of each hand."""
        return [1000 * (end - due) for due, end in self.answer_times]

    async def play(self, connections: int) -> None:
        """Send everything over so many connections; returns when the last is answered."""
        self._start_time = time.perf_counter()
        senders = [asyncio.create_task(self.send_on()) for _ in range(connections)]
        if self.rate:
            for count in range(int(self.rate * self.seconds)):
                due = self._start_time + count / self.rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                self._due.put_nowait(due)
            for _ in range(connections):
                self._due.put_nowait(None)
        await asyncio.gather(*senders)
        self.duration = time.perf_counter() - self._start_time

    async def send_on(self) -> None:
        """One connection: the next hand of the table that has waited longest, again and again.

        Each table has one hand under way at most.
        """
        line = Connection(self.place)
        while (due := await self.next_due()) is not None and self._hands_left:
            self._hands_left -= 1
            while not self._ready:
                await asyncio.sleep(SHORT_PAUSE)
            table = self._ready.popleft()
            hand = table.popleft()
            while (status := await line.send(hand)) == BUSY:
                self.refusal_count += 1
                await asyncio.sleep(line.retry_after)
            self.status_counts[status] += 1
            self.answer_times.append((due, time.perf_counter()))
            if table:
                self._ready.append(table)
        line.close()

    async def next_due(self) -> float | None:
        """When the next hand is due; None when time is up."""
        if self.rate:
            return await self._due.get()
        now = time.perf_counter()
        return now if now < self._start_time + self.seconds else None


class Connection:
    """One connection that is kept open; where the server closed it, it is opened again."""

    def __init__(self, place: Target) -> None:
        self._address, self._ssl_context = urlsplit(place.url), None
        if place.certificate:
            self._ssl_context = ssl.create_default_context(cafile=place.certificate)
        self.retry_after = 0.0  # seconds, as the last answer said
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(self, request: bytes) -> int:
        """The status of the answer; the same hand may be sent twice, the book has it once."""
        try:
            return await self._ask(request)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            return await self._ask(request)

    async def _ask(self, request: bytes) -> int:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                self._address.hostname, self._address.port, ssl=self._ssl_context
            )
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        await self._reader.readexactly(int(fields.get("content-length", 0)))
        self.retry_after = float(fields.get("retry-after", 0))
        if fields.get("connection") == "close":
            self.close()
        return int(head.split(" ", 2)[1])

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def summary(
    load: Load, options: Namespace, processor_seconds: ProcessorSeconds, disk: Sequence[float]
) -> str:
    """The figures of a run in five lines, with those of the disk."""
    count, cuts = sum(load.status_counts.values()), quantiles(load.latencies, n=100)
    errors = {status: times for status, times in load.status_counts.items() if status != CREATED}
    parts = asdict(processor_seconds).items()
    cost = ", ".join(f"{part} {1000 * seconds / count:.1f} ms" for part, seconds in parts)
    scenario = (
        f"{options.database}, {options.tables} tables of {options.clubs} clubs, {options.event}s"
    )
    took = f"median {median(load.latencies):.0f} ms, p95 {cuts[94]:.0f}, p99 {cuts[98]:.0f}"
    return f"""{scenario}; {options.connections} connections, by {options.by}: {count:,} hands
{count / load.duration:.1f} a second; {took}, longest {max(load.latencies):.0f}
processor for a hand: {cost}
the disk’s own flush: {summary_of(disk)}
not 201: {errors or "none"}; asked to send again: {load.refusal_count}"""


def play_load(
    house: Installation, tables: Sequence[Requests], options: Namespace, seconds: float
) -> Load:
    load = Load(house, tables, rate=options.rate, seconds=seconds)
    asyncio.run(load.play(options.connections))
    return load


def main() -> None:
    """Serve, submit, print, and look whether everything is in the book."""
    parser = ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=64, help="that play at the same time")
    parser.add_argument("--clubs", type=int, default=16, help="that the tables belong to")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=100, help="hands a second; 0: flat out")
    parser.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--webs", type=int, default=2, help="web services; SQLite has one")
    parser.add_argument("--connections", type=int, default=16, help="that phones keep open")
    parser.add_argument("--by", choices=("api", "phone"), default="api", help="who sends the hands")
    parser.add_argument("--event", choices=("evening", "tournament"), default="evening")
    options = parser.parse_args()
    with Stack(webs=options.webs) if options.database == "postgres" else Laptop() as house:
        house.use()
        sample = importlib.import_module("benchmarks.sample")  # these have models
        hall = importlib.import_module("deploy.hall")
        hands = int((options.rate or FLAT_OUT) * (options.seconds + WARM_UP_SECONDS))
        places = sample.lay_halls(
            options.tables, clubs=options.clubs, hands=hands, event=options.event
        )
        tables = sample.requests_of(places, channel=options.by)
        connections.close_all()  # the server has the database for itself
        warm = play_load(house, tables, options, WARM_UP_SECONDS)
        use_before = processor_use(house)
        with measure_flushes(house.folder) as disk:
            load = play_load(house, tables, options, options.seconds)
        print(
            summary(load, options, processor_use(house).spent_since(use_before), disk), flush=True
        )
        sent_count = sum((warm.status_counts + load.status_counts).values())
        print(hall.check_stored_count(sent_count), flush=True)
        for line in (hall.check_totals(), *hall.check_commands(house)):
            print(line, flush=True)


if __name__ == "__main__":
    with across_clubs():
        main()
