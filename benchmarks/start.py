"""The first page after a start: `python -m benchmarks.start --starts 5`.

A laptop's one process is started with an evening in its database. When it answers at all
(`/healthz/`), a phone opens the page of its table, and once more.
"""

import importlib
import time
from argparse import ArgumentParser

from django.db import connections

from benchmarks.disk import summary_of
from clubs.tenancy import across_clubs
from deploy.stack import Client, Laptop


def milliseconds(laptop: Laptop, address: str) -> float:
    """How long a page takes, over a connection that is open already."""
    phone = Client(laptop)
    phone.connection.connect()
    start = time.perf_counter()
    answer = phone.get(address)
    duration = 1000 * (time.perf_counter() - start)
    if answer.status != 200:
        raise SystemExit(f"{answer.status} instead of the page.")
    return duration


def main() -> None:
    """Start, open the page twice, stop, again and again; print."""
    parser = ArgumentParser(prog="python -m benchmarks.start", description=__doc__)
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    starts, first, second = [], [], []
    with Laptop() as laptop:
        laptop.use()
        sample = importlib.import_module("benchmarks.sample")  # it has models
        ((link, *_games),) = sample.lay_halls(1, clubs=1, hands=16, event="evening")
        connections.close_all()  # the server has the database for itself
        (web,) = laptop.webs
        for _ in range(options.starts):
            laptop.stop()
            start = time.perf_counter()
            web.start(laptop.is_open)
            starts.append(1000 * (time.perf_counter() - start))
            first.append(milliseconds(laptop, f"/{link}"))
            second.append(milliseconds(laptop, f"/{link}"))
    print(f"from the command until it answers: {summary_of(starts)}")
    print(f"the first page: {summary_of(first)}")
    print(f"the same page again: {summary_of(second)}")


if __name__ == "__main__":
    with across_clubs():
        main()
