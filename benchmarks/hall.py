"""What a tournament of 400 costs its director: `python -m benchmarks.hall`.

Its pages and printouts in a database of their own: on the server in ``DATABASE_URL`` or in SQLite,
where the process does the database's work too. Round 1 is being played, with four hands a table.
"""

import argparse
import gc
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, repeat as forever
from statistics import median
from typing import Any
from urllib.parse import urlencode

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
django.setup()

from django.db import connection
from django.test import Client
from django.urls import reverse

from benchmarks import sample
from clubs.evenings.practice_play import Dealer
from clubs.house.services import run_job
from clubs.models import Job, User
from clubs.tenancy import across_clubs
from config import serving
from scoring.scorebook.models import Recording
from tournaments.models import Tournament
from tournaments.sample import play_round
from tournaments.seating.services import seating
from tournaments.steps import services as steps

OK, FOUND = 200, 302
ROUNDS, PLAYED_ROUNDS, TIMES = 8, 4, 3
MARK_PATTERN = re.compile(r'name="mark" value="(\w+)"')
TimedCall = Callable[[], Any]


class Director:
    """A browser of the director, in this process."""

    def __init__(self) -> None:
        self.club, self.client = sample.club_with_director(), Client(SERVER_NAME="localhost")
        user = User.objects.get()
        self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def get(self, page: str, cup: Tournament, **query: Any) -> Any:
        address = reverse(page, args=[self.club.slug, cup.pk])
        return self.client.get(f"{address}?{urlencode(query)}")

    def post(self, page: str, cup: Tournament, **fields: Any) -> Any:
        return self.client.post(reverse(page, args=[self.club.slug, cup.pk]), fields)

    def print(self, kind: str, cup: Tournament, **fields: Any) -> Any:
        """The printout; a long one is created by a job, which runs in this process here."""
        answer = self.get(f"tournament-{kind}-pdf", cup, **fields)
        if answer.status_code == FOUND:
            page = self.post("tournament-printing", cup, kind=kind, **fields).url
            run_job(Job.objects.latest("made_at").pk)
            answer = self.client.get(f"{page}file.pdf")
        return answer


def measure_call(call: TimedCall) -> tuple[float, float, int, int]:
    """Processor and clock in seconds, statements and bytes of one answer."""
    statements = count()

    def counting(execute: Callable[..., Any], *arguments: Any) -> Any:
        next(statements)
        return execute(*arguments)

    gc.collect()
    with connection.execute_wrapper(counting):
        processor_start, start = time.process_time(), time.perf_counter()
        answer = call()
        durations = time.process_time() - processor_start, time.perf_counter() - start
    if answer.status_code not in {OK, FOUND}:
        raise SystemExit(f"{answer.status_code} instead of the page: {answer.content[:2000]!r}")
    return *durations, next(statements), len(answer.content)


def print_row(label: str, call: TimedCall, times: int) -> None:
    """A line of the table: the medians of so many calls."""
    rows = [measure_call(call) for _ in range(times)]
    processor, clock = (median(row[column] for row in rows) for column in (0, 1))
    *_, statements, size = rows[-1]
    figures = f"{processor:.2f} s | {clock:.2f} s | {statements:,} | {size / 1000:,.0f}"
    print(f"| {label} | {figures} |", flush=True)


def tasks(director: Director, players: int) -> Iterator[tuple[str, TimedCall, int]]:
    """What a director does, in order: its words, the call, how often it is measured."""
    names = sample.names_of(players)
    cup, shield = (
        sample.cup_without_entries(director.club, f"{name} of {players}", ROUNDS, hands)
        for name, hands in (("Cup", 16), ("Shield", 1))
    )
    Tournament.objects.filter(pk=shield.pk).update(by_standing_from=2, bands=5)
    entry_data = {"way": "names", "names": "\n".join(names)}
    pasted_data = {"text": "\n".join(["name", *names]), "enter": "yes"}
    import_data = {"text": "name,club\n" + "".join(f"{name},Hill Top Tiles\n" for name in names)}
    yield "paste names: check", lambda: director.post("entrants", cup, **entry_data), 1
    yield "paste names: enter", lambda: director.post("entrants-import", cup, **pasted_data), 1
    yield "import: check", lambda: director.post("entrants-import", shield, **import_data), 1
    enter = {**import_data, "enter": "yes"}
    yield "import: enter", lambda: director.post("entrants-import", shield, **enter), 1
    yield "entry list", lambda: director.get("entrants", cup), TIMES
    yield f"seat {ROUNDS} rounds", lambda: director.post("tournament-seat", cup), 1
    seating.seat_rounds(tournament=Tournament.objects.get(pk=shield.pk))
    for tournament, hands in ((cup, PLAYED_ROUNDS), (shield, 1)):
        play_round(tournament, Dealer(tournament.pk), forever(hands), recording=Recording.TOTALS)
    steps.close_round(tournament=shield)
    yield "seat by standings: check", lambda: director.get("round-by-standing", shield), TIMES
    (mark,) = MARK_PATTERN.findall(director.get("round-by-standing", shield).content.decode())
    yield "seat by standings", lambda: director.post("round-by-standing", shield, mark=mark), 1
    yield "desk", lambda: director.get("tournament", cup), TIMES
    for kind in ("cards", "seating-cards", "sheets", "emergency"):
        yield f"{kind}, a round", partial(director.print, kind, cup, round=1), TIMES
    for kind in ("sheets", "emergency"):
        label = f"{kind}, {ROUNDS} rounds"
        yield label, partial(director.print, kind, cup, round="all"), 1


def print_tasks(players: int) -> None:
    """A line for each task, after a tournament of 8 to load what a process keeps."""
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        director = Director()
        for _, call, times in tasks(director, 8):
            for _ in range(times):
                call()
        gc.freeze()
        gc.set_threshold(*serving.GC_THRESHOLDS)
        print(f"On {connection.vendor}, {players} players.")
        print("| what | processor | clock | statements | kB |\n| --- | --- | --- | --- | --- |")
        for label, call, times in tasks(director, players):
            print_row(label, call, times)
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=400)
    print_tasks(parser.parse_args().players)


if __name__ == "__main__":
    with across_clubs():
        main()
