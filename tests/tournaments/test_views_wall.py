"""The picture on the wall of a tournament."""

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from tests.tournaments.cups import SECOND_WINS, make_cup, play_round, seated_cup
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def wall_of(cup: Tournament) -> str:
    return f"/e/{cup.wall_key}/"


def test_before_the_seating_the_wall_counts_who_has_entered(client: Client) -> None:
    page = client.get(wall_of(make_cup(entrants=7)))
    assertContains(page, '<p class="wall__clock">7</p>', html=True)


def test_the_wall_shows_who_sits_where_and_who_leads(client: Client) -> None:
    cup = seated_cup(rounds=1, hands=1)
    assertNotContains(client.get(wall_of(cup)), "Standings")
    play_round(cup, SECOND_WINS)
    page = client.get(wall_of(cup))
    assertContains(page, 'data-page="1"')
    assertContains(page, "+240")
    assertContains(page, "url=?page=2")
    assertContains(client.get(wall_of(cup), {"page": "2"}), "url=?page=1")


def test_the_wall_is_sent_again_only_when_there_is_news(client: Client) -> None:
    cup = seated_cup(rounds=1, hands=1)
    assert client.get(wall_of(cup), {"v": cup.version}).status_code == 204
    play_round(cup, SECOND_WINS)
    news = client.get(wall_of(cup), {"v": cup.version})
    assertContains(news, "+240")
    assertNotContains(news, "<html")


def test_a_slip_in_the_address_is_explained(client: Client) -> None:
    page = client.get("/e/nothing/")
    assertContains(page, "Nothing hangs on this wall", status_code=404)
