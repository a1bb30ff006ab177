"""How long phones wait while an emergency pack is created: `python -m benchmarks.waiting`.

A hall of 400 players on a laptop's one process with SQLite, or with ``--database postgres`` on two
web services and a worker. Phones open their tables' pages at a steady rate, first with nothing else
going on, then while the pack of all rounds is created.
"""

import argparse
import importlib
import random
import threading
import time
from dataclasses import dataclass, field
from statistics import median, quantiles

from django.test import Client as Browser

from clubs.tenancy import across_clubs
from deploy.stack import Client, Installation, Laptop, Stack

OK = 200
ROUNDS, HANDS, CONNECTIONS = 8, 16, 4
SETTLE_SECONDS, LOOK_SECONDS, ASK_INTERVAL = 5.0, 0.2, 0.5  # seconds


@dataclass(slots=True)
class Phones:
    """Phones that ask one after another for a table's page, on a few connections."""

    house: Installation
    links: list[str]
    interval: float  # seconds between two questions of a connection
    took: list[float] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    def ask(self, seed: int) -> None:
        """Ask until it is over; the time of an answer counts only if it is the page."""
        client, chance = Client(self.house.doors[0]), random.Random(seed)
        while not self.is_over.wait(self.interval * 2 * chance.random()):
            start = time.perf_counter()
            answer = client.get(f"/r/{chance.choice(self.links)}/")
            if answer.status != OK:
                raise SystemExit(f"{answer.status} instead of a table's page.")
            self.took.append(1000 * (time.perf_counter() - start))

    def show(self, label: str, seconds: float) -> None:
        """A line on the answers so far, which are forgotten."""
        durations, self.took = self.took, []
        percentile = quantiles(durations, n=100)[94]
        print(
            f"| {label} | {seconds:.0f} s | {len(durations)} | {median(durations):.0f} ms | "
            f"{percentile:.0f} ms | {max(durations):.0f} ms |",
            flush=True,
        )


def measure(house: Installation, options: argparse.Namespace) -> None:
    """Lay the hall, let the phones ask, print a line for each time."""
    sample = importlib.import_module("benchmarks.sample")  # these have models
    jobs = importlib.import_module("clubs.models").Job.objects
    cup = sample.hall_in_play(options.players, ROUNDS, HANDS)
    links = [table.link_key for table in cup.rounds.get(number=1).tables.all()]
    phones = Phones(house, links, interval=ASK_INTERVAL)
    asking = [threading.Thread(target=phones.ask, args=[seed]) for seed in range(CONNECTIONS)]
    for thread in asking:
        thread.start()
    print("| while | lasted | pages | median | 95 in 100 | longest |\n|" + " --- |" * 6)
    time.sleep(SETTLE_SECONDS)
    phones.took.clear()
    time.sleep(options.seconds)
    phones.show("nothing else happens", options.seconds)
    start = time.perf_counter()
    print_pack(house, f"/c/{cup.club.slug}/tournaments/{cup.pk}/print/")
    while not jobs.filter(state__in=("done", "failed")).exists():
        time.sleep(LOOK_SECONDS)
    phones.show("the pack is created", time.perf_counter() - start)
    phones.is_over.set()
    for thread in asking:
        thread.join()
    job = jobs.get()
    print(f"{job.state}, {job.done} of {job.total} tables, {job.result.size / 1e6:.1f} MB")


def print_pack(house: Installation, printouts: str) -> None:
    """Press the button as the director does, who is signed in."""
    browser, director = Browser(), Client(house.doors[0])
    user = importlib.import_module("clubs.models").User.objects.get()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    director.cookies |= {name: morsel.value for name, morsel in browser.cookies.items()}
    form = f"{printouts}long/?kind=emergency&round=all"
    director.submit(form, f"{printouts}long/", kind="emergency", round="all")


def main() -> None:
    """Measure on an installation that is brought up for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20, help="without the pack")
    parser.add_argument("--first-port", type=int)
    options = parser.parse_args()
    installation = Stack if options.database == "postgres" else Laptop
    with installation(first_port=options.first_port) as house:
        house.use()
        measure(house, options)


if __name__ == "__main__":
    with across_clubs():
        main()
