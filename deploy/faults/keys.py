"""Programs that add members with an ``Idempotency-Key`` while web processes are killed with -9."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from threading import Thread

from clubs.accounts.services import make_token
from clubs.models import ApiToken, Club, KeptAnswer, Player, Scope
from deploy.faults.asked import Asked, Line
from deploy.faults.hall import lay
from deploy.faults.phones import Heard, until_kept
from deploy.faults.trouble import Trouble, kill_a_web
from deploy.stack import Stack
from deploy.stack.asking import Client

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


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Whoever asks again with the key is told that it is done, and it is done once."""
    lay(1)
    club, heard = Club.objects.get(), Heard()
    programs = [Program(stack, club, random.Random(number)) for number in range(asked.phones)]
    each = -(-asked.submissions // asked.phones)
    with Trouble(partial(kill_a_web, stack, random.Random()), seconds=(0.3, 1.0)) as trouble:
        _add(programs, each, heard)
    yield Line(bool(trouble.done), trouble.said)
    yield Line(not heard.given_up, f"answers: {heard.said}; slowest {heard.slowest:.1f} s")
    yield from (Line(holds=False, words=f"not taken: {words}") for words in heard.given_up[:3])
    yield _members(heard, sum(one.replayed for one in programs))


def _add(programs: list[Program], each: int, heard: Heard) -> None:
    def work(place: int, program: Program) -> None:
        for number in range(each):
            program.add(f"Member {place}-{number}", heard, number)

    beside = [Thread(target=work, args=one, daemon=True) for one in enumerate(programs)]
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
