"""League rules are data, and sentences that a club can read out."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from clubs.language.words import number_words, ordinal, read_number
from clubs.league_rules.rules import (
    BadLeagueRules,
    CreditRule,
    LeagueRules,
    Quota,
    SeasonScoring,
    ranking_heading,
    read_rules,
    ready_made_league,
    rule_sentences,
    rules_summary,
    rules_to_json,
)
from clubs.league_rules.standings import LeagueSeason, explain_place, rank_members
from tests.clubs.league_rules.played import evening, table_result, weeks

SCALES = rules_to_json(LeagueRules())["scales"]


def test_a_league_is_said_rule_by_rule() -> None:
    rules = LeagueRules(
        hands=16,
        handicaps=True,
        attendance_points=Fraction(1, 2),
        best=Quota(8),
        least=Quota(6),
        least_members=8,
        credit=CreditRule(3),
    )
    assert rule_sentences(rules) == (
        "Each evening earns the points you gained or lost.",
        "Points are adjusted for the number of hands played, as if everyone had played 16 hands.",
        "Add handicaps every evening.",
        "Attending earns ½ more each evening.",
        "An evening counts only when at least 8 members play.",
        "The evenings that count are added up.",
        "The best 8 evenings count.",
        "To be ranked, players need at least 6 evenings.",
        (
            "An evening missed on club duty counts as attended and earns your own average, "
            "at most 3 times."
        ),
        "Ties are broken by Mah-Jongs, then by best hand; otherwise players share the place.",
    )


def test_groene_hart_is_said_as_it_is_played() -> None:
    assert rule_sentences(ready_made_league("groene-hart"))[:5] == (
        "The places at a table of four earn 4-2-1-½.",
        (
            "They earn 4-2 at a table of two, 4-2-1 at a table of three and 4-2-1-½-0 at a table "
            "of five."
        ),
        "Players who are equal at a table share the points for their places.",
        "Attending earns 1 more each evening.",
        "An evening counts only when at least 8 members play.",
    )


@pytest.mark.parametrize(
    ("rules", "summary", "column"),
    [
        (
            LeagueRules(),
            "Ranked by the total of all evenings; ties by Mah-Jongs, then best hand.",
            "Total",
        ),
        (
            LeagueRules(best=Quota(6), least=Quota(3), ties=()),
            (
                "Ranked by the total of each player’s best 6 evenings, for players with at least "
                "3 evenings."
            ),
            "Best evenings",
        ),
        (
            LeagueRules(adds_up=SeasonScoring.HAND, ties=()),
            "Ranked by the average per hand.",
            "Average per hand",
        ),
        (
            replace(ready_made_league("groene-hart"), ties=()),
            (
                "Ranked by the table points of each player’s best 75% of the evenings, for "
                "players with at least 75% of the evenings."
            ),
            "Best evenings",
        ),
    ],
)
def test_a_league_in_one_sentence(rules: LeagueRules, summary: str, column: str) -> None:
    assert (rules_summary(rules), ranking_heading(rules)) == (summary, column)


@pytest.mark.parametrize(
    ("data", "path", "message"),
    [
        ([], "", "Enter the league rules as a JSON object."),
        ({"luck": 1}, "luck", "There is no league rule called luck. Remove it."),
        ({"brings": "x"}, "brings", "Choose one of these: points, table_points."),
        (
            {"best": "0"},
            "best",
            "Enter a number of evenings from 1 to 366, or a percentage such as 75%.",
        ),
        (
            {"least": "101%"},
            "least",
            "Enter a number of evenings from 1 to 366, or a percentage such as 75%.",
        ),
        ({"hands": True}, "hands", "Enter a whole number from 0 to 200."),
        ({"least_members": -1}, "least_members", "Enter a whole number from 0 to 400."),
        ({"handicaps": "yes"}, "handicaps", "Choose yes or no (true or false)."),
        (
            {"attendance_points": "-1"},
            "attendance_points",
            "Enter points from 0 to 100,000, for example 1, ½ or 3,000.",
        ),
        ({"scales": {}}, "scales", "Enter points for tables of two, three, four and five."),
        (
            {"scales": SCALES | {"4": "4-2-1"}},
            "scales.4",
            "A table of 4 has 4 numbers, the first place first: 4-2-1-0.",
        ),
        (
            {"scales": SCALES | {"4": "4-2-1-x"}},
            "scales.4",
            "A table of 4 has 4 numbers, the first place first: 4-2-1-0.",
        ),
        (
            {"scales": SCALES | {"4": "1-2-3-4"}},
            "scales.4",
            "A place cannot earn more than the place above it: 4-2-1-0.",
        ),
        ({"ties": ["mahjongs", "mahjongs"]}, "ties", "Enter each tie-break only once."),
        (
            {"adds_up": "hand", "best": "6"},
            "best",
            "With the average per hand, all evenings count. Leave this empty.",
        ),
        (
            {"adds_up": "hand", "brings": "table_points"},
            "adds_up",
            "Table points are for a whole evening: choose total or average.",
        ),
        (
            {"hands": 16, "brings": "table_points"},
            "hands",
            "Only points for a whole evening can be adjusted. Leave this empty.",
        ),
    ],
)
def test_a_declaration_that_cannot_be_is_said_in_sentences(
    data: Any, path: str, message: str
) -> None:
    with pytest.raises(BadLeagueRules) as bad:
        read_rules(data)
    assert [(fault.path, fault.message) for fault in bad.value.faults] == [(path, message)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("½", Fraction(1, 2)),
        ("1½", Fraction(3, 2)),
        ("3,000", Fraction(3000)),
        ("0.5", Fraction(1, 2)),
        ("2/5", Fraction(2, 5)),
        ("½½", None),
        ("1/0", None),
        ("٣", None),
        ("", None),
    ],
)
def test_numbers_as_a_club_writes_them(text: str, number: Fraction | None) -> None:
    assert read_number(text) == number
    assert number is None or read_number(number_words(number)) == number


def test_places_in_words() -> None:
    assert [ordinal(place) for place in (1, 5, 13, 21, 22, 111)] == [
        *("1st", "5th", "13th", "21st", "22nd", "111th")
    ]


def test_why_somebody_stands_where_they_stand() -> None:
    record = LeagueSeason(
        (
            evening(
                1,
                [
                    table_result(1, 90),
                    table_result(2, 40, mahjongs=1),
                    table_result(3, 40, mahjongs=2),
                    table_result(4, -170),
                ],
            ),
            evening(
                2,
                [
                    table_result(1, -50),
                    table_result(2, 10),
                    table_result(3, 10),
                    table_result(4, 30),
                ],
            ),
        )
    )
    rules = LeagueRules(best=Quota(1))
    rows = {
        row.name: explain_place(row, rank_members(rules, record), rules)
        for row in rank_members(rules, record)
    }
    assert rows == {
        "Ann": "Ann is 1st: 90 points from the best evening.",
        "Cy": "Cy is 2nd: 40 points from the best evening, 50 fewer than Ann. "
        "Tied with Ben, but Cy has more Mah-Jongs.",
        "Ben": "Ben is 3rd: 40 points from the best evening, 50 fewer than Ann. "
        "Tied with Cy, but Cy has more Mah-Jongs.",
        "Di": "Di is 4th: 30 points from the best evening, 10 fewer than Cy and Ben.",
    }


def test_why_somebody_has_no_place_yet_or_shares_one() -> None:
    record = weeks((10, 10), (-3,))
    rules = LeagueRules(least=Quota(2))
    rows = rank_members(rules, record)
    assert explain_place(rows[1], rows, rules) == (
        "Ben has 10 points from 1 evening, but is not ranked yet: 1 evening more is needed."
    )
    rows = rank_members(LeagueRules(), weeks((10, 10)))
    assert explain_place(rows[0], rows, LeagueRules()) == (
        "Ann is 1st (shared): 10 points from 1 evening. "
        "Tied with Ben on everything, so they share the place."
    )
