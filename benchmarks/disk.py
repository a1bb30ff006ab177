"""How long the disk takes to keep what is written: `python -m benchmarks.disk FOLDER --seconds 20`.

`benchmarks.load` prints the same of its own run: a hand waits for the disk, so its time says
nothing without the disk's.
"""

import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from typing import Final

PAUSE: Final = 0.05  # seconds: as often as a laptop saves a hand on a busy evening
BLOCK: Final = bytes(64 * 1024)  # a hand is about sixteen pages of SQLite's log
BLOCKS: Final = 64  # then the file begins anew, as the log does


@contextmanager
def measure_flushes(folder: Path) -> Iterator[list[float]]:
    """Write and flush in this folder again and again while the block runs: milliseconds of each."""
    durations: list[float] = []
    is_over = Event()
    thread = Thread(target=_write_and_flush, args=(folder / "disk-probe", durations, is_over))
    thread.start()
    try:
        yield durations
    finally:
        is_over.set()
        thread.join()


def _write_and_flush(path: Path, durations: list[float], is_over: Event) -> None:
    with path.open("wb", buffering=0) as file:
        while not is_over.wait(PAUSE):
            if len(durations) % BLOCKS == 0:
                file.seek(0)
            file.write(BLOCK)
            start = time.perf_counter()
            os.fdatasync(file.fileno())
            durations.append(1000 * (time.perf_counter() - start))
    path.unlink()


def summary_of(durations: Sequence[float]) -> str:
    """``median 3.1 ms, p95 8.0, p99 20.4, longest 170.2``; nothing of fewer than two."""
    if len(durations) < 2:
        return "not enough"
    cuts = quantiles(durations, n=100)
    percentiles = f"p95 {cuts[94]:.1f}, p99 {cuts[98]:.1f}, longest {max(durations):.1f}"
    return f"median {median(durations):.1f} ms, {percentiles}"


def main() -> None:
    """Measure an idle disk, or one in use."""
    parser = ArgumentParser(prog="python -m benchmarks.disk", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with measure_flushes(options.folder) as durations:
        time.sleep(options.seconds)
    print(f"{len(durations)} flushes of 64 kB: {summary_of(durations)}")


if __name__ == "__main__":
    main()
