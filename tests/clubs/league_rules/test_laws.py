"""Laws that hold for every league: more is never worse, and names and order do not matter."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, strategies as st

from clubs.league_rules.rules import (
    READY_MADE,
    AddsUp,
    Brings,
    CreditRule,
    LeagueRules,
    Quota,
    Tie,
    declared,
    read_rules,
)
from clubs.league_rules.standings import Record, Sat, Standing, reckon, what_if
from tests.clubs.league_rules.played import NAMES, evening

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
        st.sampled_from([(way, total) for way in Brings for total in AddsUp][:5])
    )
    credit, best = draw(CREDITS), draw(QUOTAS)
    is_plain = brings is Brings.POINTS and adds_up is not AddsUp.HAND
    if adds_up is AddsUp.HAND:
        brings, best = Brings.POINTS, None
        credit = replace(credit, points=None) if credit else None
    return LeagueRules(
        brings=brings,
        scales=draw(st.sampled_from([league.rules.scales for league in READY_MADE])),
        hands=draw(st.sampled_from([None, 16])) if is_plain else None,
        handicaps=draw(st.booleans()),
        attendance_points=draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(3000)])),
        adds_up=adds_up,
        best=best,
        least=draw(QUOTAS),
        least_members=draw(st.integers(0, 5)),
        credit=credit,
        ties=tuple(draw(st.lists(st.sampled_from(Tie), unique=True))),
    )


def seats(players: list[int]) -> st.SearchStrategy[tuple[Sat, ...]]:
    return st.tuples(
        *(
            st.builds(
                Sat,
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
def records(draw: st.DrawFn) -> Record:
    """Up to six evenings of two tables at most, with handicaps and credits."""
    evenings = []
    for week in range(1, draw(st.integers(1, 6)) + 1):
        here = draw(st.permutations(range(1, 10)))[: draw(st.integers(2, 9))]
        cut = min(len(here), 5)
        tables = [draw(seats(part)) for part in (here[:cut], here[cut:]) if len(part) > 1]
        evenings.append(evening(week, *tables))
    players = st.integers(1, 9)
    weeks = st.frozensets(st.integers(1, 6), max_size=3)
    return Record(
        tuple(evenings),
        draw(st.dictionaries(players, st.integers(-50, 50), max_size=3)),
        draw(st.dictionaries(players, weeks, max_size=3)),
    )


def places(rows: tuple[Standing, ...]) -> dict[int, int | None]:
    return {row.player: row.place for row in rows}


def raised(record: Record, gain: int) -> tuple[int, Record]:
    """The first seat of the last evening with so many points more."""
    last = record.evenings[-1]
    first, *others = last.tables[0]
    table = (replace(first, points=first.points + gain), *others)
    better = replace(last, tables=(table, *last.tables[1:]))
    return first.player, replace(record, evenings=(*record.evenings[:-1], better))


@given(league_rules(), records(), st.integers(1, 400))
def test_a_better_result_never_lowers_a_place(
    rules: LeagueRules, record: Record, gain: int
) -> None:
    player, better = raised(record, gain)
    before, after = places(reckon(rules, record)), places(reckon(rules, better))
    assert (before.get(player) is None) == (after.get(player) is None)
    assert (after.get(player) or 0) <= (before.get(player) or 0)


@given(league_rules(), records(), st.randoms())
def test_the_order_in_which_evenings_are_told_does_not_matter(
    rules: LeagueRules, record: Record, chance: object
) -> None:
    turned = replace(record, evenings=record.evenings[::-1])
    assert reckon(rules, turned) == reckon(rules, record)


@given(league_rules(), records())
def test_equals_share_a_place_whoever_they_are(rules: LeagueRules, record: Record) -> None:
    """Everyone takes the key of the one opposite in the list: places go with them."""
    turned = replace(
        record,
        evenings=tuple(
            replace(
                evening,
                tables=tuple(
                    tuple(replace(sat, player=10 - sat.player) for sat in table)
                    for table in evening.tables
                ),
            )
            for evening in record.evenings
        ),
        handicaps={10 - player: points for player, points in record.handicaps.items()},
        credits={10 - player: missed for player, missed in record.credits.items()},
    )
    before = places(reckon(rules, record))
    assert places(reckon(rules, turned)) == {10 - key: place for key, place in before.items()}


@given(league_rules())
def test_what_is_declared_is_read_back(rules: LeagueRules) -> None:
    assert read_rules(declared(rules)) == rules


@given(league_rules(), records(), st.integers(1, 16))
def test_the_higher_the_place_the_more_is_needed(
    rules: LeagueRules, record: Record, hands: int
) -> None:
    for row in reckon(rules, record)[-1:]:
        outlook = what_if(rules, record, row.player, hands=hands)
        assert not (outlook.missing and outlook.needs)
        needed = [need.result for need in outlook.needs if need.result is not None]
        assert needed == sorted(needed)
        places = [need.place for need in outlook.needs]
        assert places == sorted(places, reverse=True)
