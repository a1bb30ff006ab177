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
    arguments = asking.parse_args()
    if arguments.one:
        ask(arguments)
    else:
        compare(*by_turns(arguments))


def ask(arguments: argparse.Namespace) -> None:
    """Everything that is asked of one database."""
    with Stack(said={"DATABASE_URL": f"{arguments.server}/{arguments.one}"}) as stack:
        os.environ |= stack.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from benchmarks.growth_asked import explain, measure, seal_links

        seal_links()
        if arguments.explain:
            explain()
        else:
            print(json.dumps(measure(stack, times=arguments.times)))


def by_turns(arguments: argparse.Namespace) -> list[dict[str, list[float]]]:
    """What each of the two took, asked one after the other several times: a machine has moods."""
    result: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    for _ in range(arguments.turns):
        for kept, database in zip(result, (arguments.small, arguments.large), strict=True):
            for page, taken in answers(arguments, database).items():
                kept[page] += taken
    return result


def answers(arguments: argparse.Namespace, database: str) -> dict[str, list[float]]:
    """What one database took, in milliseconds, asked by a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth", "--one", database]
    command += ["--server", arguments.server, "--times", str(arguments.times)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    result: dict[str, list[float]] = json.loads(done.stdout)
    return result


def compare(small: dict[str, list[float]], large: dict[str, list[float]]) -> None:
    """A line for each page: median and 95 in 100 of both, and how many times as long."""
    print("| page | small: median, 95 in 100 | large: median, 95 in 100 | times |")
    for page, taken in small.items():
        first, second = _figures(taken), _figures(large[page])
        text = " | ".join(f"{middle:,.0f}, {late:,.0f} ms" for middle, late in (first, second))
        print(f"| {page} | {text} | {second[0] / first[0]:.2f} |")


def _figures(taken: list[float]) -> tuple[float, float]:
    times = sorted(taken)
    return times[len(times) // 2], times[int(0.95 * len(times))]


if __name__ == "__main__":
    with across_clubs():
        main()
