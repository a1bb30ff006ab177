"""The standings as they were, the last round kept back, the results that are published."""

import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests.clubs.visits import Visitor
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    close_round,
    finish,
    next_round,
    page_of,
    play_round,
    seated_cup,
    tables,
)
from tournaments.models import Tournament
from tournaments.results import services as results_services


@pytest.fixture
def player(cast: Cast) -> Client:
    return Visitor(cast.player)


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """Two rounds of a hand: a win for 240 and then a draw in the last round, still open."""
    new_cup = seated_cup(rounds=2, hands=1, club=cast.club)
    next_round(new_cup, SECOND_WINS)
    play_round(new_cup, DRAWN)
    return new_cup


def test_the_standings_are_shown_as_they_were_after_a_round(
    player: Client, cup: Tournament
) -> None:
    now = player.get(page_of(cup, "standings/"))
    assertContains(now, "provisional: round 2 is being played")
    assertContains(now, "5¾")
    earlier_page = player.get(page_of(cup, "standings/"), {"after": "1"})
    assertContains(earlier_page, "after round 1")
    assertNotContains(earlier_page, "5¾")


def test_what_is_kept_for_the_prize_giving_is_shown_to_officials_alone(
    director: Client, player: Client, client: Client, cup: Tournament
) -> None:
    assertRedirects(director.post(page_of(cup, "results/hide/")), page_of(cup, "standings/"))
    assertContains(director.get(page_of(cup, "standings/")), "5¾")
    for address in ("standings/", "standings/?after=2", "standings.csv"):
        response = player.get(f"{page_of(cup)}{address}")
        assertNotContains(response, "5¾")
        assertNotContains(response, "5.75")
    phone = f"/r/{tables(cup)[0].link_key}/standings/"
    for address in (f"/e/{cup.wall_key}/?page=2", phone):
        assertNotContains(client.get(address), "5¾")
    notice = "After round 1. The last round is hidden until the prize-giving."
    assertContains(client.get(phone), notice)


def test_a_table_of_the_kept_round_has_no_points_for_others(
    director: Client, player: Client, cup: Tournament
) -> None:
    results_services.hide_last_round(tournament=cup)
    assertContains(director.get(page_of(cup)), "hall__points")
    assertNotContains(player.get(page_of(cup)), "hall__points")


def test_the_api_keeps_the_last_round_too(
    director: Client, player: Client, cup: Tournament
) -> None:
    results_services.hide_last_round(tournament=cup)
    cup_url = f"/api/v1/clubs/riverside/tournaments/{cup.pk}/"
    assert {
        row["table_points"] for row in player.get(f"{cup_url}standings/").json()["results"]
    } == set("4210")
    assert "23/4" in {
        row["table_points"] for row in director.get(f"{cup_url}standings/").json()["results"]
    }
    first, last = player.get(cup_url).json()["rounds"]
    assert [place["points"] for place in first["tables"][0]["places"]] == [-64, 240, -80, -96]
    assert [place["points"] for place in last["tables"][0]["places"]] == [None] * 4
    public_url, hidden_url = (
        f"/api/v1/games/{round_data['tables'][0]['game_id']}/" for round_data in (first, last)
    )
    assert (player.get(hidden_url).status_code, player.get(public_url).status_code) == (403, 200)
    assert player.get(f"{hidden_url}clock/").status_code == 403
    assert director.get(hidden_url).status_code == 200


def test_released_everybody_sees_the_last_round(
    director: Client, player: Client, cup: Tournament
) -> None:
    results_services.hide_last_round(tournament=cup)
    director.post(page_of(cup, "results/release/"))
    assertContains(player.get(page_of(cup, "standings/")), "5¾")


def test_results_cannot_be_published_before_they_are_final(
    director: Client, client: Client, cup: Tournament
) -> None:
    answer = director.post(page_of(cup, "results/publish/"))
    message = "You can publish results once the tournament is finished"
    assertContains(answer, message, status_code=422)
    assert client.get(f"/e/{cup.wall_key}/results/").status_code == 404


def test_published_results_are_read_by_everybody_with_the_address(
    director: Client, player: Client, client: Client, cup: Tournament
) -> None:
    results_services.hide_last_round(tournament=cup)
    finish(cup)
    director.post(page_of(cup, "results/publish/"))
    page = client.get(f"/e/{cup.wall_key}/results/")
    for text in ("First", "Table points: 5¾", "Highest hand", "Most Mah-Jongs", "Full results"):
        assertContains(page, text)
    assertContains(player.get(page_of(cup, "standings/")), f"/e/{cup.wall_key}/results/")
    data = json.loads(client.get(f"/e/{cup.wall_key}/results/results.json").content)
    assert data["is_final"] is True
    for form in ("pdf", "csv", "xlsx"):
        assert client.get(f"/e/{cup.wall_key}/results/results.{form}").status_code == 200


def test_published_results_hide_nothing_and_can_be_closed_again(
    director: Client, client: Client, cup: Tournament
) -> None:
    finish(cup)
    results_services.publish_results(tournament=cup)
    answer = director.post(page_of(cup, "results/hide/"), follow=True)
    assertContains(answer, "The results are published, so there is nothing left to hide.")
    director.post(page_of(cup, "results/withdraw/"))
    assert client.get(f"/e/{cup.wall_key}/results/").status_code == 404


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_standings_page_is_as_many_queries_after_one_round_as_after_three(
    director: Client, cast: Cast, rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    new_cup = seated_cup(entrants=16, rounds=rounds, hands=1, club=cast.club)
    for _ in range(rounds - 1):
        next_round(new_cup, SECOND_WINS)
    close_round(new_cup, SECOND_WINS)
    director.get(page_of(new_cup))
    for queries in (9, 4):  # what everybody reads is kept until something changes
        with django_assert_num_queries(queries):
            director.get(page_of(new_cup, "standings/"))
