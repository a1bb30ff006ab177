"""What goes wrong on purpose, one function a fault: what is done, then a line for what was counted.

Services are killed, stopped, wrong about the time or twice there; the disk of the database is
full, backups are killed, a laptop is killed, loses its power or is started twice.
"""

import os
import random
import re
import shutil
import signal
import threading
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from clubs import tasks
from clubs.backup import Trouble
from clubs.backup.archive import BEING_MADE, TO_BE_TRIED_WITHIN, backup_news_at, pack, unpack
from clubs.backup.databases import TRIED_IN, Server, borrowed, fill, ours
from clubs.core.processes import management_command
from clubs.league.services import ask_for_pack, save_season
from clubs.messages import services
from clubs.messages.selectors import batch_view
from clubs.models import Backup, Club, Job, JobState, Message, MessageState
from deploy.hall import (
    Heard,
    Line,
    everything_holds,
    is_signed_in,
    lay,
    letters,
    press_send,
    signed_in,
    stored_hands,
    tell,
)
from deploy.power import Disk, without_wait
from deploy.servers import ROOT, Missing, Postgres, Program, program_path, run as do, until
from deploy.stack import Client, Installation, Laptop, Place, Stack
from scoring.scorebook.models import Game, Hand

# A job whose worker fell silent is taken up two minutes later, by the minute's sweep.
SECONDS_FOR_A_JOB = 300
SECONDS_FOR_MAIL = 150
SECONDS_ON_THE_PAGE = 90
READERS, CALLS, WAVES = 40, 25, 3
MEGABYTES = 320
# Else the log that PostgreSQL writes ahead would fill so small a disk by itself.
LOG_AHEAD = "ALTER SYSTEM SET max_wal_size = '64MB'"
SECONDS_BEFORE, SECONDS_FULL = 6, 12
BACKUPS = 12
KILLED, DONE = "killed", "done"
A_POINT_MORE = "UPDATE scorebook_seat SET points = points + 1 WHERE id = %s"
SECONDS_OPEN = (1.0, 10.0)
SECONDS_OF_POWER = (0.2, 3.0)
HANDS_WITHOUT_WAIT = 500
# Python runs this before gunicorn; only the time of day is wrong.
SET_BACK = """\
import datetime
import time_machine
then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=3)
time_machine.travel(then, tick=True).start()
"""
Harm = Callable[[], str]


@contextmanager
def again_and_again(harm: Harm, *, seconds: tuple[float, float]) -> Iterator[Counter[str]]:
    """Do harm at random moments, so many seconds apart; what was done is counted."""
    over, done = threading.Event(), Counter[str]()

    def go_on() -> None:
        while not over.wait(random.uniform(*seconds)):
            done[harm()] += 1

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield done
    finally:
        over.set()
        thread.join()


def harm_done(done: Counter[str], what: str = "") -> Line:
    """``web process killed: 31, worker process killed: 9``."""
    counts = ", ".join(f"{harm}: {count}" for harm, count in sorted(done.items()))
    return Line(bool(done), f"{what}{counts}")


def kill_something(stack: Stack, chance: random.Random) -> str:
    """A web process, a whole web service, a worker's process, or a whole worker, with -9.

    Only while pages open: what is begun again has its moment to come up.
    """
    until(stack.is_open)
    (what,) = chance.choices(("process", "service", "pool", "worker"), (6, 1, 2, 1))
    if what == "process" and (pids := stack.web_processes()):
        os.kill(chance.choice(pids), signal.SIGKILL)
        return "web process killed"
    if what == "pool" and (pids := stack.pool_processes()):
        os.kill(chance.choice(pids), signal.SIGKILL)
        return "worker process killed"
    program = chance.choice(stack.webs if what in ("process", "service") else stack.workers)
    program.kill()
    program.start()
    return "whole web service killed" if program in stack.webs else "whole worker killed"


def restart_database(stack: Stack, chance: random.Random) -> str:
    """PostgreSQL ended in order or as by a power cut, and begun again."""
    at_once = chance.random() < 0.5
    stack.postgres.stop(at_once=at_once)
    stack.postgres.start()
    return "immediate" if at_once else "fast"


def killed(stack: Stack, options: Namespace) -> Iterator[Line]:
    """-9 for web and worker processes meanwhile: every hand is there once, every job is done."""
    keys = lay(options.tables)
    for club in Club.objects.all():
        day = club.sessions.get().held_on
        season = save_season(club=club, season=None, name="Now", starts_on=day, ends_on=day)
        ask_for_pack(season=season, asked_by=club.memberships.get().user)
    harm = partial(kill_something, stack, random.Random())
    with again_and_again(harm, seconds=(0.5, 2.0)) as done:
        heard = tell(stack, keys, submissions=options.submissions, phones=options.phones)
    yield harm_done(done)
    yield from everything_holds(stack, heard)
    is_done, jobs = until(no_job_is_left, seconds=SECONDS_FOR_A_JOB), Job.objects.all()
    tried = ", ".join(f"{job.tries}" for job in jobs)
    yield Line(is_done, f"{len(jobs)} papers asked for meanwhile are made; tries: {tried}")


def no_job_is_left() -> bool:
    return not Job.objects.exclude(state=JobState.DONE).exists()


def database(stack: Stack, options: Namespace) -> Iterator[Line]:
    """PostgreSQL is stopped and begun again meanwhile: every acknowledged hand is there once."""
    keys = lay(options.tables)
    harm = partial(restart_database, stack, random.Random())
    with again_and_again(harm, seconds=(2.0, 8.0)) as done:
        heard = tell(stack, keys, submissions=options.submissions, phones=options.phones)
    yield harm_done(done, "PostgreSQL begun again: ")
    yield from everything_holds(stack, heard)


def cache(stack: Stack, options: Namespace) -> Iterator[Line]:
    """Redis is gone for the whole of an evening, and comes back.

    Hands are recorded, pages open, people sign in; letters go out when Redis is back.
    """
    keys = lay(options.tables)
    visitor = signed_in(stack)
    stack.redis.stop()
    heard = tell(stack, keys, submissions=options.submissions, phones=options.phones)
    late = sum(count for status, count in heard.answers.items() if status not in (200, 201))
    yield Line(late == 0, f"without Redis {late} hands had to be told again")
    yield _pages(visitor, keys[0], "signed in before")
    yield _pages(signed_in(stack), keys[0], "signed in without Redis")
    answer = press_send(visitor)
    waits = Job.objects.filter(state=JobState.WAITING).count()
    words = f"Send was answered with {answer.status}; {waits} batch waits for a worker"
    yield Line(answer.status == 200 and waits == 1, words)
    stack.redis.start()
    sent = until(no_job_is_left, seconds=SECONDS_FOR_MAIL)
    yield Line(sent, "Redis is back, and the letters went out on their own")
    yield from everything_holds(stack, heard)


def _pages(visitor: Client, key: str, who: str) -> Line:
    """Every page that the club's front page leads to, and the phone's."""
    home = f"/c/{Club.objects.earliest('pk').slug}/"
    front = visitor.get(home)
    links = set(re.findall(r'href="(/[^"#?]*)"', front.body.decode()))
    pages = sorted({home, f"/t/{key}/", *(link for link in links if "static" not in link)})
    bad = [(page, status) for page in pages if (status := visitor.get(page).status) != 200]
    return Line(
        not bad and is_signed_in(front), f"{len(pages)} pages open, {who}; not: {bad or 'none'}"
    )


def clock(stack: Stack, options: Namespace) -> Iterator[Line]:
    """The clock of the web services goes back by three hours in the middle of the evening.

    Hands keep their order, chains hold, and who has signed in stays signed in.
    """
    keys, half = lay(options.tables), options.submissions // 2
    visitor = signed_in(stack)
    before = tell(stack, keys, submissions=half, phones=options.phones)
    if find_spec("time_machine") is None:
        raise Missing("time-machine is not here: it comes with requirements-dev.txt")
    folder = stack.folder / "set-back"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SET_BACK, encoding="utf-8")
    for web in stack.webs:
        web.environment = {**web.environment, "PYTHONPATH": str(folder)}
    stack.restart_webs()
    after = -(-half // len(keys))
    heard = tell(stack, keys, submissions=half, phones=options.phones, after=after)
    is_in = is_signed_in(visitor.get("/"))
    yield Line(is_in, "who signed in before the clock went back is still signed in")
    is_in = is_signed_in(signed_in(stack).get("/"))
    yield Line(is_in, "who signs in afterwards is signed in")
    late = strange = 0
    for game in Game.objects.all():
        hands = list(Hand.objects.filter(game=game, is_current=True).order_by("pk"))
        strange += [hand.number for hand in hands] != list(range(1, len(hands) + 1))
        late += hands[after].sent_at < hands[after - 1].sent_at
    games = Game.objects.count()
    counts = f"in {late} a later hand bears an earlier time, in {strange} out of order"
    yield Line(late == games and not strange, f"{games} games: {counts}")
    heard.add(before)
    yield from everything_holds(stack, heard)


def schedulers(stack: Stack, options: Namespace) -> Iterator[Line]:
    """Two schedulers by mistake, and every job called many times: each letter goes out once."""
    lay(options.tables)
    beats = len(stack.beats)
    yield Line(beats == 2, f"{beats} beats, {len(stack.workers)} workers")
    for club in Club.objects.all():
        job = send(club)
        for _ in range(CALLS):
            tasks.run_job.delay(str(job.pk))
            tasks.wake_waiting_jobs.delay()
    yield all_done(f"each was called {CALLS} times, and swept {CALLS}")
    yield letters_went_once(stack)


def send(club: Club) -> Job:
    """A batch of letters to new members, with nobody who would hear of it."""
    batch = letters(club, readers=READERS)
    services.send(batch=batch, seen=batch_view(batch).seen, asked_by=club.memberships.get().user)
    return Job.objects.filter(club=club).latest("made_at")


def all_done(how: str) -> Line:
    """Whether every batch is sent in time."""
    done = until(no_job_is_left, seconds=SECONDS_FOR_MAIL)
    return Line(done, f"{Job.objects.count()} batches are sent; {how}")


def letters_went_once(stack: Installation) -> Line:
    """The letters in the mail folder against those that were to be sent."""
    texts = [mail.read_text(encoding="utf-8") for mail in (stack.var / "mail").glob("*")]
    lines = (line for text in texts for line in text.splitlines())
    went = Counter(line for line in lines if line.startswith("To: "))
    twice = sum(count > 1 for count in went.values())
    not_sent = Message.objects.exclude(state=MessageState.SENT).count()
    words = f"{went.total():,} letters went out: {twice} twice, {not_sent} not at all"
    is_all = went.total() == Message.objects.count()
    return Line(is_all and not twice and not not_sent, words)


def disk(stack: Stack, options: Namespace) -> Iterator[Line]:
    """A message says that the disk is full, nothing is half written, and then it goes on."""
    keys, reads = lay(options.tables), list[int]()
    stack.postgres.sql("postgres", LOG_AHEAD)
    data = stack.folder / "postgres" / "data"

    def fill_meanwhile() -> None:
        reads.extend(fill_for_a_while(stack, data, f"/t/{keys[0]}/"))
        if not stack.postgres.program.is_running:  # systemd begins it again
            stack.postgres.start()

    with small_disk(data, stack.postgres):
        trouble = threading.Thread(target=fill_meanwhile)
        trouble.start()
        heard = tell(stack, keys, submissions=options.submissions, phones=options.phones)
        trouble.join()
        text = "; ".join(f"“{words}” {n} times" for words, n in heard.sentences.items())
        is_said = any("is full" in words for words in heard.sentences)
        yield Line(is_said, f"while the disk was full: {text or 'nobody was told anything'}")
        opened = reads.count(200)
        yield Line(opened > 0, f"and the table's page opened {opened} times of {len(reads)}")
        yield from everything_holds(stack, heard)


@contextmanager
def small_disk(folder: Path, postgres: Postgres) -> Iterator[None]:
    """The folder on a file system of its own, of so many megabytes; for root alone."""
    kept = folder.with_name("before")
    postgres.stop()
    folder.rename(kept)
    folder.mkdir()
    do("mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=700", "tongbox", str(folder))
    try:
        do("cp", "--archive", f"{kept}/.", str(folder))
        do("chown", "--reference", str(kept), str(folder))
        postgres.start()
        yield
    finally:
        postgres.stop()
        do("umount", str(folder))
        folder.rmdir()
        kept.rename(folder)


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
    """The laptop's one process is killed with -9 again and again: no acknowledged hand is lost."""
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


def laptop_power(laptop: Laptop, options: Namespace) -> Iterator[Line]:
    """The power is cut again and again, and what the disk had not taken is gone.

    No acknowledged hand is. Then the same where nobody waits for the disk: there some must be
    lost, or else these cuts would not show a fault.
    """
    heard, done = tell_between_cuts(laptop, options, hands=options.submissions)
    yield harm_done(done)
    yield from everything_holds(laptop, heard)
    (web,) = laptop.webs
    web.environment = {**web.environment, **without_wait(laptop.folder / "no-wait", ROOT)}
    hands = min(options.submissions, HANDS_WITHOUT_WAIT)
    heard, done = tell_between_cuts(laptop, options, hands=hands)
    lost = heard.kept.keys() - dict(stored_hands()).keys()
    words = f"of {len(heard.kept):,} hands acknowledged {len(lost)} are lost in {done.total()} cuts"
    yield Line(bool(lost), f"if nobody waited for the disk: {words}")


def tell_between_cuts(
    laptop: Laptop, options: Namespace, *, hands: int
) -> tuple[Heard, Counter[str]]:
    """So many hands at new tables, the power cut meanwhile and once more at the end."""
    keys, chance, (web,) = lay(options.tables), random.Random(), laptop.webs
    laptop.stop()
    connection.close()  # what this process wrote is durable as well
    disk = Disk.under(Path(settings.DATABASES["default"]["NAME"]), laptop.folder)
    web.environment = {**web.environment, **disk.environment}
    laptop.start()

    def harm() -> str:
        until(laptop.is_open)
        time.sleep(chance.uniform(*SECONDS_OF_POWER))
        web.kill()
        had_more = disk.cut()
        web.start(web.serves)
        return "cut with more written than durable" if had_more else "cut with all durable"

    with again_and_again(harm, seconds=(0.0, 0.1)) as done:
        heard = tell(laptop, keys, submissions=hands, phones=options.phones)
    done[harm()] += 1
    return heard, done


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
        ends = Counter(_cut_off(stack, chance, longest) for _ in range(BACKUPS))
        heard = hands.result()
    yield Line(ends[KILLED] > 0, f"{BACKUPS} backups begun: {ends[KILLED]} killed in the middle")
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
    before, command = Backup.objects.count(), management_command("back_up")
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
