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
from clubs.backup import BackupError
from clubs.backup.archive import (
    TEST_RESTORE_WITHIN,
    UNFINISHED_PREFIX,
    backup_news_at,
    pack,
    unpack,
)
from clubs.backup.databases import (
    TEST_DATABASE_MARK,
    Server,
    own_database,
    restore_dump,
    temporary_database,
)
from clubs.core.processes import management_command
from clubs.league.services import queue_pack, save_season
from clubs.messages import services
from clubs.messages.selectors import batch_view
from clubs.models import Backup, Club, Job, JobState, Message, MessageState
from deploy.hall import (
    Answers,
    CheckResult,
    check_everything,
    draft_letters,
    is_signed_in,
    make_halls,
    press_send,
    send_hands,
    sign_in,
    stored_hands,
)
from deploy.power import Disk, no_wait_environment
from deploy.servers import (
    ROOT,
    Missing,
    Postgres,
    Program,
    program_path,
    run_command as do,
    wait_until,
)
from deploy.stack import Client, Installation, Laptop, Stack, Target
from scoring.scorebook.models import Game, Hand

# A job whose worker fell silent is taken up two minutes later, by the minute's sweep.
SECONDS_FOR_A_JOB = 300
SECONDS_FOR_MAIL = 150
SECONDS_ON_THE_PAGE = 90
READERS, CALLS, WAVES = 40, 25, 3
DISK_MEGABYTES = 320
# Else the log that PostgreSQL writes ahead would fill so small a disk by itself.
SMALL_WAL_SQL = "ALTER SYSTEM SET max_wal_size = '64MB'"
SECONDS_BEFORE, SECONDS_FULL = 6, 12
BACKUP_COUNT = 12
KILLED, DONE = "killed", "done"
ADD_POINT_SQL = "UPDATE scorebook_seat SET points = points + 1 WHERE id = %s"
SECONDS_OPEN = (1.0, 10.0)
SECONDS_OF_POWER = (0.2, 3.0)
HANDS_WITHOUT_WAIT = 500
# Python runs this before gunicorn; only the time of day is wrong.
CLOCK_BACK_CODE = """\
import datetime
import time_machine
then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=3)
time_machine.travel(then, tick=True).start()
"""
Harm = Callable[[], str]


@contextmanager
def harm_repeatedly(harm: Harm, *, seconds: tuple[float, float]) -> Iterator[Counter[str]]:
    """Do harm at random moments, so many seconds apart; what was done is counted."""
    stop_event, harm_counts = threading.Event(), Counter[str]()

    def go_on() -> None:
        while not stop_event.wait(random.uniform(*seconds)):
            harm_counts[harm()] += 1

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield harm_counts
    finally:
        stop_event.set()
        thread.join()


def harm_result(harm_counts: Counter[str], prefix: str = "") -> CheckResult:
    """``web process killed: 31, worker process killed: 9``."""
    counts = ", ".join(f"{harm}: {count}" for harm, count in sorted(harm_counts.items()))
    return CheckResult(bool(harm_counts), f"{prefix}{counts}")


def kill_process(stack: Stack, chance: random.Random) -> str:
    """A web process, a whole web service, a worker's process, or a whole worker, with -9.

    Only while pages open: what is begun again has its moment to come up.
    """
    wait_until(stack.is_open)
    (victim,) = chance.choices(("process", "service", "pool", "worker"), (6, 1, 2, 1))
    if victim == "process" and (pids := stack.web_processes()):
        os.kill(chance.choice(pids), signal.SIGKILL)
        return "web process killed"
    if victim == "pool" and (pids := stack.pool_processes()):
        os.kill(chance.choice(pids), signal.SIGKILL)
        return "worker process killed"
    program = chance.choice(stack.webs if victim in ("process", "service") else stack.workers)
    program.kill()
    program.start()
    return "whole web service killed" if program in stack.webs else "whole worker killed"


def restart_database(stack: Stack, chance: random.Random) -> str:
    """PostgreSQL ended in order or as by a power cut, and begun again."""
    at_once = chance.random() < 0.5
    stack.postgres.stop(at_once=at_once)
    stack.postgres.start()
    return "immediate" if at_once else "fast"


def killed(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """-9 for web and worker processes meanwhile: every hand is there once, every job is done."""
    keys = make_halls(options.tables)
    for club in Club.objects.all():
        day = club.sessions.get().held_on
        season = save_season(club=club, season=None, name="Now", starts_on=day, ends_on=day)
        queue_pack(season=season, asked_by=club.memberships.get().user)
    harm = partial(kill_process, stack, random.Random())
    with harm_repeatedly(harm, seconds=(0.5, 2.0)) as harm_counts:
        phone_answers = send_hands(
            stack, keys, submissions=options.submissions, phones=options.phones
        )
    yield harm_result(harm_counts)
    yield from check_everything(stack, phone_answers)
    is_done, jobs = wait_until(has_no_jobs, seconds=SECONDS_FOR_A_JOB), Job.objects.all()
    tries = ", ".join(f"{job.tries}" for job in jobs)
    yield CheckResult(is_done, f"{len(jobs)} papers asked for meanwhile are made; tries: {tries}")


def has_no_jobs() -> bool:
    return not Job.objects.exclude(state=JobState.DONE).exists()


def database(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """PostgreSQL is stopped and begun again meanwhile: every acknowledged hand is there once."""
    keys = make_halls(options.tables)
    harm = partial(restart_database, stack, random.Random())
    with harm_repeatedly(harm, seconds=(2.0, 8.0)) as harm_counts:
        phone_answers = send_hands(
            stack, keys, submissions=options.submissions, phones=options.phones
        )
    yield harm_result(harm_counts, "PostgreSQL begun again: ")
    yield from check_everything(stack, phone_answers)


def cache(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """Redis is gone for the whole of an evening, and comes back.

    Hands are recorded, pages open, people sign in; letters go out when Redis is back.
    """
    keys = make_halls(options.tables)
    visitor = sign_in(stack)
    stack.redis.stop()
    phone_answers = send_hands(stack, keys, submissions=options.submissions, phones=options.phones)
    repeat_count = sum(
        count for status, count in phone_answers.answers.items() if status not in (200, 201)
    )
    yield CheckResult(repeat_count == 0, f"without Redis {repeat_count} hands had to be told again")
    yield _check_pages(visitor, keys[0], "signed in before")
    yield _check_pages(sign_in(stack), keys[0], "signed in without Redis")
    answer = press_send(visitor)
    waits = Job.objects.filter(state=JobState.WAITING).count()
    summary = f"Send was answered with {answer.status}; {waits} batch waits for a worker"
    yield CheckResult(answer.status == 200 and waits == 1, summary)
    stack.redis.start()
    is_sent = wait_until(has_no_jobs, seconds=SECONDS_FOR_MAIL)
    yield CheckResult(is_sent, "Redis is back, and the letters went out on their own")
    yield from check_everything(stack, phone_answers)


def _check_pages(visitor: Client, key: str, visitor_text: str) -> CheckResult:
    """Every page that the club's front page leads to, and the phone's."""
    home = f"/c/{Club.objects.earliest('pk').slug}/"
    front = visitor.get(home)
    links = set(re.findall(r'href="(/[^"#?]*)"', front.body.decode()))
    pages = sorted({home, f"/t/{key}/", *(link for link in links if "static" not in link)})
    bad = [(page, status) for page in pages if (status := visitor.get(page).status) != 200]
    return CheckResult(
        not bad and is_signed_in(front),
        f"{len(pages)} pages open, {visitor_text}; not: {bad or 'none'}",
    )


def clock(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """The clock of the web services goes back by three hours in the middle of the evening.

    Hands keep their order, chains hold, and who has signed in stays signed in.
    """
    keys, half = make_halls(options.tables), options.submissions // 2
    visitor = sign_in(stack)
    early_answers = send_hands(stack, keys, submissions=half, phones=options.phones)
    if find_spec("time_machine") is None:
        raise Missing("time-machine is not here: it comes with requirements-dev.txt")
    folder = stack.folder / "set-back"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(CLOCK_BACK_CODE, encoding="utf-8")
    for web in stack.webs:
        web.environment = {**web.environment, "PYTHONPATH": str(folder)}
    stack.restart_webs()
    hands_before = -(-half // len(keys))
    phone_answers = send_hands(
        stack, keys, submissions=half, phones=options.phones, hands_before=hands_before
    )
    is_in = is_signed_in(visitor.get("/"))
    yield CheckResult(is_in, "who signed in before the clock went back is still signed in")
    is_in = is_signed_in(sign_in(stack).get("/"))
    yield CheckResult(is_in, "who signs in afterwards is signed in")
    late_count = strange = 0
    for game in Game.objects.all():
        hands = list(Hand.objects.filter(game=game, is_current=True).order_by("pk"))
        strange += [hand.number for hand in hands] != list(range(1, len(hands) + 1))
        late_count += hands[hands_before].sent_at < hands[hands_before - 1].sent_at
    games = Game.objects.count()
    counts = f"in {late_count} a later hand bears an earlier time, in {strange} out of order"
    yield CheckResult(late_count == games and not strange, f"{games} games: {counts}")
    phone_answers.add(early_answers)
    yield from check_everything(stack, phone_answers)


def schedulers(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """Two schedulers by mistake, and every job called many times: each letter goes out once."""
    make_halls(options.tables)
    beats = len(stack.beats)
    yield CheckResult(beats == 2, f"{beats} beats, {len(stack.workers)} workers")
    for club in Club.objects.all():
        job = send_batch(club)
        for _ in range(CALLS):
            tasks.run_job.delay(str(job.pk))
            tasks.wake_waiting_jobs.delay()
    yield check_batches_sent(f"each was called {CALLS} times, and swept {CALLS}")
    yield check_letters(stack)


def send_batch(club: Club) -> Job:
    """A batch of letters to new members, with nobody who would hear of it."""
    batch = draft_letters(club, readers=READERS)
    services.send_drafts(
        batch=batch,
        seen_digest=batch_view(batch).preview_digest,
        asked_by=club.memberships.get().user,
    )
    return Job.objects.filter(club=club).latest("made_at")


def check_batches_sent(detail: str) -> CheckResult:
    """Whether every batch is sent in time."""
    is_sent = wait_until(has_no_jobs, seconds=SECONDS_FOR_MAIL)
    return CheckResult(is_sent, f"{Job.objects.count()} batches are sent; {detail}")


def check_letters(stack: Installation) -> CheckResult:
    """The letters in the mail folder against those that were to be sent."""
    texts = [mail.read_text(encoding="utf-8") for mail in (stack.var / "mail").glob("*")]
    lines = (line for text in texts for line in text.splitlines())
    went = Counter(line for line in lines if line.startswith("To: "))
    repeat_count = sum(count > 1 for count in went.values())
    not_sent = Message.objects.exclude(state=MessageState.SENT).count()
    summary = f"{went.total():,} letters went out: {repeat_count} twice, {not_sent} not at all"
    is_all = went.total() == Message.objects.count()
    return CheckResult(is_all and not repeat_count and not not_sent, summary)


def disk(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """A message says that the disk is full, nothing is half written, and then it goes on."""
    keys, reads = make_halls(options.tables), list[int]()
    stack.postgres.sql("postgres", SMALL_WAL_SQL)
    data = stack.folder / "postgres" / "data"

    def fill_meanwhile() -> None:
        reads.extend(fill_for_a_while(stack, data, f"/t/{keys[0]}/"))
        if not stack.postgres.program.is_running:  # systemd begins it again
            stack.postgres.start()

    with small_disk(data, stack.postgres):
        trouble = threading.Thread(target=fill_meanwhile)
        trouble.start()
        phone_answers = send_hands(
            stack, keys, submissions=options.submissions, phones=options.phones
        )
        trouble.join()
        text = "; ".join(f"“{message}” {n} times" for message, n in phone_answers.sentences.items())
        is_said = any("is full" in message for message in phone_answers.sentences)
        yield CheckResult(is_said, f"while the disk was full: {text or 'nobody was told anything'}")
        page_count = reads.count(200)
        yield CheckResult(
            page_count > 0, f"and the table's page opened {page_count} times of {len(reads)}"
        )
        yield from check_everything(stack, phone_answers)


@contextmanager
def small_disk(folder: Path, postgres: Postgres) -> Iterator[None]:
    """The folder on a file system of its own, of so many megabytes; for root alone."""
    original_folder = folder.with_name("before")
    postgres.stop()
    folder.rename(original_folder)
    folder.mkdir()
    do("mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m,mode=700", "tongbox", str(folder))
    try:
        do("cp", "--archive", f"{original_folder}/.", str(folder))
        do("chown", "--reference", str(original_folder), str(folder))
        postgres.start()
        yield
    finally:
        postgres.stop()
        do("umount", str(folder))
        folder.rmdir()
        original_folder.rename(folder)


def fill_for_a_while(place: Target, disk: Path, path: str) -> Iterator[int]:
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


def laptop_killed(laptop: Laptop, options: Namespace) -> Iterator[CheckResult]:
    """The laptop's one process is killed with -9 again and again: no acknowledged hand is lost."""
    keys, chance = make_halls(options.tables), random.Random()

    def harm() -> str:
        wait_until(laptop.is_open)
        time.sleep(chance.uniform(*SECONDS_OPEN))
        laptop.cut_off(chance)
        return "the one process killed"

    with harm_repeatedly(harm, seconds=(0.0, 0.1)) as harm_counts:
        phone_answers = send_hands(
            laptop, keys, submissions=options.submissions, phones=options.phones
        )
    yield harm_result(harm_counts)
    yield from check_everything(laptop, phone_answers)


def laptop_power(laptop: Laptop, options: Namespace) -> Iterator[CheckResult]:
    """The power is cut again and again, and what the disk had not taken is gone.

    No acknowledged hand is. Then the same where nobody waits for the disk: there some must be
    lost, or else these cuts would not show a fault.
    """
    phone_answers, harm_counts = send_between_cuts(laptop, options, hands=options.submissions)
    yield harm_result(harm_counts)
    yield from check_everything(laptop, phone_answers)
    (web,) = laptop.webs
    web.environment = {**web.environment, **no_wait_environment(laptop.folder / "no-wait", ROOT)}
    hands = min(options.submissions, HANDS_WITHOUT_WAIT)
    phone_answers, harm_counts = send_between_cuts(laptop, options, hands=hands)
    lost_keys = phone_answers.hand_numbers.keys() - dict(stored_hands()).keys()
    summary = (
        f"of {len(phone_answers.hand_numbers):,} hands acknowledged {len(lost_keys)} are lost in "
        f"{harm_counts.total()} cuts"
    )
    yield CheckResult(bool(lost_keys), f"if nobody waited for the disk: {summary}")


def send_between_cuts(
    laptop: Laptop, options: Namespace, *, hands: int
) -> tuple[Answers, Counter[str]]:
    """So many hands at new tables, the power cut meanwhile and once more at the end."""
    keys, chance, (web,) = make_halls(options.tables), random.Random(), laptop.webs
    laptop.stop()
    connection.close()  # what this process wrote is durable as well
    disk = Disk.for_database(Path(settings.DATABASES["default"]["NAME"]), laptop.folder)
    web.environment = {**web.environment, **disk.environment}
    laptop.start()

    def harm() -> str:
        wait_until(laptop.is_open)
        time.sleep(chance.uniform(*SECONDS_OF_POWER))
        web.kill()
        had_more = disk.cut()
        web.start(web.serves)
        return "cut with more written than durable" if had_more else "cut with all durable"

    with harm_repeatedly(harm, seconds=(0.0, 0.1)) as harm_counts:
        phone_answers = send_hands(laptop, keys, submissions=hands, phones=options.phones)
    harm_counts[harm()] += 1
    return phone_answers, harm_counts


def laptop_twice(laptop: Laptop, options: Namespace) -> Iterator[CheckResult]:
    """Somebody started Tongbox twice on the same book: two processes, each with its own sweep.

    Hands come in by both, each is there once; each letter goes out once.
    """
    keys = make_halls(options.tables)
    half = len(keys) // 2

    def play(place: Target, shares: list[str]) -> Answers:
        return send_hands(
            place, shares, submissions=options.submissions // 2, phones=options.phones // 2
        )

    with ThreadPoolExecutor(2) as hall:
        first, second = hall.map(play, laptop.doors, (keys[:half], keys[half:]))
    first.add(second)
    yield from check_everything(laptop, first)
    for _ in range(WAVES):
        for club in Club.objects.all():
            send_batch(club)
        yield check_batches_sent("found by two sweeps, each in a process of its own")
    yield check_letters(laptop)


def backup(stack: Stack, options: Namespace) -> Iterator[CheckResult]:
    """Nothing half made is taken for a good backup, and what is not good is shouted."""
    keys = make_halls(options.tables)
    chance, start = random.Random(), time.monotonic()
    stack.manage("back_up")
    longest = time.monotonic() - start
    with ThreadPoolExecutor(1) as hall:
        play = partial(
            send_hands, stack, keys, submissions=options.submissions, phones=options.phones
        )
        hands = hall.submit(play)
        ends = Counter(_cut_backup_off(stack, chance, longest) for _ in range(BACKUP_COUNT))
        phone_answers = hands.result()
    yield CheckResult(
        ends[KILLED] > 0, f"{BACKUP_COUNT} backups begun: {ends[KILLED]} killed in the middle"
    )
    yield from check_good_backups(stack)
    wait_until(lambda: _cut_backup_off(stack, random.Random(), 0.5) == KILLED)
    moment = timezone.now() + TEST_RESTORE_WITHIN + timedelta(minutes=1)
    news = backup_news_at(moment).trouble
    yield CheckResult(bool(news), f"two hours after one that was killed the page says: “{news}”")
    last = stack.manage("back_up", check=False).strip().splitlines()[-1]
    yield CheckResult("gave the same digest" in last, f"the next: {last}")
    folder_count = len(list(settings.BACKUPS.glob(f"{UNFINISHED_PREFIX}*")))
    database_count = stack.postgres.sql("postgres", "SELECT datname FROM pg_database").count(
        TEST_DATABASE_MARK
    )
    yield CheckResult(
        folder_count == database_count == 0,
        f"left of the dead: {folder_count} folders, {database_count} databases",
    )
    yield from check_altered_backup(stack)
    yield from check_everything(stack, phone_answers)


def _cut_backup_off(stack: Stack, chance: random.Random, longest: float) -> str:
    """Begin one, and end it some seconds after it has begun to write."""
    backup_count, command = Backup.objects.count(), management_command("back_up")
    backup = Program("back_up", command, stack.folder / "back_up.log", stack.environment)
    backup.start()
    wait_until(lambda: Backup.objects.count() > backup_count)
    wait_until(lambda: not backup.is_running, seconds=chance.uniform(0, longest))
    if not backup.is_running:
        return DONE
    backup.kill()
    return KILLED


def check_good_backups(stack: Stack) -> Iterator[CheckResult]:
    """Every backup that is called good can be restored, and every file is whole."""
    good = Backup.objects.filter(is_good=True, let_go_at=None)
    bad = [
        backup.file
        for backup in good
        if "The backup is good" not in _try_backup(stack, backup.file)
    ]
    summary = (
        f"{Backup.objects.count()} begun, {good.count()} called good, of which not: {bad or 0}"
    )
    yield CheckResult(not bad, summary)
    files, torn_files = list(settings.BACKUPS.glob("*.tar.gz")), []
    for file in files:
        with TemporaryDirectory() as work:
            try:
                unpack(file, Path(work))
            except BackupError:
                torn_files.append(file.name)
    summary = f"{len(files)} files lie under a backup's name, of which not whole: {torn_files or 0}"
    yield CheckResult(not torn_files, summary)


def _try_backup(stack: Stack, file: str) -> str:
    return stack.manage("try_backup", file, check=False)


def check_altered_backup(stack: Stack) -> Iterator[CheckResult]:
    """A file that is whole, with one seat's total a point higher than it was."""
    newest = Backup.objects.latest("pk")
    server, file = own_database(), Path(newest.file)
    assert isinstance(server, Server)  # noqa: S101
    with TemporaryDirectory() as folder, temporary_database(server, server.name) as copy:
        work = Path(folder) / "work"
        work.mkdir()
        manifest = unpack(file, work)
        dump = work / manifest.database
        restore_dump(copy, dump)
        with closing(copy.ask(autocommit=True)) as connection:
            (seat,) = connection.execute("SELECT min(id) FROM scorebook_seat").fetchone() or (0,)
            connection.execute(ADD_POINT_SQL.encode(), [seat])
        arguments = (f"--file={dump}", stack.postgres.url(copy.name))
        do(program_path("pg_dump"), "--format=custom", *arguments)
        shutil.move(pack(work, manifest, work / "none", made_at=timezone.localtime()), file)
    answer = _try_backup(stack, newest.file).strip().splitlines()[-1]
    newest.refresh_from_db()
    yield CheckResult(newest.is_good is False, f"a copy with one point more: {answer}")
    visitor, home = sign_in(stack), f"/c/{Club.objects.earliest('pk').slug}/"
    shout = "The last backup failed its test."
    reads = wait_until(
        lambda: shout in visitor.get(home).body.decode(), seconds=SECONDS_ON_THE_PAGE
    )
    yield CheckResult(reads, f"the secretary's page says within a minute: “{shout}”")
