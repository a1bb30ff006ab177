"""Phones at tables that tell hand after hand, and tell again until they are answered."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, Thread

from deploy.faults.hall import script, submission_id
from deploy.stack.asking import Answer, Client, Place

KEPT = (200, 201)
LATER = (0, 429, 500, 502, 503, 504)
SECONDS_TO_TRY = 180.0
LONGEST_PAUSE = 2.0


@dataclass
class Heard:
    """What the phones were told; ``kept`` has the number of the hand by its submission id."""

    kept: dict[str, int] = field(default_factory=dict)
    answers: Counter[int] = field(default_factory=Counter)
    sentences: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    given_up: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def note(self, mark: str, number: int, answer: Answer, seconds: float) -> None:
        """One answer to one hand, by its submission id."""
        with self._lock:
            self.answers[answer.status] += 1
            self.slowest = max(self.slowest, seconds)
            if answer.status in KEPT:
                self.kept[mark] = number
            elif "json" in answer.header("content-type"):
                self.sentences.update(item["message"] for item in answer.json["problems"])

    def give_up(self, words: str) -> None:
        """A hand that was not taken in the end."""
        with self._lock:
            self.given_up.append(words)

    def add(self, other: "Heard") -> None:
        """What others were told as well."""
        self.kept |= other.kept
        self.answers += other.answers
        self.sentences += other.sentences
        self.slowest = max(self.slowest, other.slowest)
        self.given_up += other.given_up

    @property
    def said(self) -> str:
        """``201: 4,990, 502: 3, no answer: 12``."""
        answers = sorted(self.answers.items(), reverse=True)
        return ", ".join(f"{status or 'no answer'}: {count:,}" for status, count in answers)


def tell(
    place: Place, keys: Sequence[str], *, submissions: int, phones: int, after: int = 0
) -> Heard:
    """So many hands over all tables, by so many phones at once, each with its own tables.

    ``after``: the hands that every table has told before.
    """
    heard, numbers = Heard(), range(after, after + -(-submissions // len(keys)))
    shares = [keys[number::phones] for number in range(phones)]
    hall = [
        Thread(target=_play, args=(place, share, numbers, heard), daemon=True) for share in shares
    ]
    for phone in hall:
        phone.start()
    for phone in hall:
        phone.join()
    return heard


def _play(place: Place, keys: Sequence[str], numbers: range, heard: Heard) -> None:
    client = Client(place)
    scripts = {key: script(sum(key.encode()), numbers.stop) for key in keys}
    for number in numbers:
        for key in keys:
            chance = random.Random(f"{key} {number}")
            fields = {**scripts[key][number], "submission_id": submission_id(chance)}
            ask = partial(client.post_json, f"/api/v1/t/{key}/", fields)
            until_kept(ask, heard, mark=fields["submission_id"], number=number + 1)


def until_kept(ask: Callable[[], Answer], heard: Heard, *, mark: str, number: int) -> Answer:
    """Send something, the same again while nobody says what became of it."""
    begun, pause = time.monotonic(), 0.1
    while True:
        wanted = time.monotonic()
        answer = ask()
        heard.note(mark, number, answer, time.monotonic() - wanted)
        if answer.status not in LATER:
            break
        if time.monotonic() - begun > SECONDS_TO_TRY:
            break
        time.sleep(random.uniform(pause / 2, pause))
        pause = min(2 * pause, LONGEST_PAUSE)
    if answer.status not in KEPT:
        heard.give_up(f"{mark}, number {number}: {answer.status} {answer.body[:300]!r}")
    return answer
