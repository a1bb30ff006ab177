"""What a rehearsal tries on a larger installation: a line for each check, with what was counted."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from threading import Event, Thread

from clubs.models import Session
from deploy.checks import PHONES, TABLES
from deploy.hall import Line, everything_holds, lay, tell
from deploy.larger import PooledStack, ReplicatedStack
from deploy.servers import SHARED_SESSIONS, managed, until
from deploy.stack import DATABASE, Client, Stack

READERS, PAGES_EACH = 8, 72
FOLLOWERS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
SECONDS_BEFORE, SECONDS_UNTIL_PROMOTED, SECONDS_AWAY = 3.0, 1.0, 15.0
BETWEEN_PAGES = 0.1
Seen = list[tuple[float, int]]  # when a page came, and its status


def pooler_checks(stack: PooledStack, hands: int) -> Iterator[Line]:
    """Hands and pages at once through few sessions; then everything is counted, and backed up."""
    keys, statuses = lay(TABLES), Counter[int]()
    pages = ["/", *(f"/t/{key}/{below}" for key in keys for below in ("", "standings/"))]
    for session in Session.objects.select_related("club"):
        pages += [f"/c/{session.club.slug}/", f"/c/{session.club.slug}/evenings/{session.pk}/"]

    def read(number: int) -> None:
        client, chance = Client(stack), random.Random(number)
        for page in chance.choices(pages, k=PAGES_EACH):
            statuses[client.get(page).status] += 1

    readers = [Thread(target=read, args=(number,)) for number in range(READERS)]
    for reader in readers:
        reader.start()
    heard = tell(stack, keys, submissions=hands, phones=PHONES)
    for reader in readers:
        reader.join()
    counts = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
    words = f"{READERS} readers beside {PHONES} phones through PgBouncer, pages: {counts}"
    yield Line(set(statuses) == {200}, words)
    yield sharing(stack)
    yield from everything_holds(stack, heard)
    output = stack.manage("back_up", check=False).strip()
    yield Line("gave the same digest" in output, f"back_up, past it: {output.splitlines()[-1]}")
    alone = {**stack.environment, "TONGBOX_DIRECT_DATABASE_URL": ""}
    output = managed(["back_up"], alone, check=False).strip()
    words = f"back_up, through it, is refused: {output.splitlines()[-1]}"
    yield Line("cannot go through a pooler" in output, words)


def sharing(stack: PooledStack) -> Line:
    """How many transactions went through how few sessions of PostgreSQL's."""
    heading, *rows = (line.split("|") for line in stack.pooler.shown("STATS").splitlines())
    done = sum(int(row[heading.index("total_xact_count")]) for row in rows if row[0] == DATABASE)
    asks = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'tongbox'"
    sessions = int(stack.postgres.sql("postgres", asks))
    words = f"PgBouncer: {done:,} transactions in {sessions} sessions of PostgreSQL’s"
    return Line(0 < sessions <= SHARED_SESSIONS < done, words)


def failover_checks(stack: ReplicatedStack, hands: int) -> Iterator[Line]:
    """The first server is cut off while hands are entered; the second takes over by hand."""
    keys, seen, over = lay(TABLES), Seen(), Event()
    is_followed = until(lambda: stack.postgres.sql(DATABASE, FOLLOWERS) == "1", seconds=15)
    yield Line(is_followed, "the replica follows; hands are on its disk before they are answered")
    processes = stack.web_processes()
    watcher = Thread(target=watch, args=(stack, seen, over))
    lost: list[float] = []

    def cut_off() -> None:
        time.sleep(SECONDS_BEFORE)
        lost.append(time.monotonic())
        stack.postgres.stop(at_once=True)
        time.sleep(SECONDS_UNTIL_PROMOTED)
        stack.replica.sql("postgres", "SELECT pg_promote()")

    harm = Thread(target=cut_off)
    for thread in (watcher, harm):
        thread.start()
    heard = tell(stack, keys, submissions=hands, phones=PHONES)
    harm.join()
    time.sleep(SECONDS_UNTIL_PROMOTED)
    over.set()
    watcher.join()
    yield outage(seen, lost[0])
    is_same = processes == stack.web_processes()
    answer = Client(stack).get("/readyz/")
    words = f"readyz, nothing begun again: {answer.status}"
    yield Line(is_same and answer.status == 200, words)
    yield from everything_holds(stack, heard)
    yield come_back(stack)


def watch(stack: Stack, seen: Seen, over: Event, *, every: float = BETWEEN_PAGES) -> None:
    """A page every so many seconds, by a visitor who reloads it."""
    client = Client(stack)
    while not over.wait(every):
        status = client.get("/c/hall-0/").status
        seen.append((time.monotonic(), status))


def outage(seen: Seen, lost: float) -> Line:
    """From the moment of the loss until pages came again; no other answer than 200 and 503."""
    bad = [at for at, status in seen if status != 200]
    others = {status for _, status in seen} - {200, 503}
    good_at_end = len(list(takewhile(lambda item: item[1] == 200, reversed(seen))))
    seconds = (bad[-1] if bad else lost) - lost
    words = (
        f"the first server was cut off, the second promoted {SECONDS_UNTIL_PROMOTED:.0f} s later: "
        f"{len(seen)} pages, {len(bad)} of them 503 within {seconds:.1f} s, then 200"
    )
    return Line(not others and good_at_end > 0 and seconds < SECONDS_AWAY, words)


def come_back(stack: ReplicatedStack) -> Line:
    """The server that was lost returns as the replica of the other, from a new copy."""
    again = stack.replica.replicated(stack.folder, stack.postgres.port)
    again.start()
    try:
        follows = until(lambda: stack.replica.sql(DATABASE, FOLLOWERS) == "1", seconds=15)
    finally:
        again.stop()
    return Line(follows, "the first server came back, and follows the second")
