"""A tournament over the API: who may read and submit, and the rounds that take hands."""

from datetime import date

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.models import Hand
from tests.api import SOUTH_GAINS, api_client, faults, send, told
from tests.people import Cast
from tests.tournaments.cups import DRAWN, SECOND_WINS, play_round, post, seated_cup, tables
from tournaments.models import Tournament
from tournaments.setup import services as setup_services
from tournaments.steps import services

MEMBERS = {"secretary", "director", "scorer", "player"}
ORGANISERS = {"secretary", "director", "scorer"}


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return seated_cup(club=cast.club, rounds=2, hands=1)


def addresses(cup: Tournament) -> dict[str, str]:
    club = f"/api/v1/clubs/{cup.club.slug}/tournaments/"
    return {
        "tournaments": club,
        "tournament": f"{club}{cup.pk}/",
        "standings": f"{club}{cup.pk}/standings/",
        "table": f"{club}{cup.pk}/rounds/1/tables/1/",
    }


def card(cup: Tournament, played: int) -> str:
    (table,) = tables(cup, played)
    return f"/api/v1/r/{table.link_key}/"


@pytest.mark.parametrize("name", ["tournaments", "tournament", "standings", "table"])
def test_members_read_and_others_do_not(cast: Cast, cup: Tournament, name: str) -> None:
    address = addresses(cup)[name]
    answers = {
        who: api_client(user).get(address).status_code for who, user in cast.everybody().items()
    }
    assert answers == {**dict.fromkeys(MEMBERS, 200), "member of another club": 403, "nobody": 401}


@pytest.mark.parametrize("name", ["tournaments", "tournament", "standings", "table"])
def test_a_club_that_shows_its_results_shows_its_tournaments(cup: Tournament, name: str) -> None:
    cup.club.shows_results = True
    cup.club.save()
    assert Client().get(addresses(cup)[name]).status_code == 200


def test_organisers_submit_hands_and_others_do_not(cast: Cast, cup: Tournament) -> None:
    address = addresses(cup)["table"]
    answers = {
        who: send(api_client(user), address, {}).status_code
        for who, user in cast.everybody().items()
    }
    assert answers == {
        "secretary": 400,
        "director": 400,
        "scorer": 400,
        "player": 403,
        "member of another club": 403,
        "nobody": 401,
    }


@pytest.mark.parametrize("name", ["tournament", "standings", "table"])
def test_what_belongs_to_another_club_is_not_found(cast: Cast, cup: Tournament, name: str) -> None:
    elsewhere = addresses(cup)[name].replace("riverside", "hill-top")
    answer = api_client(cast.stranger).get(elsewhere)
    assert (answer.status_code, faults(answer)) == (404, [("not_found", "")])


@pytest.mark.parametrize(
    "address", [f"{9**40}/", f"{9**40}/standings/", f"{9**40}/rounds/{9**40}/tables/{9**40}/"]
)
def test_a_tournament_that_never_was_is_not_found(cast: Cast, address: str) -> None:
    answer = api_client(cast.player).get(f"/api/v1/clubs/riverside/tournaments/{address}")
    assert (answer.status_code, faults(answer)) == (404, [("not_found", "")])


def test_the_tournament_tells_its_rounds_and_tables(cast: Cast, cup: Tournament) -> None:
    play_round(cup, SECOND_WINS)
    answer = api_client(cast.player).get(addresses(cup)["tournament"]).json()
    assert (answer["name"], answer["state"], answer["ranks_by"]) == (
        "Autumn Cup",
        "playing",
        ["table_points", "total", "mahjongs", "best_hand"],
    )
    assert [(played["number"], played["state"]) for played in answer["rounds"]] == [
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


def test_the_standings_share_table_points_exactly(cast: Cast, cup: Tournament) -> None:
    play_round(cup, DRAWN)
    rows = api_client(cast.player).get(addresses(cup)["standings"]).json()
    shared = [(row["place"], row["is_tied"], row["table_points"]) for row in rows]
    assert shared == [(1, True, "7/4")] * 4


def test_secret_links_stay_on_the_cards(cast: Cast, cup: Tournament) -> None:
    (table,) = tables(cup)
    for address in addresses(cup).values():
        assert table.link_key not in api_client(cast.director).get(address).content.decode()


def test_a_hand_is_submitted_once_and_stands(cast: Cast, cup: Tournament) -> None:
    scorer, hand = api_client(cast.scorer), told()
    first, again = (send(scorer, addresses(cup)["table"], hand) for _ in range(2))
    other = send(scorer, addresses(cup)["table"], told(winner=None))
    assert [answer.status_code for answer in (first, again, other)] == [201, 200, 409]
    assert first.json()["gains"] == SOUTH_GAINS
    assert other.json()["stands"] == again.json() == first.json()
    assert Hand.objects.get().sent_by == f"user {cast.scorer.pk}"


def test_whoever_holds_the_card_submits_for_the_table(client: Client, cup: Tournament) -> None:
    (table,) = tables(cup)
    assert send(client, card(cup, 1), told()).status_code == 201
    assert Hand.objects.get().sent_by == f"round table {table.pk}"
    shown = client.get(card(cup, 1)).json()
    assert (shown["event"], shown["next_hand"]) == ("Autumn Cup, round 1", None)


def test_a_card_that_opens_nothing_is_not_found(client: Client, db: None) -> None:
    answer = client.get("/api/v1/r/no-such-key/")
    assert (answer.status_code, faults(answer)) == (404, [("not_found", "")])


def test_a_score_of_37_is_refused_at_its_field(client: Client, cup: Tournament) -> None:
    scores = {"1": 20, "2": 60, "3": 37, "4": 4}
    answer = send(client, card(cup, 1), told(winner=2, scores=scores))
    assert (answer.status_code, faults(answer)) == (400, [("bad_score", "scores.3")])


def test_a_round_that_is_not_played_yet_takes_no_hand(client: Client, cup: Tournament) -> None:
    answer = send(client, card(cup, 2), told())
    assert (answer.status_code, answer.json()["problems"]) == (
        400,
        [
            {
                "code": "round_not_open",
                "where": "",
                "message": "Round 2 has not been started yet. The director will start it.",
            }
        ],
    )


def test_a_closed_round_takes_no_hand_but_knows_its_own(client: Client, cup: Tournament) -> None:
    hand = told()
    kept = send(client, card(cup, 1), hand)
    services.close_round(tournament=cup)
    late = send(client, card(cup, 1), told())
    assert (late.status_code, faults(late)) == (400, [("round_not_open", "")])
    again = send(client, card(cup, 1), hand)
    assert (again.status_code, again.json()) == (200, kept.json())


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
        listed = client.get("/api/v1/clubs/riverside/tournaments/").json()
    assert [row["name"] for row in listed["results"]] == [f"Cup {n}" for n in range(count)][::-1]


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_tournament_needs_the_same_queries_however_many_rounds(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, rounds: int
) -> None:
    cup = seated_cup(club=cast.club, rounds=rounds)
    client = api_client(cast.player)
    with django_assert_num_queries(10):
        client.get(addresses(cup)["tournament"])
    with django_assert_num_queries(6):
        client.get(addresses(cup)["standings"])


@pytest.mark.parametrize("played", [1, 3])
def test_a_hand_of_a_round_costs_the_same_queries_however_long_it_is(
    cast: Cast, client: Client, played: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (table,) = tables(seated_cup(club=cast.club, rounds=1, hands=8))
    post(table, *[SECOND_WINS, DRAWN, SECOND_WINS][:played])
    with django_assert_num_queries(16):
        send(client, f"/api/v1/r/{table.link_key}/", told(played + 1, winner=None))
