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

    kill_times: list[float] = field(default_factory=list)
    leaders: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def leader(stack: ClusteredStack, options: Namespace) -> Iterator[CheckResult]:
    """Nothing that was acknowledged is lost, nobody restarts anything, and work goes on."""
    phone_answers = Answers()
    keys, processes = make_halls(options.tables), stack.web_processes()
    visitor = sign_in(stack)
    yield from kill_while_sending(stack, keys, options, phone_answers)
    yield CheckResult(processes == stack.web_processes(), "no web service was begun again")
    yield check_mail(stack, visitor)
    yield check_tracebacks(stack, options.kills)
    yield from check_everything(stack, phone_answers)


def leader_alone(stack: ClusteredStack, options: Namespace) -> Iterator[CheckResult]:
    """The same where a hand is acknowledged once the leader has it: unless some are lost, we could
    not have seen it.
    """
    phone_answers = Answers()
    yield from kill_while_sending(stack, make_halls(options.tables), options, phone_answers)
    lost_keys = phone_answers.hand_numbers.keys() - dict(stored_hands()).keys()
    summary = (
        f"{len(lost_keys)} of {len(phone_answers.hand_numbers):,} acknowledged hands are lost, as "
        "they must be"
    )
    yield CheckResult(bool(lost_keys), summary)


def kill_while_sending(
    stack: ClusteredStack, keys: Sequence[str], options: Namespace, phone_answers: Answers
) -> Iterator[CheckResult]:
    """Phones send, somebody looks on, the leader is killed; ``phone_answers`` takes the answers."""
    is_whole = wait_until(stack.is_whole, seconds=SECONDS_TO_HEAL)
    yield CheckResult(is_whole, f"one of three leads: {stack.roles()}")
    page_times, stop_event, kills = PageTimes(), Event(), Kills()
    threads = [
        Thread(
            target=reload_page,
            args=(stack, page_times, stop_event),
            kwargs={"interval": LOOK_INTERVAL},
        ),
        Thread(target=kill_leaders, args=(stack, kills, options.kills)),
    ]
    for thread in threads:
        thread.start()
    submissions, phones = options.submissions, options.phones
    phone_answers.add(
        send_hands(stack, keys, submissions=submissions, phones=phones, pace=HAND_INTERVAL)
    )
    threads[1].join()
    stop_event.set()
    threads[0].join()
    connection.close()  # ours was to the first leader
    yield CheckResult(
        not kills.faults, "; ".join([f"killed: {', '.join(kills.leaders)}", *kills.faults])
    )
    yield check_refusals(kills, phone_answers)
    yield check_looks(page_times)


def kill_leaders(stack: ClusteredStack, kills: Kills, count: int) -> None:
    """At a random moment once all three are there; each comes back as a replica."""
    for _ in range(count):
        time.sleep(random.uniform(*SECONDS_BEFORE))
        node = stack.leader()
        if node is None:
            kills.faults.append("nobody led")
            return
        with stack.stall_replication(node):
            time.sleep(SECONDS_STALLED)
            kills.kill_times.append(time.monotonic())
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


def check_refusals(kills: Kills, phone_answers: Answers) -> CheckResult:
    """For each leader killed: how long until hands were kept again, and how many were refused."""
    ends = [*kills.kill_times[1:], float("inf")]
    spans, refusal_count = [], 0
    for start, end in zip(kills.kill_times, ends, strict=True):
        answers = sorted(moment for moment in phone_answers.moments if start <= moment[0] < end)
        bad = [answer_time for answer_time, status in answers if status not in KEPT_STATUSES]
        kept_times = [
            answer_time
            for answer_time, status in answers
            if status in KEPT_STATUSES and (not bad or answer_time > bad[0])
        ]
        refusal_count += len(bad)
        spans.append((kept_times[0] if kept_times else phone_answers.moments[-1][0]) - start)
    span_text = ", ".join(f"{seconds:.1f}" for seconds in spans)
    summary = f"{refusal_count} refused and sent again; no hand was kept for {span_text} s"
    if spans:
        summary += f" (median {median(spans):.1f} s, longest {max(spans):.1f} s)"
    return CheckResult(bool(spans) and max(spans) < SECONDS_AWAY, summary)


def check_looks(page_times: PageTimes) -> CheckResult:
    """What an onlooker who reloads a club's page got all that time."""
    counts = Counter(status for _, status in page_times)
    count_text = ", ".join(f"{status}: {count:,}" for status, count in sorted(counts.items()))
    return CheckResult(
        set(counts) <= {200, 503}, f"an onlooker's page, again and again: {count_text}"
    )


def check_tracebacks(stack: ClusteredStack, failovers: int) -> CheckResult:
    """Whether the logs stay readable: an outage is a line, not a page of the program."""
    logs = [*stack.webs, *stack.workers, *stack.beats]
    texts = [program.log.read_text(encoding="utf-8", errors="replace") for program in logs]
    count = sum(text.count("Traceback") for text in texts)
    lines = sum(text.count("\n") for text in texts)
    summary = f"{lines:,} lines in {len(logs)} logs for {failovers} failovers, {count} tracebacks"
    return CheckResult(count <= MOST_TRACEBACKS * failovers, summary)
