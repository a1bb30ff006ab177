"""Services that are killed, ended, gone, wrong about the time or there twice."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

from clubs import tasks
from clubs.league.services import ask_for_pack, save_season
from clubs.messages import services
from clubs.messages.selectors import batch_view
from clubs.models import Club, Job, JobState, Message, MessageState, Season
from deploy.faults import Line, Options
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay, letters, signed_in
from deploy.faults.phones import tell
from deploy.faults.trouble import Trouble, kill_something, restart_database
from deploy.stack import Stack
from deploy.stack.asking import Client, Installation
from deploy.stack.program import until
from deploy.stack.servers import Missing
from scoring.scorebook.models import Game, Hand

# A job whose worker fell silent is taken up two minutes later, by the minute's sweep.
SECONDS_FOR_A_JOB = 300


def killed(stack: Stack, options: Options) -> Iterator[Line]:
    """Web and worker processes are killed with -9 while hands are told and papers are made.

    Every acknowledged hand is there once; every job that was asked for is done.
    """
    keys = lay(options.tables)
    for club in Club.objects.all():
        _ask_for_a_pack(club)
    trouble = Trouble(partial(kill_something, stack, random.Random()), seconds=(0.5, 2.0))
    with trouble:
        heard = tell(stack, keys, submissions=options.submissions, phones=options.phones)
    yield Line(bool(trouble.done), trouble.said)
    yield from everything_holds(stack, heard)
    yield _packs()


def _ask_for_a_pack(club: Club) -> None:
    (session,) = club.sessions.all()
    day = session.held_on
    season: Season = save_season(club=club, season=None, name="Now", starts_on=day, ends_on=day)
    secretary = club.memberships.get().user
    ask_for_pack(season=season, asked_by=secretary)


def _packs() -> Line:
    jobs = Job.objects.all()
    done = until(lambda: not jobs.exclude(state=JobState.DONE).exists(), seconds=SECONDS_FOR_A_JOB)
    tried = ", ".join(f"{job.tries}" for job in jobs)
    return Line(done, f"{jobs.count()} papers asked for meanwhile are made; tries: {tried}")


def database(stack: Stack, options: Options) -> Iterator[Line]:
    """PostgreSQL is ended and begun again while hands are told.

    Every acknowledged hand is there once, whichever way the server ended.
    """
    keys = lay(options.tables)
    trouble = Trouble(partial(restart_database, stack, random.Random()), seconds=(2.0, 8.0))
    with trouble:
        heard = tell(stack, keys, submissions=options.submissions, phones=options.phones)
    yield Line(bool(trouble.done), f"PostgreSQL begun again: {trouble.said}")
    yield from everything_holds(stack, heard)


SECONDS_FOR_MAIL = 150


def cache(stack: Stack, options: Options) -> Iterator[Line]:
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
    yield _press_send(visitor)
    stack.redis.start()
    yield _letters_went_out()
    yield from everything_holds(stack, heard)


def _pages(visitor: Client, key: str, who: str) -> Line:
    """Every page that the club's front page leads to, and the phone's."""
    home = f"/c/{Club.objects.earliest('pk').slug}/"
    front = visitor.get(home)
    links = set(re.findall(r'href="(/[^"#?]*)"', front.body.decode()))
    pages = sorted({home, f"/t/{key}/", *(link for link in links if "static" not in link)})
    bad = [(page, status) for page in pages if (status := visitor.get(page).status) != 200]
    is_in = "/accounts/logout/" in front.body.decode()
    return Line(not bad and is_in, f"{len(pages)} pages open, {who}; not: {bad or 'none'}")


def _press_send(visitor: Client) -> Line:
    """The secretary presses Send while nobody can wake a worker."""
    club = Club.objects.earliest("pk")
    batch = letters(club, readers=3)
    outbox = f"/c/{club.slug}/messages/{batch.pk}/"
    page = visitor.get(outbox)
    (seen, *_) = re.findall(r'name="seen" value="(\w+)"', page.body.decode()) or [f"{page.status}"]
    answer = visitor.submit(outbox, f"{outbox}send/", seen=seen)
    waits = Job.objects.filter(state=JobState.WAITING).count()
    words = f"Send was answered with {answer.status}; {waits} batch waits for a worker"
    return Line(answer.status == 200 and waits == 1, words)


def _letters_went_out() -> Line:
    sent = until(
        lambda: not Job.objects.exclude(state=JobState.DONE).exists(), seconds=SECONDS_FOR_MAIL
    )
    return Line(sent, "Redis is back, and the letters went out by themselves")


# Python runs this before gunicorn; only what asks for the time of day is told wrong.
SET_BACK = """\
then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=3)
time_machine.travel(then, tick=True).start()
"""


def clock(stack: Stack, options: Options) -> Iterator[Line]:
    """The clock of the web services goes back by three hours in the middle of the evening.

    Hands keep their order, chains hold, and who has signed in stays signed in.
    """
    keys, half = lay(options.tables), options.submissions // 2
    visitor = signed_in(stack)
    before = tell(stack, keys, submissions=half, phones=options.phones)
    _set_back(stack)
    after = -(-half // len(keys))
    heard = tell(stack, keys, submissions=half, phones=options.phones, after=after)
    is_in = "/accounts/logout/" in visitor.get("/").body.decode()
    yield Line(is_in, "who signed in before the clock went back is still signed in")
    is_in = "/accounts/logout/" in signed_in(stack).get("/").body.decode()
    yield Line(is_in, "who signs in afterwards is signed in")
    yield _hands_in_order(after)
    heard.add(before)
    yield from everything_holds(stack, heard)


def _set_back(stack: Stack) -> None:
    """The web services begin again, at a time of day that was three hours ago."""
    if find_spec("time_machine") is None:
        raise Missing("time-machine is not here: it comes with requirements-dev.txt")
    folder = stack.folder / "set-back"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SET_BACK)
    for web in stack.webs:
        web.environment = {**web.environment, "PYTHONPATH": str(folder)}
    stack.restart_webs()


def _hands_in_order(after: int) -> Line:
    """Hands of a game count on from one although the later ones bear an earlier time."""
    late = strange = 0
    for game in Game.objects.all():
        hands = list(Hand.objects.filter(game=game, is_current=True).order_by("pk"))
        strange += [hand.number for hand in hands] != list(range(1, len(hands) + 1))
        late += hands[after].sent_at < hands[after - 1].sent_at
    games = Game.objects.count()
    words = (
        f"{games} games: in {late} a later hand bears an earlier time, in {strange} out of order"
    )
    return Line(late == games and not strange, words)


READERS = 40
TIMES = 25
SECONDS = 120


def schedulers(stack: Stack, options: Options) -> Iterator[Line]:
    """Two schedulers by mistake, and every job called many times over: each letter once.

    Two beats and two workers, and each letter goes out once.
    """
    lay(options.tables)
    yield Line(len(stack.beats) == 2, f"{len(stack.beats)} beats, {len(stack.workers)} workers")
    for club in Club.objects.all():
        job = send(club)
        for _ in range(TIMES):
            tasks.run_job.delay(str(job.pk))
            tasks.wake_waiting_jobs.delay()
    yield all_done(f"each was called {TIMES} times, and swept {TIMES}")
    yield letters_went_once(stack)


def send(club: Club) -> Job:
    """A batch of letters to new members, with nobody who would hear of it."""
    batch = letters(club, readers=READERS)
    secretary = club.memberships.get().user
    services.send(batch=batch, seen=batch_view(batch).seen, asked_by=secretary)
    return Job.objects.filter(club=club).latest("made_at")


def all_done(how: str) -> Line:
    """Whether every batch is sent in time."""
    jobs = Job.objects.all()
    done = until(lambda: not jobs.exclude(state=JobState.DONE).exists(), seconds=SECONDS)
    return Line(done, f"{jobs.count()} batches are sent; {how}")


def letters_went_once(stack: Installation) -> Line:
    """What lies in the post, against what was to be sent."""
    texts = [mail.read_text() for mail in (stack.var / "mail").glob("*")]
    lines = (line for text in texts for line in text.splitlines())
    went = Counter(line for line in lines if line.startswith("To: "))
    twice = sum(count > 1 for count in went.values())
    not_sent = Message.objects.exclude(state=MessageState.SENT).count()
    words = f"{went.total():,} letters went out: {twice} twice, {not_sent} not at all"
    return Line(not twice and not not_sent and went.total() == Message.objects.count(), words)
