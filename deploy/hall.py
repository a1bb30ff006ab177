"""An evening in a hall: tables are laid, phones enter hands, everything is counted afterwards."""

import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial
from itertools import product
from threading import Lock, Thread
from typing import Any
from uuid import uuid4

from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Coalesce

from clubs.evenings.practice_play import Dealer, api_fields, deal_reports
from clubs.house.services import found_club
from clubs.members.services.people import add_player
from clubs.messages.services import draft_message
from clubs.models import Batch, Club, SessionTable
from deploy.stack import Answer, Client, Installation, Stack, Target
from scoring import rule_set
from scoring.scorebook.models import Hand, Seat
from tournaments.sample import SIGN_IN_WORDS, seated_evening


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was looked at."""

    holds: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.holds else 'FAIL'} {self.text}"


TABLES_A_CLUB = 16
SCRIPTS = 8
SIGN_IN = "/accounts/login/"
HandFields = dict[str, Any]


def make_halls(tables: int) -> list[str]:
    """Evenings of sixteen tables, each in a club of its own; returns the tables' printed keys."""
    club_count = Club.objects.count()
    for number in range(club_count, club_count + -(-tables // TABLES_A_CLUB)):
        club = found_club(name=f"Hall {number}", email=f"hall-{number}@example.org").membership.club
        seats = range(4 * min(tables, TABLES_A_CLUB))
        players = [add_player(club=club, name=f"Player {place}") for place in seats]
        seated_evening(club, date.today(), players)  # noqa: DTZ011
    new = SessionTable.objects.filter(session__club__slug__startswith="hall-")
    return list(new.order_by("-pk").values_list("link_key", flat=True)[:tables])


def draft_letters(club: Club, *, readers: int) -> Batch:
    """A message of the secretary's to so many new members, not sent yet."""
    player_count = club.players.count()
    members = [
        add_player(club=club, name=f"Reader {n}", email=f"reader-{n}@{club.slug}.example.org")
        for n in range(player_count, player_count + readers)
    ]
    secretary = club.memberships.get().user
    return draft_message(
        club=club, subject="Tuesday", text="See you.", readers=members, made_by=secretary
    )


def sign_in(stack: Stack) -> Client:
    """The first club's secretary, with a browser."""
    secretary = Club.objects.earliest("pk").memberships.get().user
    if not secretary.check_password(SIGN_IN_WORDS):
        secretary.set_password(SIGN_IN_WORDS)
        secretary.save()
    client = Client(stack)
    client.submit(SIGN_IN, SIGN_IN, login=secretary.email, password=SIGN_IN_WORDS)
    return client


def is_signed_in(page: Answer) -> bool:
    """Whether the page is for somebody who has signed in."""
    return "/accounts/logout/" in page.body.decode()


def press_send(visitor: Client) -> Answer:
    """The first club's secretary sends a message to three new members."""
    club = Club.objects.earliest("pk")
    outbox = f"/c/{club.slug}/messages/{draft_letters(club, readers=3).pk}/"
    page = visitor.get(outbox)
    (mark, *_) = re.findall(r'name="seen" value="(\w+)"', page.body.decode()) or [f"{page.status}"]
    return visitor.submit(outbox, f"{outbox}send/", seen=mark)


@cache
def hands_of_game(number: int, length: int) -> tuple[HandFields, ...]:
    """So many hands of one game, one after another, as a phone sends them."""
    reports = deal_reports(Dealer(number % SCRIPTS), rule_set("bmja"), length)
    return tuple({"number": n, **api_fields(report)} for n, report in enumerate(reports, start=1))


KEPT_STATUSES = (200, 201)
RETRY_STATUSES = (0, 429, 500, 502, 503, 504)
SECONDS_TO_TRY = 180.0
LONGEST_PAUSE = 2.0


@dataclass
class Answers:
    """The answers to the phones; ``hand_numbers`` has the number of the hand by its submission id.

    ``moments`` has each answer's status with its time, on the clock that only goes forward.
    """

    hand_numbers: dict[str, int] = field(default_factory=dict)
    answers: Counter[int] = field(default_factory=Counter)
    moments: list[tuple[float, int]] = field(default_factory=list)
    sentences: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    given_up: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def note(self, mark: str, number: int, answer: Answer, seconds: float) -> None:
        """One answer to one hand, by its submission id."""
        with self._lock:
            self.answers[answer.status] += 1
            self.moments.append((time.monotonic(), answer.status))
            self.slowest = max(self.slowest, seconds)
            if answer.status in KEPT_STATUSES:
                self.hand_numbers[mark] = number
            elif "json" in answer.header("content-type"):
                self.sentences.update(item["message"] for item in answer.json["problems"])

    def give_up(self, reason: str) -> None:
        """A hand that was not taken in the end."""
        with self._lock:
            self.given_up.append(reason)

    def add(self, other_answers: "Answers") -> None:
        self.hand_numbers |= other_answers.hand_numbers
        self.answers += other_answers.answers
        self.moments += other_answers.moments
        self.sentences += other_answers.sentences
        self.slowest = max(self.slowest, other_answers.slowest)
        self.given_up += other_answers.given_up

    @property
    def statuses(self) -> str:
        """``201: 4,990, 502: 3, no answer: 12``."""
        answers = sorted(self.answers.items(), reverse=True)
        return ", ".join(f"{status or 'no answer'}: {count:,}" for status, count in answers)


def game_of(client: Client, key: str) -> int:
    """The game that a table's printed link opens."""
    answer = client.get("/api/v1/link/", Authorization=f"Link {key}")
    return int(json.loads(answer.body)["game"]["id"])


def send_hands(
    place: Target,
    keys: Sequence[str],
    *,
    submissions: int,
    phones: int,
    hands_before: int = 0,
    pace: float = 0,
) -> Answers:
    """So many hands over all tables, by so many phones at once, each with its own tables.

    ``hands_before``: the hands that every table has entered before. ``pace``: the seconds that a
    phone lets pass between two hands.
    """
    phone_answers = Answers()
    numbers = range(hands_before, hands_before + -(-submissions // len(keys)))

    def play(phone: int) -> None:
        client, share = Client(place), keys[phone::phones]
        scripts = {key: hands_of_game(sum(key.encode()), numbers.stop) for key in share}
        games = {key: game_of(client, key) for key in share}
        for number, key in product(numbers, share):
            mark = str(uuid4())
            fields = {**scripts[key][number], "submission_id": mark}
            url = f"/api/v1/games/{games[key]}/hands/"
            ask = partial(client.post_json, url, fields, Authorization=f"Link {key}")
            send_until_kept(ask, phone_answers, mark=mark, number=number + 1)
            time.sleep(random.uniform(0, 2 * pace))

    threads = [Thread(target=play, args=(phone,), daemon=True) for phone in range(phones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return phone_answers


def send_until_kept(
    ask: Callable[[], Answer], phone_answers: Answers, *, mark: str, number: int
) -> Answer:
    """Send something, the same again while nobody says what became of it."""
    start, pause = time.monotonic(), 0.1
    while True:
        sent_at = time.monotonic()
        answer = ask()
        phone_answers.note(mark, number, answer, time.monotonic() - sent_at)
        if answer.status not in RETRY_STATUSES or time.monotonic() - start > SECONDS_TO_TRY:
            break
        time.sleep(random.uniform(pause / 2, pause))
        pause = min(2 * pause, LONGEST_PAUSE)
    if answer.status not in KEPT_STATUSES:
        phone_answers.give_up(f"{mark}, number {number}: {answer.status} {answer.body[:300]!r}")
    return answer


def check_everything(stack: Installation, phone_answers: Answers) -> Iterator[CheckResult]:
    """Every acknowledged hand once and no other, and three ways of counting again."""
    connection.close()
    yield CheckResult(
        not phone_answers.given_up,
        f"answers: {phone_answers.statuses}; slowest {phone_answers.slowest:.1f} s",
    )
    yield from (
        CheckResult(holds=False, text=f"not taken: {reason}")
        for reason in phone_answers.given_up[:3]
    )
    hands = stored_hands()
    stored_numbers = dict(hands)
    lost_keys = phone_answers.hand_numbers.keys() - stored_numbers.keys()
    moved_keys = [
        key
        for key in phone_answers.hand_numbers.keys() & stored_numbers.keys()
        if phone_answers.hand_numbers[key] != stored_numbers[key]
    ]
    extra_count = len(hands) - len(phone_answers.hand_numbers)
    counts = f"{len(lost_keys)} lost, {len(moved_keys)} out of place, {extra_count} beside them"
    yield CheckResult(
        not (lost_keys or moved_keys or extra_count),
        f"{len(phone_answers.hand_numbers):,} hands acknowledged: {counts}",
    )
    yield check_totals()
    yield from check_commands(stack)


def stored_hands() -> list[tuple[str, int]]:
    """Submission id and number of every hand in the score book."""
    hands = Hand.objects.values_list("submission_id", "number")
    return [(str(key), number) for key, number in hands]


def check_stored_count(sent_count: int) -> CheckResult:
    """Whether the book has as many hands as were sent."""
    stored_count = Hand.objects.count()
    summary = f"in the book: {stored_count:,} of {sent_count:,} hands"
    return CheckResult(stored_count == sent_count, summary)


def check_totals() -> CheckResult:
    """Every seat's total against its entries in the ledger."""
    in_ledger = Coalesce(Sum("ledger__points"), 0)
    seats = Seat.objects.annotate(total=in_ledger).values_list("points", "total")
    wrong = sum(points != total for points, total in seats)
    return CheckResult(
        wrong == 0, f"{len(seats):,} seats' totals against the ledger: {wrong} differ"
    )


def check_commands(stack: Installation) -> Iterator[CheckResult]:
    """What the program's own commands find."""
    for command in ("recount", "verify"):
        last = stack.manage(command, check=False).strip().splitlines()[-1]
        good = ", 0 differences" in last or "nothing was changed" in last
        yield CheckResult(good, f"{command}: {last}")
