"""Every hand of a club or a tournament in one request: who, how, with which tiles."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.evenings.services import ending
from clubs.models import Player, Session, ShownAs
from scoring import hand_from_json, rule_set, score
from tests.api import api_client
from tests.clubs.api.test_spreadsheets import lines_of
from tests.clubs.league.test_books import IMPERIAL_JADE
from tests.clubs.nights import DRAWN, SECOND_WINS, correct, make_players, make_season, night, post
from tests.people import Cast, make_player
from tests.tournaments.cups import play_round, seated_cup
from tournaments.results.services import hide_last_round

CLUB = "/api/v1/clubs/riverside/"
HANDS = f"{CLUB}hands/"
TUESDAY = date(2026, 11, 17)
WEEK_BEFORE = date(2026, 11, 10)
CONCEALED = ["B4", "B4", "B4", "B6", "B6", "B6", "DG", "DG"]  # of Imperial Jade


@pytest.fixture
def program(cast: Cast) -> Client:
    return api_client(cast.secretary)


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy, Di."""
    return make_players(cast.club, 4)


@pytest.fixture
def evening(cast: Cast, players: list[Player]) -> Session:
    """Ben wins with scores, then with Imperial Jade; then a drawn hand."""
    session = night(cast.club, TUESDAY, players)
    post(session.tables.get(), SECOND_WINS, IMPERIAL_JADE, DRAWN)
    return session


def hands_of(program: Client, query: str = "") -> list[dict[str, Any]]:
    answer = program.get(f"{HANDS}{query}")
    assert answer.status_code == 200, answer.json()
    result: list[dict[str, Any]] = answer.json()["results"]
    return result


def test_a_hand_names_its_players_by_their_ids(
    program: Client, evening: Session, players: list[Player]
) -> None:
    first, jade, drawn_hand = hands_of(program)
    assert [entry["player_id"] for entry in first["players"]] == [player.pk for player in players]
    assert [entry["gain"] for entry in first["players"]] == [-64, 240, -80, -96]
    assert [entry["score"] for entry in first["players"]] == [20, 60, 8, 4]
    assert (first["evening_id"], first["day"]) == (evening.pk, "2026-11-17")
    assert (first["table"], first["number"]) == (1, 1)
    assert (first["entered_as"], jade["entered_as"], drawn_hand["winner"]) == (
        "totals",
        "tiles",
        None,
    )
    assert {"payer": 1, "payee": 2, "points": 120} in first["payments"]


def test_the_tiles_that_were_sent_are_read_back_and_score_the_same(
    program: Client, evening: Session
) -> None:
    _, jade, _ = hands_of(program)
    ben = jade["players"][1]
    assert (ben["special"], jade["won_by"]) == ("Imperial Jade", "wall")
    assert sorted(ben["tiles"]["concealed"]) == sorted(CONCEALED)
    assert [entry["tiles"] for entry in jade["players"] if entry["seat"] != 2] == [None] * 3
    rules = rule_set(jade["rules"])
    hand_json = {
        **ben["tiles"],
        "seat_wind": ben["wind"],
        "mahjong": True,
        "won_by": jade["won_by"],
    }
    assert score(hand_from_json(hand_json, rules), rules).total == ben["score"]


def test_only_hands_that_count_are_listed(
    cast: Cast, program: Client, evening: Session, players: list[Player]
) -> None:
    first = post(night(cast.club, WEEK_BEFORE, players).tables.get(), SECOND_WINS)[0]
    correct(first, DRAWN)
    assert [(hand["day"], hand["winner"]) for hand in hands_of(program)][-1] == ("2026-11-10", None)
    ending.cancel_session(session=evening, reason="The wrong day")
    assert [hand["day"] for hand in hands_of(program)] == ["2026-11-10"]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?from=2026-11-17", 3),
        ("?to=2026-11-16", 1),
        ("?evening={evening}", 3),
        ("?season={season}", 4),
        ("?season=999", 0),
        ("?player={player}", 3),
        ("?state=disputed", 0),
    ],
)
def test_hands_are_filtered(
    cast: Cast, program: Client, players: list[Player], query: str, count: int
) -> None:
    season = make_season(cast.club)
    other_players = [players[0], *(make_player(cast.club, name) for name in ("Ed", "Flo", "Gus"))]
    post(night(cast.club, WEEK_BEFORE, other_players).tables.get(), SECOND_WINS)
    evening = night(cast.club, TUESDAY, players)
    post(evening.tables.get(), SECOND_WINS, DRAWN, DRAWN)
    row_ids = {"evening": evening.pk, "season": season.pk, "player": players[1].pk}
    assert len(hands_of(program, query.format(**row_ids))) == count


def test_a_file_has_a_line_for_each_player_of_a_hand(program: Client, evening: Session) -> None:
    lines = lines_of(program.get(f"{HANDS}?as=csv").content)
    assert len(lines) == 12
    ben = lines[5]
    assert (ben["Name"], ben["Gain"]) == ("Ben", "6000")
    assert (ben["Special"], ben["Won by"]) == ("Imperial Jade", "wall")
    assert sorted(ben["Concealed"].split("; ")) == sorted(CONCEALED)


def test_members_who_hide_their_name_are_hidden_and_keep_their_id(
    cast: Cast, evening: Session, players: list[Player]
) -> None:
    Player.objects.filter(pk=players[0].pk).update(shown_as=ShownAs.HIDDEN)
    (ann, *_) = hands_of(api_client(cast.player))[0]["players"]
    assert (ann["name"], ann["player_id"]) == ("A member", players[0].pk)


def test_a_list_of_hands_costs_as_many_queries_for_one_as_for_three(
    cast: Cast, program: Client, players: list[Player]
) -> None:
    for day, reports in ((WEEK_BEFORE, [DRAWN]), (TUESDAY, [SECOND_WINS] * 3)):
        evening = night(cast.club, day, players)
        post(evening.tables.get(), *reports)
        with CaptureQueriesContext(connection) as queries:
            assert len(hands_of(program, f"?evening={evening.pk}")) == len(reports)
        assert len(queries) == 6


def test_hands_of_a_tournament_name_entrants_and_substitutes(cast: Cast, program: Client) -> None:
    cup = seated_cup(club=cast.club, rounds=2, hands=1)
    play_round(cup, SECOND_WINS)
    address = f"{CLUB}tournaments/{cup.pk}/hands/"
    (hand,) = program.get(address).json()["results"]
    assert (hand["tournament_id"], hand["round"], hand["evening_id"]) == (cup.pk, 1, None)
    assert [entry["entrant_id"] for entry in hand["players"]] == [
        place.entrant_id for place in cup.rounds.get(number=1).placements.order_by("seat__number")
    ]
    assert len(lines_of(program.get(f"{address}?as=csv").content)) == 4


def test_the_hidden_last_round_is_not_in_the_list(cast: Cast, program: Client) -> None:
    cup = seated_cup(club=cast.club, rounds=1, hands=1)
    hide_last_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    address = f"{CLUB}tournaments/{cup.pk}/hands/"
    assert program.get(address).json()["count"] == 1
    assert api_client(cast.player).get(address).json()["count"] == 0
