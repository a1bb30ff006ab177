"""The picture on the wall of a tournament."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from tests.tournaments.cups import SECOND_WINS, make_cup, play_round, seated_cup
from tests.tournaments.halls import full_hall
from tournaments.models import Table, Tournament
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def wall_of(cup: Tournament) -> str:
    return f"/e/{cup.wall_key}/"


def test_before_the_seating_the_wall_counts_who_has_entered(client: Client) -> None:
    page = client.get(wall_of(make_cup(entrants=7)))
    assertContains(page, '<p class="wall__clock wall__clock--words">7</p>', html=True)


def test_the_wall_shows_who_sits_where_and_who_leads(client: Client) -> None:
    cup = seated_cup(rounds=1, hands=1)
    assertNotContains(client.get(wall_of(cup)), "Standings")
    play_round(cup, SECOND_WINS)
    page = client.get(wall_of(cup))
    assertContains(page, 'data-page="standings"')
    assertContains(page, "+240")
    assertContains(page, "page=2")
    assertContains(client.get(wall_of(cup), {"page": "3"}), "page=1")


def test_a_projector_without_javascript_keeps_to_what_it_was_asked_for(client: Client) -> None:
    page = client.get(wall_of(full_hall(64)), {"show": "seats"})
    assertContains(page, "url=?show=seats&amp;page=2")
    assertNotContains(page, 'data-page="now"')


def test_the_wall_is_sent_again_only_when_there_is_news(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(rounds=1, hands=1)
    with django_assert_num_queries(1):
        assert client.get(wall_of(cup), {"v": cup.version}).status_code == 204
    play_round(cup, SECOND_WINS)
    news = client.get(wall_of(cup), {"v": cup.version})
    assertContains(news, "+240")
    assertNotContains(news, "<html")


def test_the_wall_leads_phones_to_their_own_names_and_no_further(client: Client) -> None:
    cup = full_hall(16, minutes=75)
    services.start_round(tournament=cup)
    page = client.get(wall_of(cup))
    assertContains(page, f"http://testserver/e/{cup.wall_key}/find/")
    assertContains(page, 'class="qr"')
    for table in Table.objects.filter(round__tournament=cup):
        assertNotContains(page, table.link_key)


def test_the_clock_of_the_hall_is_asked_for_by_itself(client: Client) -> None:
    cup = full_hall(16, minutes=75)
    assert client.get(f"{wall_of(cup)}clock/").content.strip() == b""
    services.start_round(tournament=cup)
    clock = client.get(f"{wall_of(cup)}clock/", {"as": "huge"})
    assertContains(clock, "clock--huge")
    assertContains(clock, f'data-at="{wall_of(cup)}clock/?as=huge"')
    assertContains(client.get(wall_of(cup)), "clock--corner")


def test_a_slip_in_the_address_is_explained(client: Client) -> None:
    for address in ("/e/nothing/", "/e/nothing/clock/", "/e/nothing/find/"):
        page = client.get(address)
        assertContains(page, "Nothing to show here", status_code=404)


@pytest.mark.parametrize("address", ["/e/wall-worker.js", "/w/wall-worker.js"])
def test_the_walls_own_worker_answers_for_walls_alone(client: Client, address: str) -> None:
    worker = client.get(address)
    assert worker["Content-Type"].startswith("text/javascript")
    assertContains(worker, 'pathname.startsWith("/static/")')
