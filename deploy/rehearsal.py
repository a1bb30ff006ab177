"""``deploy/rehearse [--quick | --pooler | --failover]``: a line for every check.

Exit status 0: all of it holds; 1: something does not; 2: a program is not installed.
"""

import argparse
import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any

from clubs.tenancy import across_clubs
from deploy.larger import PooledStack, ReplicatedStack
from deploy.servers import PACKAGES, Missing, NotReady, program_path
from deploy.stack import Stack, end_at_sigterm

HANDS, HANDS_QUICK = 640, 160


def main() -> None:
    parser = argparse.ArgumentParser(prog="deploy/rehearse", description=__doc__)
    part = parser.add_mutually_exclusive_group()
    part.add_argument(
        "--quick", action="store_true", help="fewer hands; neither beat nor moving house"
    )
    part.add_argument("--pooler", action="store_true", help="only: through PgBouncer")
    part.add_argument(
        "--failover", action="store_true", help="only: PostgreSQL is cut off, a replica takes over"
    )
    parser.add_argument("--port", type=int, help="the first of six ports; else any that are free")
    options = parser.parse_args()
    is_complete = True
    for program in (*PACKAGES, *(["pgbouncer"] if options.pooler else [])):
        try:
            program_path(program)
        except Missing as missing:
            is_complete = False
            print(missing)
    if not is_complete:
        sys.exit(2)
    end_at_sigterm()
    try:
        faults = rehearse(options)
    except NotReady as not_ready:
        sys.exit(f"FAIL {not_ready}")
    sys.exit(faults > 0)


def rehearse(options: argparse.Namespace) -> int:
    """How many checks did not hold."""
    start = time.monotonic()
    larger = {"pooler": PooledStack, "failover": ReplicatedStack}
    kind = next((larger[part] for part in larger if getattr(options, part)), Stack)
    with kind(first_port=options.port) as stack:
        parts = (
            f"PostgreSQL, Redis, nginx, {len(stack.webs)} web services, "
            f"{len(stack.workers)} worker, {len(stack.beats)} beat"
        )
        print(
            f"ok   up in {time.monotonic() - start:.0f} s: {parts}{stack.extras_text}", flush=True
        )
        stack.use()
        lines = faults = 0
        for line in checks_of(stack, is_quick=options.quick):
            print(line, flush=True)
            lines, faults = lines + 1, faults + (not line.holds)
    seconds = time.monotonic() - start
    print(f"{lines} checks, {faults} did not hold, {seconds:.0f} s; everything is ended.")
    return faults


def checks_of(stack: Stack, *, is_quick: bool) -> Iterator[Any]:
    """The checks for this kind of installation; their modules have models."""
    if isinstance(stack, PooledStack):
        yield from importlib.import_module("deploy.larger_checks").pooler_checks(stack, HANDS_QUICK)
    elif isinstance(stack, ReplicatedStack):
        yield from importlib.import_module("deploy.larger_checks").failover_checks(stack, HANDS)
    else:
        hands = HANDS_QUICK if is_quick else HANDS
        checks = importlib.import_module("deploy.checks")
        yield from checks.all_checks(stack, hands=hands, is_quick=is_quick)


if __name__ == "__main__":
    with across_clubs():
        main()
