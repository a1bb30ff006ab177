"""From evenings to a league table, by the rules that a club declares."""

from dataclasses import replace
from fractions import Fraction

import pytest

from clubs.league_rules.rules import AddsUp, CreditRule, LeagueRules, Quota, Tie, ready_made
from clubs.league_rules.standings import Fate, Record, Sat, reckon
from tests.clubs.league_rules.played import evening, sat, weeks

HART = replace(ready_made("groene-hart"), least_members=0, best=None, least=None)


def scores(rules: LeagueRules, record: Record) -> list[tuple[object, ...]]:
    return [(row.place, row.name, row.score) for row in reckon(rules, record)]


def fates(rules: LeagueRules, record: Record, name: str) -> list[Fate]:
    return next(
        [line.fate for line in row.lines] for row in reckon(rules, record) if row.name == name
    )


def test_all_evenings_are_added_up() -> None:
    record = weeks((40, -10, -10, -20), (10, -30, 50, -30))
    assert scores(LeagueRules(), record) == [
        (1, "Ann", 50),
        (2, "Cy", 40),
        (3, "Ben", -40),
        (4, "Di", -50),
    ]


def test_the_average_of_an_evening_ranks_whoever_came_once() -> None:
    record = weeks((40, -20, -20), (10, -10))
    rules = LeagueRules(adds_up=AddsUp.AVERAGE)
    assert scores(rules, record) == [(1, "Ann", 25), (2, "Ben", -15), (3, "Cy", -20)]


def test_the_average_of_a_hand_weighs_short_evenings_less() -> None:
    short = evening(1, [sat(1, 30, hands=4), sat(2, -30, hands=4)])
    long = evening(2, [sat(1, -20, hands=16), sat(2, 20, hands=16)])
    rules = LeagueRules(adds_up=AddsUp.HAND)
    assert scores(rules, Record((short, long))) == [
        (1, "Ann", Fraction(1, 2)),
        (2, "Ben", Fraction(-1, 2)),
    ]


def test_only_the_best_evenings_count_and_each_says_so() -> None:
    record = weeks((40, 0), (10, 5), (30, -35))
    rules = LeagueRules(best=Quota(2))
    assert scores(rules, record) == [(1, "Ann", 70), (2, "Ben", 5)]
    assert fates(rules, record, "Ann") == [Fate.COUNTS, Fate.NOT_BEST, Fate.COUNTS]


def test_a_percentage_is_of_the_evenings_held_and_rounded_up() -> None:
    record = weeks((40, 0), (10,), (30, -35), (20,), (1,))
    rules = LeagueRules(best=Quota(50, is_percent=True), least=Quota(50, is_percent=True))
    assert scores(rules, record) == [(1, "Ann", 90), (None, "Ben", -35)]
    assert reckon(rules, record)[1].missing == 1


def test_coming_is_worth_something() -> None:
    record = weeks((40, 0), (-5,))
    assert scores(LeagueRules(attendance_points=Fraction(3)), record) == [
        (1, "Ann", 41),
        (2, "Ben", 3),
    ]


@pytest.mark.parametrize(
    ("gains", "brought"),
    [
        ((40, 10, -20, -30), [5, 3, 2, Fraction(3, 2)]),
        ((40, 40, -20, -60), [4, 4, 2, Fraction(3, 2)]),
        ((40, -10, -30), [5, 3, 2]),
        ((40, 10, 0, -20, -30), [5, 3, 2, Fraction(3, 2), 1]),
        ((0, 0, 0, 0), [Fraction(23, 8)] * 4),
    ],
)
def test_groene_hart_gives_points_for_the_places_at_a_table(
    gains: tuple[int, ...], brought: list[Fraction]
) -> None:
    assert [row.score for row in reckon(HART, weeks(gains))] == brought


def test_a_guest_takes_a_place_at_the_table_and_none_in_the_league() -> None:
    guest = Sat(9, "Guest", 100, 16, is_member=False)
    record = Record((evening(1, [guest, sat(1, -20), sat(2, -30), sat(3, -50)]),))
    assert scores(HART, record) == [(1, "Ann", 3), (2, "Ben", 2), (3, "Cy", Fraction(3, 2))]


def test_a_handicap_is_added_every_evening_and_before_the_places_are_given() -> None:
    record = replace(weeks((40, 0), (10, 5)), handicaps={2: 30})
    assert scores(LeagueRules(), record) == [(1, "Ann", 50), (2, "Ben", 5)]
    assert scores(LeagueRules(handicaps=True), record) == [(1, "Ben", 65), (2, "Ann", 50)]
    at_table = replace(HART, handicaps=True)
    assert scores(at_table, record) == [(1, "Ann", 8), (1, "Ben", 8)]


def test_points_of_fewer_hands_are_made_comparable() -> None:
    record = Record((evening(1, [sat(1, 30, hands=12), sat(2, -30, hands=16)]),))
    assert scores(LeagueRules(hands=16), record) == [(1, "Ann", 40), (2, "Ben", -30)]


def test_an_evening_with_too_few_members_counts_for_nobody() -> None:
    two = evening(2, [sat(1, 500), sat(2, -500)])
    record = Record((*weeks((40, 0, -40)).evenings, two))
    rules = LeagueRules(least_members=3, least=Quota(100, is_percent=True))
    assert scores(rules, record) == [(1, "Ann", 40), (2, "Ben", 0), (3, "Cy", -40)]
    assert fates(rules, record, "Cy") == [Fate.COUNTS, Fate.TOO_FEW]
    assert fates(rules, record, "Ann") == [Fate.COUNTS, Fate.TOO_FEW]


@pytest.mark.parametrize(("points", "score"), [(None, 30), (Fraction(7), 27)])
def test_an_evening_missed_for_the_club_is_credited(points: Fraction | None, score: int) -> None:
    record = replace(weeks((1, 0, 5), (2, 0), (3, 0, 15)), credits={3: frozenset({2})})
    rules = LeagueRules(credit=CreditRule(1, points), least=Quota(3))
    assert fates(rules, record, "Cy") == [Fate.COUNTS, Fate.CREDITED, Fate.COUNTS]
    assert scores(rules, record)[0] == (1, "Cy", score)


def test_more_evenings_than_allowed_are_not_credited() -> None:
    record = replace(weeks((10, 0), (20,), (30,), (40,)), credits={2: frozenset({2, 3, 4})})
    rules = LeagueRules(credit=CreditRule(2, Fraction(5)))
    assert fates(rules, record, "Ben") == [Fate.COUNTS, Fate.CREDITED, Fate.CREDITED, Fate.MISSED]


def test_whoever_was_there_is_not_credited_as_well() -> None:
    record = replace(weeks((10, 0), (20, 5)), credits={2: frozenset({2})})
    rules = LeagueRules(credit=CreditRule(2, Fraction(500)))
    assert scores(rules, record)[1] == (2, "Ben", 5)


@pytest.mark.parametrize(
    ("tie", "first"),
    [
        (Tie.MAHJONGS, "Ann"),
        (Tie.BEST_HAND, "Ben"),
        (Tie.GIVEN_AWAY, "Ann"),
        (Tie.BEST_EVENING, "Ben"),
        (Tie.ATTENDED, "Ben"),
    ],
)
def test_each_way_of_parting_equals(tie: Tie, first: str) -> None:
    record = Record(
        (
            evening(1, [sat(1, 30, mahjongs=3, best_hand=100), sat(2, 40, mahjongs=2)]),
            evening(2, [sat(2, -10, best_hand=400)]),
        )
    )
    rows = reckon(LeagueRules(ties=(tie,)), record)
    assert next((row.name, row.place) for row in rows) == (first, 1)
    assert rows[1].decided_by == tie.value


def test_who_is_equal_in_everything_shares_the_place() -> None:
    rows = reckon(LeagueRules(), weeks((5, 5, -10)))
    assert [(row.place, row.is_tied) for row in rows] == [(1, True), (1, True), (3, False)]
