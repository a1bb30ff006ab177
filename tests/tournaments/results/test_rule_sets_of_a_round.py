"""A round of a tournament under each of the five rule sets, through the tables' phones."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring import rule_set, rule_set_keys
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from tests.clubs.tables import sheet
from tests.clubs.visits import Visitor
from tests.people import Cast
from tests.tournaments.cups import finish, seated_cup, tables
from tournaments.models import RoundState, Tournament
from tournaments.results.selectors.standings import board_of, standings_of
from tournaments.rounds.selectors import rounds_of
from tournaments.steps import services

pytestmark = pytest.mark.django_db

FOUR_SCORES = {"winner": 2, "score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4}
ONE_SCORE = {"winner": 2, "score": 100, "last_tile": "wall"}


def cup_with_rules(rules: str, *, hands: int = 1) -> Tournament:
    return seated_cup(rounds=1, hands=hands, rules=rules)


def enter(client: Client, cup: Tournament, **fields: Any) -> None:
    phone = reverse("round-table", args=[tables(cup)[0].link_key])
    answer = client.post(phone, sheet(client.get(phone), step="save", **fields))
    assert answer.status_code == 302


@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_tournament_is_played_to_its_end(client: Client, rules: str) -> None:
    cup = cup_with_rules(rules)
    enter(client, cup, **(ONE_SCORE if rules == "tallies" else FOUR_SCORES))
    standings = standings_of(finish(cup))
    assert standings[0].table_points == 4
    assert standings[0].mahjongs == 1
    assert (sum(row.total for row in standings) == 0) == rule_set(rules).zero_sum
    assert recount().differences == ()


def test_a_round_under_baggaleys_rules_ends_when_somebody_has_100(client: Client) -> None:
    cup = cup_with_rules("baggaley", hands=8)
    enter(client, cup, **FOUR_SCORES)
    with pytest.raises(Refused):
        services.close_round(tournament=cup)
    enter(client, cup, winner=2, score_2=40)
    (table,) = rounds_of(cup)[0].tables
    assert (table.is_done, table.hands) == (True, 2)
    assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]
    services.close_round(tournament=cup)
    assert cup.rounds.get().state == RoundState.CLOSED


def test_totals_that_add_up_stand_without_a_sign(client: Client) -> None:
    cup = cup_with_rules("safalra")
    enter(client, cup, **FOUR_SCORES)
    column = board_of(cup).columns.index("Total gain")
    assert [line.figures[column] for line in board_of(cup).lines] == ["60", "20", "8", "4"]


def test_baggaleys_second_player_starts_as_north() -> None:
    (table,) = rounds_of(cup_with_rules("baggaley"))[0].tables
    assert [place.wind for place in table.places] == ["E", "N", "W", "S"]


def test_the_director_chooses_the_rules(cast: Cast) -> None:
    director = Visitor(cast.director)
    form_data = {"name": "Tallies Cup", "held_on": "2026-11-21", "rounds": 5, "hands_a_round": 8}
    address = reverse("tournament-add", args=[cast.club.slug])
    director.post(address, {**form_data, "rank_1": "total", "rules": "tallies"})
    director.post(address, {**form_data, "name": "Club Cup", "rank_1": "total"})
    assert [cup.rules for cup in Tournament.objects.order_by("pk")] == ["tallies/2", "bmja/2008"]
