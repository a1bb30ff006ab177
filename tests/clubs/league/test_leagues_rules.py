"""How a season ranks is kept in versions; handicaps and credits move the table."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from clubs.league import services
from clubs.league.selectors.seasons import league_table, rules_of, versions_of
from clubs.league_rules.rules import AddsUp, CreditRule, LeagueRules, ready_made
from clubs.models import Club, Credit, Player, Season
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import make_club

pytestmark = pytest.mark.django_db

TUESDAYS = (date(2026, 9, 1), date(2026, 9, 8), date(2026, 9, 15))
AVERAGE = LeagueRules(adds_up=AddsUp.AVERAGE)


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di, Ed."""
    return make_players(club, 5)


def play(club: Club, players: list[Player], count: int = 1) -> Season:
    """A season in which Ben wins the only hand of so many evenings."""
    season = make_season(club)
    for day in TUESDAYS[:count]:
        post(night(club, day, players[:4]).tables.get(), SECOND_WINS)
    return season


def scores(season: Season) -> dict[str, int]:
    return {row.name: int(row.score) for row in league_table(season).rows}


def test_rules_that_are_tried_do_not_hold_until_they_are_adopted(club: Club) -> None:
    season = make_season(club)
    tried = services.try_rules(season=season, rules=AVERAGE)
    assert (tried.number, rules_of(season)) == (2, LeagueRules())
    services.adopt_rules(season=season, number=2)
    assert rules_of(season) == AVERAGE
    assert [(row.number, row.holds) for row in versions_of(season)] == [(2, True), (1, False)]


def test_what_says_the_same_is_the_same_version(club: Club) -> None:
    season = make_season(club)
    numbers = {services.try_rules(season=season, rules=AVERAGE).number for _ in range(2)}
    assert numbers == {2}
    assert services.try_rules(season=season, rules=LeagueRules()).number == 1


def test_an_earlier_version_can_be_adopted_again(club: Club) -> None:
    season = make_season(club)
    services.try_rules(season=season, rules=AVERAGE)
    for number in (2, 1):
        services.adopt_rules(season=season, number=number)
    assert rules_of(season) == LeagueRules()


def test_a_version_that_is_none_is_refused(club: Club) -> None:
    with pytest.raises(Refused, match="That version was not found"):
        services.adopt_rules(season=make_season(club), number=9)


def test_table_points_rank_by_the_places_at_the_table(club: Club, players: list[Player]) -> None:
    season = play(club, players)
    services.adopt_at_once(season, ready_made("wins"))
    table = league_table(season)
    assert next((row.name, row.counts) for row in table.rows) == ("Ben", Decimal(1))
    assert (table.heading, table.rows[1].decided_by) == ("Table points", "table_points")


def test_a_handicap_is_added_every_evening_and_taken_back(
    club: Club, players: list[Player]
) -> None:
    season = play(club, players)
    services.adopt_at_once(season, LeagueRules(handicaps=True))
    services.give_handicap(season=season, player=players[0], points=400)
    assert scores(season)["Ann"] == 336
    services.give_handicap(season=season, player=players[0], points=0)
    assert (scores(season)["Ann"], season.handicaps.count()) == (-64, 0)


def test_a_senseless_handicap_is_refused(club: Club, players: list[Player]) -> None:
    with pytest.raises(Refused, match="A handicap is at most 10,000 points an evening"):
        services.give_handicap(season=make_season(club), player=players[0], points=10_001)


def test_an_evening_missed_for_the_club_is_credited_and_taken_back(
    club: Club, players: list[Player]
) -> None:
    season = play(club, players)
    ann, *others = players
    other = night(club, TUESDAYS[1], others)
    post(other.tables.get(), SECOND_WINS)
    services.adopt_at_once(season, LeagueRules(credit=CreditRule(1)))
    services.give_credit(session=other, player=ann, reason="Made the tea")
    assert scores(season)["Ann"] == -128
    services.take_credit_back(credit=Credit.objects.get())
    assert scores(season)["Ann"] == -64


def test_whoever_played_did_not_miss_the_evening(club: Club, players: list[Player]) -> None:
    season = play(club, players)
    with pytest.raises(Refused, match="Ann played on that evening"):
        services.give_credit(session=season.sessions.get(), player=players[0], reason="")


def test_what_moves_the_table_is_shown_to_whoever_looks(club: Club, players: list[Player]) -> None:
    season = play(club, players)
    before = season.sessions.get().version
    services.give_handicap(season=season, player=players[0], points=5)
    assert season.sessions.get().version == before + 1


@pytest.mark.parametrize("count", [1, 3])
def test_with_handicaps_and_credits_a_table_is_five_queries(
    club: Club, players: list[Player], count: int, django_assert_num_queries: Any
) -> None:
    season = play(club, players, count)
    rules = LeagueRules(handicaps=True, credit=CreditRule(2))
    services.adopt_at_once(season, rules)
    for player in players[:count]:
        services.give_handicap(season=season, player=player, points=5)
    with django_assert_num_queries(5):
        league_table(season)
