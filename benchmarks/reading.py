"""What the large pages cost to read, cold and warm: `python -m benchmarks.reading`.

On the PostgreSQL database in ``DATABASE_URL``. The first time it is made and played: 256 players x
12 rounds x 16 hands, and a season of 40 players x 40 evenings.
"""

import gc
import os
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
django.setup()

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks import sample
from clubs.core.versioned_cache import clear_caches
from clubs.models import Club, Membership, Role, Season, User
from clubs.tenancy import across_clubs
from config import serving
from tournaments.models import Table, Tournament
from tournaments.sample import SIGN_IN_WORDS

OK, TIMES = 200, 9
PLAYER = "player@example.org"
GetPage = Callable[[], Any]


def create_database() -> bool:
    """Whether the database of ``DATABASE_URL`` was not there yet; it is now."""
    server, _, name = os.environ["DATABASE_URL"].rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as server_connection:
        cursor = server_connection.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        is_new = cursor.fetchone() is None
        if is_new:
            server_connection.execute(f'CREATE DATABASE "{name}"')
    if is_new:
        call_command("migrate", verbosity=0)
    return is_new


def fill_database() -> None:
    """The club with its season, the great cup, a player who signs in."""
    club = Club.objects.create(name="Riverside", slug="riverside", rates=True)
    sample.season_of_forty(club)
    sample.great_cup(club, hands=16)
    user = User.objects.create_user(PLAYER, SIGN_IN_WORDS, name="Player")
    Membership.objects.create(club=club, user=user, role=Role.PLAYER, player=club.players.all()[0])


def reseal_cup() -> Tournament:
    """The great cup, its links sealed with the secret of this run: others are taken for forged."""
    cup = Tournament.objects.select_related("club").get(name="Great cup")
    sample.seal_anew([cup], "wall_key")
    sample.seal_anew(Table.objects.filter(round__tournament=cup))
    return cup


def pages() -> list[tuple[str, str, bool]]:
    """Name, address and whether a member looks."""
    cup = reseal_cup()
    club, slug, url_args = cup.club, cup.club.slug, [cup.club.slug, cup.pk]
    table, entrant = Table.objects.filter(round__tournament=cup)[0], cup.entrants.all()[0]
    phone = reverse("round-table-standings", args=[table.link_key])
    own_page = f"{reverse('find-me', args=[cup.wall_key])}?me={entrant.pk}"
    player, evening = club.players.all()[0].pk, club.sessions.all()[0].pk
    return [
        ("standings of 256", reverse("standings", args=url_args), True),
        ("their table again", f"{reverse('standings', args=url_args)}?v=0", True),
        ("the same on a table's phone", phone, False),
        ("one entrant's page", own_page, False),
        ("the wall", reverse("tournament-wall", args=[cup.wall_key]), False),
        ("league table, 40 x 40", reverse("season", args=[slug, Season.objects.get().pk]), True),
        ("player's page, 40 x 40", reverse("player", args=[slug, player]), True),
        ("special hands", reverse("special-hands", args=[slug]), True),
        ("members", reverse("members", args=[slug]), True),
        ("an evening", reverse("evening", args=[slug, evening]), True),
    ]


def measure_page(get: GetPage, *, is_cold: bool = False) -> tuple[float, float, int, int]:
    """Processor and clock in milliseconds, statements and bytes of one answer."""
    if is_cold:
        clear_caches()
    processor_start, start = time.process_time(), time.perf_counter()
    with CaptureQueriesContext(connection) as queries:
        answer = get()
    durations = 1000 * (time.process_time() - processor_start), 1000 * (time.perf_counter() - start)
    if answer.status_code != OK:
        raise SystemExit(f"{answer.status_code} instead of the page.")
    return *durations, len(queries), len(answer.content)


def main() -> None:
    """A line for every page: nothing cached, and all cached; litter as in a web process."""
    if create_database():
        fill_database()
    gc.freeze()
    gc.set_threshold(*serving.GC_THRESHOLDS)
    heads = "cold, processor | cold, clock | warm, processor | warm, clock"
    print(f"| page | statements | kB | {heads} |")
    addresses = pages()
    with connection.cursor() as database:
        database.execute("VACUUM ANALYZE")  # as autovacuum does where people play
    for name, address, is_member in addresses:
        client = Client(SERVER_NAME="localhost")
        if is_member:
            user = User.objects.get(email=PLAYER)
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        get: GetPage = partial(client.get, address)
        get()
        cold = [measure_page(get, is_cold=True) for _ in range(TIMES)]
        warm = [measure_page(get) for _ in range(TIMES)]
        statements, size = cold[0][2:]
        figures = [
            median(row[column] for row in rows) for rows in (cold, warm) for column in (0, 1)
        ]
        text = " | ".join(f"{figure:,.0f} ms" for figure in figures)
        print(f"| {name} | {statements}, {warm[0][2]} | {size / 1000:,.0f} | {text} |", flush=True)


if __name__ == "__main__":
    with across_clubs():
        main()
