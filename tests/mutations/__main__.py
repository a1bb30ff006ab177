"""Plants each fault of ``faults.toml`` in a copy of the last commit and sees whether a test fails.

``python -m tests.mutations`` runs the day's sample of the tests, ``--whole`` every case. The tests
nearest to the fault run first, and none after the first that fails. ``--only scoring`` takes the
faults of an area, ``--every 7`` each seventh, and ``--write`` puts the results in
``benchmarks/mutations.md``. ``WORKERS`` is for pytest's ``-n``.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from tests.mutations import (
    AREAS,
    BY_TEXT,
    ROOT,
    Fault,
    all_faults,
    clone_checkout,
    code_under,
    place_of,
)

RESULTS = ROOT / "benchmarks" / "mutations.md"
WORKERS = os.environ.get("WORKERS", str((os.cpu_count() or 2) + 1))
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?)(?:\[.*)?(?: - .*)?$", re.MULTILINE)
NO_TESTS = 5


class Result(NamedTuple):
    """What became of a fault: the test that noticed it (empty: none did), after how long."""

    fault: Fault
    caught_by: str
    seconds: int


def main() -> None:
    options = _parse_options()
    faults = [fault for fault in all_faults() if options.only in fault.area][:: options.every]
    environment = os.environ | ({"TONGBOX_SAMPLE": "whole"} if options.whole else {})
    with TemporaryDirectory(prefix="mutations-") as folder:
        copy = clone_checkout(Path(folder) / "tongbox")
        results = []
        for number, fault in enumerate(faults, start=1):
            results.append(_try_fault(fault, copy, environment))
            print(f"{number}/{len(faults)} {_describe_result(results[-1])}", flush=True)
    missed_count = sum(not result.caught_by for result in results)
    print(f"{len(results) - missed_count} of {len(results)} faults were caught.")
    if options.write:
        RESULTS.write_text("\n".join(_report(results, is_whole=options.whole)) + "\n", "utf-8")


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true", help="every case, not the day's sample")
    parser.add_argument("--only", default="", help=f"faults of an area: {'; '.join(AREAS)}")
    parser.add_argument("--every", type=int, default=1, help="each so many faults, for a trial")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    return parser.parse_args()


def _try_fault(fault: Fault, copy: Path, environment: dict[str, str]) -> Result:
    began, code = monotonic(), code_under(copy)
    place = place_of(fault, code)
    (copy / place).write_text(code[place].replace(fault.old, fault.new), "utf-8")
    caught_by = ""
    for tests in _nearest_first(place, copy):
        caught_by = _first_failure(tests, copy, environment)
        if caught_by:
            break
    (copy / place).write_text(code[place], "utf-8")
    seconds = round(monotonic() - began)
    if caught_by and _first_failure([caught_by], copy, environment):
        raise SystemExit(f"{caught_by} fails without a fault too: mend that first.")
    return Result(fault, caught_by, seconds)


def _nearest_first(place: Path, copy: Path) -> Iterator[list[str]]:
    """What pytest is given in turn: tests of the module, its room, its app, all the others."""
    *package, module = place.with_suffix("").parts
    room = re.escape(".".join(package))
    names = rf"(?:\([^)]*|[^(\n]*)\b{module}\b"
    import_pattern = re.compile(
        rf"^(?:from {room}\.{module}\b|from {room} import {names})", re.MULTILINE
    )
    near_tests = [
        str(path.relative_to(copy))
        for path in sorted((copy / "tests").rglob("test_*.py"))
        if "browser" not in path.parts
        and (module in path.stem or import_pattern.search(path.read_text("utf-8")))
    ]
    if near_tests:
        yield near_tests
    if (copy / "tests" / Path(*place.parts[:2])).is_dir():
        yield [f"tests/{'/'.join(place.parts[:2])}"]
    app = f"tests/{place.parts[0]}"
    yield [app]
    yield ["tests", f"--ignore={app}"]


def _first_failure(tests: Sequence[str], copy: Path, environment: dict[str, str]) -> str:
    """The first test that fails; empty where all pass."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-p",
        "no:cacheprovider",
        "-n",
        WORKERS,
        *tests,
    ]
    command += ["-k", " and ".join(f"not {test}" for test in BY_TEXT)]
    result = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)  # noqa: S603
    if result.returncode in {0, NO_TESTS}:
        return ""
    failure = FAILED.search(output := result.stdout.decode())
    if failure is None:
        raise SystemExit(
            f"The tests could not run.\n{output[-3000:]}\n{result.stderr.decode()[-3000:]}"
        )
    return failure[1]


def _describe_result(result: Result) -> str:
    outcome = f"caught by {result.caught_by}" if result.caught_by else "MISSED"
    return f"{result.fault.area}: {result.fault.wrong} {outcome} ({result.seconds} s)"


def _report(results: Sequence[Result], *, is_whole: bool) -> Iterator[str]:
    caught_results = [result for result in results if result.caught_by]
    faults_by_area, caught_by_area = (
        Counter(result.fault.area for result in some) for some in (results, caught_results)
    )
    tests = "every case" if is_whole else "a day's sample"
    machine = (
        f"{os.cpu_count()} processors, {platform.machine()}, Python {platform.python_version()}"
    )
    yield "# Faults planted on purpose"
    yield ""
    yield f"`python -m tests.mutations` on {datetime.now(UTC):%-d %B %Y}, {machine}: {tests}."
    yield ""
    yield "| area | faults | caught |"
    yield "|---|---|---|"
    yield from (
        f"| {area} | {faults_by_area[area]} | {caught_by_area[area]} |"
        for area in AREAS
        if faults_by_area[area]
    )
    yield f"| all | {len(results)} | {len(caught_results)} |"
    yield ""
    yield "| fault | caught by | seconds |"
    yield "|---|---|---|"
    for result in results:
        catcher = f"`{result.caught_by}`" if result.caught_by else "**nothing**"
        yield f"| {result.fault.wrong} | {catcher} | {result.seconds} |"


if __name__ == "__main__":
    main()
