"""A small installation beside a large one: `python -m benchmarks.growth --small DB --large DB`.

Both were made by `benchmarks.grow`: each has clubs of 500 hands that are the same, and their pages
and submissions are asked for over HTTP, by turns. ``--explain`` prints the dearest statements
instead.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict

import django

from benchmarks.grow import SERVER
from clubs.tenancy import across_clubs
from deploy.stack.stack import Stack


def main() -> None:
    """Ask both, one process each, and lay the answers side by side."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--small")
    asking.add_argument("--large")
    asking.add_argument("--one", help="ask only this database and print what it took, as JSON")
    asking.add_argument("--server", default=SERVER)
    asking.add_argument("--turns", type=int, default=3)
    asking.add_argument("--times", type=int, default=40, help="a page in each turn")
    asking.add_argument("--explain", action="store_true")
    asked = asking.parse_args()
    if asked.one:
        ask(asked)
    else:
        compare(*by_turns(asked))


def ask(asked: argparse.Namespace) -> None:
    """Everything that is asked of one database."""
    with Stack(said={"DATABASE_URL": f"{asked.server}/{asked.one}"}) as stack:
        os.environ |= stack.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from benchmarks.growth_asked import explain, measure, seal_links

        seal_links()
        if asked.explain:
            explain()
        else:
            print(json.dumps(measure(stack, times=asked.times)))


def by_turns(asked: argparse.Namespace) -> list[dict[str, list[float]]]:
    """What each of the two took, asked one after the other several times: a machine has moods."""
    found: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    for _ in range(asked.turns):
        for kept, database in zip(found, (asked.small, asked.large), strict=True):
            for page, taken in answers(asked, database).items():
                kept[page] += taken
    return found


def answers(asked: argparse.Namespace, database: str) -> dict[str, list[float]]:
    """What one database took, in milliseconds, asked by a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth", "--one", database]
    command += ["--server", asked.server, "--times", str(asked.times)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def compare(small: dict[str, list[float]], large: dict[str, list[float]]) -> None:
    """A line for each page: median and 95 in 100 of both, and how many times as long."""
    print("| page | small: median, 95 in 100 | large: median, 95 in 100 | times |")
    for page, taken in small.items():
        one, other = _figures(taken), _figures(large[page])
        told = " | ".join(f"{middle:,.0f}, {late:,.0f} ms" for middle, late in (one, other))
        print(f"| {page} | {told} | {other[0] / one[0]:.2f} |")


def _figures(taken: list[float]) -> tuple[float, float]:
    times = sorted(taken)
    return times[len(times) // 2], times[int(0.95 * len(times))]


if __name__ == "__main__":
    with across_clubs():
        main()
