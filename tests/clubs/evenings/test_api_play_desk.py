"""The score desk, the rules, the wall and the papers over the API."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from clubs.models import Job, SessionTable
from tests.api import api_client, faults, send
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import Cast

DAY = date(2026, 11, 17)
PUNGS: dict[str, Any] = {
    "seat_wind": "S",
    "prevailing_wind": "E",
    "sets": [{"tiles": ["WE", "WE", "WE"], "exposed": True}],
    "concealed": ["B1", "B1", "B1", "C5", "C5", "C5", "O9", "O9", "O9", "DR", "DR"],
    "mahjong": True,
    "winning_tile": "DR",
    "won_by": "wall",
}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return night(cast.club, DAY, make_players(cast.club, 4)).tables.get()


def test_anybody_has_a_hand_scored_with_every_line(client: Client, db: None) -> None:
    scored = send(client, "/api/v1/score/bmja/", PUNGS)
    assert scored.status_code == 200, scored.json()
    body = scored.json()
    assert body["total"] == body["basic"] * 2 ** body["doubles"]
    assert "Pung of 1s, 9s, winds or dragons" in [line["name"] for line in body["items"]]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"concealed": ["B1"] * 5}, "too_many_copies"),
        ({"concealed": ["QQ"]}, "unknown_tile"),
        ({"seat_wind": "X"}, "invalid_choice"),
        ({"concealed": "B1"}, "not_a_list"),
        ({"sets": [{"tiles": ["WE", "WS", "WW"], "exposed": True}]}, "bad_set"),
        ({"nonsense": 1}, "unknown_field"),
    ],
)
def test_a_hand_that_cannot_be_is_told_why(
    client: Client, db: None, changed: dict[str, Any], code: str
) -> None:
    scored = send(client, "/api/v1/score/bmja/", {**PUNGS, **changed})
    assert scored.status_code == 400
    assert code in [fault for fault, _ in faults(scored)]


def test_the_rules_of_another_book_score_otherwise(client: Client, db: None) -> None:
    totals = {
        book: send(client, f"/api/v1/score/{book}/", PUNGS).json()["total"]
        for book in ("bmja", "english", "tallies")
    }
    assert len(set(totals.values())) > 1
    assert send(client, "/api/v1/score/no-such-book/", PUNGS).status_code == 404


def test_a_score_grows_as_a_hand_is_tapped(client: Client, db: None) -> None:
    first = send(client, "/api/v1/score/bmja/taps/", {"taps": ["pung:DR"]}).json()
    more = {"taps": ["pung:WE"], "hand": first["hand"]}
    second = send(client, "/api/v1/score/bmja/taps/", more).json()
    assert [group["tiles"] for group in second["groups"]] == [["WE"] * 3, ["DR"] * 3]
    assert send(client, "/api/v1/score/bmja/taps/", {"hand": "!"}).status_code == 400


def test_the_rules_are_told_line_by_line(client: Client, db: None) -> None:
    rules = client.get("/api/v1/rules/bmja/2008/").json()
    assert (rules["key"], rules["book"], rules["limit"]) == ("bmja/2008", "bmja/2008", 1000)
    assert rules["sections"][0]["rows"]
    aid = client.get("/api/v1/rules/bmja/aid/?tile=DR").json()
    assert aid["tile"]["said"] == ["A dragon."]
    assert client.get("/api/v1/rules/nothing/").status_code == 404


def test_the_wall_tells_what_the_projector_shows(client: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    wall = client.get(f"/api/v1/w/{table.session.wall_key}/").json()
    assert [page["kind"] for page in wall["pages"]] == ["tables", "result"]
    assert wall["pages"][0]["tables"][0]["words"] == "1 hand"
    assert wall["pages"][1]["result"][0]["points"] == 240
    assert client.get("/api/v1/w/no-such-wall/").status_code == 404


@pytest.mark.sampled(law="long plays")
def test_every_paper_that_is_offered_is_sent(cast: Cast, table: SessionTable) -> None:
    scorer = api_client(cast.scorer)
    evening = f"/api/v1/clubs/riverside/evenings/{table.session_id}/"
    papers = scorer.get(f"{evening}papers/").json()["results"]
    assert len(papers) == 9
    for paper in papers:
        sent = scorer.get(paper["address"], {"paper": "letter"})
        assert (sent.status_code, sent["Content-Type"]) == (200, "application/pdf"), paper
        assert sent.content.startswith(b"%PDF")
    assert scorer.get(f"{evening}why.pdf").content.startswith(b"%PDF")


def test_without_tables_only_what_needs_none_is_offered(cast: Cast) -> None:
    session = cast.club.sessions.create(held_on=DAY)
    scorer = api_client(cast.scorer)
    evening = f"/api/v1/clubs/riverside/evenings/{session.pk}/"
    titles = [paper["title"] for paper in scorer.get(f"{evening}papers/").json()["results"]]
    assert titles == ["Attendance list", "Blank score sheets", "Crib sheet"]
    refused = scorer.get(f"{evening}papers/cards.pdf")
    assert (refused.status_code, faults(refused)) == (400, [("nobody_seated", "")])


def test_a_seasons_papers_are_sent_or_made(cast: Cast, table: SessionTable) -> None:
    season = make_season(cast.club)
    secretary = api_client(cast.secretary)
    at = f"/api/v1/clubs/riverside/seasons/{season.pk}/"
    papers = secretary.get(f"{at}papers/").json()["results"]
    assert [paper["title"] for paper in papers] == ["League table", "Poster"]
    for paper in papers:
        assert secretary.get(paper["address"]).content.startswith(b"%PDF")
    for made, kind in (("pack", "season pack, Letter"), ("book", "season book, Letter")):
        sent = send(secretary, f"{at}{made}/", {"paper": "letter"})
        assert (sent.status_code, sent.json()["kind"]) == (201, kind), sent.json()
        assert Job.objects.filter(kind=kind).exists()
        assert send(secretary, f"{at}{made}/", {"paper": "a3"}).status_code == 400
