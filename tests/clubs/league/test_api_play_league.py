"""The league over the API: seasons, how they rank, what is given in them."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from clubs.models import Season, Session
from tests.api import api_client, faults, send
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import Cast

DAY = date(2026, 11, 17)
SEASONS = "/api/v1/clubs/riverside/seasons/"
AUTUMN = {"name": "Autumn 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-31"}


@pytest.fixture
def secretary(cast: Cast) -> Client:
    return api_client(cast.secretary)


@pytest.fixture
def season(cast: Cast) -> Season:
    """A season with one evening."""
    made = make_season(cast.club)
    post(night(cast.club, DAY, make_players(cast.club, 4)).tables.get(), SECOND_WINS)
    return made


def at(season: Season) -> str:
    return f"{SEASONS}{season.pk}/"


def patch(client: Client, address: str, data: Any) -> Any:
    return client.patch(address, data, content_type="application/json")


def test_a_season_is_made_and_changed(secretary: Client, cast: Cast) -> None:
    made = send(secretary, SEASONS, {**AUTUMN, "ranking": "best"})
    assert (made.status_code, made.json()["name"]) == (201, "Autumn 2026"), made.json()
    address = f"{SEASONS}{made.json()['id']}/"
    changed = patch(secretary, address, {"name": "Winter 2026"})
    assert (changed.status_code, changed.json()["name"]) == (200, "Winter 2026"), changed.json()
    assert changed.json()["starts_on"] == "2026-09-01"
    assert patch(secretary, address, {"rules": "no such rules"}).status_code == 400
    assert patch(api_client(cast.player), address, {"name": "Mine"}).status_code == 403


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"ends_on": "2026-08-01"}, "ends_on"),
        ({"name": ""}, "name"),
        ({"ranking": "luck"}, "ranking"),
        ({"starts_on": 20260901}, "starts_on"),
        ({"rules": "nobody's"}, "rules"),
    ],
)
def test_a_season_that_cannot_be_is_refused(
    secretary: Client, changed: dict[str, Any], where: str
) -> None:
    sent = send(secretary, SEASONS, {**AUTUMN, **changed})
    assert (sent.status_code, [place for _, place in faults(sent)]) == (400, [where])
    assert Season.objects.count() == 0


def test_the_table_is_a_file_too(secretary: Client, season: Season) -> None:
    table = secretary.get(at(season)).json()
    assert table["rows"][0]["total"] == 240
    csv = secretary.get(f"{at(season)}?as=csv").content.decode("utf-8-sig")
    assert len(csv.splitlines()) == 5


def test_why_somebody_stands_where_they_stand(secretary: Client, season: Season) -> None:
    leader = secretary.get(at(season)).json()["rows"][0]["player_id"]
    why = secretary.get(f"{at(season)}why/{leader}/").json()
    assert (why["standing"], why["lines"][0]["points"]) == ("first", "+240")
    assert secretary.get(f"{at(season)}why/{10**6}/").status_code == 404


def test_rules_are_tried_before_they_hold(secretary: Client, season: Season) -> None:
    rules = f"{at(season)}rules/"
    ready = {row["key"]: row["asked"] for row in secretary.get(rules).json()["ready_made"]}
    for values in ready.values():
        tried = send(secretary, rules, values)
        assert (tried.status_code, tried.json()["asked"]) == (201, values), tried.json()
    tried = send(secretary, rules, {"brings": "points", "adds_up": "average"}).json()
    assert not tried.get("holds", True), tried
    trial = secretary.get(f"{rules}{tried['number']}/").json()["results"]
    assert [row["title"] for row in trial] == ["Club league, Autumn 2026"]
    adopted = send(secretary, f"{rules}{tried['number']}/adopt/", {})
    assert (adopted.status_code, adopted.json()["holds"]) == (200, True)
    assert send(secretary, f"{rules}99/adopt/", {}).status_code == 404
    wrong = send(secretary, rules, {"brings": "luck", "adds_up": "total"})
    assert [where for _, where in faults(wrong)] == ["brings"]


def test_handicaps_and_credits_are_given_and_taken_back(
    cast: Cast, secretary: Client, season: Season
) -> None:
    given = f"{at(season)}given/"
    ann = cast.club.players.get(name="Ann")
    for points, count in ((50, 1), (0, 0)):
        sent = send(secretary, f"{given}handicap/", {"player": ann.pk, "points": points})
        assert (sent.status_code, len(sent.json()["handicaps"])) == (200, count)
    evening = Session.objects.get()
    was_there = send(secretary, f"{given}credit/", {"player": ann.pk, "session": evening.pk})
    assert faults(was_there) == [("was_there", "session")]
    pat = cast.club.players.get(name="Pat")
    data = {"player": pat.pk, "session": evening.pk, "reason": "ran the bar"}
    credit = send(secretary, f"{given}credit/", data)
    assert credit.status_code == 201, credit.json()
    (row,) = credit.json()["credits"]
    assert send(secretary, f"{given}credit/{row['id']}/back/", {}).status_code == 204
    assert secretary.get(given).json()["credits"] == []
    stranger = send(secretary, f"{given}handicap/", {"player": 10**12, "points": 5})
    assert [where for _, where in faults(stranger)] == ["player"]
