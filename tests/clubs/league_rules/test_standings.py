"""From evenings to a league table: worked cases, what is needed of one more evening, and laws."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from clubs.league_rules.rules import (
    READY_MADE_LEAGUES,
    CreditRule,
    EveningScoring,
    LeagueRules,
    Quota,
    SeasonScoring,
    TieBreak,
    read_rules,
    ready_made_league,
    rules_to_json,
)
from clubs.league_rules.standings import (
    EveningOutcome,
    LeagueSeason,
    LeagueStanding,
    NeededResult,
    TableResult,
    WhatIf,
    rank_members,
    what_if,
)
from tests.clubs.league_rules.played import NAMES, evening, table_result, weeks

HART = replace(ready_made_league("groene-hart"), least_members=0, best=None, least=None)


def scores(rules: LeagueRules, record: LeagueSeason) -> list[tuple[object, ...]]:
    return [(row.place, row.name, row.score) for row in rank_members(rules, record)]


def fates(rules: LeagueRules, record: LeagueSeason, name: str) -> list[EveningOutcome]:
    return next(
        [line.fate for line in row.lines] for row in rank_members(rules, record) if row.name == name
    )


SHORT_AND_LONG = LeagueSeason(
    (
        evening(1, [table_result(1, 30, hands=4), table_result(2, -30, hands=4)]),
        evening(2, [table_result(1, -20, hands=16), table_result(2, 20, hands=16)]),
    )
)


@pytest.mark.parametrize(
    ("rules", "record", "rows"),
    [
        (
            LeagueRules(),
            weeks((40, -10, -10, -20), (10, -30, 50, -30)),
            [(1, "Ann", 50), (2, "Cy", 40), (3, "Ben", -40), (4, "Di", -50)],
        ),
        (
            LeagueRules(adds_up=SeasonScoring.AVERAGE),
            weeks((40, -20, -20), (10, -10)),
            [(1, "Ann", 25), (2, "Ben", -15), (3, "Cy", -20)],
        ),
        (
            LeagueRules(adds_up=SeasonScoring.HAND),
            SHORT_AND_LONG,
            [(1, "Ann", Fraction(1, 2)), (2, "Ben", Fraction(-1, 2))],
        ),
        (
            LeagueRules(attendance_points=Fraction(3)),
            weeks((40, 0), (-5,)),
            [(1, "Ann", 41), (2, "Ben", 3)],
        ),
        (
            LeagueRules(hands=16),
            LeagueSeason(
                (evening(1, [table_result(1, 30, hands=12), table_result(2, -30, hands=16)]),)
            ),
            [(1, "Ann", 40), (2, "Ben", -30)],
        ),
    ],
    ids=["total", "average evening", "average hand", "coming", "fewer hands are made comparable"],
)
def test_what_evenings_come_to(
    rules: LeagueRules, record: LeagueSeason, rows: list[tuple[object, ...]]
) -> None:
    assert scores(rules, record) == rows


def test_only_the_best_evenings_count_and_each_says_so() -> None:
    record = weeks((40, 0), (10, 5), (30, -35))
    rules = LeagueRules(best=Quota(2))
    assert scores(rules, record) == [(1, "Ann", 70), (2, "Ben", 5)]
    assert fates(rules, record, "Ann") == [
        EveningOutcome.COUNTS,
        EveningOutcome.NOT_BEST,
        EveningOutcome.COUNTS,
    ]


def test_a_percentage_is_of_the_evenings_held_and_rounded_up() -> None:
    record = weeks((40, 0), (10,), (30, -35), (20,), (1,))
    rules = LeagueRules(best=Quota(50, is_percent=True), least=Quota(50, is_percent=True))
    assert scores(rules, record) == [(1, "Ann", 90), (None, "Ben", -35)]
    assert rank_members(rules, record)[1].missing == 1


@pytest.mark.parametrize(
    ("gains", "member_scores"),
    [
        ((40, 10, -20, -30), [5, 3, 2, Fraction(3, 2)]),
        ((40, 40, -20, -60), [4, 4, 2, Fraction(3, 2)]),
        ((40, -10, -30), [5, 3, 2]),
        ((40, 10, 0, -20, -30), [5, 3, 2, Fraction(3, 2), 1]),
        ((0, 0, 0, 0), [Fraction(23, 8)] * 4),
    ],
)
def test_groene_hart_gives_points_for_the_places_at_a_table(
    gains: tuple[int, ...], member_scores: list[Fraction]
) -> None:
    assert [row.score for row in rank_members(HART, weeks(gains))] == member_scores


def test_a_guest_takes_a_place_at_the_table_and_none_in_the_league() -> None:
    guest = TableResult(9, "Guest", 100, 16, is_member=False)
    record = LeagueSeason(
        (evening(1, [guest, table_result(1, -20), table_result(2, -30), table_result(3, -50)]),)
    )
    assert scores(HART, record) == [(1, "Ann", 3), (2, "Ben", 2), (3, "Cy", Fraction(3, 2))]


def test_a_handicap_is_added_every_evening_and_before_the_places_are_given() -> None:
    record = replace(weeks((40, 0), (10, 5)), handicaps={2: 30})
    assert scores(LeagueRules(), record) == [(1, "Ann", 50), (2, "Ben", 5)]
    assert scores(LeagueRules(handicaps=True), record) == [(1, "Ben", 65), (2, "Ann", 50)]
    at_table = replace(HART, handicaps=True)
    assert scores(at_table, record) == [(1, "Ann", 8), (1, "Ben", 8)]


def test_an_evening_with_too_few_members_counts_for_nobody() -> None:
    two = evening(2, [table_result(1, 500), table_result(2, -500)])
    record = LeagueSeason((*weeks((40, 0, -40)).evenings, two))
    rules = LeagueRules(least_members=3, least=Quota(100, is_percent=True))
    assert scores(rules, record) == [(1, "Ann", 40), (2, "Ben", 0), (3, "Cy", -40)]
    assert fates(rules, record, "Cy") == [EveningOutcome.COUNTS, EveningOutcome.TOO_FEW]
    assert fates(rules, record, "Ann") == [EveningOutcome.COUNTS, EveningOutcome.TOO_FEW]


@pytest.mark.parametrize(("points", "score"), [(None, 30), (Fraction(7), 27)])
def test_an_evening_missed_for_the_club_is_credited(points: Fraction | None, score: int) -> None:
    record = replace(weeks((1, 0, 5), (2, 0), (3, 0, 15)), credits={3: frozenset({2})})
    rules = LeagueRules(credit=CreditRule(1, points), least=Quota(3))
    assert fates(rules, record, "Cy") == [
        EveningOutcome.COUNTS,
        EveningOutcome.CREDITED,
        EveningOutcome.COUNTS,
    ]
    assert scores(rules, record)[0] == (1, "Cy", score)


def test_more_evenings_than_allowed_are_not_credited() -> None:
    record = replace(weeks((10, 0), (20,), (30,), (40,)), credits={2: frozenset({2, 3, 4})})
    rules = LeagueRules(credit=CreditRule(2, Fraction(5)))
    assert fates(rules, record, "Ben") == [
        EveningOutcome.COUNTS,
        EveningOutcome.CREDITED,
        EveningOutcome.CREDITED,
        EveningOutcome.MISSED,
    ]


def test_whoever_was_there_is_not_credited_as_well() -> None:
    record = replace(weeks((10, 0), (20, 5)), credits={2: frozenset({2})})
    rules = LeagueRules(credit=CreditRule(2, Fraction(500)))
    assert scores(rules, record)[1] == (2, "Ben", 5)


@pytest.mark.parametrize(
    ("tie", "first"),
    [
        (TieBreak.MAHJONGS, "Ann"),
        (TieBreak.BEST_HAND, "Ben"),
        (TieBreak.GIVEN_AWAY, "Ann"),
        (TieBreak.BEST_EVENING, "Ben"),
        (TieBreak.ATTENDED, "Ben"),
    ],
)
def test_each_way_of_parting_equals(tie: TieBreak, first: str) -> None:
    record = LeagueSeason(
        (
            evening(
                1, [table_result(1, 30, mahjongs=3, best_hand=100), table_result(2, 40, mahjongs=2)]
            ),
            evening(2, [table_result(2, -10, best_hand=400)]),
        )
    )
    rows = rank_members(LeagueRules(ties=(tie,)), record)
    assert next((row.name, row.place) for row in rows) == (first, 1)
    assert rows[1].decided_by == tie.value


def test_who_is_equal_in_everything_shares_the_place() -> None:
    rows = rank_members(LeagueRules(), weeks((5, 5, -10)))
    assert [(row.place, row.is_tied) for row in rows] == [(1, True), (1, True), (3, False)]


TOLD = weeks((40, 10, -20, -30), (10, 5, 5, -20))


def with_one_more(record: LeagueSeason, player: int, points: int) -> LeagueSeason:
    """The same with another evening that only this player comes to."""
    return replace(record, evenings=(*record.evenings, evening(99, [table_result(player, points)])))


def place_of(rules: LeagueRules, record: LeagueSeason, player: int) -> int | None:
    return next(row.place for row in rank_members(rules, record) if row.player == player)


def test_every_place_above_has_its_least_result() -> None:
    assert what_if(LeagueRules(), TOLD, 4, hands=16).needs == (
        NeededResult(3, ("Cy",), 35),
        NeededResult(2, ("Ben",), 65),
        NeededResult(1, ("Ann",), 100),
    )


@pytest.mark.parametrize(
    "rules",
    [
        LeagueRules(),
        LeagueRules(adds_up=SeasonScoring.AVERAGE),
        LeagueRules(adds_up=SeasonScoring.HAND),
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


def test_the_leader_needs_nothing_and_missing_evenings_come_first() -> None:
    assert what_if(LeagueRules(), TOLD, 1, hands=16) == WhatIf(0, ())
    assert what_if(LeagueRules(least=Quota(4)), TOLD, 4, hands=16) == WhatIf(1, ())


def test_coming_can_be_enough() -> None:
    record = LeagueSeason(
        (*TOLD.evenings, evening(3, [table_result(5, 900), table_result(1, -900)]))
    )
    rules = LeagueRules(least=Quota(2), best=Quota(1))
    assert what_if(rules, record, 5, hands=16).needs[-1] == NeededResult(1, ("Ann",), None)


def test_with_table_points_a_place_at_the_table_is_needed() -> None:
    record = weeks((40, 10, -20, -30))
    assert what_if(HART, record, 4, hands=16).needs == (
        NeededResult(3, ("Cy",), None),
        NeededResult(2, ("Ben",), None),
        NeededResult(1, ("Ann",), -1),
    )


def test_who_has_not_played_cannot_ask() -> None:
    with pytest.raises(KeyError):
        what_if(
            LeagueRules(), LeagueSeason((evening(1, [TableResult(1, "Ann", 0, 1)]),)), 2, hands=16
        )


QUOTAS = st.one_of(
    st.none(), st.integers(1, 5).map(Quota), st.integers(1, 100).map(lambda n: Quota(n, True))
)
CREDITS = st.one_of(
    st.none(),
    st.builds(CreditRule, st.integers(1, 3), st.one_of(st.none(), st.just(Fraction(7, 2)))),
)


@st.composite
def league_rules(draw: st.DrawFn) -> LeagueRules:
    """Any rules that can be declared."""
    brings, adds_up = draw(
        st.sampled_from(
            [(scoring, total) for scoring in EveningScoring for total in SeasonScoring][:5]
        )
    )
    credit, best = draw(CREDITS), draw(QUOTAS)
    is_plain = brings is EveningScoring.POINTS and adds_up is not SeasonScoring.HAND
    if adds_up is SeasonScoring.HAND:
        brings, best = EveningScoring.POINTS, None
        credit = replace(credit, points=None) if credit else None
    return LeagueRules(
        brings=brings,
        scales=draw(st.sampled_from([league.rules.scales for league in READY_MADE_LEAGUES])),
        hands=draw(st.sampled_from([None, 16])) if is_plain else None,
        handicaps=draw(st.booleans()),
        attendance_points=draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(3000)])),
        adds_up=adds_up,
        best=best,
        least=draw(QUOTAS),
        least_members=draw(st.integers(0, 5)),
        credit=credit,
        ties=tuple(draw(st.lists(st.sampled_from(TieBreak), unique=True))),
    )


def seats(players: list[int]) -> st.SearchStrategy[tuple[TableResult, ...]]:
    return st.tuples(
        *(
            st.builds(
                TableResult,
                st.just(player),
                st.just(NAMES[player - 1]),
                st.integers(-300, 300),
                st.integers(1, 16),
                st.integers(0, 5),
                st.integers(0, 400),
            )
            for player in players
        )
    )


@st.composite
def records(draw: st.DrawFn) -> LeagueSeason:
    """Up to six evenings of two tables at most, with handicaps and credits."""
    evenings = []
    for week in range(1, draw(st.integers(1, 6)) + 1):
        present_players = draw(st.permutations(range(1, 10)))[: draw(st.integers(2, 9))]
        first_size = min(len(present_players), 5)
        tables = [
            draw(seats(part))
            for part in (present_players[:first_size], present_players[first_size:])
            if len(part) > 1
        ]
        evenings.append(evening(week, *tables))
    players = st.integers(1, 9)
    weeks = st.frozensets(st.integers(1, 6), max_size=3)
    return LeagueSeason(
        tuple(evenings),
        draw(st.dictionaries(players, st.integers(-50, 50), max_size=3)),
        draw(st.dictionaries(players, weeks, max_size=3)),
    )


def places(rows: tuple[LeagueStanding, ...]) -> dict[int, int | None]:
    return {row.player: row.place for row in rows}


def raise_gain(record: LeagueSeason, gain: int) -> tuple[int, LeagueSeason]:
    """The first seat of the last evening with so many points more."""
    last = record.evenings[-1]
    first, *other_seats = last.tables[0]
    table = (replace(first, points=first.points + gain), *other_seats)
    better = replace(last, tables=(table, *last.tables[1:]))
    return first.player, replace(record, evenings=(*record.evenings[:-1], better))


@given(league_rules(), records(), st.integers(1, 400))
def test_a_better_result_never_lowers_a_place(
    rules: LeagueRules, record: LeagueSeason, gain: int
) -> None:
    player, better = raise_gain(record, gain)
    places_before = places(rank_members(rules, record))
    places_after = places(rank_members(rules, better))
    assert (places_before.get(player) is None) == (places_after.get(player) is None)
    assert (places_after.get(player) or 0) <= (places_before.get(player) or 0)


@given(league_rules(), records(), st.randoms())
def test_the_order_in_which_evenings_are_told_does_not_matter(
    rules: LeagueRules, record: LeagueSeason, chance: object
) -> None:
    reversed_record = replace(record, evenings=record.evenings[::-1])
    assert rank_members(rules, reversed_record) == rank_members(rules, record)


@given(league_rules(), records())
def test_equals_share_a_place_whoever_they_are(rules: LeagueRules, record: LeagueSeason) -> None:
    """Everyone takes the key of the one opposite in the list: places go with them."""
    mirrored_record = replace(
        record,
        evenings=tuple(
            replace(
                evening,
                tables=tuple(
                    tuple(replace(result, player=10 - result.player) for result in table)
                    for table in evening.tables
                ),
            )
            for evening in record.evenings
        ),
        handicaps={10 - player: points for player, points in record.handicaps.items()},
        credits={10 - player: missed_weeks for player, missed_weeks in record.credits.items()},
    )
    places_before = places(rank_members(rules, record))
    assert places(rank_members(rules, mirrored_record)) == {
        10 - key: place for key, place in places_before.items()
    }


@given(league_rules())
def test_what_is_declared_is_read_back(rules: LeagueRules) -> None:
    assert read_rules(rules_to_json(rules)) == rules


@given(league_rules(), records(), st.integers(1, 16))
def test_the_higher_the_place_the_more_is_needed(
    rules: LeagueRules, record: LeagueSeason, hands: int
) -> None:
    for row in rank_members(rules, record)[-1:]:
        outlook = what_if(rules, record, row.player, hands=hands)
        assert not (outlook.missing and outlook.needs)
        needed_results = [need.result for need in outlook.needs if need.result is not None]
        assert needed_results == sorted(needed_results)
        places = [need.place for need in outlook.needs]
        assert places == sorted(places, reverse=True)
