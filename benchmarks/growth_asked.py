"""The pages of a club of 500 hands, and hands sent in at such clubs: asked for, or explained."""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.links import seal_anew
from clubs.models import Club, Session, SessionTable, User
from deploy.stack.asking import Answer, Client
from deploy.stack.stack import Stack
from tournaments.models import Table, Tournament

DEAREST = 3
OTHERS = slice(5, 10)  # of the small clubs: those in which hands are sent
SOUTH_WINS = {"winner": 2, "scores": {"1": 20, "2": 60, "3": 8, "4": 4}}


def measure(stack: Stack, *, times: int) -> dict[str, list[float]]:
    """Milliseconds of each of so many answers, by page; the first of each is not counted."""
    club, asking = measured_club(), Client(stack)
    asking.cookies[settings.SESSION_COOKIE_NAME] = _signed_in(secretary_of(club))
    result = {
        page: [_took(asking.ask, "GET", address) for _ in range(times + 1)][1:]
        for page, address in pages(club)
    }
    result["submit a hand"] = [_took(asking.post_json, key, fields) for key, fields in hands()][1:]
    return result


def explain() -> None:
    """The dearest statements of each page with their plans, as the database runs them."""
    club, client = measured_club(), Browser(SERVER_NAME="localhost")
    client.force_login(secretary_of(club), backend=settings.AUTHENTICATION_BACKENDS[0])
    for page, address in pages(club):
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        dearest = sorted(queries.captured_queries, key=lambda item: -float(item["time"]))[:DEAREST]
        print(f"== {page}: {len(queries)} statements")
        for item in dearest:
            print(f"-- {1000 * float(item['time']):.1f} ms: {item['sql'][:2000]}")
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {item['sql'].replace('%', '%%')}")
                print("\n".join(row[0] for row in cursor.fetchall()))


def seal_links() -> None:
    """The links of the clubs that are asked, sealed with the secret of this run."""
    clubs = [measured_club(), *small_clubs()[OTHERS]]
    seal_anew(SessionTable.objects.filter(session__club__in=clubs))
    seal_anew(Table.objects.filter(round__tournament__club__in=clubs))
    seal_anew(Session.objects.filter(club__in=clubs), "wall_key")
    seal_anew(Tournament.objects.filter(club__in=clubs), "wall_key")


def measured_club() -> Club:
    """A copy of the club of 500 hands; there are others of its kind before and behind it."""
    return small_clubs()[4]


def small_clubs() -> list[Club]:
    """The ten clubs that are the same in every database."""
    return list(Club.objects.filter(name__startswith="Club of 500 hands").order_by("pk"))


def secretary_of(club: Club) -> User:
    """Whoever may see all of its pages."""
    return User.objects.get(memberships__club=club, memberships__role="secretary")


def pages(club: Club) -> Iterator[tuple[str, str]]:
    """Pages and lists of the API, and where they are."""
    slug, cup = club.slug, club.tournaments.get()
    session, past = club.sessions.order_by("-held_on")[0], club.sessions.order_by("held_on")[0]
    season = club.leagues.get().seasons.get()
    player = club.players.order_by("pk")[3]
    here = [slug, cup.pk]
    yield "club", reverse("club", args=[slug])
    yield "evenings", reverse("evenings", args=[slug])
    yield "evening", reverse("evening", args=[slug, session.pk])
    yield "result", reverse("result", args=[slug, past.pk])
    yield "table", reverse("table", args=[session.tables.all()[0].link_key])
    yield "table's book", reverse("evening-table", args=[slug, session.pk, 1])
    yield "league table", reverse("season", args=[slug, season.pk])
    yield "player", reverse("player", args=[slug, player.pk])
    yield "members", reverse("members", args=[slug])
    yield "special hands", reverse("special-hands", args=[slug])
    yield "tournaments", reverse("tournaments", args=[slug])
    yield "desk", reverse("tournament", args=here)
    yield "standings", reverse("standings", args=here)
    yield "wall", reverse("wall", args=[session.wall_key])
    yield "tournament's wall", reverse("tournament-wall", args=[cup.wall_key])
    for name in ("api-players", "api-evenings", "api-seasons", "api-tournaments"):
        yield name, reverse(name, args=[slug])


def hands() -> Iterator[tuple[str, dict[str, Any]]]:
    """At most six more hands for each table that is not full, in totals, as a phone sends them."""
    clubs = small_clubs()[OTHERS]
    tables: list[SessionTable | Table] = [
        *SessionTable.objects.filter(session__club__in=clubs, session__state="playing"),
        *Table.objects.filter(round__tournament__club__in=clubs, round__state="playing"),
    ]
    for table in tables:
        api = "api-table" if isinstance(table, SessionTable) else "api-round-table"
        first = table.game.hands.filter(is_current=True).count() + 1
        most = min(table.game.hands_planned or first + 5, first + 5)
        for number in range(first, most + 1):
            fields = {"submission_id": str(uuid4()), "number": number, **SOUTH_WINS}
            yield reverse(api, args=[table.link_key]), fields


def _signed_in(user: User) -> str:
    """The key of a session in which that person has signed in."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def _took(ask: Callable[..., Answer], *rows: Any) -> float:
    """Milliseconds until the whole answer was there; anything but success ends it all."""
    begun = time.perf_counter()
    answer = ask(*rows)
    if answer.status not in {200, 201}:
        raise SystemExit(f"{rows}: {answer.status} {answer.body[:300]!r}")
    return 1000 * (time.perf_counter() - begun)
