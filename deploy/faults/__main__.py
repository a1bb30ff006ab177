"""``python -m deploy.faults killed --submissions 5000``: brings a stack up, harms it, counts.

Exit status 1 when anything did not hold.
"""

import argparse
import importlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType

import django

from clubs.tenancy import across_clubs
from deploy.faults import Line, Options
from deploy.stack import Laptop, Stack
from deploy.stack.servers import Missing, is_root

FAULTS = {
    "killed": "web and worker processes are killed with -9",
    "database": "PostgreSQL is ended (fast, immediate) and begun again",
    "cache": "Redis is gone, and comes back",
    "disk": "the disk of the database is full, and has room again",
    "clock": "the clock of the web services goes back by three hours",
    "schedulers": "two beats, and every job called many times over",
    "one_hand": "four phones tell the same hand at the same moment",
    "keys": "web processes are killed while programs ask with an Idempotency-Key",
    "backup": "backups are killed with -9 in the middle, and one is not what was there",
    "laptop_killed": "SQLite: the one process is killed with -9",
    "laptop_disk": "SQLite: the laptop's disk is full, and has room again",
    "laptop_twice": "SQLite: Tongbox was started twice on the same book",
}
MODULES = {
    "disk": "disk",
    "backup": "backup",
    "one_hand": "programs",
    "keys": "programs",
    "laptop_killed": "laptop",
    "laptop_disk": "laptop",
    "laptop_twice": "laptop",
}
OURS = ("DATABASE_URL", "REDIS_URL")
FOR_ROOT = ("disk", "laptop_disk")


def main() -> None:
    """Print a line for everything that was looked at."""
    parser = argparse.ArgumentParser(prog="python -m deploy.faults", description=__doc__)
    parser.add_argument(
        "name", choices=FAULTS, help="; ".join(f"{k}: {v}" for k, v in FAULTS.items())
    )
    parser.add_argument("--submissions", type=int, default=5000, help="hands told (5000)")
    parser.add_argument("--tables", type=int, default=64, help="tables they are played at (64)")
    parser.add_argument("--phones", type=int, default=16, help="phones that tell at once (16)")
    parser.add_argument("--port", type=int, help="the first port of the stack; else any free ones")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    begun = time.monotonic()
    try:
        holds = _run(
            arguments.name,
            Options(arguments.submissions, arguments.tables, arguments.phones),
            arguments.port,
        )
    except Missing as missing:
        sys.exit(str(missing))
    verdict = "holds" if holds else "DOES NOT HOLD"
    print(f"{arguments.name}: {verdict}, {time.monotonic() - begun:.0f} s")
    sys.exit(not holds)


def _run(name: str, options: Options, port: int | None) -> bool:
    print(f"{name}: {FAULTS[name]}", flush=True)
    holds = True
    with stack_for(name, port) as stack:
        for line in lines_of(name, stack, options):
            print(line, flush=True)
            holds = holds and line.holds
    return holds


def stack_for(name: str, port: int | None = None) -> Stack | Laptop:
    """An installation as this fault needs it; raises ``Missing``."""
    if name in FOR_ROOT and not is_root():
        raise Missing("A disk of so many megabytes can be laid by root alone.")
    if name.startswith("laptop"):
        return Laptop(services=2 if name == "laptop_twice" else 1, first_port=port)
    number = 2 if name == "schedulers" else 1
    return Stack(workers=number, beats=number, first_port=port)


def lines_of(name: str, stack: Stack | Laptop, options: Options) -> Iterator[Line]:
    """Let it go wrong on a stack that is up; this process reads its database, too."""
    for ours in OURS:
        os.environ.pop(ours, None)
    os.environ.update(stack.environment, DJANGO_SETTINGS_MODULE="config.settings")
    django.setup()
    from clubs.tenancy import across_clubs

    with across_clubs():
        module = importlib.import_module(f"deploy.faults.{MODULES.get(name, 'servers')}")
        yield from getattr(module, name)(stack, options)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    with across_clubs():
        main()
