"""Services that are killed, stopped, wrong about the time or twice there; hands sent twice."""

import os
import random
import re
import signal
import threading
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from random import Random
from threading import Barrier

from clubs import models, tasks
from clubs.accounts.services import make_token
from clubs.league.services import ask_for_pack, save_season
from clubs.messages import services
from clubs.messages.selectors import batch_view
from deploy import hall
from deploy.client import Client
from deploy.servers import Missing, until
from deploy.stack import Installation, Stack
from scoring.scorebook.models import Game, Hand

# A job whose worker fell silent is taken up two minutes later, by the minute's sweep.
SECONDS_FOR_A_JOB = 300
SECONDS_FOR_MAIL = 150
READERS = 40
TIMES = 25
SECONDS = 120
PHONES = 4
HANDS_A_TABLE = 100
GOOD = (200, 201)
HEADER, REPLAYED = "Idempotency-Key", "idempotency-replayed"
# Python runs this before gunicorn; only the time of day is wrong.
SET_BACK = """\
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


def harm_done(done: Counter[str], what: str = "") -> hall.Line:
    """``web process killed: 31, worker process killed: 9``."""
    counts = ", ".join(f"{harm}: {count}" for harm, count in sorted(done.items()))
    return hall.Line(bool(done), f"{what}{counts}")


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


def kill_a_web(stack: Stack, chance: random.Random) -> str:
    """A process that answers requests, with -9, while pages open."""
    until(lambda: stack.is_open() and bool(stack.web_processes()))
    os.kill(chance.choice(stack.web_processes()), signal.SIGKILL)
    return "web process killed"


def restart_database(stack: Stack, chance: random.Random) -> str:
    """PostgreSQL ended in order or as by a power cut, and begun again."""
    at_once = chance.random() < 0.5
    stack.postgres.stop(at_once=at_once)
    stack.postgres.start()
    return "immediate" if at_once else "fast"


def killed(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """Web and worker processes are killed with -9 while hands are entered and packs printed.

    Every acknowledged hand is there once; every job is done.
    """
    keys = hall.lay(options.tables)
    for club in models.Club.objects.all():
        day = club.sessions.get().held_on
        season = save_season(club=club, season=None, name="Now", starts_on=day, ends_on=day)
        ask_for_pack(season=season, asked_by=club.memberships.get().user)
    harm = partial(kill_something, stack, random.Random())
    with again_and_again(harm, seconds=(0.5, 2.0)) as done:
        heard = hall.tell(stack, keys, submissions=options.submissions, phones=options.phones)
    yield harm_done(done)
    yield from hall.everything_holds(stack, heard)
    is_done, jobs = until(no_job_is_left, seconds=SECONDS_FOR_A_JOB), models.Job.objects.all()
    tried = ", ".join(f"{job.tries}" for job in jobs)
    yield hall.Line(is_done, f"{len(jobs)} papers asked for meanwhile are made; tries: {tried}")


def no_job_is_left() -> bool:
    return not models.Job.objects.exclude(state=models.JobState.DONE).exists()


def database(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """PostgreSQL is stopped and restarted while hands are entered.

    Every acknowledged hand is there once, whichever way the server ended.
    """
    keys = hall.lay(options.tables)
    harm = partial(restart_database, stack, random.Random())
    with again_and_again(harm, seconds=(2.0, 8.0)) as done:
        heard = hall.tell(stack, keys, submissions=options.submissions, phones=options.phones)
    yield harm_done(done, "PostgreSQL begun again: ")
    yield from hall.everything_holds(stack, heard)


def cache(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """Redis is gone for the whole of an evening, and comes back.

    Hands are recorded, pages open, people sign in; letters go out when Redis is back.
    """
    keys = hall.lay(options.tables)
    visitor = hall.signed_in(stack)
    stack.redis.stop()
    heard = hall.tell(stack, keys, submissions=options.submissions, phones=options.phones)
    late = sum(count for status, count in heard.answers.items() if status not in (200, 201))
    yield hall.Line(late == 0, f"without Redis {late} hands had to be told again")
    yield _pages(visitor, keys[0], "signed in before")
    yield _pages(hall.signed_in(stack), keys[0], "signed in without Redis")
    answer = hall.press_send(visitor)
    waits = models.Job.objects.filter(state=models.JobState.WAITING).count()
    words = f"Send was answered with {answer.status}; {waits} batch waits for a worker"
    yield hall.Line(answer.status == 200 and waits == 1, words)
    stack.redis.start()
    sent = until(no_job_is_left, seconds=SECONDS_FOR_MAIL)
    yield hall.Line(sent, "Redis is back, and the letters went out by themselves")
    yield from hall.everything_holds(stack, heard)


def _pages(visitor: Client, key: str, who: str) -> hall.Line:
    """Every page that the club's front page leads to, and the phone's."""
    home = f"/c/{models.Club.objects.earliest('pk').slug}/"
    front = visitor.get(home)
    links = set(re.findall(r'href="(/[^"#?]*)"', front.body.decode()))
    pages = sorted({home, f"/t/{key}/", *(link for link in links if "static" not in link)})
    bad = [(page, status) for page in pages if (status := visitor.get(page).status) != 200]
    return hall.Line(
        not bad and hall.is_signed_in(front),
        f"{len(pages)} pages open, {who}; not: {bad or 'none'}",
    )


def clock(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """The clock of the web services goes back by three hours in the middle of the evening.

    Hands keep their order, chains hold, and who has signed in stays signed in.
    """
    keys, half = hall.lay(options.tables), options.submissions // 2
    visitor = hall.signed_in(stack)
    before = hall.tell(stack, keys, submissions=half, phones=options.phones)
    if find_spec("time_machine") is None:
        raise Missing("time-machine is not here: it comes with requirements-dev.txt")
    folder = stack.folder / "set-back"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SET_BACK)
    for web in stack.webs:
        web.environment = {**web.environment, "PYTHONPATH": str(folder)}
    stack.restart_webs()
    after = -(-half // len(keys))
    heard = hall.tell(stack, keys, submissions=half, phones=options.phones, after=after)
    is_in = hall.is_signed_in(visitor.get("/"))
    yield hall.Line(is_in, "who signed in before the clock went back is still signed in")
    is_in = hall.is_signed_in(hall.signed_in(stack).get("/"))
    yield hall.Line(is_in, "who signs in afterwards is signed in")
    late = strange = 0
    for game in Game.objects.all():
        hands = list(Hand.objects.filter(game=game, is_current=True).order_by("pk"))
        strange += [hand.number for hand in hands] != list(range(1, len(hands) + 1))
        late += hands[after].sent_at < hands[after - 1].sent_at
    games = Game.objects.count()
    counts = f"in {late} a later hand bears an earlier time, in {strange} out of order"
    yield hall.Line(late == games and not strange, f"{games} games: {counts}")
    heard.add(before)
    yield from hall.everything_holds(stack, heard)


def schedulers(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """Two schedulers by mistake, and every job called many times over: each letter once.

    Two beats and two workers, and each letter goes out once.
    """
    hall.lay(options.tables)
    beats = len(stack.beats)
    yield hall.Line(beats == 2, f"{beats} beats, {len(stack.workers)} workers")
    for club in models.Club.objects.all():
        job = send(club)
        for _ in range(TIMES):
            tasks.run_job.delay(str(job.pk))
            tasks.wake_waiting_jobs.delay()
    yield all_done(f"each was called {TIMES} times, and swept {TIMES}")
    yield letters_went_once(stack)


def send(club: models.Club) -> models.Job:
    """A batch of letters to new members, with nobody who would hear of it."""
    batch = hall.letters(club, readers=READERS)
    services.send(batch=batch, seen=batch_view(batch).seen, asked_by=club.memberships.get().user)
    return models.Job.objects.filter(club=club).latest("made_at")


def all_done(how: str) -> hall.Line:
    """Whether every batch is sent in time."""
    done = until(no_job_is_left, seconds=SECONDS)
    return hall.Line(done, f"{models.Job.objects.count()} batches are sent; {how}")


def letters_went_once(stack: Installation) -> hall.Line:
    """The letters in the mail folder against those that were to be sent."""
    texts = [mail.read_text() for mail in (stack.var / "mail").glob("*")]
    lines = (line for text in texts for line in text.splitlines())
    went = Counter(line for line in lines if line.startswith("To: "))
    twice = sum(count > 1 for count in went.values())
    not_sent = models.Message.objects.exclude(state=models.MessageState.SENT).count()
    words = f"{went.total():,} letters went out: {twice} twice, {not_sent} not at all"
    is_all = went.total() == models.Message.objects.count()
    return hall.Line(is_all and not twice and not not_sent, words)


def one_hand(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """Four phones send the same hand at the same moment, again and again.

    Exactly one result is recorded, and each of the four is answered that it is.
    """
    rounds = options.submissions // PHONES
    keys = hall.lay(-(-rounds // HANDS_A_TABLE))
    phones = [Client(stack) for _ in range(PHONES)]
    answers: Counter[tuple[int, ...]] = Counter()
    with ThreadPoolExecutor(PHONES) as pool:
        for place in range(rounds):
            key, number = keys[place // HANDS_A_TABLE], place % HANDS_A_TABLE
            fields, together = hall.script(0, HANDS_A_TABLE)[number], Barrier(PHONES)
            press = partial(send_together, together, f"/api/v1/t/{key}/", fields)
            answers[tuple(sorted(pool.map(press, phones)))] += 1
    counts = ", ".join(f"{statuses}: {count:,}" for statuses, count in answers.most_common())
    bad = sum(count for statuses, count in answers.items() if set(statuses) - set(GOOD))
    yield hall.Line(bad == 0, f"what four phones were told at {rounds:,} hands: {counts}")
    current = Hand.objects.filter(is_current=True).count()
    yield hall.Line(current == rounds == Hand.objects.count(), f"{current:,} results stand")
    yield from hall.counted_again(stack)


def send_together(together: Barrier, path: str, fields: hall.Fields, phone: Client) -> int:
    """The status of the answer, of a hand that is sent when all phones are ready."""
    sent = {**fields, "submission_id": hall.submission_id(Random())}
    together.wait()
    return phone.post_json(path, sent).status


class Caller(Client):
    """Another program, which counts the answers that were repeated from before."""

    replayed = 0

    def __init__(self, stack: Stack, club: models.Club, chance: random.Random) -> None:
        super().__init__(stack)
        (secretary,) = club.memberships.all()
        key = make_token(
            user=secretary.user, name="Another program", scopes=[models.Scope.PEOPLE], club=club
        ).key
        self.path = f"/api/v1/clubs/{club.slug}/players/"
        self.authorization = {"Authorization": f"Bearer {key}"}
        self.chance = chance

    def add(self, name: str, heard: hall.Heard, number: int) -> None:
        """Add a member, with the same key until it is answered."""
        headers = {**self.authorization, HEADER: f"{self.chance.getrandbits(128):032x}"}
        ask = partial(self.post_json, self.path, {"name": name}, **headers)
        answer = hall.until_kept(ask, heard, mark=name, number=number)
        self.replayed += answer.header(REPLAYED) == "true"


def keys(stack: Stack, options: Namespace) -> Iterator[hall.Line]:
    """Programs that add members with an ``Idempotency-Key`` while web processes are killed with -9.

    A request that is repeated with its key gets the same answer, and is done once.
    """
    hall.lay(1)
    club, heard = models.Club.objects.get(), hall.Heard()
    programs = [Caller(stack, club, random.Random(number)) for number in range(options.phones)]
    each = -(-options.submissions // options.phones)

    def add_members(place: int) -> None:
        for number in range(each):
            programs[place].add(f"Member {place}-{number}", heard, number)

    harm = partial(kill_a_web, stack, random.Random())
    with again_and_again(harm, seconds=(0.3, 1.0)) as done:
        hall.side_by_side(add_members, range(options.phones))
    yield harm_done(done)
    yield from hall.answers_of(heard)
    members = models.Player.objects.filter(name__startswith="Member ")
    there = Counter(members.values_list("name", flat=True))
    lost, more = heard.kept.keys() - there.keys(), there.total() - len(heard.kept)
    again = sum(program.replayed for program in programs)
    stored = models.KeptAnswer.objects.filter(status=201).count()
    words = (
        f"{len(heard.kept):,} members acknowledged, {again} of them when asked again: "
        f"{len(lost)} lost, {more} beside them; {stored:,} answers kept by "
        f"{models.ApiToken.objects.count()} keys"
    )
    yield hall.Line(not lost and not more and stored == there.total(), words)
