"""An evening, its table and the club's year over the API."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from clubs.evenings.services import evenings
from clubs.models import Job, Player, Session
from tests.api import api_client, faults, refusal, send
from tests.clubs.api.test_api_doors import SERIES
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post, table_at
from tests.clubs.visits import Visitor
from tests.clubs.year import make_series
from tests.people import Cast

DAY = date(2026, 11, 17)
AT = "/api/v1/clubs/riverside/"
EVENINGS = f"{AT}evenings/"


def open_evening(program: Client, *players: Player) -> str:
    """The address of an evening that was opened over the API, with these at the door."""
    response = send(program, EVENINGS, {"held_on": "2026-11-17"})
    assert response.status_code == 201, response.json()
    evening = f"{EVENINGS}{response.json()['id']}/"
    for player in players:
        assert tick(program, evening, player.pk).json()["is_here"]
    return evening


def make_evening(
    cast: Cast, seated_count: int, *, waiting_count: int = 0
) -> tuple[str, Session, list[Player]]:
    """An evening of one table of so many, others who are here, and its address."""
    players = make_players(cast.club, seated_count + waiting_count)
    session = night(cast.club, DAY, players[:seated_count])
    for player in players[seated_count:]:
        evenings.tick(session=session, player=player, is_here=True)
    return f"{EVENINGS}{session.pk}/", session, players


def tick(program: Client, evening: str, player: int, *, is_here: bool = True) -> Any:
    return send(program, f"{evening}check-in/", {"player": player, "is_here": is_here})


def test_an_evening_is_run_from_the_door_to_the_result(cast: Cast, program: Client) -> None:
    evening = open_evening(program, *make_players(cast.club, 7))
    second_response = send(program, EVENINGS, {"held_on": "2026-11-17"})
    assert (second_response.status_code, faults(second_response)) == (
        409,
        [("day_taken", "held_on")],
    )
    guest = send(program, f"{evening}guests/", {"name": "Zoë"})
    assert (guest.status_code, guest.json()["name"]) == (201, "Zoë")
    advice = program.get(f"{evening}advice/").json()
    assert (advice["checked_in"], advice["splits"][0]) == (
        8,
        {"sizes": [4, 4], "text": "two fours"},
    )
    seat_response = send(program, f"{evening}seat/", {"split": [4, 4]})
    assert (seat_response.status_code, seat_response.json()["state"]) == (200, "playing")
    assert send(program, f"{evening}clear/", {}).json()["state"] == "arriving"
    send(program, f"{evening}seat/", {})
    floor = program.get(f"{evening}tables/").json()["results"]
    assert [(table["number"], len(table["seats"])) for table in floor] == [(1, 4), (2, 4)]
    post(table_at(Session.objects.get(), 1), SECOND_WINS)
    response = send(program, f"{evening}clear/", {})
    assert (response.status_code, faults(response)) == (409, [("hands_recorded", "")])
    result = program.get(f"{evening}result/").json()["results"]
    assert (result[0]["points"], len(result)) == (240, 8)
    assert send(program, f"{evening}close/", {}).json()["state"] == "closed"
    assert send(program, f"{evening}reopen/", {}).json()["state"] == "playing"


def test_the_list_of_evenings_tells_who_was_best_and_that_of_seasons_how_it_ranks(
    cast: Cast, program: Client
) -> None:
    season = make_season(cast.club)
    post(table_at(night(cast.club, DAY, make_players(cast.club, 4)), 1), SECOND_WINS)
    (evening,) = program.get(EVENINGS).json()["results"]
    assert (evening["best"], evening["points"], evening["tables"]) == (["Ben"], 240, 1)
    (season_row,) = program.get("/api/v1/clubs/riverside/seasons/").json()["results"]
    assert (season_row["id"], season_row["evenings"]) == (season.pk, 1)
    page = Visitor(cast.secretary).get("/c/riverside/seasons/").content.decode()
    assert season_row["rule"] in page


def test_a_split_that_nobody_offers_is_refused(cast: Cast, program: Client) -> None:
    seat = f"{open_evening(program, *make_players(cast.club, 4))}seat/"
    assert faults(send(program, seat, {"split": [5]})) == [("bad_split", "")]
    for strange in ([6], "4,4"):
        assert send(program, seat, {"split": strange}).status_code == 400


def test_a_tick_is_taken_back_and_nobody_of_another_club_is_ticked(
    cast: Cast, program: Client
) -> None:
    (ann,) = make_players(cast.club, 1)
    evening = open_evening(program, ann, ann)
    assert not tick(program, evening, ann.pk, is_here=False).json()["is_here"]
    stranger = cast.stranger.memberships.get().player
    assert stranger is not None
    for key in (stranger.pk, 10**18):
        assert tick(program, evening, key).status_code == 400
    door = program.get(f"{evening}check-in/").json()["results"]
    assert not any(row["is_here"] for row in door)
    assert Session.objects.get().attendances.count() == 0


def test_a_move_is_looked_at_before_it_is_made(cast: Cast, program: Client) -> None:
    players = make_players(cast.club, 8)
    session = night(cast.club, DAY, players[:4], players[4:])
    evening, player_places = f"{EVENINGS}{session.pk}/", session.places.filter(player=players[0])
    inputs = {"one": players[0].pk, "other": players[4].pk}
    preview = send(program, f"{evening}swap/?dry_run=1", inputs)
    assert (preview.status_code, preview.json()["done"]) == (200, False)
    assert player_places.get().table.number == 1
    assert send(program, f"{evening}swap/", inputs).json()["done"]
    assert player_places.get().table.number == 2
    response = send(program, f"{evening}move/", {"player": players[0].pk, "number": 1})
    remarks = [{"sentence": "Ann now sits at table 1.", "is_met": None}]
    assert response.json() == {"done": True, "remarks": remarks}


def test_the_seats_of_a_table_name_their_people_by_id(cast: Cast, program: Client) -> None:
    evening, _, players = make_evening(cast, 4)
    (table,) = program.get(evening).json()["tables"]
    assert [place["player_id"] for place in table["places"]] == [player.pk for player in players]


def test_somebody_comes_late_and_that_is_taken_back(cast: Cast, program: Client) -> None:
    evening, session, players = make_evening(cast, 4, waiting_count=1)
    post(session.tables.get(), SECOND_WINS)
    now = program.get(f"{evening}changes/").json()
    assert [row["name"] for row in now["waiting"]] == ["Ed"]
    inputs = {"player": players[4].pk, "number": 1}
    preview = send(program, f"{evening}changes/arrival/?dry_run=1", inputs)
    assert (preview.json()["done"], session.places.count()) == (False, 4)
    response = send(program, f"{evening}changes/arrival/", inputs)
    assert (response.status_code, response.json()["done"]) == (200, True), response.json()
    assert session.places.filter(is_current=True).count() == 5
    undo_response = send(program, f"{evening}changes/1/undo/", {})
    assert undo_response.json() == {"done": True, "sentences": ["Change undone at table 1."]}


def test_whoever_waits_takes_the_seat_of_somebody_who_leaves(cast: Cast, program: Client) -> None:
    evening, session, players = make_evening(cast, 4, waiting_count=1)
    inputs = {"leaver": players[0].pk, "then": "taken_over"}
    response = send(program, f"{evening}changes/departure/", inputs)
    assert (response.status_code, faults(response)) == (400, [("invalid", "player")])
    inputs["player"] = players[4].pk
    assert send(program, f"{evening}changes/departure/", inputs).json()["done"]
    assert session.places.get(player=players[4]).is_current


def test_those_who_wait_make_a_table(cast: Cast, program: Client) -> None:
    evening, session, players = make_evening(cast, 4, waiting_count=4)
    inputs = {"players": [player.pk for player in players[4:]]}
    assert send(program, f"{evening}changes/new-table/", inputs).json()["done"]
    assert session.tables.count() == 2


def test_why_they_sit_so_is_told(cast: Cast, program: Client) -> None:
    evening, _, _ = make_evening(cast, 4)
    explanation = program.get(f"{evening}seating/explanation/?name=Ann").json()
    assert (explanation["summary"], explanation["person"]["name"]) == (
        "4 players at 1 table",
        "Ann",
    )
    assert program.get(f"{evening}seating/explanation/?name=Nemo").json()["person"] is None


def test_the_links_are_for_those_who_may_print_them(cast: Cast, program: Client) -> None:
    evening, session, _ = make_evening(cast, 4)
    links = program.get(f"{evening}links/").json()
    assert links["tables"][0]["key"] == session.tables.get().link_key
    assert links["wall"].endswith(f"/w/{session.wall_key}/")
    assert api_client(cast.player).get(f"{evening}links/").status_code == 403


PUNGS: dict[str, Any] = {
    "seat_wind": "S",
    "prevailing_wind": "E",
    "sets": [{"tiles": ["WE", "WE", "WE"], "exposed": True}],
    "concealed": ["B1", "B1", "B1", "C5", "C5", "C5", "O9", "O9", "O9", "DR", "DR"],
    "mahjong": True,
    "winning_tile": "DR",
    "won_by": "wall",
}


def test_anybody_has_a_hand_scored_with_every_line(client: Client, db: None) -> None:
    response = send(client, "/api/v1/score/bmja/", PUNGS)
    assert response.status_code == 200, response.json()
    body = response.json()
    assert body["total"] == body["basic"] * 2 ** body["doubles"]
    assert "Pung of 1s, 9s, winds or dragons" in [line["name"] for line in body["items"]]


@pytest.mark.parametrize(
    ("changed_fields", "code"),
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
    client: Client, db: None, changed_fields: dict[str, Any], code: str
) -> None:
    response = send(client, "/api/v1/score/bmja/", {**PUNGS, **changed_fields})
    assert response.status_code == 400
    assert code in [fault for fault, _ in faults(response)]


def test_the_rules_of_another_book_score_otherwise(client: Client, db: None) -> None:
    totals = {
        book: send(client, f"/api/v1/score/{book}/", PUNGS).json()["total"]
        for book in ("bmja", "english", "tallies")
    }
    assert len(set(totals.values())) > 1
    assert send(client, "/api/v1/score/no-such-book/", PUNGS).status_code == 404


def test_a_score_grows_as_a_hand_is_tapped(client: Client, db: None) -> None:
    first = send(client, "/api/v1/score/bmja/taps/", {"taps": ["pung:DR"]}).json()
    payload = {"taps": ["pung:WE"], "hand": first["hand"]}
    second = send(client, "/api/v1/score/bmja/taps/", payload).json()
    assert [group["tiles"] for group in second["groups"]] == [["WE"] * 3, ["DR"] * 3]
    assert send(client, "/api/v1/score/bmja/taps/", {"hand": "!"}).status_code == 400


def test_the_rules_are_told_line_by_line(client: Client, db: None) -> None:
    rules = client.get("/api/v1/rules/bmja/2008/").json()
    assert (rules["key"], rules["book"], rules["limit"]) == ("bmja/2008", "bmja/2008", 1000)
    assert rules["sections"][0]["rows"]
    aid = client.get("/api/v1/rules/bmja/aid/?tile=DR").json()
    assert aid["tile"]["notes"] == ["A dragon."]
    assert client.get("/api/v1/rules/nothing/").status_code == 404


def test_the_wall_tells_what_the_projector_shows(client: Client, cast: Cast) -> None:
    _, session, _ = make_evening(cast, 4)
    post(session.tables.get(), SECOND_WINS)
    wall = client.get(f"/api/v1/w/{session.wall_key}/").json()
    assert [page["kind"] for page in wall["pages"]] == ["tables", "result"]
    assert wall["pages"][0]["tables"][0]["text"] == "1 hand"
    assert wall["pages"][1]["result"][0]["points"] == 240
    assert client.get("/api/v1/w/no-such-wall/").status_code == 404


@pytest.mark.sampled(law="long plays")
def test_every_paper_that_is_offered_is_sent(cast: Cast) -> None:
    scorer, (evening, *_) = api_client(cast.scorer), make_evening(cast, 4)
    papers = scorer.get(f"{evening}printouts/").json()["results"]
    assert len(papers) == 11
    for paper in papers:
        response = scorer.get(paper["address"], {"paper": "letter"})
        assert (response.status_code, response["Content-Type"]) == (200, "application/pdf"), paper
        assert response.content.startswith(b"%PDF")
        assert paper["unavailable_because"] == ""


def test_a_paper_that_needs_tables_says_so_before_there_are_any(
    cast: Cast, program: Client
) -> None:
    papers, scorer = f"{open_evening(program)}printouts/", api_client(cast.scorer)
    paper_rows = scorer.get(papers).json()["results"]
    ready = [paper["title"] for paper in paper_rows if not paper["unavailable_because"]]
    assert ready == ["Attendance list", "Blank score sheets", "Crib sheet"]
    for paper in paper_rows:
        if paper["unavailable_because"]:
            response = scorer.get(paper["address"])
            assert refusal(response) == (409, [("nobody_seated", "")])
            assert response.json()["detail"] == paper["unavailable_because"]


def test_a_seasons_papers_are_sent_or_made(cast: Cast, program: Client) -> None:
    season = f"{AT}seasons/{make_season(cast.club).pk}/"
    papers = program.get(f"{season}printouts/").json()["results"]
    assert [paper["title"] for paper in papers] == ["League table", "Poster"]
    for paper in papers:
        assert program.get(paper["address"]).content.startswith(b"%PDF")
    for paper_name, kind in (("pack", "season pack, Letter"), ("book", "season book, Letter")):
        response = send(program, f"{season}{paper_name}/", {"paper": "letter"})
        assert (response.status_code, response.json()["kind"]) == (201, kind), response.json()
        assert Job.objects.filter(kind=kind).exists()
        assert send(program, f"{season}{paper_name}/", {"paper": "a3"}).status_code == 400


frozen_date = pytest.mark.usefixtures("before_it")


def change(client: Any, address: str, **fields: Any) -> Any:
    """Change some of what is there."""
    return client.patch(address, fields, content_type="application/json")


@frozen_date
def test_a_series_is_planned_looked_at_moved_and_left_out_on_closed_dates(program: Client) -> None:
    preview = send(program, f"{AT}series/?dry_run=1", SERIES).json()
    assert (preview["meetings"], preview["days"][0]) == (3, {"held_on": "2026-12-01", "off": ""})
    response = send(program, f"{AT}series/", SERIES)
    assert (response.status_code, response.json()["text"]) == (201, "Every Tuesday")
    series = f"{AT}series/{response.json()['id']}/"
    changed_series = change(program, series, starts_at="19:00", ends_at="21:00").json()
    assert (changed_series["starts_at"], changed_series["last_on"]) == ("19:00:00", "2026-12-15")
    assert program.get(f"{AT}calendar/").json()["next"]["starts_at"] == "19:00:00"
    snow = {"name": "Snow", "first_on": "2026-12-08", "last_on": "2026-12-08"}
    holiday_response = send(program, f"{AT}closed-dates/", snow)
    assert program.get(f"{AT}calendar/").json()["meetings"] == 2
    backwards = send(program, f"{AT}closed-dates/", {**snow, "last_on": "2026-12-07"})
    assert faults(backwards) == [("bad_days", "last_on")]
    assert program.delete(f"{AT}closed-dates/{holiday_response.json()['id']}/").status_code == 204
    assert program.get(f"{AT}calendar/").json()["meetings"] == 3
    assert program.delete(series).status_code == 204
    assert program.get(f"{AT}calendar/").json()["days"] == []


def test_a_feed_is_told_to_members_and_can_be_read(cast: Cast) -> None:
    make_series(cast.club)
    (feed,) = api_client(cast.player).get(f"{AT}series/").json()["results"]
    assert b"BEGIN:VCALENDAR" in api_client(None).get(feed["feed"]).content


def test_table_money_is_taken_once_and_given_back(cast: Cast, program: Client) -> None:
    evening, _, (ann, *_) = make_evening(cast, 4)
    money = f"{evening}money/"
    assert faults(send(program, money, {"player": ann.pk})) == [("no_price", "price")]
    settings = {"pence": 250, "year_begins": 1}
    assert change(program, f"{AT}money/", pence=250).json() == settings
    for _ in range(2):
        assert send(program, money, {"player": ann.pk}).json()["pence"] == 250
    sheet = program.get(money).json()
    assert (sheet["price"], sheet["total"], sheet["paid"], len(sheet["rows"])) == (250, 250, 1, 4)
    lines = program.get(f"{money}?as=csv").content.decode("utf-8-sig").splitlines()
    assert (lines[0], len(lines)) == ("Player ID,Name,Guest,Pounds", 5)
    (year,) = program.get(f"{AT}money/2026/").json()["results"]
    assert (year["attendance"], year["paid"], year["pence"]) == (4, 1, 250)
    response = change(program, f"{AT}money/", year_begins=12)
    assert response.json() == {"pence": 250, "year_begins": 12}
    assert program.get(f"{AT}money/2026/").json()["results"] == []
    assert program.get(f"{AT}money/2025/").json()["results"] == [year]
    assert change(program, f"{AT}money/", year_begins=13).status_code == 400
    assert program.delete(f"{money}{ann.pk}/").status_code == 204
    assert program.get(money).json()["total"] == 0
    assert program.get(f"{AT}money/1918/").status_code == 404
