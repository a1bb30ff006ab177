"""The same requests answered in each way by turns, in a database of its own, and their cost."""

import io
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

from django.core.handlers.wsgi import WSGIHandler
from django.db import connection

from benchmarks.load.hall import HANDS, lay, requests_of
from benchmarks.plain_ways import AS_IT_IS, POLLING, SAVING, WRITING_DOWN, in_force, install
from clubs.accounts.selectors import digest_of
from clubs.models import ApiToken, Club, Membership, Role, Scope, SessionTable, User
from tournaments.models import Tournament

TABLES = 16
POLLS = 400  # in each way
WARM_UP = 20  # polls in each way that are not counted
KEY = "tbx_" + "0" * 32
Environ = dict[str, Any]
Ways = Mapping[str, set[str]]


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of each request: this process, PostgreSQL's process for it, the clock."""

    web: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    @property
    def processor(self) -> float:
        """The median of both processes together."""
        return median(map(sum, zip(self.web, self.server, strict=True)))


class Installation:
    """Answers as behind a WSGI server, over one connection to the database."""

    def __init__(self) -> None:
        connection.close()
        connection.settings_dict["CONN_MAX_AGE"] = None
        self._handler, self._backend = WSGIHandler(), _backend()

    def answer(self, environ: Environ, status: int, cost: Cost) -> None:
        """Answer with this status, and add what it cost; an error if the status is another."""
        statuses: list[str] = []
        server, web, clock = self._server(), time.process_time(), time.perf_counter()
        answer: Any = self._handler(environ, lambda line, *_: statuses.append(line))  # type: ignore[arg-type]
        body = b"".join(answer)
        answer.close()
        clock, web = time.perf_counter() - clock, time.process_time() - web
        if not statuses[0].startswith(str(status)):
            raise RuntimeError(f"{statuses[0]}: {body[:500]!r}")
        cost.web.append(1000 * web)
        cost.clock.append(1000 * clock)
        cost.server.append(self._server() - server)

    def _server(self) -> float:
        if self._backend is None:
            return 0.0
        return int(self._backend.read_text().split()[0]) / 1_000_000


def _backend() -> Path | None:
    """Where Linux tells how long PostgreSQL's process for our connection has run."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return Path(f"/proc/{cursor.fetchone()[0]}/schedstat")


def measure(games: int) -> None:
    """Print a table for each kind of request."""
    install()
    house = Installation()
    print(f"On {connection.vendor}:")
    show("save a hand by a table’s link", by_link(house, games))
    show("save a hand by an API key", by_key(house, games))
    show("ask for news where there is none", polls(house))


def by_link(house: Installation, games: int) -> dict[str, Cost]:
    """A hand in totals, as a phone's page sends it."""
    places = lay(TABLES, clubs=1, hands=TABLES * HANDS * games, event="evening")
    sent = [map(environ_of, table) for table in requests_of(places, by="phone")]
    return played(house, games, SAVING, sent)


def by_key(house: Installation, games: int) -> dict[str, Cost]:
    """A hand in tiles, as an organiser's program sends it: the audit log notes it."""
    _make_room()
    places = lay(TABLES, clubs=1, hands=TABLES * HANDS * games, event="evening")
    user = User.objects.create(email="alice@example.org", name="Alice")
    Membership.objects.create(club=Club.objects.get(slug="club-0"), user=user, role=Role.SECRETARY)
    ApiToken.objects.create(user=user, name="Mine", digest=digest_of(KEY), scopes=Scope.values)
    sent = [map(_to_the_desk, table) for table in requests_of(places, by="api")]
    return played(house, games, WRITING_DOWN, sent)


def _make_room() -> None:
    """The next club that is laid has the name of the last."""
    last = Club.objects.get(slug="club-0")
    Club.objects.filter(pk=last.pk).update(name=f"Earlier {last.pk}", slug=f"earlier-{last.pk}")


def _to_the_desk(request: bytes) -> Environ:
    """The same hand, sent to the organisers' address of its table."""
    sent = environ_of(request)
    hand = json.loads(sent["wsgi.input"].read()) | {"submission_id": str(uuid4())}
    table = SessionTable.objects.get(link_key=sent["PATH_INFO"].split("/")[-2])
    path = f"/api/v1/clubs/club-0/evenings/{table.session_id}/tables/{table.number}/"
    key = {"HTTP_AUTHORIZATION": f"Bearer {KEY}"}
    return environ("POST", path, json.dumps(hand).encode(), "application/json") | key


def played(
    house: Installation, games: int, ways: Ways, sent: Sequence[Iterator[Environ]]
) -> dict[str, Cost]:
    """Hand after hand at every table, each in the next way; the first hands are not counted."""
    names, costs = list(ways), {name: Cost() for name in ways}
    for number in range(games * HANDS):
        for at, table in enumerate(sent):
            name, request = names[(number + at) % len(names)], next(table)
            in_force.update(ways[name])
            house.answer(request, 201, costs[name] if number else Cost())
            in_force.clear()
    return costs


def polls(house: Installation) -> dict[str, Cost]:
    """What a phone at a tournament asks every three seconds; each way comes after each other."""
    _make_room()
    (place,) = lay(1, clubs=1, hands=1, event="tournament")
    query = f"v={Tournament.objects.get(name='Cup 0').version}"
    costs = {name: Cost() for name in POLLING}
    for number in range(WARM_UP + POLLS):
        names = list(POLLING)[:: 1 if number % 2 else -1]
        turn = number // 2 % len(names)
        for name in names[turn:] + names[:turn]:
            request = environ("GET", f"/{place.links[0]}standings/", b"", "") | {
                "QUERY_STRING": query
            }
            in_force.update(POLLING[name])
            house.answer(request, 204, costs[name] if number >= WARM_UP else Cost())
            in_force.clear()
    return costs


def environ_of(request: bytes) -> Environ:
    """A request of ``benchmarks.load`` as a WSGI server hands it over."""
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, _ = first.split(" ")
    return environ(method, path, body, dict(line.split(": ") for line in lines)["Content-Type"])


def environ(method: str, path: str, body: bytes, kind: str) -> Environ:
    """A request to this machine as a WSGI server hands it over."""
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
    }


def show(what: str, costs: Mapping[str, Cost]) -> None:
    """Print the medians of each way, and how much more the processors do than as it is."""
    print(f"\n| {what} | Python | PostgreSQL | clock | more | times |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, cost in costs.items():
        more = 100 * (cost.processor / costs[AS_IT_IS].processor - 1)
        web, server, clock = map(median, (cost.web, cost.server, cost.clock))
        print(
            f"| {name} | {web:.2f} ms | {server:.2f} ms | {clock:.1f} ms | {more:+.0f} % "
            f"| {len(cost.web)} |",
            flush=True,
        )
