"""What a rehearsal tries on a larger installation: a line for each check, with what was counted."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from threading import Event, Thread

from clubs.models import Session
from deploy.checks import PHONE_COUNT, TABLE_COUNT
from deploy.hall import CheckResult, check_everything, make_halls, send_hands
from deploy.larger import PooledStack, ReplicatedStack
from deploy.servers import SHARED_SESSIONS, run_management, wait_until
from deploy.stack import DATABASE, Client, Stack

READERS, PAGES_EACH = 8, 72
FOLLOWERS_SQL = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
SECONDS_BEFORE, SECONDS_UNTIL_PROMOTED, SECONDS_AWAY = 3.0, 1.0, 15.0
PAGE_INTERVAL = 0.1
PageTimes = list[tuple[float, int]]  # when a page came, and its status


def pooler_checks(stack: PooledStack, hands: int) -> Iterator[CheckResult]:
    """Hands and pages at once through few sessions; then everything is counted, and backed up."""
    keys, statuses = make_halls(TABLE_COUNT), Counter[int]()
    pages = ["/", *(f"/t/{key}/{subpage}" for key in keys for subpage in ("", "standings/"))]
    for session in Session.objects.select_related("club"):
        pages += [f"/c/{session.club.slug}/", f"/c/{session.club.slug}/evenings/{session.pk}/"]

    def read(number: int) -> None:
        client, chance = Client(stack), random.Random(number)
        for page in chance.choices(pages, k=PAGES_EACH):
            statuses[client.get(page).status] += 1

    readers = [Thread(target=read, args=(number,)) for number in range(READERS)]
    for reader in readers:
        reader.start()
    phone_answers = send_hands(stack, keys, submissions=hands, phones=PHONE_COUNT)
    for reader in readers:
        reader.join()
    counts = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
    summary = f"{READERS} readers beside {PHONE_COUNT} phones through PgBouncer, pages: {counts}"
    yield CheckResult(set(statuses) == {200}, summary)
    yield check_pooling(stack)
    yield from check_everything(stack, phone_answers)
    output = stack.manage("back_up", check=False).strip()
    yield CheckResult(
        "gave the same digest" in output, f"back_up, past it: {output.splitlines()[-1]}"
    )
    alone = {**stack.environment, "TONGBOX_DIRECT_DATABASE_URL": ""}
    output = run_management(["back_up"], alone, check=False).strip()
    summary = f"back_up, through it, is refused: {output.splitlines()[-1]}"
    yield CheckResult("cannot go through a pooler" in output, summary)


def check_pooling(stack: PooledStack) -> CheckResult:
    """How many transactions went through how few sessions of PostgreSQL's."""
    heading, *rows = (line.split("|") for line in stack.pooler.show("STATS").splitlines())
    transactions = sum(
        int(row[heading.index("total_xact_count")]) for row in rows if row[0] == DATABASE
    )
    asks = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'tongbox'"
    sessions = int(stack.postgres.sql("postgres", asks))
    summary = f"PgBouncer: {transactions:,} transactions in {sessions} sessions of PostgreSQL’s"
    return CheckResult(0 < sessions <= SHARED_SESSIONS < transactions, summary)


def failover_checks(stack: ReplicatedStack, hands: int) -> Iterator[CheckResult]:
    """The first server is cut off while hands are entered; the second takes over by hand."""
    keys, page_times, stop_event = make_halls(TABLE_COUNT), PageTimes(), Event()
    is_followed = wait_until(lambda: stack.postgres.sql(DATABASE, FOLLOWERS_SQL) == "1", seconds=15)
    yield CheckResult(
        is_followed, "the replica follows; hands are on its disk before they are answered"
    )
    processes = stack.web_processes()
    watcher = Thread(target=reload_page, args=(stack, page_times, stop_event))
    loss_times: list[float] = []

    def cut_off() -> None:
        time.sleep(SECONDS_BEFORE)
        loss_times.append(time.monotonic())
        stack.postgres.stop(at_once=True)
        time.sleep(SECONDS_UNTIL_PROMOTED)
        stack.replica.sql("postgres", "SELECT pg_promote()")

    harm = Thread(target=cut_off)
    for thread in (watcher, harm):
        thread.start()
    phone_answers = send_hands(stack, keys, submissions=hands, phones=PHONE_COUNT)
    harm.join()
    time.sleep(SECONDS_UNTIL_PROMOTED)
    stop_event.set()
    watcher.join()
    yield check_outage(page_times, loss_times[0])
    is_same = processes == stack.web_processes()
    answer = Client(stack).get("/readyz/")
    summary = f"readyz, nothing begun again: {answer.status}"
    yield CheckResult(is_same and answer.status == 200, summary)
    yield from check_everything(stack, phone_answers)
    yield check_return(stack)


def reload_page(
    stack: Stack, page_times: PageTimes, stop_event: Event, *, interval: float = PAGE_INTERVAL
) -> None:
    """A page every so many seconds, by a visitor who reloads it."""
    client = Client(stack)
    while not stop_event.wait(interval):
        status = client.get("/c/hall-0/").status
        page_times.append((time.monotonic(), status))


def check_outage(page_times: PageTimes, loss_time: float) -> CheckResult:
    """From the moment of the loss until pages came again; no other answer than 200 and 503."""
    bad = [page_time for page_time, status in page_times if status != 200]
    other_statuses = {status for _, status in page_times} - {200, 503}
    good_at_end = len(list(takewhile(lambda item: item[1] == 200, reversed(page_times))))
    seconds = (bad[-1] if bad else loss_time) - loss_time
    summary = (
        f"the first server was cut off, the second promoted {SECONDS_UNTIL_PROMOTED:.0f} s later: "
        f"{len(page_times)} pages, {len(bad)} of them 503 within {seconds:.1f} s, then 200"
    )
    return CheckResult(not other_statuses and good_at_end > 0 and seconds < SECONDS_AWAY, summary)


def check_return(stack: ReplicatedStack) -> CheckResult:
    """The server that was lost returns as the replica of the other, from a new copy."""
    new_replica = stack.replica.make_replica(stack.folder, stack.postgres.port)
    new_replica.start()
    try:
        follows = wait_until(lambda: stack.replica.sql(DATABASE, FOLLOWERS_SQL) == "1", seconds=15)
    finally:
        new_replica.stop()
    return CheckResult(follows, "the first server came back, and follows the second")
