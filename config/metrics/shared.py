"""Where processes that serve together keep their counts, so that any of them can report them all.

Each service (a gunicorn, a Celery worker, with its processes) holds one folder as long as it lives
and empties it when it begins. The folder's name is a label: a restart is noticed.

Nothing here loads ``prometheus_client``: it looks where to count at the moment it is loaded.
"""

import logging
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from filelock import BaseFileLock

from clubs.core.processes import is_locked, lock_if_free
from config import env

METRICS_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
# Bytes a process.
FILE_SIZES: Final = {"counter": 2**19, "histogram": 2**21, "gauge_livesum": 2**16}

log = logging.getLogger(__name__)
_locks: list[BaseFileLock] = []


def start_counting(kind: str) -> None:
    """Count in the first free folder of this kind (``web-1``, ``web-2`` …) from here on.

    Nothing where one process is the whole installation: it counts in memory.
    """
    if _locks or not (env.text("DATABASE_URL") or env.text("REDIS_URL")):
        return
    try:
        # The first folder that no living service holds, emptied.
        for number in count(1):
            folder = _metrics_folder() / f"{kind}-{number}"
            folder.mkdir(parents=True, exist_ok=True)
            if lock := lock_if_free(folder / "held"):
                _locks.append(lock)
                break
        for stale_file in folder.glob("*.db"):
            stale_file.unlink()
    except OSError as full:
        log.warning("Nothing is counted for the other processes: %s", full)
        return
    os.environ[METRICS_VARIABLE] = str(folder)


def reserve_files() -> None:
    """Room on the disk for what this process will count; without it, it counts for itself alone.

    It is taken in advance: on a full disk, writing to a sparse mapped file ends the process.
    """
    if METRICS_VARIABLE not in os.environ:
        return
    try:
        for name, size in FILE_SIZES.items():
            _make_file(Path(os.environ[METRICS_VARIABLE]) / f"{name}_{os.getpid()}.db", size)
    except OSError as full:
        del os.environ[METRICS_VARIABLE]
        log.warning("This process reports its own counts only: %s", full)


def forget_process(pid: int) -> None:
    """A process of this service has ended: what it had in hand is gone, what it counted stays."""
    if METRICS_VARIABLE in os.environ:
        for file in Path(os.environ[METRICS_VARIABLE]).glob(f"gauge_live*_{pid}.db"):
            file.unlink(missing_ok=True)


def live_services() -> Iterator[Path]:
    """The folders of the services that live."""
    yield from (file.parent for file in sorted(_metrics_folder().glob("*/held")) if is_locked(file))


def _metrics_folder() -> Path:
    return env.var_dir() / "metrics"


def _make_file(file: Path, size: int) -> None:
    if file.exists():
        return
    new = file.with_suffix(".new")
    try:
        new.write_bytes(bytes(size))
        new.rename(file)
    finally:
        new.unlink(missing_ok=True)
