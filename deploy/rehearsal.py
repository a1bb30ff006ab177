"""``deploy/rehearse [--quick]``: everything up on loopback, and a line for every check.

Exit status 0: all of it holds; 1: something does not; 2: a program is not installed.
"""

import argparse
import importlib
import sys
import time

from clubs.tenancy import across_clubs
from deploy.servers import PACKAGES, Missing, NotReady, program_path
from deploy.stack import Stack, end_at_sigterm

HANDS, HANDS_QUICK = 640, 160


def main() -> None:
    parser = argparse.ArgumentParser(prog="deploy/rehearse", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="fewer hands; neither beat nor moving house"
    )
    parser.add_argument("--port", type=int, help="the first of six ports; else any that are free")
    options = parser.parse_args()
    is_complete = True
    for program in PACKAGES:
        try:
            program_path(program)
        except Missing as missing:
            is_complete = False
            print(missing)
    if not is_complete:
        sys.exit(2)
    end_at_sigterm()
    try:
        faults = rehearse(port=options.port, is_quick=options.quick)
    except NotReady as not_ready:
        sys.exit(f"FAIL {not_ready}")
    sys.exit(faults > 0)


def rehearse(*, port: int | None, is_quick: bool) -> int:
    """How many checks did not hold."""
    begun = time.monotonic()
    with Stack(first_port=port) as stack:
        parts = (
            f"PostgreSQL, Redis, nginx, {len(stack.webs)} web services, "
            f"{len(stack.workers)} worker, {len(stack.beats)} beat"
        )
        print(f"ok   up in {time.monotonic() - begun:.0f} s: {parts}", flush=True)
        stack.use()
        checks = importlib.import_module("deploy.checks")  # it has models
        lines = faults = 0
        hands = HANDS_QUICK if is_quick else HANDS
        for line in checks.all_checks(stack, hands=hands, is_quick=is_quick):
            print(line, flush=True)
            lines, faults = lines + 1, faults + (not line.holds)
    seconds = time.monotonic() - begun
    print(f"{lines} checks, {faults} did not hold, {seconds:.0f} s; everything is ended.")
    return faults


if __name__ == "__main__":
    with across_clubs():
        main()
