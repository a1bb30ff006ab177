"""Plants each fault of ``faults.toml`` in a copy of the last commit and lets the walks look for it.

``python -m tests.walks`` says which law saw the fault, and with which step. It fails where one is
not seen within ``--steps``, or by another law than its own. ``--only couples`` takes the faults
whose words hold that.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from tests.mutations import clone_checkout
from tests.walks.faults import Fault, all_faults

BROKEN: Final = re.compile(r"Broken with step (\d+): (.+)$", re.MULTILINE)
STEPS: Final = 1_500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS, help="how long each walk is at most")
    parser.add_argument("--only", default="", help="faults whose words hold this")
    arguments = parser.parse_args()
    faults = [fault for fault in all_faults() if arguments.only in fault.wrong]
    with TemporaryDirectory(prefix="walks-") as folder:
        copy = clone_checkout(Path(folder) / "tongbox")
        results = [_is_seen(fault, copy, arguments.steps) for fault in faults]
    print(f"{sum(results)} of {len(faults)} faults were seen.")
    sys.exit(not all(results))


def _is_seen(fault: Fault, copy: Path, steps: int) -> bool:
    """Whether the fault's law is the first that it breaks; prints what happened."""
    began, path = monotonic(), copy / fault.file
    sound = path.read_text("utf-8")
    path.write_text(fault.plant(sound), "utf-8")
    environment = os.environ | {"TONGBOX_STEPS": str(steps), "TONGBOX_SHORTEN": "no"}
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", fault.test]
    result = subprocess.run(  # noqa: S603
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    path.write_text(sound, "utf-8")
    match = BROKEN.search(result.stdout)
    seconds = round(monotonic() - began)
    if match is None:
        print(f"NOT SEEN in {seconds} s: {fault.wrong}", flush=True)
        print(result.stdout[-2000:] if result.returncode else "", end="", flush=True)
        return False
    step, law = match.groups()
    print(f"{fault.wrong}\n    Step {step} broke it ({seconds} s): {law}", flush=True)
    if law != fault.law:
        print(f"    EXPECTED: {fault.law}", flush=True)
    return law == fault.law


if __name__ == "__main__":
    main()
