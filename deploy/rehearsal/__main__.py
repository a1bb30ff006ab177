"""``deploy/rehearse [--quick]``: everything up on loopback, and a line for every check.

Exit status 0: all of it holds; 1: something does not; 2: a program is not installed.
"""

import argparse
import os
import signal
import sys
import time
from types import FrameType

import django

from clubs.tenancy import across_clubs
from deploy.stack import Stack
from deploy.stack.program import NotReady
from deploy.stack.servers import PACKAGES, Missing, program_path

HANDS, HANDS_QUICK = 640, 160


def main() -> None:
    """Try it all, and count what did not hold."""
    parser = argparse.ArgumentParser(prog="deploy/rehearse", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="fewer hands; neither beat nor moving house"
    )
    parser.add_argument("--port", type=int, help="the first of six ports; else any that are free")
    arguments = parser.parse_args()
    if missing := _missing():
        print("\n".join(missing))
        sys.exit(2)
    signal.signal(signal.SIGTERM, _end)
    try:
        faults = _rehearse(port=arguments.port, is_quick=arguments.quick)
    except NotReady as not_ready:
        sys.exit(f"FAIL {not_ready}")
    sys.exit(faults > 0)


def _missing() -> list[str]:
    """A line for every program that is not here."""
    lines = []
    for program in PACKAGES:
        try:
            program_path(program)
        except Missing as missing:
            lines.append(str(missing))
    return lines


def _rehearse(*, port: int | None, is_quick: bool) -> int:
    begun = time.monotonic()
    with Stack(first_port=port) as stack:
        print(f"ok   up in {time.monotonic() - begun:.0f} s: {_what(stack)}", flush=True)
        os.environ.update(stack.environment, DJANGO_SETTINGS_MODULE="config.settings")
        django.setup()
        from deploy.rehearsal.checks import all_checks

        lines = 0
        faults = 0
        for line in all_checks(stack, hands=HANDS_QUICK if is_quick else HANDS, is_quick=is_quick):
            print(line, flush=True)
            lines, faults = lines + 1, faults + (not line.holds)
    seconds = time.monotonic() - begun
    print(f"{lines} checks, {faults} did not hold, {seconds:.0f} s; everything is ended.")
    return faults


def _what(stack: Stack) -> str:
    return (
        f"PostgreSQL, Redis, nginx, {len(stack.webs)} web services, "
        f"{len(stack.workers)} worker, {len(stack.beats)} beat"
    )


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    with across_clubs():
        main()
