"""Phones and programs that send the same thing at once, or again."""

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier, Thread

from clubs.accounts.services import make_token
from clubs.models import ApiToken, Club, KeptAnswer, Player, Scope
from deploy.faults import Line, Options
from deploy.faults.checks import counted_again
from deploy.faults.hall import Told, lay, script, submission_id
from deploy.faults.phones import Heard, until_kept
from deploy.faults.trouble import Trouble, kill_a_web
from deploy.stack import Stack
from deploy.stack.asking import Client
from scoring.scorebook.models import Hand

PHONES = 4
HANDS_A_TABLE = 100
GOOD = (200, 201)


def one_hand(stack: Stack, options: Options) -> Iterator[Line]:
    """Four phones tell the same hand at the same moment, again and again.

    Exactly one result stands, and each of the four is told that it is kept.
    """
    rounds = options.submissions // PHONES
    keys = lay(-(-rounds // HANDS_A_TABLE))
    phones = [Client(stack) for _ in range(PHONES)]
    answers: Counter[tuple[int, ...]] = Counter()
    with ThreadPoolExecutor(PHONES) as hall:
        for place in range(rounds):
            key, number = keys[place // HANDS_A_TABLE], place % HANDS_A_TABLE
            fields = script(0, HANDS_A_TABLE)[number]
            together = Barrier(PHONES)
            press = partial(_press, together, f"/api/v1/t/{key}/", fields)
            answers[tuple(sorted(hall.map(press, phones)))] += 1
    told_all = ", ".join(f"{statuses}: {count:,}" for statuses, count in answers.most_common())
    bad = sum(count for statuses, count in answers.items() if set(statuses) - set(GOOD))
    yield Line(bad == 0, f"what four phones were told at {rounds:,} hands: {told_all}")
    current = Hand.objects.filter(is_current=True).count()
    yield Line(current == rounds == Hand.objects.count(), f"{current:,} results stand")
    yield from counted_again(stack)


def _press(together: Barrier, path: str, fields: Told, phone: Client) -> int:
    sent = {**fields, "submission_id": submission_id(Random())}
    together.wait()
    return phone.post_json(path, sent).status


HEADER, REPLAYED = "Idempotency-Key", "idempotency-replayed"


class Program(Client):
    """Another program, which notes whether it was told what it had been told before."""

    replayed = 0

    def __init__(self, stack: Stack, club: Club, chance: random.Random) -> None:
        super().__init__(stack)
        (secretary,) = club.memberships.all()
        key = make_token(
            user=secretary.user, name="Another program", scopes=[Scope.PEOPLE], club=club
        ).key
        self.path = f"/api/v1/clubs/{club.slug}/players/"
        self.told = {"Authorization": f"Bearer {key}"}
        self.chance = chance

    def add(self, name: str, heard: Heard, number: int) -> None:
        """One member, asked for with the same key until somebody says that it is done."""
        headers = {**self.told, HEADER: f"{self.chance.getrandbits(128):032x}"}
        ask = partial(self.post_json, self.path, {"name": name}, **headers)
        answer = until_kept(ask, heard, mark=name, number=number)
        self.replayed += answer.header(REPLAYED) == "true"


def keys(stack: Stack, options: Options) -> Iterator[Line]:
    """Programs that add members with an ``Idempotency-Key`` while web processes are killed with -9.

    Whoever asks again with the key is told that it is done, and it is done once.
    """
    lay(1)
    club, heard = Club.objects.get(), Heard()
    programs = [Program(stack, club, random.Random(number)) for number in range(options.phones)]
    each = -(-options.submissions // options.phones)
    with Trouble(partial(kill_a_web, stack, random.Random()), seconds=(0.3, 1.0)) as trouble:
        _add_members(programs, each, heard)
    yield Line(bool(trouble.done), trouble.said)
    yield Line(not heard.given_up, f"answers: {heard.said}; slowest {heard.slowest:.1f} s")
    yield from (Line(holds=False, words=f"not taken: {words}") for words in heard.given_up[:3])
    yield _members(heard, sum(program.replayed for program in programs))


def _add_members(programs: list[Program], each: int, heard: Heard) -> None:
    def work(place: int, program: Program) -> None:
        for number in range(each):
            program.add(f"Member {place}-{number}", heard, number)

    beside = [Thread(target=work, args=program, daemon=True) for program in enumerate(programs)]
    for program in beside:
        program.start()
    for program in beside:
        program.join()


def _members(heard: Heard, replayed: int) -> Line:
    there = Counter(
        Player.objects.filter(name__startswith="Member ").values_list("name", flat=True)
    )
    lost = heard.kept.keys() - there.keys()
    more = there.total() - len(heard.kept)
    kept = KeptAnswer.objects.filter(status=201).count()
    words = (
        f"{len(heard.kept):,} members acknowledged, {replayed} of them when asked again: "
        f"{len(lost)} lost, {more} beside them; {kept:,} answers kept by "
        f"{ApiToken.objects.count()} keys"
    )
    return Line(not lost and not more and kept == there.total(), words)
