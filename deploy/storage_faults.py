"""Where the score book is kept: a full disk, backups that are killed, and a laptop with SQLite."""

import os
import random
import shutil
import sys
import threading
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from clubs.backup.archive import BEING_MADE, TO_BE_TRIED_WITHIN, backup_news_at, pack, unpack
from clubs.backup.databases import TRIED_IN, Server, Trouble, borrowed, fill, ours
from clubs.models import Backup, Club
from deploy.client import Client, Place
from deploy.hall import Heard, Line, everything_holds, lay, signed_in, tell
from deploy.servers import Program, program_path, run as do, until
from deploy.service_faults import again_and_again, all_done, harm_done, letters_went_once, send
from deploy.stack import Installation, Laptop, Stack

MEGABYTES = 320
# Else the log that PostgreSQL writes ahead would fill so small a disk by itself.
LOG_AHEAD = "ALTER SYSTEM SET max_wal_size = '64MB'"
SECONDS_BEFORE = 6
SECONDS_FULL = 12
TIMES = 12
KILLED, DONE = "killed", "done"
SECONDS_ON_THE_PAGE = 90
A_POINT_MORE = "UPDATE scorebook_seat SET points = points + 1 WHERE id = %s"
WAVES = 3
SECONDS_OPEN = (1.0, 10.0)


def disk(stack: Stack, options: Namespace) -> Iterator[Line]:
    """A message says that the disk is full, nothing is half written, and then it goes on."""
    keys = lay(options.tables)
    stack.postgres.sql("postgres", LOG_AHEAD)
    data = stack.folder / "postgres" / "data"

    def begin_again() -> None:
        """As systemd does for a service that ends by itself."""
        if not stack.postgres.program.is_running:
            stack.postgres.start()

    with small_disk(data, stack.postgres.stop, stack.postgres.start):
        yield from play_meanwhile(stack, options, keys, data, begin_again)


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


def play_meanwhile(
    place: Installation,
    options: Namespace,
    keys: list[str],
    disk: Path,
    begin_again: Callable[[], None],
) -> Iterator[Line]:
    """Hands are entered before, while the disk is full, and after."""
    reads: list[int] = []

    def fill_meanwhile() -> None:
        reads.extend(fill_for_a_while(place, disk, f"/t/{keys[0]}/"))
        begin_again()

    trouble = threading.Thread(target=fill_meanwhile)
    trouble.start()
    heard = tell(place, keys, submissions=options.submissions, phones=options.phones)
    trouble.join()
    text = "; ".join(f"“{words}” {n} times" for words, n in heard.sentences.items())
    is_said = any("is full" in words for words in heard.sentences)
    yield Line(is_said, f"while the disk was full: {text or 'nobody was told anything'}")
    opened = reads.count(200)
    yield Line(opened > 0, f"and the table's page opened {opened} times of {len(reads)}")
    yield from everything_holds(place, heard)


def fill_for_a_while(place: Place, disk: Path, path: str) -> Iterator[int]:
    """Fill it to the last byte, and make room again; the statuses of a page meanwhile."""
    time.sleep(SECONDS_BEFORE)
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        latest, visitor = time.monotonic() + SECONDS_FULL, Client(place)
        while time.monotonic() < latest:
            for size in (1 << 20, 4096, 1):
                with suppress(OSError):
                    while os.write(file.fileno(), bytes(size)):
                        pass
            yield visitor.get(path).status
            time.sleep(0.3)
    ballast.unlink()


def laptop_killed(laptop: Laptop, options: Namespace) -> Iterator[Line]:
    """The laptop's one process is killed with -9, again and again, while hands are entered.

    Every acknowledged hand is there once, with nothing but a file to keep it.
    """
    keys, chance = lay(options.tables), random.Random()

    def harm() -> str:
        until(laptop.is_open)
        time.sleep(chance.uniform(*SECONDS_OPEN))
        laptop.cut_off(chance)
        return "the one process killed"

    with again_and_again(harm, seconds=(0.0, 0.1)) as done:
        heard = tell(laptop, keys, submissions=options.submissions, phones=options.phones)
    yield harm_done(done)
    yield from everything_holds(laptop, heard)


def laptop_disk(laptop: Laptop, options: Namespace) -> Iterator[Line]:
    """The laptop's disk is full in the middle of an evening, and has room again later.

    A message says so, and then the same process goes on.
    """
    keys = lay(options.tables)
    connection.close()
    with small_disk(laptop.var, laptop.stop, laptop.start):
        before = laptop.webs[0].pid, laptop.webs[0].children()
        yield from play_meanwhile(laptop, options, keys, laptop.var, begin_again=lambda: None)
        after = laptop.webs[0].pid, laptop.webs[0].children()
        yield Line(before == after, "and it is the same process as before")
        connection.close()


def laptop_twice(laptop: Laptop, options: Namespace) -> Iterator[Line]:
    """Somebody started Tongbox twice on the same book: two processes, each with its own sweep.

    Hands come in by both, each is there once; each letter goes out once.
    """
    keys = lay(options.tables)
    half = len(keys) // 2

    def play(place: Place, shares: list[str]) -> Heard:
        return tell(place, shares, submissions=options.submissions // 2, phones=options.phones // 2)

    with ThreadPoolExecutor(2) as hall:
        first, second = hall.map(play, laptop.doors, (keys[:half], keys[half:]))
    first.add(second)
    yield from everything_holds(laptop, first)
    for _ in range(WAVES):
        for club in Club.objects.all():
            send(club)
        yield all_done("found by two sweeps, each in a process of its own")
    yield letters_went_once(laptop)


def backup(stack: Stack, options: Namespace) -> Iterator[Line]:
    """Nothing half made is taken for a good backup, and what is not good is shouted."""
    keys = lay(options.tables)
    chance, begun = random.Random(), time.monotonic()
    stack.manage("back_up")
    longest = time.monotonic() - begun
    with ThreadPoolExecutor(1) as hall:
        play = partial(tell, stack, keys, submissions=options.submissions, phones=options.phones)
        hands = hall.submit(play)
        ends = Counter(_cut_off(stack, chance, longest) for _ in range(TIMES))
        heard = hands.result()
    yield Line(ends[KILLED] > 0, f"{TIMES} backups begun: {ends[KILLED]} killed in the middle")
    yield from good_ones(stack)
    until(lambda: _cut_off(stack, random.Random(), 0.5) == KILLED)
    later = timezone.now() + TO_BE_TRIED_WITHIN + timedelta(minutes=1)
    news = backup_news_at(later).trouble
    yield Line(bool(news), f"two hours after one that was killed the page says: “{news}”")
    last = stack.manage("back_up", check=False).strip().splitlines()[-1]
    yield Line("gave the same digest" in last, f"the next: {last}")
    left = len(list(settings.BACKUPS.glob(f"{BEING_MADE}*")))
    tried = stack.postgres.sql("postgres", "SELECT datname FROM pg_database").count(TRIED_IN)
    yield Line(left == tried == 0, f"left of the dead: {left} folders, {tried} databases")
    yield from not_what_was_there(stack)
    yield from everything_holds(stack, heard)


def _cut_off(stack: Stack, chance: random.Random, longest: float) -> str:
    """Begin one, and end it some seconds after it has begun to write."""
    before, command = Backup.objects.count(), [sys.executable, "manage.py", "back_up"]
    backup = Program("back_up", command, stack.folder / "back_up.log", stack.environment)
    backup.start()
    until(lambda: Backup.objects.count() > before)
    until(lambda: not backup.is_running, seconds=chance.uniform(0, longest))
    if not backup.is_running:
        return DONE
    backup.kill()
    return KILLED


def good_ones(stack: Stack) -> Iterator[Line]:
    """Every backup that is called good can be restored, and every file is whole."""
    good = Backup.objects.filter(is_good=True, let_go_at=None)
    bad = [backup.file for backup in good if "The backup is good" not in _tried(stack, backup.file)]
    words = f"{Backup.objects.count()} begun, {good.count()} called good, of which not: {bad or 0}"
    yield Line(not bad, words)
    files, torn = list(settings.BACKUPS.glob("*.tar.gz")), []
    for file in files:
        with TemporaryDirectory() as work:
            try:
                unpack(file, Path(work))
            except Trouble:
                torn.append(file.name)
    words = f"{len(files)} files lie under a backup's name, of which not whole: {torn or 0}"
    yield Line(not torn, words)


def _tried(stack: Stack, file: str) -> str:
    return stack.manage("try_backup", file, check=False)


def not_what_was_there(stack: Stack) -> Iterator[Line]:
    """A file that is whole, with one seat's total a point higher than it was."""
    newest = Backup.objects.latest("pk")
    where, file = ours(), Path(newest.file)
    assert isinstance(where, Server)  # noqa: S101
    with TemporaryDirectory() as folder, borrowed(where, where.name) as copy:
        work = Path(folder) / "work"
        work.mkdir()
        manifest = unpack(file, work)
        dumped = work / manifest.database
        fill(copy, dumped)
        with closing(copy.ask(autocommit=True)) as connection:
            (seat,) = connection.execute("SELECT min(id) FROM scorebook_seat").fetchone() or (0,)
            connection.execute(A_POINT_MORE.encode(), [seat])
        to = (f"--file={dumped}", stack.postgres.url(copy.name))
        do(program_path("pg_dump"), "--format=custom", *to)
        shutil.move(pack(work, manifest, work / "none", at=timezone.localtime()), file)
    answer = _tried(stack, newest.file).strip().splitlines()[-1]
    newest.refresh_from_db()
    yield Line(newest.is_good is False, f"a copy with one point more: {answer}")
    visitor, home = signed_in(stack), f"/c/{Club.objects.earliest('pk').slug}/"
    shout = "The last backup failed its test."
    reads = until(lambda: shout in visitor.get(home).body.decode(), seconds=SECONDS_ON_THE_PAGE)
    yield Line(reads, f"the secretary's page says within a minute: “{shout}”")
