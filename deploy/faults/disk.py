"""The disk of the database is full in the middle of an evening, and has room again later."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deploy.faults import Line, Options
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay
from deploy.faults.phones import Heard, tell
from deploy.stack import Stack
from deploy.stack.asking import Client, Installation, Place
from deploy.stack.servers import run as do

MEGABYTES = 320
# Else the log that PostgreSQL writes ahead would fill so small a disk by itself.
LOG_AHEAD = "ALTER SYSTEM SET max_wal_size = '64MB'"
SECONDS_BEFORE = 6
SECONDS_FULL = 12


def disk(stack: Stack, options: Options) -> Iterator[Line]:
    """A sentence says that it cannot be kept, nothing is half written, and then it goes on."""
    keys = lay(options.tables)
    stack.postgres.sql("postgres", LOG_AHEAD)
    data = stack.folder / "postgres" / "data"

    def begin_again() -> None:
        """As systemd does for whoever ends by itself."""
        if not stack.postgres.program.is_running:
            stack.postgres.start()

    with small_disk(data, stack.postgres.stop, stack.postgres.start):
        yield from told_meanwhile(stack, options, keys, data, begin_again)


@contextmanager
def small_disk(folder: Path, stop: Callable[[], None], start: Callable[[], None]) -> Iterator[None]:
    """The folder on a file system of its own, of so many megabytes; for root alone."""
    kept = folder.with_name("before")
    stop()
    folder.rename(kept)
    folder.mkdir()
    do("mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=700", "tongbox", str(folder))
    try:
        do("cp", "--archive", f"{kept}/.", str(folder))
        do("chown", "--reference", str(kept), str(folder))
        start()
        yield
    finally:
        stop()
        do("umount", str(folder))
        folder.rmdir()
        kept.rename(folder)


def told_meanwhile(
    place: Installation,
    options: Options,
    keys: list[str],
    disk: Path,
    begin_again: Callable[[], None],
) -> Iterator[Line]:
    """Hands that are told before, while the disk is full, and after; nobody else is harmed."""
    reads: list[int] = []

    def fill() -> None:
        _fill(place, disk, f"/t/{keys[0]}/", reads)
        begin_again()

    trouble = threading.Thread(target=fill)
    trouble.start()
    heard = tell(place, keys, submissions=options.submissions, phones=options.phones)
    trouble.join()
    yield _sentences(heard)
    opened = reads.count(200)
    yield Line(opened > 0, f"and the table's page opened {opened} times of {len(reads)}")
    yield from everything_holds(place, heard)


def _sentences(heard: Heard) -> Line:
    text = "; ".join(f"“{words}” {n} times" for words, n in heard.sentences.items())
    full = any("is full" in words for words in heard.sentences)
    return Line(full, f"while the disk was full: {text or 'nobody was told anything'}")


def _fill(place: Place, disk: Path, path: str, reads: list[int]) -> None:
    """Fill it to the last byte, look at a page meanwhile, and make room again."""
    time.sleep(SECONDS_BEFORE)
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        latest, visitor = time.monotonic() + SECONDS_FULL, Client(place)
        while time.monotonic() < latest:
            _to_the_last_byte(file.fileno())
            reads.append(visitor.get(path).status)
            time.sleep(0.3)
    ballast.unlink()


def _to_the_last_byte(file: int) -> None:
    for size in (1 << 20, 4096, 1):
        with suppress(OSError):
            while os.write(file, bytes(size)):
                pass
