"""Backups are killed with -9 in the middle while hands are told; then one is not what was there."""

import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.utils import timezone

from clubs.backup.archive import BEING_MADE, TO_BE_TRIED_WITHIN, backup_news_at, pack, unpack
from clubs.backup.databases import TRIED_IN, Server, Trouble, borrowed, fill, ours
from clubs.models import Backup, Club
from deploy.faults import Line, Options
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay, signed_in
from deploy.faults.phones import tell
from deploy.stack import Stack
from deploy.stack.program import Program, until
from deploy.stack.servers import program_path
from deploy.stack.servers import run as do

TIMES = 12
KILLED, DONE = "killed", "done"
SECONDS_ON_THE_PAGE = 90
A_POINT_MORE = "UPDATE scorebook_seat SET points = points + 1 WHERE id = %s"


def backup(stack: Stack, options: Options) -> Iterator[Line]:
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
    yield from _good_ones(stack)
    yield _silence(stack)
    yield from _next(stack)
    yield from _not_what_was_there(stack)
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


def _good_ones(stack: Stack) -> Iterator[Line]:
    """Whatever is called good is put back once more, whatever lies there is whole."""
    good = Backup.objects.filter(is_good=True, let_go_at=None)
    bad = [backup.file for backup in good if "The backup is good" not in _tried(stack, backup.file)]
    words = f"{Backup.objects.count()} begun, {good.count()} called good, of which not: {bad or 0}"
    yield Line(not bad, words)
    files = list(settings.BACKUPS.glob("*.tar.gz"))
    torn = [file.name for file in files if not _is_whole(file)]
    yield Line(
        not torn, f"{len(files)} files lie under a backup's name, of which not whole: {torn or 0}"
    )


def _tried(stack: Stack, file: str) -> str:
    return stack.manage("try_backup", file, check=False)


def _is_whole(file: Path) -> bool:
    with TemporaryDirectory() as work:
        try:
            unpack(file, Path(work))
        except Trouble:
            return False
    return True


def _silence(stack: Stack) -> Line:
    """One more that nobody finishes; what the secretary reads two hours later."""
    until(lambda: _cut_off(stack, random.Random(), 0.5) == KILLED)
    later = timezone.now() + TO_BE_TRIED_WITHIN + timedelta(minutes=1)
    said = backup_news_at(later).trouble
    return Line(bool(said), f"two hours after one that was killed the page says: “{said}”")


def _next(stack: Stack) -> Iterator[Line]:
    """The next one is good, and sweeps what the dead left."""
    said = stack.manage("back_up", check=False).strip().splitlines()[-1]
    yield Line("gave the same digest" in said, f"the next: {said}")
    left = len(list(settings.BACKUPS.glob(f"{BEING_MADE}*")))
    names = stack.postgres.sql("postgres", "SELECT datname FROM pg_database")
    tried = names.count(TRIED_IN)
    yield Line(left == tried == 0, f"left of the dead: {left} folders, {tried} databases")


def _not_what_was_there(stack: Stack) -> Iterator[Line]:
    """A file that is whole, with one seat's total a point higher than it was."""
    newest = Backup.objects.latest("pk")
    _with_a_point_more(stack, Path(newest.file))
    said = _tried(stack, newest.file).strip().splitlines()[-1]
    newest.refresh_from_db()
    yield Line(newest.is_good is False, f"a copy with one point more: {said}")
    visitor, home = signed_in(stack), f"/c/{Club.objects.earliest('pk').slug}/"
    shout = "The last backup was not good."
    reads = until(lambda: shout in visitor.get(home).body.decode(), seconds=SECONDS_ON_THE_PAGE)
    yield Line(reads, f"the secretary's page says within a minute: “{shout}”")


def _with_a_point_more(stack: Stack, file: Path) -> None:
    where = ours()
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
        do(
            program_path("pg_dump"),
            "--format=custom",
            f"--file={dumped}",
            stack.postgres.url(copy.name),
        )
        shutil.move(pack(work, manifest, work / "none", at=timezone.localtime()), file)
