"""An evening run over the API, from the door to the result."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from clubs.models import Session
from tests.api import api_client, faults, send
from tests.clubs.nights import SECOND_WINS, at, make_players, make_season, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast

DAY = date(2026, 11, 17)
EVENINGS = "/api/v1/clubs/riverside/evenings/"


@pytest.fixture
def secretary(cast: Cast) -> Client:
    return api_client(cast.secretary)


def opened(secretary: Client) -> str:
    sent = send(secretary, EVENINGS, {"held_on": "2026-11-17"})
    assert sent.status_code == 201, sent.json()
    return f"{EVENINGS}{sent.json()['id']}/"


def tick(secretary: Client, evening: str, player: int, *, is_here: bool = True) -> Any:
    return send(secretary, f"{evening}tick/", {"player": player, "is_here": is_here})


def test_an_evening_is_run_from_the_door_to_the_result(cast: Cast, secretary: Client) -> None:
    evening = opened(secretary)
    for player in make_players(cast.club, 7):
        assert tick(secretary, evening, player.pk).json()["is_here"]
    guest = send(secretary, f"{evening}guests/", {"name": "Zoë"})
    assert (guest.status_code, guest.json()["name"]) == (201, "Zoë")
    advice = secretary.get(f"{evening}advice/").json()
    assert (advice["here"], advice["splits"][0]) == (8, {"sizes": [4, 4], "words": "two fours"})
    seated = send(secretary, f"{evening}seat/", {"split": [4, 4]})
    assert (seated.status_code, seated.json()["state"]) == (200, "playing")
    floor = secretary.get(f"{evening}floor/").json()["results"]
    assert [(table["number"], len(table["seats"])) for table in floor] == [(1, 4), (2, 4)]
    post(at(Session.objects.get(), 1), SECOND_WINS)
    result = secretary.get(f"{evening}result/").json()["results"]
    assert (result[0]["points"], len(result)) == (240, 8)
    assert send(secretary, f"{evening}close/", {}).json()["state"] == "closed"
    assert send(secretary, f"{evening}reopen/", {}).json()["state"] == "playing"


def test_the_list_of_evenings_tells_who_was_best_and_that_of_seasons_how_it_ranks(
    cast: Cast, secretary: Client
) -> None:
    season = make_season(cast.club)
    post(at(night(cast.club, DAY, make_players(cast.club, 4)), 1), SECOND_WINS)
    (evening,) = secretary.get(EVENINGS).json()["results"]
    assert (evening["best"], evening["points"], evening["tables"]) == (["Ben"], 240, 1)
    (listed,) = secretary.get("/api/v1/clubs/riverside/seasons/").json()["results"]
    assert (listed["id"], listed["evenings"]) == (season.pk, 1)
    page = Visitor(cast.secretary).get("/c/riverside/seasons/").content.decode()
    assert listed["rule"] in page


def test_there_is_one_evening_a_day(secretary: Client) -> None:
    opened(secretary)
    again = send(secretary, EVENINGS, {"held_on": "2026-11-17"})
    assert (again.status_code, faults(again)) == (400, [("day_taken", "held_on")])


def test_tables_are_cleared_while_nothing_was_played(cast: Cast, secretary: Client) -> None:
    evening = opened(secretary)
    for player in make_players(cast.club, 4):
        tick(secretary, evening, player.pk)
    send(secretary, f"{evening}seat/", {})
    assert send(secretary, f"{evening}clear/", {}).json()["state"] == "arriving"
    send(secretary, f"{evening}seat/", {})
    post(at(Session.objects.get(), 1), SECOND_WINS)
    refused = send(secretary, f"{evening}clear/", {})
    assert (refused.status_code, faults(refused)) == (400, [("hands_recorded", "")])


def test_a_split_that_nobody_offers_is_refused(cast: Cast, secretary: Client) -> None:
    evening = opened(secretary)
    for player in make_players(cast.club, 4):
        tick(secretary, evening, player.pk)
    assert faults(send(secretary, f"{evening}seat/", {"split": [5]})) == [("bad_split", "")]
    assert send(secretary, f"{evening}seat/", {"split": [6]}).status_code == 400
    assert send(secretary, f"{evening}seat/", {"split": "4,4"}).status_code == 400


def test_somebody_of_another_club_is_not_ticked(cast: Cast, secretary: Client) -> None:
    evening = opened(secretary)
    stranger = cast.stranger.memberships.get().player
    assert stranger is not None
    assert tick(secretary, evening, stranger.pk).status_code == 400
    assert tick(secretary, evening, 10**18).status_code == 400
    assert Session.objects.get().attendances.count() == 0


def test_ticking_twice_is_ticking_once_and_can_be_taken_back(cast: Cast, secretary: Client) -> None:
    evening = opened(secretary)
    ann = make_players(cast.club, 1)[0]
    tick(secretary, evening, ann.pk)
    assert tick(secretary, evening, ann.pk).json()["is_here"]
    assert not tick(secretary, evening, ann.pk, is_here=False).json()["is_here"]
    door = secretary.get(f"{evening}door/").json()["results"]
    assert not any(row["is_here"] for row in door)


def test_a_move_is_looked_at_before_it_is_made(cast: Cast, secretary: Client) -> None:
    players = make_players(cast.club, 8)
    session = night(cast.club, DAY, players[:4], players[4:])
    evening = f"{EVENINGS}{session.pk}/"
    inputs = {"one": players[0].pk, "other": players[4].pk}
    looked = send(secretary, f"{evening}move/places/", {**inputs, "only_look": True})
    assert (looked.status_code, looked.json()["done"]) == (200, False)
    assert session.places.get(player=players[0]).table.number == 1
    assert send(secretary, f"{evening}move/places/", inputs).json()["done"]
    assert session.places.get(player=players[0]).table.number == 2
    moved = send(secretary, f"{evening}move/table/", {"player": players[0].pk, "number": 1})
    assert moved.json() == {
        "done": True,
        "said": [{"sentence": "Ann now sits at table 1.", "is_kept": None}],
    }


def test_somebody_comes_late_and_that_is_taken_back(cast: Cast, secretary: Client) -> None:
    players = make_players(cast.club, 5)
    session = night(cast.club, DAY, players[:4])
    evening = f"{EVENINGS}{session.pk}/"
    post(session.tables.get(), SECOND_WINS)
    tick(secretary, evening, players[4].pk)
    now = secretary.get(f"{evening}change/").json()
    assert [row["name"] for row in now["waiting"]] == ["Ed"]
    inputs = {"player": players[4].pk, "number": 1}
    looked = send(secretary, f"{evening}change/comes/", {**inputs, "only_look": True})
    assert (looked.json()["done"], session.places.count()) == (False, 4)
    done = send(secretary, f"{evening}change/comes/", inputs)
    assert (done.status_code, done.json()["done"]) == (200, True), done.json()
    assert session.places.filter(is_current=True).count() == 5
    back = send(secretary, f"{evening}change/1/undo/", {})
    assert back.json() == {"done": True, "said": ["Table 1 is as it was before."]}


def test_whoever_waits_takes_the_seat_of_somebody_who_leaves(cast: Cast, secretary: Client) -> None:
    players = make_players(cast.club, 5)
    session = night(cast.club, DAY, players[:4])
    evening = f"{EVENINGS}{session.pk}/"
    tick(secretary, evening, players[4].pk)
    leaves = f"{evening}change/leaves/"
    nobody = send(secretary, leaves, {"leaver": players[0].pk, "then": "taken_over"})
    assert (nobody.status_code, faults(nobody)) == (400, [("invalid", "player")])
    inputs = {"leaver": players[0].pk, "then": "taken_over", "player": players[4].pk}
    assert send(secretary, leaves, inputs).json()["done"]
    assert session.places.get(player=players[4]).is_current


def test_those_who_wait_make_a_table(cast: Cast, secretary: Client) -> None:
    players = make_players(cast.club, 8)
    session = night(cast.club, DAY, players[:4])
    evening = f"{EVENINGS}{session.pk}/"
    for player in players[4:]:
        tick(secretary, evening, player.pk)
    inputs = {"players": [player.pk for player in players[4:]]}
    assert send(secretary, f"{evening}change/table/", inputs).json()["done"]
    assert session.tables.count() == 2


def test_why_they_sit_so_is_told_and_the_wishes_to_the_secretary_alone(
    cast: Cast, secretary: Client
) -> None:
    players = make_players(cast.club, 4)
    session = night(cast.club, DAY, players)
    why = secretary.get(f"{EVENINGS}{session.pk}/why/?name=Ann").json()
    assert (why["counts"], why["person"]["name"]) == ("4 players at 1 table", "Ann")
    assert secretary.get(f"{EVENINGS}{session.pk}/why/?name=Nemo").json()["person"] is None


def test_the_links_are_for_those_who_may_print_them(cast: Cast, secretary: Client) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    links = f"{EVENINGS}{session.pk}/links/"
    body = secretary.get(links).json()
    assert body["tables"][0]["key"] == session.tables.get().link_key
    assert body["wall"].endswith(f"/w/{session.wall_key}/")
    assert api_client(cast.player).get(links).status_code == 403
