"""What is needed of one more evening."""

from dataclasses import replace
from fractions import Fraction

import pytest

from clubs.league_rules.rules import AddsUp, LeagueRules, Quota, ready_made
from clubs.league_rules.standings import Need, Record, Sat, WhatIf, reckon, what_if
from tests.clubs.league_rules.played import evening, sat, weeks

TOLD = weeks((40, 10, -20, -30), (10, 5, 5, -20))


def with_one_more(record: Record, player: int, points: int) -> Record:
    """The same with another evening that only this player comes to."""
    return replace(record, evenings=(*record.evenings, evening(99, [sat(player, points)])))


def place_of(rules: LeagueRules, record: Record, player: int) -> int | None:
    return next(row.place for row in reckon(rules, record) if row.player == player)


def test_every_place_above_has_its_least_result() -> None:
    assert what_if(LeagueRules(), TOLD, 4, hands=16).needs == (
        Need(3, ("Cy",), 35),
        Need(2, ("Ben",), 65),
        Need(1, ("Ann",), 100),
    )


@pytest.mark.parametrize(
    "rules",
    [
        LeagueRules(),
        LeagueRules(adds_up=AddsUp.AVERAGE),
        LeagueRules(adds_up=AddsUp.HAND),
        LeagueRules(best=Quota(2)),
        LeagueRules(hands=12, attendance_points=Fraction(1, 2)),
    ],
)
def test_what_is_needed_is_enough_and_a_point_less_is_not(rules: LeagueRules) -> None:
    needs = what_if(rules, TOLD, 4, hands=16).needs
    assert [need.place for need in needs] == [3, 2, 1]
    for need in needs:
        assert need.result is not None
        assert place_of(rules, with_one_more(TOLD, 4, need.result), 4) == need.place
        assert place_of(rules, with_one_more(TOLD, 4, need.result - 1), 4) == need.place + 1


def test_the_leader_needs_nothing() -> None:
    assert what_if(LeagueRules(), TOLD, 1, hands=16) == WhatIf(0, ())


def test_evenings_that_are_missing_come_first() -> None:
    assert what_if(LeagueRules(least=Quota(4)), TOLD, 4, hands=16) == WhatIf(1, ())


def test_coming_can_be_enough() -> None:
    record = Record((*TOLD.evenings, evening(3, [sat(5, 900), sat(1, -900)])))
    rules = LeagueRules(least=Quota(2), best=Quota(1))
    assert what_if(rules, record, 5, hands=16).needs[-1] == Need(1, ("Ann",), None)


def test_with_table_points_a_place_at_the_table_is_needed() -> None:
    rules = replace(ready_made("groene-hart"), least_members=0, best=None, least=None)
    record = weeks((40, 10, -20, -30))
    assert what_if(rules, record, 4, hands=16).needs == (
        Need(3, ("Cy",), None),
        Need(2, ("Ben",), None),
        Need(1, ("Ann",), -1),
    )


def test_who_has_not_played_cannot_ask() -> None:
    with pytest.raises(KeyError):
        what_if(LeagueRules(), Record((evening(1, [Sat(1, "Ann", 0, 1)]),)), 2, hands=16)
