"""The league and what a club has played over the API, and what its lists cost."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.evenings.services import calendar
from clubs.house import services as house_services
from clubs.house.services import save_house_rules
from clubs.league import services
from clubs.members.services.imports import import_members
from clubs.members.services.merging import mark_as_two_people, merge_players
from clubs.models import Club, Player, Season, WishKind
from scoring.house import read_house_rules
from tests.api import api_client, faults, send
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.office import PURBECK
from tests.clubs.outbox import write
from tests.clubs.year import TUESDAY, make_series
from tests.paper import words_of
from tests.people import Cast, make_player

DAY = date(2026, 11, 17)
SEASONS = "/api/v1/clubs/riverside/seasons/"
AUTUMN = {"name": "Autumn 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-31"}


@pytest.fixture
def season(cast: Cast) -> Season:
    """A season with one evening."""
    club_season = make_season(cast.club)
    post(night(cast.club, DAY, make_players(cast.club, 4)).tables.get(), SECOND_WINS)
    return club_season


def season_url(season: Season) -> str:
    return f"{SEASONS}{season.pk}/"


def patch(client: Client, address: str, data: Any) -> Any:
    return client.patch(address, data, content_type="application/json")


def test_a_season_is_made_and_changed(program: Client, cast: Cast) -> None:
    response = send(program, SEASONS, {**AUTUMN, "ranking": "best"})
    assert (response.status_code, response.json()["name"]) == (201, "Autumn 2026"), response.json()
    address = f"{SEASONS}{response.json()['id']}/"
    change_response = patch(program, address, {"name": "Winter 2026"})
    assert (change_response.status_code, change_response.json()["name"]) == (200, "Winter 2026"), (
        change_response.json()
    )
    assert change_response.json()["starts_on"] == "2026-09-01"
    assert patch(program, address, {"rules": "no such rules"}).status_code == 400
    assert patch(api_client(cast.player), address, {"name": "Mine"}).status_code == 403


@pytest.mark.parametrize(
    ("changed_fields", "field"),
    [
        ({"ends_on": "2026-08-01"}, "ends_on"),
        ({"name": ""}, "name"),
        ({"ranking": "luck"}, "ranking"),
        ({"starts_on": 20260901}, "starts_on"),
        ({"rules": "nobody's"}, "rules"),
    ],
)
def test_a_season_that_cannot_be_is_refused(
    program: Client, changed_fields: dict[str, Any], field: str
) -> None:
    response = send(program, SEASONS, {**AUTUMN, **changed_fields})
    assert (response.status_code, [place for _, place in faults(response)]) == (400, [field])
    assert Season.objects.count() == 0


def test_the_table_is_a_file_too(program: Client, season: Season) -> None:
    table = program.get(f"{season_url(season)}standings/").json()
    assert table["rows"][0]["total"] == 240
    csv = program.get(f"{season_url(season)}standings/?as=csv").content.decode("utf-8-sig")
    assert len(csv.splitlines()) == 5


def test_why_somebody_stands_where_they_stand(program: Client, season: Season) -> None:
    leader = program.get(f"{season_url(season)}standings/").json()["rows"][0]["player_id"]
    explanation = program.get(f"{season_url(season)}standings/{leader}/explanation/").json()
    assert (explanation["standing"], explanation["lines"][0]["points"]) == ("1st", "+240")
    assert program.get(f"{season_url(season)}standings/{10**6}/explanation/").status_code == 404


AT = "/api/v1/clubs/riverside/"


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Four who have played one hand; the second, who wins it, is hidden."""
    make_season(cast.club)
    players = make_players(cast.club, 4)
    Player.objects.filter(pk=players[1].pk).update(shown_as="hidden")
    post(night(cast.club, TUESDAY, players).tables.get(), SECOND_WINS)
    return players


def test_a_club_is_told_at_a_glance(cast: Cast, players: list[Player]) -> None:
    front = api_client(cast.player).get(AT).json()
    assert (front["slug"], front["members"], front["evening"]["tables"]) == ("riverside", 8, 1)
    assert front["leaders"][0]["name"] == "A member"
    assert (front["last"], front["season_id"]) == (None, cast.club.leagues.get().seasons.get().pk)


def test_a_players_page_is_told_with_names_as_each_chose(cast: Cast, players: list[Player]) -> None:
    answer = api_client(cast.player).get(f"{AT}players/{players[1].pk}/career/").json()
    assert (answer["name"], answer["career"]["total"], answer["best"]["name"]) == (
        "A member",
        240,
        "A member",
    )
    assert (answer["seasons"][0]["place"], answer["running"]["chart"]) == ("1st", None)
    career = api_client(cast.secretary).get(f"{AT}players/{players[1].pk}/career/").json()
    assert (career["name"], career["best"]["score"]) == ("Ben", 60)


def test_a_players_evenings_and_company_are_told(cast: Cast, players: list[Player]) -> None:
    client, at_ann = api_client(cast.player), f"{AT}players/{players[0].pk}/"
    (evening,) = client.get(f"{at_ann}evenings/").json()["results"]
    assert (evening["points"], evening["held_on"]) == (-64, str(TUESDAY))
    assert client.get(f"{at_ann}evenings/?from=2026-11-18").json()["count"] == 0
    opponents = client.get(f"{at_ann}opponents/").json()["met"]
    assert sorted(row["name"] for row in opponents) == ["A member", "Cy", "Di"]
    assert {row["lead"] for row in opponents} == {-304, 16, 32}


def test_a_record_that_was_made_one_is_told_as_the_kept_one(
    cast: Cast, players: list[Player]
) -> None:
    merged_player = make_player(cast.club, "A Ann")
    merge_players(kept_player=players[0], merged_player=merged_player)
    answer = api_client(cast.player).get(f"{AT}players/{merged_player.pk}/career/").json()
    assert (answer["player_id"], answer["name"]) == (players[0].pk, "Ann")


def test_ratings_are_told_where_the_club_wants_them(cast: Cast, players: list[Player]) -> None:
    client = api_client(cast.secretary)
    assert client.get(f"{AT}ratings/").status_code == 404
    answer = patch(client, f"{AT}settings/", {"rates": True}).json()
    assert (answer["rates"], answer["rules"], answer["offered"][0]["key"]) == (True, "bmja", "bmja")
    rows = client.get(f"{AT}ratings/").json()["results"]
    assert [row["name"] for row in rows] == ["Ann", "Ben", "Cy", "Di"]
    assert {row["is_settled"] for row in rows} == {False}


def test_settings_take_only_rules_that_are_offered(cast: Cast) -> None:
    client = api_client(cast.secretary)
    response = patch(client, f"{AT}settings/", {"rules": "mine"})
    assert faults(response) == [("invalid_choice", "rules")]
    data = {"rules": "english", "record_by": "winner"}
    response = patch(client, f"{AT}settings/", data)
    assert (response.status_code, response.json()["rules"]) == (200, "english")


def test_the_book_of_special_hands_is_told_and_printed(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    (hand,) = post(night(cast.club, TUESDAY, players).tables.get(), SECOND_WINS)
    type(hand).objects.filter(pk=hand.pk).update(limit=60)
    client = api_client(cast.player)
    (special_hand,) = client.get(f"{AT}special-hands/").json()["results"]
    assert (special_hand["name"], special_hand["score"], special_hand["special"]) == ("Ben", 60, "")
    book = client.get(f"{AT}special-hands/book/").json()
    assert (book["counts"][0]["names"], "Purity" in book["waiting"]) == (["Ben"], True)
    (paper,) = client.get(f"{AT}printouts/").json()["results"]
    response = client.get(f"{paper['address']}?print=large")
    assert "Ben" in "".join(words_of(response.content))


def test_what_a_job_made_is_fetched_page_by_page(
    cast: Cast, players: list[Player], settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    season = cast.club.leagues.get().seasons.get()
    job = services.queue_pack(season=season, asked_by=cast.secretary)
    client = api_client(cast.secretary)
    answer = client.get(f"{AT}jobs/{job.pk}/").json()
    assert (answer["state"], answer["result"]) == ("waiting", None)
    house_services.run_job(job.pk)
    answer = client.get(f"{AT}jobs/{job.pk}/").json()
    assert (answer["state"], answer["done"] == answer["total"]) == ("done", True)
    assert client.get(answer["result"]).headers["Content-Type"] == "application/pdf"
    assert client.get(f"{answer['result']}?pages=1").status_code == 200
    assert faults(client.get(f"{answer['result']}?pages=99")) == [("no_such_pages", "pages")]


DAYS = [date(2026, 11, 17), date(2026, 11, 24), date(2026, 12, 1)]


def one_more(cast: Cast, number: int) -> None:
    """One row more on every list of the desk."""
    club, day = cast.club, DAYS[number]
    first, other_player = (
        make_player(club, f"{name} {['Ann', 'Bob', 'Cas'][number]}") for name in "JK"
    )
    Player.objects.filter(pk=first.pk).update(email=f"{number}@example.org")
    mark_as_two_people(person=first, other_person=other_player)
    merge_players(
        kept_player=make_player(club, f"Maud {['Dee', 'Eve', 'Fay'][number]}"),
        merged_player=make_player(club, f"Nell {['Gil', 'Hal', 'Ivo'][number]}"),
    )
    import_members(club=club, text=f"name\n{('Rhodri', 'Sioned', 'Trefor')[number]}")
    calendar.add_wish(club=club, kind=WishKind.APART, player=first, other=other_player)
    make_series(club, name=f"Series {number}")
    calendar.add_holiday(club=club, name="Off", first_on=date(2099, 1, 1), last_on=date(2099, 1, 2))
    calendar.set_stand_by(player=first, is_glad=True)
    write(club, [first, other_player], cast.secretary)
    (hand,) = post(night(club, day, make_named(club, number)).tables.get(), SECOND_WINS)
    type(hand).objects.filter(pk=hand.pk).update(limit=60)
    save_house_rules(club=club, declared_rules=read_house_rules({**PURBECK, "limit": 500 + number}))
    club.jobs.create(kind="season pack", about=1)


def make_named(club: Club, number: int) -> list[Player]:
    """Four new members."""
    name_row = ("Amy Bea Cat Dot", "Eli Fin Gus Hal", "Ian Jan Kai Lea")[number]
    return [make_player(club, f"{name} Q") for name in name_row.split()]


LISTS = {
    "players/": 1,
    "members/": 2,
    "imports/": 2,
    "series/": 2,
    "closed-dates/": 2,
    "money/2026/": 2,
    "messages/": 2,
    "messages/undelivered/": 1,
    "ratings/": 2,
    "special-hands/": 1,
    "jobs/": 2,
    "house-rules/": 1,
    "subscriptions/": 1,
    "calendar/": 3,
}


def own_queries(client: Any, name: str) -> int:
    """How many queries a list asks beyond those that every address asks."""

    def queries_of(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        assert answer.status_code == 200, address
        return len(queries)

    return queries_of(f"{AT}{name}") - queries_of(f"{AT}money/")


@pytest.mark.sampled(law="long plays")
def test_a_list_asks_no_more_of_the_database_for_three_rows_than_for_one(cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(rates=True)
    client = api_client(cast.secretary)
    client.get(f"{AT}money/")
    one_more(cast, 0)
    assert {name: own_queries(client, name) for name in LISTS} == LISTS
    one_more(cast, 1)
    one_more(cast, 2)
    assert {name: own_queries(client, name) for name in LISTS} == LISTS
