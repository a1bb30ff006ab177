"""A small installation beside a large one: `python -m benchmarks.growth --small DB --large DB`.

Both were made by `benchmarks.grow`: each has clubs of 500 hands that are the same, and their pages
and submissions are asked for over HTTP, by turns. Without ``--small`` and ``--large`` the database
in ``DATABASE_URL`` is asked alone: what it took is printed as JSON, or with ``--explain`` its
dearest statements with their plans.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
django.setup()

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.grow import SMALL_HANDS
from benchmarks.sample import seal_anew
from clubs.models import Club, Session, SessionTable, User
from clubs.tenancy import across_clubs
from deploy.stack import Answer, Client, Stack
from tournaments.models import Table, Tournament

SERVER = "postgres://postgres@127.0.0.1:5432"
SLOWEST_COUNT = 3
SENDING_CLUBS = slice(5, 10)  # of the small clubs: those in which hands are sent
SOUTH_WINS = {"winner": 2, "scores": {"1": 20, "2": 60, "3": 8, "4": 4}}
Times = dict[str, list[float]]  # by page, in milliseconds


def small_clubs() -> list[Club]:
    """The ten clubs that are the same in every database; the fifth is the one that is read."""
    name = f"Club of {SMALL_HANDS} hands"
    return list(Club.objects.filter(name__startswith=name).order_by("pk"))


def seal_links() -> None:
    """Seal the links of the measured clubs with the secret of this run."""
    clubs = small_clubs()[4:]
    seal_anew(SessionTable.objects.filter(session__club__in=clubs))
    seal_anew(Table.objects.filter(round__tournament__club__in=clubs))
    seal_anew(Session.objects.filter(club__in=clubs), "wall_key")
    seal_anew(Tournament.objects.filter(club__in=clubs), "wall_key")


def pages(club: Club) -> Iterator[tuple[str, str]]:
    """Pages and lists of the API, and where they are."""
    slug, cup = club.slug, club.tournaments.get()
    session = club.sessions.order_by("-held_on")[0]
    past_session = club.sessions.order_by("held_on")[0]
    of_club, of_cup, of_session = [slug], [slug, cup.pk], [slug, session.pk]
    addresses: list[tuple[str, str, list[Any]]] = [
        ("club", "club", of_club),
        ("evenings", "evenings", of_club),
        ("evening", "evening", of_session),
        ("result", "result", [slug, past_session.pk]),
        ("table", "table", [session.tables.all()[0].link_key]),
        ("table's book", "evening-table", [*of_session, 1]),
        ("league table", "season", [slug, club.leagues.get().seasons.get().pk]),
        ("player", "player", [slug, club.players.order_by("pk")[3].pk]),
        ("members", "members", of_club),
        ("special hands", "special-hands", of_club),
        ("tournaments", "tournaments", of_club),
        ("desk", "tournament", of_cup),
        ("standings", "standings", of_cup),
        ("wall", "wall", [session.wall_key]),
        ("tournament's wall", "tournament-wall", [cup.wall_key]),
    ]
    for page, name, args in addresses:
        yield page, reverse(name, args=args)
    for name in ("api-player-list", "api-evening-list", "api-season-list", "api-tournament-list"):
        yield name, reverse(name, args=of_club)


def hands_to_send() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """At most six more hands for each table that is not full, in totals, as a phone sends them."""
    clubs = small_clubs()[SENDING_CLUBS]
    tables: list[SessionTable | Table] = [
        *SessionTable.objects.filter(session__club__in=clubs, session__state="playing"),
        *Table.objects.filter(round__tournament__club__in=clubs, round__state="playing"),
    ]
    for table in tables:
        first = table.game.hands.filter(is_current=True).count() + 1
        most = min(table.game.hands_planned or first + 5, first + 5)
        for number in range(first, most + 1):
            fields = {"submission_id": str(uuid4()), "number": number, **SOUTH_WINS}
            yield reverse("api-game-hands", args=[table.game_id]), table.link_key, fields


def milliseconds(ask: Callable[..., Answer], *rows: Any) -> float:
    """Until the whole answer was there; anything but success ends it all."""
    start = time.perf_counter()
    answer = ask(*rows)
    if answer.status not in {200, 201}:
        raise SystemExit(f"{rows}: {answer.status} {answer.body[:300]!r}")
    return 1000 * (time.perf_counter() - start)


def measure(times: int) -> Times:
    """So many answers of each page, and hands sent; the first of each is not counted."""
    stack_settings = {"DATABASE_URL": os.environ["DATABASE_URL"], "SECRET_KEY": settings.SECRET_KEY}
    with Stack(settings=stack_settings) as stack:
        club, asking = small_clubs()[4], Client(stack)
        user = User.objects.get(memberships__club=club, memberships__role="secretary")
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        asking.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
        durations = {
            page: [milliseconds(asking.ask, "GET", address) for _ in range(times + 1)][1:]
            for page, address in pages(club)
        }
        hand_durations = [
            milliseconds(partial(asking.post_json, Authorization=f"Link {key}"), address, fields)
            for address, key, fields in hands_to_send()
        ]
        return durations | {"submit a hand": hand_durations[1:]}


def explain() -> None:
    """The dearest statements of each page with their plans, as the database runs them."""
    club, client = small_clubs()[4], Browser(SERVER_NAME="localhost")
    user = User.objects.get(memberships__club=club, memberships__role="secretary")
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    for page, address in pages(club):
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        dearest = sorted(queries.captured_queries, key=lambda item: -float(item["time"]))[
            :SLOWEST_COUNT
        ]
        print(f"== {page}: {len(queries)} statements")
        for item in dearest:
            print(f"-- {1000 * float(item['time']):.1f} ms: {item['sql'][:2000]}")
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {item['sql'].replace('%', '%%')}")
                print("\n".join(row[0] for row in cursor.fetchall()))


def measure_by_turns(options: argparse.Namespace) -> list[Times]:
    """What each of the two took, measured by turns because the machine's load changes."""
    database_times: list[Times] = [defaultdict(list), defaultdict(list)]
    command = [sys.executable, "-m", "benchmarks.growth", "--times", str(options.times)]
    for _ in range(options.turns):
        for times, database in zip(database_times, (options.small, options.large), strict=True):
            environment = os.environ | {"DATABASE_URL": f"{options.server}/{database}"}
            result = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)  # noqa: S603
            for page, durations in json.loads(result.stdout).items():
                times[page] += durations
    return database_times


def compare(small: Times, large: Times) -> None:
    """A line for each page: median and 95 in 100 of both, and how many times as long."""
    print("| page | small: median, 95 in 100 | large: median, 95 in 100 | times |")
    for page in small:
        sorted_times = (sorted(small[page]), sorted(large[page]))
        figures = [
            (times[len(times) // 2], times[int(0.95 * len(times))]) for times in sorted_times
        ]
        text = " | ".join(f"{middle:,.0f}, {percentile:,.0f} ms" for middle, percentile in figures)
        print(f"| {page} | {text} | {figures[1][0] / figures[0][0]:.2f} |")


def main() -> None:
    """Ask both, one process each, and lay the answers side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small")
    parser.add_argument("--large")
    parser.add_argument("--server", default=SERVER)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--times", type=int, default=40, help="a page in each turn")
    parser.add_argument("--explain", action="store_true")
    options = parser.parse_args()
    if options.small:
        compare(*measure_by_turns(options))
        return
    seal_links()
    if options.explain:
        explain()
    else:
        print(json.dumps(measure(options.times)))


if __name__ == "__main__":
    with across_clubs():
        main()
