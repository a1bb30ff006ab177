"""The leader of three PostgreSQL servers is killed again and again while hands are sent."""

import random
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from threading import Event, Thread

from django.db import connection

from deploy.checks import check_mail
from deploy.failover import ClusteredStack
from deploy.hall import (
    KEPT_STATUSES,
    Answers,
    CheckResult,
    check_everything,
    make_halls,
    send_hands,
    sign_in,
    stored_hands,
)
from deploy.larger_checks import PageTimes, reload_page
from deploy.servers import wait_until

HAND_INTERVAL = 1.5  # seconds between two hands of a phone, so that hands are sent all the time
SECONDS_BEFORE = (2.0, 10.0)
LOOK_INTERVAL = 0.5  # seconds
SECONDS_STALLED = 0.5  # before: what the leader has not sent the others is lost with it
SECONDS_DOWN = (2.0, 8.0)
SECONDS_TO_HEAL = 150.0
MOST_TRACEBACKS = 3  # a failover
SECONDS_AWAY = 60.0


@dataclass
class Kills:
    """When the leader was killed, and when all three were there again."""

    at: list[float] = field(default_factory=list)
    leaders: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def leader(stack: ClusteredStack, options: Namespace) -> Iterator[CheckResult]:
    """Nothing that was acknowledged is lost, nobody restarts anything, and work goes on."""
    heard = Answers()
    keys, processes = make_halls(options.tables), stack.web_processes()
    visitor = sign_in(stack)
    yield from kill_while_sending(stack, keys, options, heard)
    yield CheckResult(processes == stack.web_processes(), "no web service was begun again")
    yield check_mail(stack, visitor)
    yield check_tracebacks(stack, options.kills)
    yield from check_everything(stack, heard)


def leader_alone(stack: ClusteredStack, options: Namespace) -> Iterator[CheckResult]:
    """The same where a hand is acknowledged once the leader has it: unless some are lost, we could
    not have seen it.
    """
    heard = Answers()
    yield from kill_while_sending(stack, make_halls(options.tables), options, heard)
    lost = heard.kept.keys() - dict(stored_hands()).keys()
    words = f"{len(lost)} of {len(heard.kept):,} acknowledged hands are lost, as they must be"
    yield CheckResult(bool(lost), words)


def kill_while_sending(
    stack: ClusteredStack, keys: Sequence[str], options: Namespace, heard: Answers
) -> Iterator[CheckResult]:
    """Phones send, somebody looks on, and the leader is killed; ``heard`` takes the answers."""
    is_whole = wait_until(stack.is_whole, seconds=SECONDS_TO_HEAL)
    yield CheckResult(is_whole, f"one of three leads: {stack.roles()}")
    seen, over, kills = PageTimes(), Event(), Kills()
    beside = [
        Thread(target=reload_page, args=(stack, seen, over), kwargs={"every": LOOK_INTERVAL}),
        Thread(target=kill_leaders, args=(stack, kills, options.kills)),
    ]
    for thread in beside:
        thread.start()
    sent, phones = options.submissions, options.phones
    heard.add(send_hands(stack, keys, submissions=sent, phones=phones, pace=HAND_INTERVAL))
    beside[1].join()
    over.set()
    beside[0].join()
    connection.close()  # ours was to the first leader
    yield CheckResult(
        not kills.faults, "; ".join([f"killed: {', '.join(kills.leaders)}", *kills.faults])
    )
    yield check_refusals(kills, heard)
    yield check_looks(seen)


def kill_leaders(stack: ClusteredStack, kills: Kills, count: int) -> None:
    """At a random moment once all three are there; each comes back as a replica."""
    for _ in range(count):
        time.sleep(random.uniform(*SECONDS_BEFORE))
        node = stack.leader()
        if node is None:
            kills.faults.append("nobody led")
            return
        with stack.stalled(node):
            time.sleep(SECONDS_STALLED)
            kills.at.append(time.monotonic())
            kills.leaders.append(node.name)
            node.kill()
        if not wait_until(lambda: stack.leader() not in (None, node), seconds=SECONDS_TO_HEAL):  # noqa: B023
            kills.faults.append(f"nobody took over from {node.name}")
            return
        time.sleep(random.uniform(*SECONDS_DOWN))
        node.patroni.start()
        if not wait_until(stack.is_whole, seconds=SECONDS_TO_HEAL):
            kills.faults.append(f"{node.name} did not come back: {stack.members()}")
            return


def check_refusals(kills: Kills, heard: Answers) -> CheckResult:
    """For each leader killed: how long until hands were kept again, and how many were refused."""
    ends = [*kills.at[1:], float("inf")]
    spans, refused = [], 0
    for begun, end in zip(kills.at, ends, strict=True):
        answers = sorted(moment for moment in heard.moments if begun <= moment[0] < end)
        bad = [at for at, status in answers if status not in KEPT_STATUSES]
        again = [
            at for at, status in answers if status in KEPT_STATUSES and (not bad or at > bad[0])
        ]
        refused += len(bad)
        spans.append((again[0] if again else heard.moments[-1][0]) - begun)
    shown = ", ".join(f"{seconds:.1f}" for seconds in spans)
    words = f"{refused} refused and sent again; no hand was kept for {shown} s"
    if spans:
        words += f" (median {median(spans):.1f} s, longest {max(spans):.1f} s)"
    return CheckResult(bool(spans) and max(spans) < SECONDS_AWAY, words)


def check_looks(seen: PageTimes) -> CheckResult:
    """What an onlooker who reloads a club's page got all that time."""
    counts = Counter(status for _, status in seen)
    shown = ", ".join(f"{status}: {count:,}" for status, count in sorted(counts.items()))
    return CheckResult(set(counts) <= {200, 503}, f"an onlooker's page, again and again: {shown}")


def check_tracebacks(stack: ClusteredStack, failovers: int) -> CheckResult:
    """Whether the logs stay readable: an outage is a line, not a page of the program."""
    logs = [*stack.webs, *stack.workers, *stack.beats]
    texts = [program.log.read_text(encoding="utf-8", errors="replace") for program in logs]
    count = sum(text.count("Traceback") for text in texts)
    lines = sum(text.count("\n") for text in texts)
    words = f"{lines:,} lines in {len(logs)} logs for {failovers} failovers, {count} tracebacks"
    return CheckResult(count <= MOST_TRACEBACKS * failovers, words)
