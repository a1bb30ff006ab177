"""Pages of a great tournament and of a long season, as their address answers."""

import gc
import time
from collections.abc import Callable
from statistics import median

from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.book import play as play_rounds
from benchmarks.book import play_again, tournament
from benchmarks.links import seal_anew
from benchmarks.played import play_all
from clubs.core.versioned_cache import forget
from clubs.models import Club, Membership, Player, Role, Season, User
from config import gunicorn
from tournaments.models import Table, Tournament
from tournaments.seating.services import seating

OK, TIMES = 200, 9
Get = Callable[[], HttpResponse]


def play() -> None:
    """The club with its season, the great cup, a player who signs in."""
    call_command("migrate", verbosity=0)
    club = Club.objects.create(name="Riverside", slug="riverside", rates=True)
    play_all(club)
    cup = tournament(club, 256, 12, name="Great cup")
    seating.seat_rounds(tournament=cup)
    play_rounds(cup, tiles=True)
    play_again(cup, 16)
    user = User.objects.create_user("player@example.org", "east wind prevails", name="Player")
    Membership.objects.create(club=club, user=user, role=Role.PLAYER, player=club.players.all()[0])


def sealed_anew() -> Tournament:
    """The great cup, its links sealed with the secret of this run: others are taken for forged."""
    cup = Tournament.objects.select_related("club").get(name="Great cup")
    seal_anew([cup], "wall_key")
    seal_anew(Table.objects.filter(round__tournament=cup))
    return cup


def measure() -> None:
    """A line for every page: nothing kept, and all kept; litter is swept as in a web process."""
    gc.freeze()
    gc.set_threshold(*gunicorn.LITTER)
    print(
        "| page | statements | kB | cold, processor | cold, clock | warm, processor | warm, clock |"
    )
    wanted = pages()
    with connection.cursor() as database:
        database.execute("VACUUM ANALYZE")  # as autovacuum does where people play
    for name, address, is_member in wanted:
        client = Client(SERVER_NAME="localhost")
        if is_member:
            user = User.objects.get(email="player@example.org")
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        _measure(name, lambda client=client, address=address: client.get(address))  # type: ignore[misc]


def pages() -> list[tuple[str, str, bool]]:
    """Name, address and whether a member looks."""
    cup = sealed_anew()
    club, season = cup.club, Season.objects.get()
    player: Player = club.players.all()[0]
    table, entrant = Table.objects.filter(round__tournament=cup)[0], cup.entrants.all()[0]
    here, key = [club.slug, cup.pk], [cup.wall_key]
    return [
        ("standings of 256", reverse("standings", args=here), True),
        ("their table again", f"{reverse('standings', args=here)}?v=0", True),
        (
            "the same on a table's phone",
            reverse("round-table-standings", args=[table.link_key]),
            False,
        ),
        ("one entrant's page", f"{reverse('find-me', args=key)}?me={entrant.pk}", False),
        ("the wall", reverse("tournament-wall", args=key), False),
        ("league table, 40 x 40", reverse("season", args=[club.slug, season.pk]), True),
        ("player's page, 40 x 40", reverse("player", args=[club.slug, player.pk]), True),
        ("special hands", reverse("special-hands", args=[club.slug]), True),
        ("members", reverse("members", args=[club.slug]), True),
        ("an evening", reverse("evening", args=[club.slug, club.sessions.all()[0].pk]), True),
    ]


def _measure(name: str, get: Get) -> None:
    get()
    cold = [_once(get, is_cold=True) for _ in range(TIMES)]
    warm = [_once(get) for _ in range(TIMES)]
    statements, size = cold[0][2:]
    figures = [median(item[at] for item in rows) for rows in (cold, warm) for at in (0, 1)]
    text = " | ".join(f"{figure:,.0f} ms" for figure in figures)
    print(f"| {name} | {statements}, {warm[0][2]} | {size / 1000:,.0f} | {text} |", flush=True)


def _once(get: Get, *, is_cold: bool = False) -> tuple[float, float, int, int]:
    """Processor and clock in milliseconds, statements and bytes of one answer."""
    if is_cold:
        forget()
    worked, begun = time.process_time(), time.perf_counter()
    with CaptureQueriesContext(connection) as queries:
        answer = get()
    taken = 1000 * (time.process_time() - worked), 1000 * (time.perf_counter() - begun)
    if answer.status_code != OK:
        raise SystemExit(f"{answer.status_code} instead of the page.")
    return *taken, len(queries), len(answer.content)
