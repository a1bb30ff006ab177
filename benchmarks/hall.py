"""What a tournament of 400 costs its director, in seconds: `python -m benchmarks.hall`.

Its pages and printouts, asked for as a director does, in a database of its own: on the server in
``DATABASE_URL`` or in SQLite, where the process does the database's work too. The first round is
being played, with four hands at every table.
"""

import argparse
import gc
import os
import time
from collections.abc import Callable, Iterator
from itertools import count, repeat as forever
from statistics import median
from typing import Any, Final
from urllib.parse import urlencode

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
django.setup()

from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.evenings.practice_play import Dealer
from clubs.models import Club, Membership, Role, User
from clubs.tenancy import across_clubs
from config import serving
from scoring.scorebook.models import Recording
from tournaments.models import Tournament
from tournaments.sample import SIGN_IN_WORDS, play_round
from tournaments.setup.services import make_tournament

FIRST: Final = (
    "Ann Bronagh Callum Doreen Efua Frances Gwilym Harpreet Iris Joan Kenneth Llinos Maureen Nuala "
    "Oluwaseun Patricia René Siân Tom Yasmin"
).split()
LAST: Final = (
    "Adeyemi,Barraclough,Chaudhuri,Duquesne,Fairweather,Gill,Hargreaves,Łukasiewicz,MacAskill,"
    "Mensah,Ní Bhriain,Ogilvie,O’Rourke,Pemberton-Hale,Postlethwaite,Qureshi,Rhys,Stubbs,Thackeray,"
    "Whitcombe"
).split(",")
ROUNDS, HANDS, PLAYED, TIMES = 8, 16, 4, 3
DIRECTOR = "director@example.org"
Call = Callable[[], Any]


def names_of(players: int) -> list[str]:
    """So many different names, the first names changing fastest."""
    pairs = (f"{first} {last}" for last in LAST for first in FIRST)
    return [name for name, _ in zip(pairs, range(players), strict=False)]


class Hall:
    """A club with a director who is signed in, and the tournaments that are made in it."""

    def __init__(self) -> None:
        self.club = Club.objects.create(name="Riverside Mah-Jong Club", slug="riverside")
        user = User.objects.create_user(DIRECTOR, SIGN_IN_WORDS, name="Dilip Chaudhuri")
        Membership.objects.create(club=self.club, user=user, role=Role.DIRECTOR)
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        self.day = 0

    def cup(self, name: str, **settings: Any) -> Tournament:
        """A new tournament without entries."""
        fields = {"rounds": ROUNDS, "hands_a_round": HANDS, "held_on": "2026-01-06", **settings}
        return make_tournament(club=self.club, name=name, **fields)

    def get(self, page: str, cup: Tournament, **query: Any) -> Any:
        address = reverse(page, args=[self.club.slug, cup.pk])
        return self.client.get(f"{address}?{urlencode(query)}")

    def post(self, page: str, cup: Tournament, **fields: Any) -> Any:
        return self.client.post(reverse(page, args=[self.club.slug, cup.pk]), fields)


def measured(call: Call) -> tuple[float, float, int, int]:
    """Processor and clock in seconds, statements and bytes of one answer."""
    gc.collect()
    queries = count()
    with connection.execute_wrapper(lambda execute, *rest: next(queries) < 0 or execute(*rest)):
        worked, begun = time.process_time(), time.perf_counter()
        answer = call()
        taken = time.process_time() - worked, time.perf_counter() - begun
    if answer.status_code not in {200, 302}:
        raise SystemExit(f"{answer.status_code} instead of the page: {answer.content[:2000]!r}")
    return *taken, next(queries), len(answer.content)


def show(what: str, call: Call, times: int = 1) -> None:
    """A line of the table: the medians of so many calls."""
    rows = [measured(call) for _ in range(times)]
    processor, clock = (median(row[at] for row in rows) for at in (0, 1))
    print(
        f"| {what} | {processor:.2f} s | {clock:.2f} s | {rows[-1][2]:,} | {rows[-1][3] / 1000:,.0f} |",
        flush=True,
    )


def steps(hall: Hall, players: int) -> Iterator[tuple[str, Call, int]]:
    """What a director does, in order."""
    names, cup = names_of(players), hall.cup("Spring cup")
    listed = "name,club\n" + "\n".join(f"{name},Hill Top Tiles" for name in names)
    other = hall.cup("Autumn cup", rounds=2, by_standing_from=2)
    yield (
        "enter, by name",
        lambda: hall.post("entrants", cup, way="names", names="\n".join(names)),
        1,
    )
    yield "import, check", lambda: hall.post("entrants-import", other, text=listed), 1
    yield (
        "import, enter",
        lambda: hall.post("entrants-import", other, text=listed, enter="yes"),
        1,
    )
    yield "entry list", lambda: hall.get("entrants", cup), TIMES
    yield f"seat {ROUNDS} rounds", lambda: hall.post("tournament-seat", cup), 1
    hall.post("tournament-seat", other)
    dealer = Dealer(1368)
    play_round(cup, dealer, forever(PLAYED), way=Recording.TOTALS)
    yield "desk", lambda: hall.get("tournament", cup), TIMES
    for kind in ("seating-cards", "sheets", "emergency", "cards"):
        page = f"tournament-{kind}-pdf"
        yield f"{kind} of a round", lambda page=page: hall.get(page, cup, round=1), TIMES
    for kind in ("sheets", "emergency"):
        page = f"tournament-{kind}-pdf"
        yield f"{kind} of {ROUNDS} rounds", lambda page=page: hall.get(page, cup, round="all"), 1


def main() -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=400)
    options = parser.parse_args()
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    gc.freeze()
    gc.set_threshold(*serving.LITTER)
    try:
        print(f"On {connection.vendor}, {options.players} players.")
        print("| what | processor | clock | statements | kB |\n| --- | --- | --- | --- | --- |")
        for what, call, times in steps(Hall(), options.players):
            show(what, call, times)
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


if __name__ == "__main__":
    with across_clubs():
        main()
