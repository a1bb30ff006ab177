"""A club over the API: who may read what, in which shape, and with how many queries."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.services import evenings
from clubs.house.services import save_house_rules
from clubs.models import Club, Membership, Role, Season, Session
from scoring.house import read_house_rules
from scoring.scorebook.models import HandState
from scoring.scorebook.reports import Report
from tests.api import api_client, game_at, refusal, send
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, make_season, night, post
from tests.people import PASSWORD, Cast, make_player

DAY = date(2026, 11, 17)
CLUB = "/api/v1/clubs/riverside/"
NOT_FOUND = (404, [("not_found", "")])


@pytest.fixture
def evening(cast: Cast) -> Session:
    make_season(cast.club)
    evening = night(cast.club, DAY, make_players(cast.club, 4))
    post(evening.tables.get(), SECOND_WINS)
    return evening


def addresses(evening: Session) -> dict[str, str]:
    parts = {
        "evening": f"evenings/{evening.pk}",
        "season": f"seasons/{evening.season_id}",
        **{name: name for name in ("players", "rules", "evenings", "seasons")},
    }
    return {name: f"{CLUB}{part}/" for name, part in parts.items()}


def test_a_refusal_says_who_may(cast: Cast, evening: Session) -> None:
    answer = api_client(cast.player).post(f"{game_at(evening.tables.get())}hands/")
    allowed_roles = "Only a secretary, tournament director or scorer of this club"
    message = f"{allowed_roles} may enter hands for a table."
    assert answer["Content-Type"] == "application/problem+json"  # RFC 9457
    assert answer.json() == {
        "type": "about:blank",
        "title": "Forbidden",
        "status": 403,
        "detail": message,
        "problems": [{"code": "permission_denied", "where": "", "message": message}],
        "request_id": answer["X-Request-ID"],
    }


@pytest.mark.parametrize("number", ["0", "9" * 30])
def test_an_evening_that_never_was_is_not_found(cast: Cast, number: str) -> None:
    for address in (f"{CLUB}evenings/{number}/", f"{CLUB}seasons/{number}/"):
        assert refusal(api_client(cast.player).get(address)) == NOT_FOUND
    assert refusal(api_client(cast.player).get(f"/api/v1/games/{number}/")) == NOT_FOUND


def test_the_evening_tells_its_tables_and_its_result(cast: Cast, evening: Session) -> None:
    data = api_client(cast.player).get(addresses(evening)["evening"]).json()
    (table,) = data["tables"]
    assert (table["number"], table["hands"], table["disputed"]) == (1, 1, [])
    assert f"/api/v1/games/{table['game_id']}/" == game_at(evening.tables.get())
    seats = [(seat["wind"], seat["name"], seat["points"]) for seat in table["places"]]
    assert seats == [("E", "Ann", -64), ("S", "Ben", 240), ("W", "Cy", -80), ("N", "Di", -96)]
    rows = [(row["place"], row["name"], row["best_hand"]) for row in data["result"]]
    assert rows == [(1, "Ben", 60), (2, "Ann", 0), (3, "Cy", 0), (4, "Di", 0)]


def test_secret_links_stay_on_the_cards(program: Client, evening: Session) -> None:
    key = evening.tables.get().link_key
    for address in addresses(evening).values():
        assert key not in program.get(address).content.decode()


def test_the_list_of_players_tells_no_e_mail_address(cast: Cast, program: Client) -> None:
    zoe = make_player(cast.club, "Zoë", email="zoe@example.org")
    assert program.get(f"{CLUB}players/").json()["results"][-1] == {
        "player_id": zoe.pk,
        "name": "Zoë",
        "kind": "member",
        "is_active": True,
        "evenings": 0,
        "last_seen": None,
    }


def test_the_season_ranks_with_exact_averages(cast: Cast, evening: Session) -> None:
    players = list(cast.club.players.filter(name__in=["Ann", "Ben", "Cy", "Di"]).order_by("name"))
    second, third = (night(cast.club, DAY + timedelta(weeks=week), players) for week in (1, 2))
    first_wins = Report(winner=1, totals={1: 30, 2: 0, 3: 0, 4: 8})
    post(second.tables.get(), SECOND_WINS, DRAWN, first_wins)
    post(third.tables.get(), DRAWN)
    data = api_client(cast.player).get(f"{addresses(evening)['season']}standings/").json()
    assert data["title"] == "Club league, Autumn 2026"
    assert data["evenings"] == ["2026-11-17", "2026-11-24", "2026-12-01"]
    ranked_rows = [
        (row["place"], row["name"], row["total"], row["average"]) for row in data["rows"]
    ]
    assert ranked_rows == [
        (1, "Ben", 404, "404/3"),
        (2, "Ann", -8, "-8/3"),
        (3, "Cy", -198, "-66"),
        (3, "Di", -198, "-66"),
    ]


def test_lists_come_in_pages_of_fifty(cast: Cast) -> None:
    first = date(2026, 1, 1)
    days = [first + timedelta(days=day) for day in range(51)]
    for day in days:
        evenings.open_session(club=cast.club, held_on=day)
    client = api_client(cast.player)
    page = client.get(f"{CLUB}evenings/").json()
    second_page = client.get(page["next"]).json()
    listed_days = [evening["held_on"] for evening in page["results"] + second_page["results"]]
    assert listed_days == [str(day) for day in reversed(days)]
    assert (page["count"], len(second_page["results"]), second_page["next"]) == (51, 1, None)


def test_a_page_that_is_not_there_is_not_found(cast: Cast) -> None:
    answer = api_client(cast.player).get(f"{CLUB}evenings/", {"page": "2"})
    assert refusal(answer) == NOT_FOUND


@pytest.mark.parametrize("page", ["0", "-1", "x", "last", "9" * 5000])
def test_what_is_no_page_is_said_to_be_none(cast: Cast, page: str) -> None:
    answer = api_client(cast.player).get(f"{CLUB}evenings/", {"page": page})
    assert refusal(answer) == (400, [("bad_parameter", "page")])


CLOSED = {"shows_results": False, "shows_league": False, "shows_calendar": False}


def test_a_person_sees_the_clubs_they_belong_to(cast: Cast) -> None:
    Membership.objects.create(
        club=cast.stranger.memberships.get().club, user=cast.player, role=Role.PLAYER
    )
    answer = api_client(cast.player).get("/api/v1/clubs/").json()["results"]
    assert answer == [
        {"slug": "hill-top", "name": "Hill Top Tiles", "rules": "bmja", **CLOSED},
        {"slug": "riverside", "name": "Riverside Mah-Jong Club", "rules": "bmja", **CLOSED},
    ]


def test_anybody_reads_which_rules_there_are(client: Client) -> None:
    rules = {
        rules["key"]: rules["limit"] for rules in client.get("/api/v1/rules/").json()["results"]
    }
    assert rules["bmja/2008"] == 1000


@pytest.mark.parametrize("count", [1, 3])
def test_a_clubs_house_rules_are_read_with_what_a_hand_must_tell(
    cast: Cast, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        data = {"base": "tallies", "name": f"Rules {number}", "limit": 500 + number}
        save_house_rules(club=cast.club, declared_rules=read_house_rules(data))
    client = api_client(cast.player)
    with django_assert_num_queries(4):
        answer = client.get(f"{CLUB}rules/").json()["results"]
    assert [rules["limit"] for rules in answer] == list(reversed(range(500, 500 + count)))
    assert {rules["asks_who_discarded"] for rules in answer} == {True}
    assert answer[0]["key"].startswith("tallies/2~")


@pytest.mark.django_db
def test_a_made_up_token_opens_nothing() -> None:
    answer = Client(headers={"authorization": "Token 0123"}).get("/api/v1/clubs/")
    assert refusal(answer) == (401, [("authentication_failed", "")])


def test_a_page_in_the_browser_uses_its_own_sign_in_and_needs_its_form_token(
    cast: Cast, evening: Session
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.secretary)
    assert browser.get(f"{CLUB}players/").status_code == 200
    answer = browser.post(f"{game_at(evening.tables.get())}hands/")
    assert refusal(answer) == (403, [("permission_denied", "")])


def test_what_an_address_does_not_do_is_said_in_the_same_shape(program: Client) -> None:
    assert refusal(program.delete(f"{CLUB}players/")) == (405, [("method_not_allowed", "")])


@pytest.mark.parametrize("address", ["/api/v1/nothing/", "/api/v1/clubs", "/api/v1/games/%00/"])
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_address_that_is_none_is_said_in_the_same_shape(
    client: Client, address: str, method: str
) -> None:
    assert refusal(getattr(client, method)(address)) == NOT_FOUND


def test_the_root_leads_on(client: Client, cast: Cast) -> None:
    root = client.get("/api/v1/").json()
    assert root["clubs"] == "http://testserver/api/v1/clubs/"
    token = {"email": cast.secretary.email, "password": PASSWORD, "scopes": ["read"]}
    key = send(client, root["token"], token).json()["token"]
    statuses = {
        name: client.get(address, headers={"Authorization": f"Bearer {key}"}).status_code
        for name, address in root.items()
        if name != "token"
    }
    assert statuses == {"keys": 200, "clubs": 200, "rules": 200, "description": 200}


def disputed_evening(club: Club, tables: int) -> Session:
    """An evening with so many tables, a hand at each of which nobody agrees."""
    people = make_players(club, 4 * tables)
    session = night(club, DAY, *(people[start : start + 4] for start in range(0, len(people), 4)))
    for table in session.tables.all():
        (hand,) = post(table, SECOND_WINS)
        hand.state = HandState.DISPUTED
        hand.save()
    return session


def evenings_of(cast: Cast, count: int) -> str:
    for day in range(1, count + 1):
        night(cast.club, DAY.replace(day=day), list(cast.club.players.all()[:4]))
    return "evenings/"


def seasons(cast: Cast, count: int) -> str:
    for month in range(1, count + 1):
        days = {"starts_on": date(2026, month, 1), "ends_on": date(2026, month, 28)}
        make_season(cast.club, name=f"Month {month}", **days)
    return "seasons/"


def of_evening(part: str) -> Callable[[Cast, int], str]:
    def make_path(cast: Cast, count: int) -> str:
        return f"evenings/{disputed_evening(cast.club, count).pk}/{part}"

    return make_path


def players(cast: Cast, count: int) -> str:
    for number in range(count):
        make_player(cast.club, f"Member {number}")
    return "players/"


def door(cast: Cast, count: int) -> str:
    players(cast, count)
    return f"evenings/{cast.club.sessions.create(held_on=DAY).pk}/check-in/"


def table_of_season(cast: Cast, count: int) -> str:
    season: Season = make_season(cast.club)
    disputed_evening(cast.club, count)
    return f"seasons/{season.pk}/standings/"


LISTS: dict[str, tuple[Callable[[Cast, int], str], int]] = {
    "players": (players, 4),
    "evenings": (evenings_of, 6),
    "evening": (of_evening(""), 9),
    "seasons": (seasons, 6),
    "door": (door, 6),
    "result": (of_evening("result/"), 5),
    "floor": (of_evening("tables/"), 7),
    "disputes": (of_evening("disputes/"), 8),
    "sheets": (of_evening("score-sheets/"), 8),
    "repairs": (of_evening("corrections/"), 6),
    "papers": (of_evening("printouts/"), 5),
    "links": (of_evening("links/"), 7),
    "league": (table_of_season, 7),
}


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_needs_the_same_queries_however_long_it_is(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, name: str, rows: int
) -> None:
    make, queries = LISTS[name]
    address = f"{CLUB}{make(cast, rows)}"
    client = api_client(cast.secretary)
    with django_assert_num_queries(queries):
        assert client.get(address).status_code == 200
