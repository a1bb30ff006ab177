"""The tables' phones: each sends its next hand when the one before has been answered."""

import asyncio
import ssl
import time
from argparse import Namespace
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import asdict
from statistics import median, quantiles
from urllib.parse import urlsplit

from benchmarks.load.processor import Spent
from deploy.stack.asking import Place

CREATED = 201
SHORT = 0.001
Requests = deque[bytes]  # of one table, in the order of its hands


class Load:
    """Hands sent at a steady rate, whatever the server does, or as fast as it answers (rate 0).

    At a rate a hand's time runs from the moment it was due, so that waiting counts as well.
    """

    def __init__(
        self,
        place: Place,
        tables: Sequence[Requests],
        *,
        rate: float,
        seconds: float,
    ) -> None:
        self.place, self.rate, self.seconds = place, rate, seconds
        self.kept: Counter[int] = Counter()  # hands that were answered, by status
        self.taken: list[float] = []
        self.lasted = 0.0
        self._ready, self._left = deque(tables), sum(map(len, tables))
        self._due: asyncio.Queue[float | None] = asyncio.Queue()
        self._begun = 0.0

    def play(self, connections: int) -> "Load":
        """Send everything over so many connections; returns when the last is answered."""
        asyncio.run(self._play(connections))
        return self

    async def _play(self, connections: int) -> None:
        self._begun = time.perf_counter()
        senders = [asyncio.create_task(self._send_on()) for _ in range(connections)]
        if self.rate:
            await self._ring(connections)
        await asyncio.gather(*senders)
        self.lasted = time.perf_counter() - self._begun

    async def _ring(self, connections: int) -> None:
        """Say when each hand is due."""
        for count in range(int(self.rate * self.seconds)):
            due = self._begun + count / self.rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self._due.put_nowait(due)
        for _ in range(connections):
            self._due.put_nowait(None)

    async def _send_on(self) -> None:
        line = Line(self.place)
        while (due := await self._next_due()) is not None and self._left:
            self._left -= 1
            table = await self._next_table()
            self._note(await line.send(table.popleft()), due)
            if table:
                self._ready.append(table)
        line.close()

    async def _next_table(self) -> Requests:
        """The table that has waited longest; each has one hand under way at most."""
        while not self._ready:
            await asyncio.sleep(SHORT)
        return self._ready.popleft()

    async def _next_due(self) -> float | None:
        if self.rate:
            return await self._due.get()
        now = time.perf_counter()
        return now if now < self._begun + self.seconds else None

    def _note(self, status: int, due: float) -> None:
        self.kept[status] += 1
        self.taken.append(1000 * (time.perf_counter() - due))


class Line:
    """One connection that is kept open; where the server closed it, it is opened again."""

    def __init__(self, place: Place) -> None:
        self._where, self._trusted = urlsplit(place.url), None
        if place.certificate:
            self._trusted = ssl.create_default_context(cafile=place.certificate)
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
                self._where.hostname, self._where.port, ssl=self._trusted
            )
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        await self._reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return int(head.split(" ", 2)[1])

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def told_by(load: Load, args: Namespace, spent: Spent) -> str:
    """The figures of a run in four lines."""
    count, cuts = sum(load.kept.values()), quantiles(load.taken, n=100)
    errors = {status: times for status, times in load.kept.items() if status != CREATED}
    cost = ", ".join(
        f"{part} {1000 * seconds / count:.1f} ms" for part, seconds in asdict(spent).items()
    )
    where = f"{args.database}, {args.tables} tables of {args.clubs} clubs, {args.event}s"
    took = f"median {median(load.taken):.0f} ms, p95 {cuts[94]:.0f}, p99 {cuts[98]:.0f}"
    return "\n".join(
        [
            f"{where}; {args.connections} connections, by {args.by}: {count:,} hands",
            f"{count / load.lasted:.1f} a second; {took}, longest {max(load.taken):.0f}",
            f"processor for a hand: {cost}",
            f"not 201: {errors or 'none'}",
        ]
    )
