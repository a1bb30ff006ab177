"""The disk of the database is full in the middle of an evening, and has room again later."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay
from deploy.faults.phones import tell
from deploy.stack import Stack
from deploy.stack.asking import Client
from deploy.stack.servers import is_root
from deploy.stack.servers import run as do

MEGABYTES = 160
SECONDS_BEFORE = 6
SECONDS_FULL = 12


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """A sentence says that it cannot be kept, nothing is half written, and then it goes on."""
    if not is_root():
        yield Line(holds=False, words="A disk of so many megabytes can be laid by root alone.")
        return
    keys = lay(asked.tables)
    with _small_disk(stack) as disk:
        reads: list[int] = []
        trouble = threading.Thread(target=_fill, args=(stack, disk, keys[0], reads))
        trouble.start()
        heard = tell(stack, keys, submissions=asked.submissions, phones=asked.phones)
        trouble.join()
        told = "; ".join(f"“{words}” {n} times" for words, n in heard.sentences.items())
        full = any("is full" in words for words in heard.sentences)
        yield Line(full, f"while the disk was full: {told}")
        opened = reads.count(200)
        yield Line(opened > 0, f"and the table's page opened {opened} times of {len(reads)}")
        yield from everything_holds(stack, heard)


@contextmanager
def _small_disk(stack: Stack) -> Iterator[Path]:
    """The cluster's folder on a file system of its own, of so many megabytes."""
    data = stack.folder / "postgres" / "data"
    kept = data.with_name("before")
    stack.postgres.stop()
    data.rename(kept)
    data.mkdir()
    do("mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=700", "tongbox", str(data))
    try:
        do("cp", "--archive", f"{kept}/.", str(data))
        do("chown", "--reference", str(kept), str(data))
        stack.postgres.start()
        yield data
    finally:
        stack.postgres.stop()
        do("umount", str(data))
        data.rmdir()
        kept.rename(data)


def _fill(stack: Stack, disk: Path, key: str, reads: list[int]) -> None:
    """Fill it to the last byte, look at a page meanwhile, and make room again."""
    time.sleep(SECONDS_BEFORE)
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        latest, visitor = time.monotonic() + SECONDS_FULL, Client(stack)
        while time.monotonic() < latest:
            _to_the_last_byte(file.fileno())
            reads.append(visitor.get(f"/t/{key}/").status)
            time.sleep(0.3)
    ballast.unlink()
    if not stack.postgres.program.is_running:
        stack.postgres.start()


def _to_the_last_byte(file: int) -> None:
    for size in (1 << 20, 4096, 1):
        with suppress(OSError):
            while os.write(file, bytes(size)):
                pass
