"""A tournament over the API, from the entry list to the results: who may, and what it costs."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.models import Hand
from tests.api import (
    SOUTH_GAINS,
    api_client,
    faults,
    game_at,
    hand_payload,
    link_client,
    look,
    send,
)
from tests.people import Cast, make_player
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    finish,
    make_cup,
    play_round,
    post,
    seated_cup,
    tables,
)
from tournaments.models import Drawing, SeatingChange, Tournament
from tournaments.results import services as results_services
from tournaments.setup import services as setup_services
from tournaments.steps import services


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return seated_cup(club=cast.club, rounds=2, hands=1)


CUPS = "/api/v1/clubs/riverside/tournaments/"


@pytest.fixture
def director(cast: Cast) -> Client:
    return api_client(cast.director)


def cup_url(cup: Tournament, path: str = "") -> str:
    return f"{CUPS}{cup.pk}/{path}"


def game(cup: Tournament, number: int = 1) -> str:
    """The game at the table of this number in the first round."""
    return game_at(next(table for table in tables(cup, 1) if table.number == number))


def card(cup: Tournament) -> Client:
    """A program that has the printed link of the first round's only table."""
    (table,) = tables(cup, 1)
    return link_client(table.link_key)


@pytest.mark.parametrize(
    "address", [f"{9**40}/", f"{9**40}/standings/", f"{9**40}/rounds/{9**40}/score-sheets/"]
)
def test_a_tournament_that_never_was_is_not_found(cast: Cast, address: str) -> None:
    answer = api_client(cast.scorer).get(f"{CUPS}{address}")
    assert (answer.status_code, faults(answer)) == (404, [("not_found", "")])


def test_the_tournament_tells_its_rounds_and_tables(cast: Cast, cup: Tournament) -> None:
    play_round(cup, SECOND_WINS)
    answer = api_client(cast.player).get(cup_url(cup)).json()
    assert (answer["name"], answer["state"], answer["ranks_by"]) == (
        "Autumn Cup",
        "playing",
        ["table_points", "total", "mahjongs", "best_hand"],
    )
    assert [(round_data["number"], round_data["state"]) for round_data in answer["rounds"]] == [
        (1, "playing"),
        (2, "seated"),
    ]
    (table,) = answer["rounds"][0]["tables"]
    assert [(seat["wind"], seat["points"]) for seat in table["places"]] == [
        ("E", -64),
        ("S", 240),
        ("W", -80),
        ("N", -96),
    ]
    sitting = tables(cup)[0].placements.order_by("seat__number").values_list("entrant", flat=True)
    assert [seat["entrant_id"] for seat in table["places"]] == list(sitting)


def test_the_standings_share_table_points_exactly(cast: Cast, cup: Tournament) -> None:
    play_round(cup, DRAWN)
    rows = api_client(cast.player).get(cup_url(cup, "standings/")).json()["results"]
    shared_places = [(row["place"], row["is_tied"], row["table_points"]) for row in rows]
    assert shared_places == [(1, True, "7/4")] * 4


def test_secret_links_stay_on_the_cards(cast: Cast, cup: Tournament) -> None:
    (table,) = tables(cup)
    for address in (CUPS, cup_url(cup), cup_url(cup, "standings/"), game(cup)):
        assert table.link_key not in api_client(cast.director).get(address).content.decode()


def test_a_hand_is_submitted_once_and_stands(cast: Cast, cup: Tournament) -> None:
    scorer, hand = api_client(cast.scorer), hand_payload()
    first, repeat = (send(scorer, f"{game(cup)}hands/", hand) for _ in range(2))
    other_response = send(scorer, f"{game(cup)}hands/", hand_payload(winner=None))
    assert [answer.status_code for answer in (first, repeat, other_response)] == [201, 200, 409]
    assert first.json()["gains"] == SOUTH_GAINS
    assert other_response.json()["recorded_hand"] == repeat.json() == first.json()
    assert Hand.objects.get().sent_by == f"user {cast.scorer.pk}"


def test_whoever_holds_the_card_submits_for_the_table(cup: Tournament) -> None:
    (table,) = tables(cup)
    assert send(card(cup), f"{game(cup)}hands/", hand_payload()).status_code == 201
    assert Hand.objects.get().sent_by == f"round table {table.pk}"
    game_data = card(cup).get(game(cup)).json()
    assert (game_data["event"], game_data["next_hand"]) == ("Autumn Cup, round 1", None)


def test_a_game_says_in_which_round_it_is(cast: Cast, cup: Tournament) -> None:
    game_data = api_client(cast.player).get(game(cup)).json()
    location = {"kind": "round", "club": "riverside", "evening": None, "tournament": cup.pk}
    location |= {"round": 1, "table": 1, "held_on": "2026-11-21", "is_current": True}
    assert {name: game_data[name] for name in location} == location
    cup_data = api_client(cast.player).get(cup_url(cup)).json()
    assert cup_data["rounds"][0]["tables"][0]["game_id"] == game_data["id"]
    link_data = card(cup).get("/api/v1/link/").json()
    assert (link_data["seat"], link_data["game"]["id"]) == (None, game_data["id"])


def test_a_score_of_37_is_refused_at_its_field(cup: Tournament) -> None:
    scores = {"1": 20, "2": 60, "3": 37, "4": 4}
    answer = send(card(cup), f"{game(cup)}hands/", hand_payload(winner=2, scores=scores))
    assert (answer.status_code, faults(answer)) == (400, [("bad_score", "scores.3")])


def test_a_closed_round_takes_no_hand_but_knows_its_own(cup: Tournament) -> None:
    hand, client, hands = hand_payload(), card(cup), f"{game(cup)}hands/"
    first_response = send(client, hands, hand)
    services.close_round(tournament=cup)
    late_response = send(client, hands, hand_payload())
    assert (late_response.status_code, faults(late_response)) == (409, [("round_not_open", "")])
    second_response = send(client, hands, hand)
    assert (second_response.status_code, second_response.json()) == (200, first_response.json())


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_needs_the_same_queries_however_long(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for number in range(count):
        setup_services.make_tournament(
            club=cast.club, name=f"Cup {number}", held_on=date(2026, 11, 21 + number)
        )
    client = api_client(cast.player)
    with django_assert_num_queries(5):
        listing = client.get(CUPS).json()
    assert [row["name"] for row in listing["results"]] == [f"Cup {n}" for n in range(count)][::-1]


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_tournament_needs_the_same_queries_however_many_rounds(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, rounds: int
) -> None:
    cup = seated_cup(club=cast.club, rounds=rounds)
    client = api_client(cast.player)
    with django_assert_num_queries(9):
        client.get(cup_url(cup))
    with django_assert_num_queries(6):
        client.get(cup_url(cup, "standings/"))


@pytest.mark.parametrize("played_count", [1, 3])
def test_a_hand_of_a_round_costs_the_same_queries_however_long_it_is(
    cast: Cast, played_count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (table,) = tables(seated_cup(club=cast.club, rounds=1, hands=8))
    post(table, *[SECOND_WINS, DRAWN, SECOND_WINS][:played_count])
    client = link_client(table.link_key)
    with django_assert_num_queries(17):
        send(client, f"{game_at(table)}hands/", hand_payload(played_count + 1, winner=None))
    scorer = api_client(cast.scorer)
    with django_assert_num_queries(20):
        send(scorer, f"{game_at(table)}hands/", hand_payload(played_count + 2, winner=None))
    with django_assert_num_queries(4):
        client.get(game_at(table))


def get_json(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


def post_json(client: Client, address: str, data: Any = None, *, status: int = 200) -> Any:
    answer = send(client, address, {} if data is None else data)
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def change(client: Client, address: str, data: Any) -> Any:
    return client.patch(address, data, content_type="application/json")


def test_a_tournament_is_run_from_entries_to_published_results(director: Client) -> None:
    cup_data = post_json(
        director,
        CUPS,
        {"name": "Spring Cup", "held_on": "2026-11-21", "rounds": 1, "hands_a_round": 1},
        status=201,
    )
    cup = f"{CUPS}{cup_data['id']}/"
    names = ["Ann Abbott", "Ben Brown", "Cy Clark", "Di Dyer"]
    assert post_json(director, f"{cup}entrants/names/", {"names": names}, status=201) == {
        "entered": 4
    }
    step = get_json(director, f"{cup}desk/")["step"]
    assert (step["button"], step["address"]) == ("Seat the round", f"{cup}seat/")
    worry = post_json(director, f"{cup}seat/?dry_run=1")["warnings"][0]
    assert worry["sentence"].startswith("None of the 4 players")
    assert post_json(director, f"{cup}seat/")["state"] == "playing"
    post_json(director, f"{cup}start/", {"clock_waits": True})
    stuck = send(director, f"{cup}close/", {})
    assert (stuck.status_code, faults(stuck)) == (409, [("round_incomplete", "")])
    hand = {"submission_id": str(uuid4()), "number": 1, "winner": 2}
    hand["scores"] = {"1": 20, "2": 60, "3": 8, "4": 4}
    (table,) = get_json(director, cup)["rounds"][0]["tables"]
    post_json(director, f"/api/v1/games/{table['game_id']}/hands/", hand, status=201)
    post_json(director, f"{cup}close/")
    post_json(director, f"{cup}finish/")
    key = Tournament.objects.get(pk=cup_data["id"]).wall_key
    assert Client().get(f"/api/v1/e/{key}/results/").status_code == 404
    assert post_json(director, f"{cup}results/publish/")["published_at"] is not None
    results = get_json(Client(), f"/api/v1/e/{key}/results/")
    assert [honour["place"] for honour in results["podium"]] == [1, 2, 3]
    assert results["board"]["lines"][0]["total"] == 240


def test_a_preset_gives_what_is_not_told(director: Client) -> None:
    keys = [preset["key"] for preset in get_json(director, f"{CUPS}presets/")["results"]]
    assert "clock" in keys
    body = {"name": "Spring Cup", "held_on": "2026-11-21", "preset": "clock"}
    cup_data = post_json(director, CUPS, body, status=201)
    assert (cup_data["minutes_a_round"], cup_data["hands_a_round"]) == (75, None)


def test_settings_are_judged_as_on_the_page(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4)
    cup_settings = get_json(director, cup_url(cup, "settings/"))
    assert (cup_settings["rounds"], cup_settings["settled"]) == (5, {})
    body = {"rounds": 3, "by_standing_from": 3, "rules": cup_settings["rules"]}
    response = change(director, cup_url(cup, "settings/"), body)
    assert (response.status_code, response.json()["by_standing_from"]) == (200, 3)
    bad = change(director, cup_url(cup, "settings/"), {"ranks_by": ["total", "total"]})
    assert (bad.status_code, [field for _, field in faults(bad)]) == (400, ["ranks_by"])
    bad = change(director, cup_url(cup, "settings/"), {"hands_a_round": None})
    assert [field for _, field in faults(bad)] == ["hands_a_round"]


def test_what_is_settled_is_refused_with_the_reason(director: Client, cup: Tournament) -> None:
    play_round(cup, DRAWN)
    settled_fields = get_json(director, cup_url(cup, "settings/"))["settled"]
    assert settled_fields["rules"].startswith("This cannot change after the first hand")
    response = change(
        director, cup_url(cup, "settings/"), {"rules": "english", "name": "Autumn Bowl"}
    )
    assert (response.status_code, [field for _, field in faults(response)]) == (400, ["rules"])
    assert change(director, cup_url(cup, "settings/"), {"name": "Autumn Bowl"}).status_code == 200


def test_rounds_that_are_planned_besides_are_seated(director: Client, cup: Tournament) -> None:
    response = change(director, cup_url(cup, "settings/"), {"rounds": 3})
    assert (response.status_code, response.json()["rounds"]) == (200, 3)
    rounds = get_json(director, cup_url(cup, "seating/"))["rounds"]
    assert [round_["number"] for round_ in rounds] == [1, 2, 3]


def test_entrants_are_listed_ticked_withdrawn_and_readmitted(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4)
    entrants = cup_url(cup, "entrants/")
    entrant = post_json(director, entrants, {"name": "Zoë Adams", "team": "Bamboo"}, status=201)
    response = change(director, f"{entrants}{entrant['id']}/", {"is_here": True})
    assert (response.json()["is_here"], response.json()["has_paid"]) == (True, False)
    present_entrants = get_json(director, f"{entrants}?is_here=true")["results"]
    assert [row["name"] for row in present_entrants] == ["Zoë Adams"]
    assert post_json(director, f"{entrants}{entrant['id']}/withdraw/?dry_run=1")["is_possible"]
    post_json(director, f"{entrants}{entrant['id']}/withdraw/", status=204)
    assert director.get(f"{entrants}{entrant['id']}/").status_code == 404
    change(director, f"{entrants}terms/", {"places": 4})
    waiting = post_json(director, entrants, {"name": "Zoë Adams"}, status=201)
    assert waiting["state"] == "waiting"
    assert post_json(director, f"{entrants}{waiting['id']}/readmit/")["state"] == "entered"


def test_members_enter_by_their_numbers(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=0)
    players = [make_player(cast.club, name).pk for name in ("Ann Abbott", "Ben Brown")]
    free = {row["name"] for row in get_json(director, cup_url(cup, "entrants/members/"))["results"]}
    assert {"Ann Abbott", "Ben Brown"} <= free
    post_json(director, cup_url(cup, "entrants/members/"), {"players": players}, status=201)
    response = send(director, cup_url(cup, "entrants/members/"), {"players": players})
    assert (response.status_code, faults(response)) == (400, [("invalid_choice", "players")])


def test_a_list_is_looked_at_before_it_is_entered(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=0)
    body = {"text": "name,club,paid\nAnn Abbott,Hill Top,yes\nBen Brown,,"}
    preview = post_json(director, cup_url(cup, "entrants/import/?dry_run=1"), body)
    assert [(row["name"], row["has_paid"]) for row in preview["entries"]] == [
        ("Ann Abbott", True),
        ("Ben Brown", False),
    ]
    assert [row["becomes"] for row in preview["columns"]] == ["name", "club", "paid"]
    assert not cup.entrants.exists()
    strange = send(director, cup_url(cup, "entrants/import/"), {**body, "columns": {"2": "hat"}})
    assert strange.status_code == 400
    other_body = {**body, "columns": {"2": "team"}}
    preview = post_json(director, cup_url(cup, "entrants/import/?dry_run=1"), other_body)
    assert preview["entries"][0]["team"] == "Hill Top"
    assert post_json(director, cup_url(cup, "entrants/import/"), body, status=201) == {"entered": 2}
    file = director.get(cup_url(cup, "entrants/?as=import.csv"))
    assert (file.headers["Content-Type"], b"Hill Top" in file.content) == (
        "text/csv; charset=utf-8",
        True,
    )


def test_seats_are_changed_and_the_change_is_undone(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    seating = cup_url(cup, "seating/")
    first = get_json(director, seating)["rounds"][0]["tables"]
    entrant, other_entrant = (table["places"][0]["entrant_id"] for table in first)
    post_json(
        director,
        f"{seating}changes/swap/",
        {"number": 1, "one": entrant, "other": other_entrant},
        status=201,
    )
    changed_tables = get_json(director, seating)["rounds"][0]["tables"]
    assert [table["places"][0]["entrant_id"] for table in changed_tables] == [
        other_entrant,
        entrant,
    ]
    assert len(get_json(director, f"{seating}changes/")["results"]) == 1
    post_json(director, f"{seating}changes/undo/")
    assert get_json(director, seating)["rounds"][0]["tables"] == first
    bad = send(director, f"{seating}changes/swap/", {"number": 1, "one": entrant, "other": 9**9})
    assert (bad.status_code, faults(bad)) == (400, [("invalid_choice", "other")])
    body = {"entrant": entrant, "name": "Zoë Adams", "number": 1}
    assert post_json(director, f"{seating}changes/substitute/", body) == {"rounds": 2}


def test_a_round_is_seated_by_hand_as_it_was_looked_at(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club, rounds=2)
    response = director.get(cup_url(cup, "seating/by-hand/2/"))
    tag, (table,) = response.headers["ETag"], response.json()["tables"]
    body = {"tables": [{"number": 1, "names": table["names"][::-1]}], "others_sit_out": False}
    cost = post_json(director, cup_url(cup, "seating/by-hand/2/?dry_run=1"), body)
    assert cost["rounds"][0]["tables"][0]["seats"]["E"] == table["names"][3]
    assert send(director, cup_url(cup, "seating/by-hand/2/"), body, tag=tag).status_code == 201
    late_response = send(director, cup_url(cup, "seating/by-hand/2/"), body, tag=tag)
    assert (late_response.status_code, faults(late_response)) == (412, [("seating_changed", "")])
    assert director.get(cup_url(cup, "seating/by-hand/3/")).status_code == 404


def test_a_whole_plan_is_weighed_and_seated(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4, rounds=1)
    body = {"text": "1,1,Player 1,Player 2,Player 3,Player 4"}
    assert (
        post_json(director, cup_url(cup, "seating/import/?dry_run=1"), body)["rounds"][0]["number"]
        == 1
    )
    post_json(director, cup_url(cup, "seating/import/"), body, status=201)
    explanation = get_json(director, cup_url(cup, "seating/explanation/?name=Player 1"))
    assert explanation["person"]["name"] == "Player 1"


def test_a_round_is_seated_by_standing_as_it_was_shown(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4, rounds=2, hands=1)
    change(director, cup_url(cup, "settings/"), {"by_standing_from": 2})
    post_json(director, cup_url(cup, "seat/"))
    post_json(director, cup_url(cup, "start/"))
    play_round(cup, SECOND_WINS)
    post_json(director, cup_url(cup, "close/"))
    assert get_json(director, cup_url(cup, "desk/"))["step"]["address"] == cup_url(
        cup, "seating/by-standings/"
    )
    proposal = look(director, cup_url(cup, "seating/by-standings/"))
    assert (proposal.json()["number"], len(proposal.json()["tables"])) == (2, 1)
    late_response = send(director, cup_url(cup, "seating/by-standings/"), {}, tag='"0"')
    assert (late_response.status_code, faults(late_response)) == (412, [("standings_changed", "")])
    tag = proposal.headers["ETag"]
    assert send(director, cup_url(cup, "seating/by-standings/"), {}, tag=tag).status_code == 201


def test_a_step_is_taken_back_with_a_reason_that_is_kept(director: Client, cup: Tournament) -> None:
    play_round(cup, DRAWN)
    post_json(director, cup_url(cup, "close/"))
    response = send(director, cup_url(cup, "close/undo/"), {})
    assert (response.status_code, [field for _, field in faults(response)]) == (400, ["reason"])
    post_json(director, cup_url(cup, "close/undo/"), {"reason": "A hand was missing"})
    assert cup.steps_back.get().reason == "A hand was missing"


def test_the_clock_stands_goes_on_and_is_given_minutes(director: Client, cup: Tournament) -> None:
    response = send(director, cup_url(cup, "clock/set/"), {"action": "pause"})
    assert (response.status_code, faults(response)) == (409, [("no_clock", "")])
    Tournament.objects.filter(pk=cup.pk).update(minutes_a_round=75)
    assert post_json(director, cup_url(cup, "clock/set/"), {"action": "pause"})["clock"][
        "is_paused"
    ]
    assert (
        post_json(director, cup_url(cup, "clock/minutes/"), {"minutes": 5})["clock"][
            "minutes_added"
        ]
        == 5
    )
    table = game(cup)
    table_state = post_json(director, f"{table}minutes/", {"minutes": 3})
    assert table_state["clock"]["minutes_added"] == 8
    post_json(director, f"{table}stop/", {"action": "stop"}, status=204)
    assert get_json(director, cup_url(cup, "desk/"))["tables"][0]["is_done"]


@pytest.mark.parametrize("clock", ["the hall’s", "a table’s"])
def test_minutes_are_added_once_by_who_names_the_clock(
    director: Client, cup: Tournament, clock: str
) -> None:
    Tournament.objects.filter(pk=cup.pk).update(minutes_a_round=75)
    clock_url, minutes_url = cup_url(cup, "clock/"), cup_url(cup, "clock/minutes/")
    if clock == "a table’s":
        clock_url, minutes_url = f"{game(cup)}clock/", f"{game(cup)}minutes/"
    tag_before = director.get(clock_url).headers["ETag"]
    assert send(director, minutes_url, {"minutes": 5}, tag=tag_before).status_code == 200
    late_response = send(director, minutes_url, {"minutes": 5}, tag=tag_before)
    assert (late_response.status_code, faults(late_response)) == (412, [("overtaken", "")])
    assert "minutes" in late_response.json()["detail"] or "clock" in late_response.json()["detail"]
    other_response = send(director, minutes_url, {"minutes": 5}, tag='"other"')
    assert other_response.status_code == 412
    assert get_json(director, clock_url)["clock"]["minutes_added"] == 5
    new_tag = director.get(clock_url).headers["ETag"]
    assert (
        send(director, minutes_url, {"minutes": -2}, tag=new_tag).json()["clock"]["minutes_added"]
        == 3
    )


def test_minutes_added_since_keep_nobody_from_stopping_the_clock(
    director: Client, cup: Tournament
) -> None:
    Tournament.objects.filter(pk=cup.pk).update(minutes_a_round=75)
    tag = director.get(cup_url(cup, "clock/")).headers["ETag"]
    post_json(director, cup_url(cup, "clock/minutes/"), {"minutes": 5})
    pause_response = send(director, cup_url(cup, "clock/set/"), {"action": "pause"}, tag=tag)
    assert pause_response.status_code == 200
    late_response = send(director, cup_url(cup, "clock/set/"), {"action": "pause"}, tag=tag)
    assert late_response.status_code == 412


def test_where_there_is_no_clock_its_etag_says_so(director: Client, cup: Tournament) -> None:
    tag = director.get(cup_url(cup, "clock/")).headers["ETag"]
    for step, body in (("set", {"action": "pause"}), ("minutes", {"minutes": 5})):
        answer = send(director, cup_url(cup, f"clock/{step}/"), body, tag=tag)
        assert (answer.status_code, faults(answer)) == (409, [("no_clock", "")])


def test_a_table_calls_and_somebody_comes(director: Client, cup: Tournament) -> None:
    call = f"{game(cup)}call/"
    call_data = post_json(card(cup), call, {"what": "We do not agree"})
    assert call_data["call"]["what"] == "We do not agree"
    (desk_table,) = get_json(director, cup_url(cup, "desk/"))["tables"]
    assert (desk_table["marks"][0]["sign"], desk_table["needs_attention"]) == ("called", True)
    answer_url = f"{call}answer/"
    assert post_json(director, answer_url) == {"was_waiting": True}
    assert post_json(director, answer_url) == {"was_waiting": False}
    assert get_json(card(cup), call) == {"call": None}


def test_a_ruling_is_made_once_and_taken_back(director: Client, cup: Tournament) -> None:
    rulings = f"{game(cup)}rulings/"
    body = {"submission_id": str(uuid4()), "what": "adjustment", "seat": 1, "points": -100}
    body["reason"] = "Came late"
    first, repeat = (post_json(director, rulings, body, status=201) for _ in range(2))
    assert first == repeat
    assert first["gains"] == [{"name": first["name"], "points": -100}]
    post_json(director, f"{rulings}{first['id']}/cancel/", {"reason": "Came in time"}, status=201)
    assert [row["is_cancelled"] for row in get_json(director, rulings)["rulings"]] == [True, False]


def test_a_submission_of_another_table_makes_no_ruling_here(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=1)
    body = {"submission_id": str(uuid4()), "what": "adjustment", "seat": 1, "points": 5}
    body["reason"] = "Came late"
    post_json(director, f"{game(cup)}rulings/", body, status=201)
    response = send(director, f"{game(cup, 2)}rulings/", body)
    assert (response.status_code, faults(response)) == (409, [("submission_used", "")])


def test_prizes_are_declared_changed_moved_and_taken_away(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4)
    prizes = cup_url(cup, "prizes/")
    assert get_json(director, prizes)["are_usual"]
    assert post_json(director, f"{prizes}standard/", status=201)["prizes"] == 5
    hat = {"kind": "chosen", "name": "The best hat", "chosen": cup.entrants.earliest("pk").pk}
    prize = post_json(director, prizes, hat, status=201)
    changed_prize = change(director, f"{prizes}{prize['id']}/", {"gift": "A hat box"}).json()
    assert (changed_prize["gift"], changed_prize["chosen"]) == ("A hat box", hat["chosen"])
    post_json(director, f"{prizes}{prize['id']}/move/", {"up": True}, status=204)
    assert get_json(director, prizes)["prizes"][4]["title"] == "The best hat"
    assert director.delete(f"{prizes}{prize['id']}/").status_code == 204
    post_json(director, f"{prizes}rule/", {"one_each": True}, status=204)
    assert get_json(director, prizes)["one_each"]


def test_what_is_kept_for_the_prize_giving_is_told_to_officials_alone(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club, rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    post_json(director, cup_url(cup, "results/hide/"))
    player, key = api_client(cast.player), cup.wall_key
    for name in ("results/", "standings/", "records/", "hands/", "desk/", "results/?as=csv", ""):
        figure = '"score":60' if name == "records/" else "240"
        assert figure in director.get(f"{cup_url(cup)}{name}").content.decode(), name
        response = player.get(f"{cup_url(cup)}{name}")
        assert (response.status_code, figure in response.content.decode()) == (200, False), name
    assert player.get(game(cup)).status_code == 403
    for name in ("", f"find/{cup.entrants.earliest('pk').pk}/"):
        assert "240" not in Client().get(f"/api/v1/e/{key}/{name}").content.decode()


def test_the_hall_reads_wall_names_and_tables_without_a_sign_in(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, rounds=1)
    wall = get_json(Client(), f"/api/v1/e/{cup.wall_key}/")
    assert {page["kind"] for page in wall["pages"]} >= {"tables"}
    alone = get_json(Client(), f"/api/v1/e/{cup.wall_key}/?show=seats")
    assert {page["kind"] for page in alone["pages"]} == {"seats"}
    response = Client().get(f"/api/v1/e/{cup.wall_key}/?show=fireworks")
    assert (response.status_code, faults(response)) == (400, [("bad_parameter", "show")])
    names = get_json(Client(), f"/api/v1/e/{cup.wall_key}/find/?find=player 2")["results"]
    assert [row["name"] for row in names] == ["Player 2"]
    me = get_json(Client(), f"/api/v1/e/{cup.wall_key}/find/{names[0]['entrant_id']}/")
    assert (me["name"], me["now"]["table"], len(me["now"]["square"])) == ("Player 2", 1, 4)
    assert Client().get("/api/v1/e/no-such-key/").status_code == 404


def test_a_seat_speaks_for_itself_at_its_own_link(director: Client, cup: Tournament) -> None:
    hands = f"{game(cup)}hands/"
    links = get_json(director, f"{game(cup)}seats/")["results"]
    seat_client = link_client(links[1]["key"])
    assert get_json(seat_client, "/api/v1/link/")["seat"] == 2
    hand = {"submission_id": str(uuid4()), "number": 1, "winner": None}
    created_hand = post_json(seat_client, hands, hand, status=201)
    hand_data = get_json(seat_client, f"{hands}{created_hand['id']}/")
    assert "2" in str(hand_data)
    bad = send(seat_client, f"{hands}{created_hand['id']}/dispute/", {"seat": 1})
    assert (bad.status_code, [field for _, field in faults(bad)]) == (400, ["seat"])


def test_a_new_link_voids_the_card(director: Client, cup: Tournament) -> None:
    (link,) = get_json(director, cup_url(cup, "rounds/1/links/"))["results"]
    assert game(cup) == f"/api/v1/games/{link['game_id']}/"
    new = post_json(director, f"{game(cup)}new-link/")
    assert link_client(link["key"]).get(game(cup)).status_code == 410
    assert link_client(new["key"]).get(game(cup)).status_code == 200


def test_papers_are_listed_and_sent(director: Client, cup: Tournament) -> None:
    printouts = get_json(director, cup_url(cup, "printouts/"))["results"]
    for paper in printouts:
        answer = director.get(paper["address"])
        if paper["printout"] == "certificates":
            assert (answer.status_code, faults(answer)) == (409, [("not_finished", "")])
            assert answer.json()["detail"] == paper["unavailable_because"]
        else:
            assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-"), paper
    response = director.get(cup_url(cup, "printouts/sheets.pdf?round=7"))
    assert (response.status_code, faults(response)) == (409, [("nobody_seated", "")])


def test_the_figures_of_two_are_put_right_and_that_is_taken_back(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(club=cast.club, rounds=1, hands=2)
    (table,) = tables(cup)
    post(table, SECOND_WINS)
    repairs = f"{game(cup)}corrections/"
    body = {"seat": 1, "other_seat": 3, "first": 1, "reason": "Written the wrong way round"}
    assert post_json(director, f"{repairs}scores/?dry_run=1", body)["done"] is False
    assert post_json(director, f"{repairs}scores/", body)["done"] is True
    (correction,) = get_json(director, cup_url(cup, "corrections/"))["results"]
    assert (correction["where"], correction["can_be_undone"]) == ("Round 1, table 1", True)
    assert post_json(director, f"{repairs}{correction['id']}/undo/")["done"] is True


def test_a_finished_tournament_is_not_put_right(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club, rounds=1, hands=1)
    finish(cup, SECOND_WINS)
    body = {"seat": 1, "other_seat": 3, "first": 1, "reason": "Written the wrong way round"}
    response = send(director, f"{game(cup)}corrections/scores/", body)
    assert response.status_code == 409


# The key, the club, the role in it, the count of a paged list, the list itself and what it reads.
LISTS = {
    "entrants/": 8,
    "entrants/members/": 5,
    "entrants/terms/": 4,
    "seating/": 9,
    "seating/explanation/": 9,
    "seating/draws/": 5,
    "seating/changes/": 9,
    "desk/": 12,
    "prizes/": 7,
    "results/": 7,
    "records/": 6,
    "hands/": 7,
    "standings/": 6,
    "printouts/": 6,
    "rounds/1/score-sheets/": 8,
    "rounds/1/links/": 8,
    "corrections/": 6,
}


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_asks_as_much_for_one_row_as_for_three(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, name: str, rows: int
) -> None:
    cup = seated_cup(club=cast.club, entrants=4 * rows, rounds=rows, hands=1)
    for number in range(rows):
        make_player(cast.club, f"Zoë {number}")
        results_services.save_prize(tournament=cup, kind="place", place=number + 1)
        SeatingChange.objects.create(tournament=cup, what="A change", before=[], made_by="test")
        Drawing.objects.create(tournament=cup, first_round=1, last_round=1, asked={})
    for table in tables(cup):
        post(table, DRAWN)
    director = api_client(cast.director)
    with django_assert_num_queries(LISTS[name]):
        answer: Any = director.get(cup_url(cup, name))
    assert answer.status_code == 200


@pytest.mark.parametrize("rows", [1, 3])
def test_names_to_find_ask_the_same(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, rows: int
) -> None:
    cup = make_cup(club=cast.club, entrants=rows)
    with django_assert_num_queries(3):
        api_client(None).get(f"/api/v1/e/{cup.wall_key}/find/")
