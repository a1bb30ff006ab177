"""The standings as the phones of every table show them, and how little they ask for news."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.models import link_key
from clubs.table.event import seat_key
from tests.tournaments.cups import SECOND_WINS, play_round, post, seated_cup, tables
from tournaments.models import Table, Tournament
from tournaments.results import services as results_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db

ROW = re.compile(r'<tr( class="ours")?>(<td.*?)<th[^>]*>([^<]+)(<span[^<]*</span>)?</th>(.*?)</tr>')


@pytest.fixture
def cup() -> Tournament:
    return seated_cup(entrants=12, hands=1)


def standings_at(table: Table, *, seat: int | None = None) -> str:
    key = table.link_key if seat is None else seat_key(table, seat)
    return reverse("round-table-standings", args=[key])


def newest(cup: Tournament) -> dict[str, str]:
    return {"v": str(Tournament.objects.get(pk=cup.pk).version)}


def told(page: Any) -> dict[str, tuple[bool, list[str]]]:
    """By name: whether the row is marked as this table's, for eyes and ears; its figures."""
    rows = ROW.findall(page.content.decode())
    assert all(bool(eyes) == bool(ears) for eyes, _, _, ears, _ in rows)
    return {
        name: (bool(ours), re.findall(r">([^<]+)</td>", place + figures))
        for ours, place, name, _, figures in rows
    }


@pytest.mark.parametrize("news", [{}, {"v": "0"}])
def test_each_table_finds_its_own_rows(
    client: Client, cup: Tournament, news: dict[str, str]
) -> None:
    for table in tables(cup):
        rows = told(client.get(standings_at(table), news))
        assert len(rows) == 12
        sit_here = {place.entrant.name for place in table.placements.all()}
        assert {name for name, (ours, _) in rows.items() if ours} == sit_here


def test_the_standings_follow_every_hand(client: Client, cup: Tournament) -> None:
    table = tables(cup)[0]
    post(table, SECOND_WINS)
    second = table.placements.get(seat__number=2).entrant.name
    rows = told(client.get(standings_at(tables(cup)[1]), {"v": "0"}))
    assert rows[second] == (False, ["1", "4", "+240", "1", "60", "1"])
    post(tables(cup)[1], SECOND_WINS)
    rows = told(client.get(standings_at(table), {"v": "0"}))
    assert rows[second] == (True, ["1=", "4", "+240", "1", "60", "1"])


def test_a_round_that_is_released_is_told_to_phones_that_wait(
    client: Client, cup: Tournament
) -> None:
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    services.start_round(tournament=cup)
    results_services.hide_last_round(tournament=cup)
    table = tables(cup, 2)[0]
    post(table, SECOND_WINS)
    at, sits_here = standings_at(table), table.placements.all()[0].entrant.name
    assert told(client.get(at))[sits_here][1][-1] == "1"
    shown = newest(cup)
    assert client.get(at, shown).status_code == 204
    results_services.release_results(tournament=Tournament.objects.get(pk=cup.pk))
    assert told(client.get(at, shown))[sits_here][1][-1] == "2"


@pytest.mark.parametrize("seat", [None, 2])
def test_whoever_has_the_newest_is_answered_after_one_narrow_question(
    client: Client,
    cup: Tournament,
    django_assert_num_queries: DjangoAssertNumQueries,
    seat: int | None,
) -> None:
    at, shown = standings_at(tables(cup)[0], seat=seat), newest(cup)
    with django_assert_num_queries(1) as asked:
        assert client.get(at, shown).status_code == 204
    assert asked.captured_queries[0]["sql"].count(",") == 3


def test_news_are_drawn_once_for_all_phones(
    client: Client, cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    one, other = tables(cup)[:2]
    client.get(standings_at(one), {"v": "0"})
    with django_assert_num_queries(4):
        client.get(standings_at(other), {"v": "0"})


@pytest.mark.parametrize(("seat", "status"), [(None, 404), (2, 410)])
def test_a_link_that_is_void_is_told_no_version(
    client: Client, cup: Tournament, seat: int | None, status: int
) -> None:
    at = standings_at(tables(cup)[0], seat=seat)
    Table.objects.filter(pk=tables(cup)[0].pk).update(link_key=link_key())
    for told_version in (newest(cup), {"v": "None"}):
        assert client.get(at, told_version).status_code == status


@pytest.mark.parametrize("name", ["find-me", "tournament-wall"])
def test_walls_and_own_pages_ask_as_little(
    client: Client, cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries, name: str
) -> None:
    at, shown = reverse(name, args=[cup.wall_key]), newest(cup)
    with django_assert_num_queries(1) as asked:
        assert client.get(at, shown).status_code == 204
    assert "," not in asked.captured_queries[0]["sql"]
    unknown = reverse(name, args=[link_key()])
    assert client.get(unknown, newest(cup)).status_code == 404
