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
from deploy.faults.asked import Asked, Line
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
OURS = ("DATABASE_URL", "REDIS_URL")
FOR_ROOT = ("disk", "laptop_disk")


def main() -> None:
    """Print a line for everything that was looked at."""
    asked = argparse.ArgumentParser(prog="python -m deploy.faults", description=__doc__)
    asked.add_argument(
        "name", choices=FAULTS, help="; ".join(f"{k}: {v}" for k, v in FAULTS.items())
    )
    asked.add_argument("--submissions", type=int, default=5000, help="hands told (5000)")
    asked.add_argument("--tables", type=int, default=64, help="tables they are played at (64)")
    asked.add_argument("--phones", type=int, default=16, help="phones that tell at once (16)")
    asked.add_argument("--port", type=int, help="the first port of the stack; else any free ones")
    told = asked.parse_args()
    signal.signal(signal.SIGTERM, _end)
    begun = time.monotonic()
    try:
        held = _run(told.name, Asked(told.submissions, told.tables, told.phones), told.port)
    except Missing as missing:
        sys.exit(str(missing))
    print(f"{told.name}: {'holds' if held else 'DOES NOT HOLD'}, {time.monotonic() - begun:.0f} s")
    sys.exit(not held)


def _run(name: str, asked: Asked, port: int | None) -> bool:
    print(f"{name}: {FAULTS[name]}", flush=True)
    held = True
    with stack_for(name, port) as stack:
        for line in lines_of(name, stack, asked):
            print(line, flush=True)
            held = held and line.holds
    return held


def stack_for(name: str, port: int | None = None) -> Stack | Laptop:
    """An installation as this fault needs it; raises ``Missing``."""
    if name in FOR_ROOT and not is_root():
        raise Missing("A disk of so many megabytes can be laid by root alone.")
    if name.startswith("laptop"):
        return Laptop(services=2 if name == "laptop_twice" else 1, first_port=port)
    number = 2 if name == "schedulers" else 1
    return Stack(workers=number, beats=number, first_port=port)


def lines_of(name: str, stack: Stack | Laptop, asked: Asked) -> Iterator[Line]:
    """Let it go wrong on a stack that is up; this process reads its database, too."""
    for ours in OURS:
        os.environ.pop(ours, None)
    os.environ.update(stack.environment, DJANGO_SETTINGS_MODULE="config.settings")
    django.setup()
    from clubs.tenancy import across_clubs

    with across_clubs():
        yield from importlib.import_module(f"deploy.faults.{name}").run(stack, asked)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    with across_clubs():
        main()
