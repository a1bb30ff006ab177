"""Seasons: which evenings they have, how they rank, what moves their table, what it costs."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from pytest_django.asserts import assertNumQueries

from clubs.evenings.services import evenings
from clubs.league import services
from clubs.league.selectors.seasons import current_season, league_table, rules_of, versions_of
from clubs.league_rules.rules import (
    CreditRule,
    LeagueRules,
    Quota,
    SeasonScoring,
    ready_made_league,
)
from clubs.models import Club, Credit, Player, Season
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from tests.clubs.nights import DRAWN, SECOND_WINS, correct, make_players, make_season, night, post
from tests.people import make_club, make_player

pytestmark = pytest.mark.django_db
TUESDAYS = [date(2026, 11, 3), date(2026, 11, 10), date(2026, 11, 17)]
FIRST_WINS = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di, Ed."""
    return make_players(club, 5)


def play(club: Club, players: list[Player]) -> None:
    """Ben wins twice from the second seat; on the last evening Ed sits in for Di, nobody wins."""
    ann, ben, cy, di, ed = players
    for day, sitters, report in zip(
        TUESDAYS,
        [(ann, ben, cy, di), (ann, ben, cy, di), (ann, ben, cy, ed)],
        [SECOND_WINS, SECOND_WINS, DRAWN],
        strict=True,
    ):
        post(night(club, day, sitters).tables.get(), report)


def lines(season: Season) -> list[tuple[int | None, str, int, int]]:
    return [
        (row.place, row.name, row.evenings_attended, row.total) for row in league_table(season).rows
    ]


def test_the_total_of_all_evenings_ranks(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    play(club, players)
    table = league_table(season)
    assert lines(season) == [
        (1, "Ben", 3, 480),
        (2, "Ed", 1, 0),
        (3, "Ann", 3, -128),
        (4, "Cy", 3, -160),
        (5, "Di", 2, -192),
    ]
    assert table.evenings == tuple(TUESDAYS)
    assert table.title == "Club league, Autumn 2026"
    assert table.rule == "Ranked by the total of all evenings; ties by Mah-Jongs, then best hand."
    ben = table.rows[0]
    assert (ben.mahjongs, ben.best_hand, ben.average) == (2, 60, Fraction(160))
    assert [str(row.mean) for row in table.rows[2:]] == ["-42.7", "-53.3", "-96.0"]
    assert (ben.decided_by, table.rows[1].decided_by) == (None, "total")


def test_a_season_ranks_as_it_is_declared(club: Club, players: list[Player]) -> None:
    season = make_season(club, best_of=2, least_attendance=3)
    play(club, players)
    rows: list[tuple[Any, ...]] = [
        (row.place, row.name, row.score, row.best_total, row.counting_evenings)
        for row in league_table(season).rows
    ]
    assert rows == [
        (1, "Ben", 480, 480, 2),
        (2, "Ann", -64, -64, 2),
        (3, "Cy", -80, -80, 2),
        (None, "Di", -192, -192, 2),
        (None, "Ed", 0, 0, 1),
    ]


def test_guests_are_left_out(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    guest = make_player(club, "Beryl", kind="guest")
    post(night(club, TUESDAYS[0], (*players[:3], guest)).tables.get(), SECOND_WINS)
    assert [row.name for row in league_table(season).rows] == ["Ben", "Ann", "Cy"]


def test_an_evening_counts_from_its_first_hand(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    session = night(club, TUESDAYS[0], players[:4])
    assert lines(season) == []
    post(session.tables.get(), DRAWN)
    assert [row.evenings_attended for row in league_table(season).rows] == [1, 1, 1, 1]


def test_evenings_outside_the_season_do_not_count(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    post(night(club, date(2027, 1, 5), players[:4]).tables.get(), SECOND_WINS)
    assert lines(season) == []


def test_the_table_follows_a_correction(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    (hand,) = post(night(club, TUESDAYS[0], players[:4]).tables.get(), SECOND_WINS)
    correct(hand, FIRST_WINS)
    assert lines(season)[0] == (1, "Ann", 1, 360)


def problems(club: Club, **changed_fields: object) -> list[tuple[str, str, str]]:
    count_before = Season.objects.count()
    with pytest.raises(Refused) as refusal:
        make_season(club, **changed_fields)
    assert Season.objects.count() == count_before
    return [(problem.path, problem.code, problem.message) for problem in refusal.value.problems]


def test_evenings_of_its_days_join_a_new_season() -> None:
    club = make_club()
    earlier_evening, during = (
        evenings.open_session(club=club, held_on=day)
        for day in (date(2026, 8, 31), date(2026, 9, 1))
    )
    season = make_season(club)
    assert (list(season.sessions.all()), earlier_evening.season) == ([during], None)


@pytest.mark.parametrize(
    ("changed_fields", "stays"),
    [
        ({"ends_on": date(2026, 11, 30)}, date(2026, 9, 1)),
        ({"starts_on": date(2026, 10, 1)}, date(2026, 12, 29)),
    ],
    ids=["ends earlier", "starts later"],
)
def test_evenings_of_other_days_leave_a_season(
    club: Club, changed_fields: dict[str, date], stays: date
) -> None:
    season = make_season(club)
    for day in (date(2026, 9, 1), date(2026, 12, 29)):
        evenings.open_session(club=club, held_on=day)
    make_season(club, season=season, **changed_fields)
    assert [session.held_on for session in season.sessions.all()] == [stays]
    assert club.sessions.get(season=None).held_on != stays


def test_every_mistake_is_told_at_once(club: Club) -> None:
    assert problems(club, name="x" * 300, ends_on=date(2026, 8, 1)) == [
        ("name", "bad_name", "That name is too long. Use 80 characters or fewer."),
        ("ends_on", "bad_dates", "The last date must be after the first date."),
    ]


def test_seasons_of_a_club_share_neither_name_nor_days(club: Club) -> None:
    make_season(club)
    assert problems(club, starts_on=date(2026, 12, 31), ends_on=date(2027, 3, 1)) == [
        ("name", "name_taken", "There is already a season with that name."),
        (
            "starts_on",
            "overlap",
            (
                "These days overlap with Autumn 2026, which runs from 1 September 2026 "
                "to 31 December 2026."
            ),
        ),
    ]
    assert make_season(make_club("Hill Top Tiles", "hill-top")).name == "Autumn 2026"


def test_a_season_keeps_how_it_ranks_when_its_days_change() -> None:
    season = make_season(make_club(), best_of=6)
    make_season(season.league.club, season=season, ranking=None, ends_on=date(2026, 12, 30))
    assert rules_of(season) == LeagueRules(best=Quota(6))


def test_the_current_season_has_begun() -> None:
    club = make_club()
    assert current_season(club) is None
    later_season = make_season(
        club, name="Later", starts_on=date(2999, 1, 1), ends_on=date(2999, 2, 1)
    )
    make_season(club, name="Last", starts_on=date(2999, 3, 1), ends_on=date(2999, 4, 1))
    assert current_season(club) == later_season
    past_season = make_season(
        club, name="Past", starts_on=date(2020, 1, 1), ends_on=date(2020, 2, 1)
    )
    assert current_season(club) == past_season


AVERAGE = LeagueRules(adds_up=SeasonScoring.AVERAGE)


def play_season(club: Club, players: list[Player], count: int = 1) -> Season:
    """A season in which Ben wins the only hand of so many evenings."""
    season = make_season(club)
    for day in TUESDAYS[:count]:
        post(night(club, day, players[:4]).tables.get(), SECOND_WINS)
    return season


def scores(season: Season) -> dict[str, int]:
    return {row.name: int(row.score) for row in league_table(season).rows}


def test_rules_that_are_tried_do_not_hold_until_they_are_adopted(club: Club) -> None:
    season = make_season(club, ranking=None)
    draft_version = services.save_draft_rules(season=season, rules=AVERAGE)
    assert (draft_version.number, rules_of(season)) == (2, LeagueRules())
    services.adopt_rules(season=season, number=2)
    assert rules_of(season) == AVERAGE
    assert [(row.number, row.holds) for row in versions_of(season)] == [(2, True), (1, False)]
    services.adopt_rules(season=season, number=1)
    assert rules_of(season) == LeagueRules()
    with pytest.raises(Refused, match="That version was not found"):
        services.adopt_rules(season=season, number=9)


def test_what_says_the_same_is_the_same_version(club: Club) -> None:
    season = make_season(club)
    numbers = {services.save_draft_rules(season=season, rules=AVERAGE).number for _ in range(2)}
    assert numbers == {2}
    assert services.save_draft_rules(season=season, rules=LeagueRules()).number == 1


def test_table_points_rank_by_the_places_at_the_table(club: Club, players: list[Player]) -> None:
    season = play_season(club, players)
    services.adopt_at_once(season, ready_made_league("wins"))
    table = league_table(season)
    assert next((row.name, row.counts) for row in table.rows) == ("Ben", Decimal(1))
    assert (table.heading, table.rows[1].decided_by) == ("Table points", "table_points")


def test_a_handicap_is_added_every_evening_and_taken_back(
    club: Club, players: list[Player]
) -> None:
    season = play_season(club, players)
    services.adopt_at_once(season, LeagueRules(handicaps=True))
    version_before = season.sessions.get().version
    services.give_handicap(season=season, player=players[0], points=400)
    assert season.sessions.get().version == version_before + 1
    assert scores(season)["Ann"] == 336
    services.give_handicap(season=season, player=players[0], points=0)
    assert (scores(season)["Ann"], season.handicaps.count()) == (-64, 0)
    with pytest.raises(Refused, match="A handicap is at most 10,000 points an evening"):
        services.give_handicap(season=season, player=players[0], points=10_001)


def test_an_evening_missed_for_the_club_is_credited_and_taken_back(
    club: Club, players: list[Player]
) -> None:
    season = play_season(club, players)
    ann, *other_players = players
    other_session = night(club, TUESDAYS[1], other_players)
    post(other_session.tables.get(), SECOND_WINS)
    services.adopt_at_once(season, LeagueRules(credit=CreditRule(1)))
    services.give_credit(session=other_session, player=ann, reason="Made the tea")
    assert scores(season)["Ann"] == -128
    services.remove_credit(credit=Credit.objects.get())
    assert scores(season)["Ann"] == -64
    with pytest.raises(Refused, match="Ann played on that evening"):
        services.give_credit(session=season.sessions.earliest("held_on"), player=ann, reason="")


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("rules", "queries"),
    [(LeagueRules(), 3), (LeagueRules(handicaps=True, credit=CreditRule(2)), 5)],
    ids=["plain", "handicaps and credits"],
)
def test_a_league_table_asks_no_more_for_more_evenings(
    club: Club, players: list[Player], count: int, rules: LeagueRules, queries: int
) -> None:
    season = play_season(club, players, count)
    services.adopt_at_once(season, rules)
    for player in players[:count]:
        services.give_handicap(season=season, player=player, points=5)
    with assertNumQueries(queries):
        league_table(season)
