"""``python -m deploy.faults killed --submissions 5000``: starts an installation, harms it, counts.

Exit status 1 when anything did not hold.
"""

import argparse
import importlib
import sys
import time

from clubs.tenancy import across_clubs
from deploy.failover import AsynchronousStack, ClusteredStack
from deploy.servers import Missing, is_root
from deploy.stack import Laptop, Stack, end_at_sigterm

FAULTS = {
    "killed": "web and worker processes are killed with -9",
    "database": "PostgreSQL is ended (fast, immediate) and begun again",
    "cache": "Redis is gone, and comes back",
    "disk": "the disk of the database is full, and has room again",
    "clock": "the clock of the web services goes back by three hours",
    "schedulers": "two beats, and every job called many times over",
    "backup": "backups are killed with -9 in the middle, and one is not what was there",
    "leader": "of three PostgreSQL servers the one that leads is killed with -9",
    "leader_alone": "the same where a hand is acknowledged before a second server has it",
    "laptop_killed": "SQLite: the one process is killed with -9",
    "laptop_power": "SQLite: the power is cut, and what the disk had not taken is gone",
    "laptop_twice": "SQLite: Tongbox was started twice on the same book",
}

CLUSTERED = {"leader": ClusteredStack, "leader_alone": AsynchronousStack}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.faults", description=__doc__)
    parser.add_argument(
        "name", choices=FAULTS, help="; ".join(f"{k}: {v}" for k, v in FAULTS.items())
    )
    parser.add_argument("--submissions", type=int, default=5000, help="hands told (5000)")
    parser.add_argument("--tables", type=int, default=64, help="tables they are played at (64)")
    parser.add_argument("--phones", type=int, default=16, help="phones that tell at once (16)")
    parser.add_argument("--kills", type=int, default=5, help="how often the leader is killed (5)")
    parser.add_argument("--port", type=int, help="the first port of the stack; else any free ones")
    options = parser.parse_args()
    end_at_sigterm()
    start = time.monotonic()
    try:
        holds = run_fault(options)
    except Missing as missing:
        sys.exit(str(missing))
    verdict = "holds" if holds else "DOES NOT HOLD"
    print(f"{options.name}: {verdict}, {time.monotonic() - start:.0f} s")
    sys.exit(not holds)


def run_fault(options: argparse.Namespace) -> bool:
    """Whether everything holds on an installation that this went wrong on."""
    name, holds = options.name, True
    print(f"{name}: {FAULTS[name]}", flush=True)
    with installation_for(name, options.port) as installation:
        installation.use()
        module = "deploy.leaders" if name in CLUSTERED else "deploy.harm"
        faults = importlib.import_module(module)  # it has models
        for line in getattr(faults, name)(installation, options):
            print(line, flush=True)
            holds = holds and line.holds
    return holds


def installation_for(name: str, port: int | None) -> Stack | Laptop:
    """An installation as this fault needs it; raises ``Missing``."""
    if name == "disk" and not is_root():
        raise Missing("A disk of so many megabytes can be laid by root alone.")
    if name.startswith("laptop"):
        return Laptop(services=2 if name == "laptop_twice" else 1, first_port=port)
    if name in CLUSTERED:
        return CLUSTERED[name](first_port=port)
    number = 2 if name == "schedulers" else 1
    return Stack(workers=number, beats=number, first_port=port)


if __name__ == "__main__":
    with across_clubs():
        main()
