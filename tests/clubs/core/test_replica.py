"""What may be a second old is read from a replica, by those who only look on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, router, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django.fixtures import Settings

from clubs.core import replica
from clubs.core.versioned_cache import clear_caches
from clubs.models import Club, Player, Session, SessionTable
from tests.clubs.nights import make_season, post
from tests.clubs.tables import seated_evening
from tests.people import browser_of, make_cast
from tests.tournaments.cups import DRAWN, finish, seated_tournament
from tournaments.models import Tournament
from tournaments.results.services import publish_results

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "replica"])

REPLICA, FIRST = replica.REPLICA, DEFAULT_DB_ALIAS
# What a stranger's page asks of the replica. Of the first server it asks nothing.
STATEMENTS = {
    "calendar": 4,
    "club": 9,
    "clock": 2,
    "evening": 5,
    "find-me": 4,
    "player": 12,
    "rating": 3,
    "result": 3,
    "results": 6,
    "season": 6,
    "season-now": 2,
    "season-why": 6,
    "seasons": 3,
    "seating": 7,
    "special-hands": 2,
    "standings": 7,
    "tonight": 2,
    "tournament": 8,
    "tournament-clock": 1,
    "tournament-wall": 13,
    "tournaments": 3,
    "wall": 6,
}


@dataclass(frozen=True, slots=True)
class House:
    """A club that shows everything to everybody, with one of each."""

    club: Club
    evening: Session
    cup: Tournament
    season: int
    player: Player

    def address(self, name: str) -> str:
        """The page of that name, as a stranger opens it."""
        slug, cup = self.club.slug, self.cup
        of_keys = {"wall": self.evening.wall_key}
        of_keys |= dict.fromkeys(
            ("find-me", "results", "tournament-clock", "tournament-wall"), cup.wall_key
        )
        of_club = {
            **{key: [self.evening.pk] for key in ("evening", "result")},
            **{key: [cup.pk] for key in ("tournament", "standings", "seating", "clock")},
            "season": [self.season],
            "season-why": [self.season, self.player.pk],
            "player": [self.player.pk],
        }
        args = [of_keys[name]] if name in of_keys else [slug, *of_club.get(name, [])]
        return reverse(name, args=args)


@pytest.fixture(scope="module", autouse=True)
def _second_connection(django_db_setup: None) -> Iterator[None]:
    """To the same database, which Django's tests are told of by its being a mirror."""
    fields = connections[FIRST].settings_dict
    connections.settings[REPLICA] = fields | {"TEST": fields["TEST"] | {"MIRROR": FIRST}}
    yield
    del connections[REPLICA]
    del connections.settings[REPLICA]


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(replica, "_is_set_up", lambda: False)
    cast = make_cast()
    club = cast.club
    for switch in ("shows_results", "shows_league", "shows_calendar", "rates"):
        setattr(club, switch, True)
    club.save()
    season, evening = make_season(club), seated_evening(club)
    post(evening.tables.get(), DRAWN)
    cup = finish(seated_tournament(club, rounds=1), DRAWN)
    publish_results(tournament=cup)
    return House(club, evening, cup, season.pk, Player.objects.get(name="Margaret"))


@pytest.fixture
def followed_house(
    house: House, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> Iterator[House]:
    """The house with a replica that is always close behind."""
    monkeypatch.setattr(router, "routers", [replica.Router()])
    monkeypatch.setattr(replica, "LAG_QUERY", "SELECT 1")
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "clubs.core.replica.replica_middleware"]
    monkeypatch.setattr(replica, "_is_set_up", lambda: True)
    _ask_again()
    yield house
    connections[REPLICA].close()


def _ask_again() -> None:
    replica._absence.expires_at = replica._closeness.expires_at = 0


def statement_counts(visitor: Client, address: str) -> dict[str, int]:
    """How many statements a page asks of each server; what is asked of the replica alone counts."""
    clear_caches()
    with (
        CaptureQueriesContext(connections[FIRST]) as first,
        CaptureQueriesContext(connections[REPLICA]) as second,
    ):
        answer = visitor.get(address)
    assert answer.status_code in (200, 302), (address, answer.status_code)
    asked_itself = [query["sql"] for query in second if query["sql"] != "SELECT 1"]
    return {FIRST: len(first), REPLICA: len(asked_itself)}


def marked_pages() -> set[str]:
    """The names of all pages that may be a second old."""

    def patterns_in(resolver: URLResolver) -> Iterator[URLPattern]:
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                yield from patterns_in(pattern)
            else:
                yield pattern

    return {
        str(pattern.name)
        for pattern in patterns_in(get_resolver())
        if hasattr(pattern.callback, "is_read_from_replica")
    }


def test_every_page_that_may_be_a_second_old_is_read_from_the_replica_alone(
    followed_house: House,
) -> None:
    pages = {
        name: statement_counts(Client(), followed_house.address(name))
        for name in sorted(marked_pages())
    }
    assert pages == {name: {FIRST: 0, REPLICA: count} for name, count in STATEMENTS.items()}


def test_without_a_replica_they_ask_the_first_server_the_same(house: House) -> None:
    pages = {name: statement_counts(Client(), house.address(name)) for name in STATEMENTS}
    assert pages == {name: {FIRST: count, REPLICA: 0} for name, count in STATEMENTS.items()}


def test_a_wall_that_asks_for_news_asks_the_replica(followed_house: House) -> None:
    version = Session.objects.get().version
    address = f"{followed_house.address('wall')}?v={version}"
    with (
        CaptureQueriesContext(connections[FIRST]) as first,
        CaptureQueriesContext(connections[REPLICA]) as second,
    ):
        assert Client().get(address).status_code == 204
    assert (len(first), len(second)) == (0, 2)  # whether it is close behind, and the version


def test_who_is_signed_in_or_has_just_saved_reads_the_first_server(followed_house: House) -> None:
    member = browser_of(followed_house.club.memberships.get(role="secretary").user)
    assert statement_counts(member, followed_house.address("season"))[REPLICA] == 0
    phone = Client()
    table = SessionTable.objects.get()
    phone.post(reverse("table", args=[table.link_key]), {})
    cookie = phone.cookies[replica.SAVED_COOKIE]
    assert (cookie["max-age"], cookie["httponly"]) == (replica.SECONDS_AFTER_SAVING, True)
    assert statement_counts(phone, followed_house.address("evening"))[REPLICA] == 0
    program = Client(headers={"authorization": "Bearer nothing"})
    assert statement_counts(program, followed_house.address("season"))[REPLICA] == 0


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("SELECT nothing", "not responding: pages are read from the first server"),
        ("SELECT 0", "too far behind: pages are read from the first server"),
    ],
)
def test_a_replica_that_is_away_or_behind_is_left_for_some_seconds(
    followed_house: House, monkeypatch: pytest.MonkeyPatch, statement: str, fault: str
) -> None:
    monkeypatch.setattr(replica, "LAG_QUERY", statement)
    address = followed_house.address("season")
    assert statement_counts(Client(), address) == {FIRST: STATEMENTS["season"], REPLICA: 1}
    assert statement_counts(Client(), address) == {FIRST: STATEMENTS["season"], REPLICA: 0}
    assert replica.replica_fault() == fault
    monkeypatch.setattr(replica, "LAG_QUERY", "SELECT 1")
    _ask_again()
    assert statement_counts(Client(), address) == {FIRST: 0, REPLICA: STATEMENTS["season"]}


def test_a_page_whose_replica_fails_meanwhile_is_drawn_from_the_first_server(
    followed_house: House,
) -> None:
    databases = []

    @replica.reads_from_replica
    def page(_request: HttpRequest) -> HttpResponse:
        databases.append(router.db_for_read(Club))
        if databases[-1] == REPLICA:
            raise OperationalError("the connection is lost")
        return HttpResponse("drawn")

    request: Any = RequestFactory().get("/")
    assert page(request).content == b"drawn"
    assert page(request).content == b"drawn"
    assert databases == [REPLICA, FIRST, FIRST]


def test_what_may_change_something_reads_the_first_server(followed_house: House) -> None:
    databases = []

    @replica.reads_from_replica
    def page(_request: HttpRequest) -> HttpResponse:
        club = Club.objects.get(pk=followed_house.club.pk)
        databases.append(club._state.db)
        with transaction.atomic():
            databases.append(Club.objects.get(pk=club.pk)._state.db)
        club.save(update_fields=["name"])
        databases.append(club._state.db)
        return HttpResponse()

    page(RequestFactory().get("/"))
    page(RequestFactory().post("/"))
    assert databases == [REPLICA, FIRST, FIRST, FIRST, FIRST, FIRST]
    assert router.db_for_read(Club, instance=Club(pk=1)) == FIRST


def test_nothing_is_migrated_on_the_replica(followed_house: House) -> None:
    assert not router.allow_migrate(REPLICA, "clubs")
    assert router.allow_migrate(FIRST, "clubs")
