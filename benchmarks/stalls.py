"""A laptop whose disk stalls: `python -m benchmarks.stalls --rate 20 --seconds 60`.

Tables submit and people read pages, while for two seconds in ten no flush of the disk comes to its
end. A small C library is laid over the server's own for that, so it needs Linux and gcc.
"""

import asyncio
import importlib
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from django.db import connections

from benchmarks.disk import summary_of
from benchmarks.load import WARM_UP_SECONDS, Connection, Load, Requests, play_load
from clubs.tenancy import across_clubs
from deploy.preload import compile_library
from deploy.servers import Missing
from deploy.stack import Laptop, Target

SHIM: Final = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/* A flush waits as long as the file is there that TONGBOX_STALL names. */
static void stall(void) {
    const char *sign = getenv("TONGBOX_STALL");
    while (sign && access(sign, F_OK) == 0) usleep(2000);
}

int fdatasync(int file) {
    stall();
    return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(file);
}

int fsync(int file) {
    stall();
    return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(file);
}
"""
STALL_INTERVAL, STALL_SECONDS = 10.0, 2.0  # seconds
READERS: Final = 8  # people who read
TimeSpan = tuple[float, float]


class StallingEvening:
    """Hands at a steady rate, pages at another, and a disk that stalls now and then."""

    def __init__(self, laptop: Laptop, load: Load, pages: Sequence[bytes], sign: Path) -> None:
        self.place: Target = laptop
        self.load, self.pages, self.sign = load, pages, sign
        self.stalls: list[TimeSpan] = []
        self.page_times: list[TimeSpan] = []  # each page: when it was due, and answered
        self.is_over = False

    async def play(self, connections: int, rate: float) -> None:
        """All of it; returns when the last hand is answered."""
        reading = [asyncio.create_task(self.read_on(number, rate)) for number in range(READERS)]
        stalling = asyncio.create_task(self.stall())
        await self.load.play(connections)
        self.is_over = True
        await asyncio.gather(stalling, *reading)

    async def read_all(self) -> None:
        """Each page once, so that nothing is loaded for the first time."""
        line = Connection(self.place)
        for page in self.pages:
            await line.send(page)
        line.close()

    async def read_on(self, number: int, rate: float) -> None:
        line = Connection(self.place)
        while not self.is_over:
            due = time.perf_counter()
            await line.send(self.pages[number % len(self.pages)])
            self.page_times.append((due, time.perf_counter()))
            await asyncio.sleep(max(0.0, due + READERS / rate - time.perf_counter()))
        line.close()

    async def stall(self) -> None:
        while not self.is_over:
            await asyncio.sleep(STALL_INTERVAL - STALL_SECONDS)
            if not self.is_over:
                start = time.perf_counter()
                self.sign.touch()
                await asyncio.sleep(STALL_SECONDS)
                self.sign.unlink()
                self.stalls.append((start, time.perf_counter()))

    def during(self, spans: Sequence[TimeSpan]) -> list[float]:
        """Milliseconds of those due while the disk stalled."""
        return [
            1000 * (end - due)
            for due, end in spans
            if any(start <= due < stall_end for start, stall_end in self.stalls)
        ]

    def catch_up_times(self) -> list[float]:
        """Milliseconds from the end of each stall until the last hand due before is answered."""
        return [
            1000
            * max(
                0.0, max(end for due, end in self.load.answer_times if due < stall_end) - stall_end
            )
            for _start, stall_end in self.stalls
        ]


def summary(evening: StallingEvening) -> str:
    """The figures of all hands and pages, and of those that met a stall."""
    load, pages = evening.load, [1000 * (end - due) for due, end in evening.page_times]
    catch_up = max(evening.catch_up_times())
    return f"""hands by status: {dict(load.status_counts)}; refused: {load.refusal_count}
hands: {summary_of(load.latencies)}
pages: {summary_of(pages)}
hands due in {len(evening.stalls)} stalls: {summary_of(evening.during(load.answer_times))}
pages due in them: {summary_of(evening.during(evening.page_times))}
from the end of a stall until all due before are answered: {catch_up:.0f} ms at most"""


def main() -> None:
    """Serve, submit, read, stall, print."""
    parser = ArgumentParser(prog="python -m benchmarks.stalls", description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=20, help="hands a second")
    parser.add_argument("--reads", type=float, default=5, help="pages a second")
    parser.add_argument("--connections", type=int, default=32, help="that phones keep open")
    options = parser.parse_args()
    laptop = Laptop()
    sign = laptop.folder / "stall"
    library = compile_library(SHIM, laptop.folder, "stall")
    shim = {"LD_PRELOAD": str(library), "TONGBOX_STALL": str(sign)}
    for web in laptop.webs:
        web.environment = {**web.environment, **shim}
    with laptop:
        laptop.use()
        sample = importlib.import_module("benchmarks.sample")  # these have models
        hall = importlib.import_module("deploy.hall")
        hands = int(options.rate * (options.seconds + WARM_UP_SECONDS))
        places = sample.lay_halls(options.tables, clubs=16, hands=hands, event="evening")
        tables: Sequence[Requests] = sample.requests_of(places, channel="phone")
        connections.close_all()  # the server has the database for itself
        pages = [f"GET /{link} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() for link, *_ in places]
        load = Load(laptop, tables, rate=options.rate, seconds=options.seconds)
        evening = StallingEvening(laptop, load, pages, sign)
        warm = play_load(laptop, tables, options, WARM_UP_SECONDS)
        asyncio.run(evening.read_all())
        asyncio.run(evening.play(options.connections, options.reads))
        print(summary(evening))
        sent_count = sum((warm.status_counts + load.status_counts).values())
        print(hall.check_stored_count(sent_count), flush=True)


if __name__ == "__main__":
    try:
        with across_clubs():
            main()
    except Missing as missing:
        sys.exit(str(missing))
