"""Four phones tell the same hand at the same moment, again and again."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier

from deploy.faults.asked import Asked, Line
from deploy.faults.checks import counted_again
from deploy.faults.hall import Told, lay, script, submission_id
from deploy.stack import Stack
from deploy.stack.asking import Client
from scoring.scorebook.models import Hand

PHONES = 4
HANDS_A_TABLE = 100
GOOD = (200, 201)


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Exactly one result stands, and each of the four is told that it is kept."""
    rounds = asked.submissions // PHONES
    keys = lay(-(-rounds // HANDS_A_TABLE))
    phones = [Client(stack) for _ in range(PHONES)]
    answers: Counter[tuple[int, ...]] = Counter()
    with ThreadPoolExecutor(PHONES) as hall:
        for place in range(rounds):
            key, number = keys[place // HANDS_A_TABLE], place % HANDS_A_TABLE
            told = script(0, HANDS_A_TABLE)[number]
            together = Barrier(PHONES)
            press = partial(_press, together, f"/api/v1/t/{key}/", told)
            answers[tuple(sorted(hall.map(press, phones)))] += 1
    told_all = ", ".join(f"{statuses}: {count:,}" for statuses, count in answers.most_common())
    bad = sum(count for statuses, count in answers.items() if set(statuses) - set(GOOD))
    yield Line(bad == 0, f"what four phones were told at {rounds:,} hands: {told_all}")
    current = Hand.objects.filter(is_current=True).count()
    yield Line(current == rounds == Hand.objects.count(), f"{current:,} results stand")
    yield from counted_again(stack)


def _press(together: Barrier, path: str, told: Told, phone: Client) -> int:
    sent = {**told, "submission_id": submission_id(Random())}
    together.wait()
    return phone.post_json(path, sent).status
