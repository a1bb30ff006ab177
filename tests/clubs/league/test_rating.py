"""The rating: places at tables alone, the same from the same evenings, and kind to newcomers."""

from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st

from clubs.league.selectors.players import SETTLED_AFTER, START, Rating, ratings

ANN, BEN, CY, DI, ED = range(1, 6)
points = st.integers(min_value=-2000, max_value=2000)


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """Two to five of the five players with their points."""
    players = draw(st.permutations([ANN, BEN, CY, DI, ED]))
    size = draw(st.integers(min_value=2, max_value=5))
    return tuple((player, draw(points)) for player in players[:size])


def now(ratings: dict[int, Rating]) -> dict[int, int]:
    return {player: row.now.points for player, row in ratings.items()}


def rated(*evenings: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """What everyone has after evenings of one table each."""
    return now(dict(ratings(tuple((table,) for table in evenings))))


def test_whoever_ends_first_goes_up_and_whoever_ends_last_goes_down() -> None:
    ratings = rated(((ANN, 300), (BEN, 100), (CY, -100), (DI, -300)))
    assert ratings[ANN] > ratings[BEN] > ratings[CY] > ratings[DI]
    assert ratings[ANN] > START > ratings[DI]


def test_how_many_points_lie_between_does_not_matter() -> None:
    close = ((ANN, 4), (BEN, 2), (CY, -2), (DI, -4))
    far = ((ANN, 4000), (BEN, 2), (CY, -2), (DI, -4000))
    assert rated(close) == rated(far)


def test_a_tie_leaves_two_newcomers_level() -> None:
    ratings = rated(((ANN, 120), (BEN, 120), (CY, -240)))
    assert ratings[ANN] == ratings[BEN] > ratings[CY]


def test_who_shares_the_first_place_never_gets_less_than_the_next() -> None:
    ratings = rated(((ANN, 2), (BEN, 2), (CY, 1), (DI, 0), (ED, 0)))
    assert ratings[ANN] == ratings[BEN] > ratings[CY] > ratings[DI] == ratings[ED]


def test_a_table_where_nobody_gained_changes_nobody() -> None:
    assert set(rated(((ANN, 0), (BEN, 0), (CY, 0), (DI, 0))).values()) == {START}


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_tables_of_every_size_are_rated(size: int) -> None:
    ratings = rated(tuple((player, -player) for player in range(1, size + 1)))
    assert sorted(ratings, key=lambda player: -ratings[player]) == list(range(1, size + 1))


def test_somebody_alone_is_not_rated() -> None:
    assert rated(((ANN, 0),)) == {}


def test_beating_the_strong_brings_more_than_beating_the_weak() -> None:
    strong = ((BEN, 100), (CY, -100))
    over_the_strong = rated(*[strong] * 4, ((ANN, 1), (BEN, 0)))
    over_the_weak = rated(*[strong] * 4, ((ANN, 1), (CY, 0)))
    assert over_the_strong[ANN] > over_the_weak[ANN]


@settings(max_examples=40, deadline=None)
@given(table=tables())
def test_it_does_not_matter_who_is_named_first(table: tuple[tuple[int, int], ...]) -> None:
    assert {tuple(sorted(rated(order).items())) for order in permutations(table)} == {
        tuple(sorted(rated(table).items()))
    }


@settings(max_examples=40, deadline=None)
@given(table=tables())
def test_a_better_place_never_brings_less(table: tuple[tuple[int, int], ...]) -> None:
    ratings, points = rated(table), dict(table)
    for player, own in points.items():
        assert all(ratings[player] >= ratings[other] for other, its in points.items() if own >= its)


def test_the_order_of_an_evenings_tables_does_not_matter() -> None:
    first, other = ((ANN, 10), (BEN, -10)), ((CY, 4), (DI, -4))
    assert now(dict(ratings(((first, other),)))) == now(dict(ratings(((other, first),))))


def test_a_newcomer_settles_after_six_evenings() -> None:
    table = ((ANN, 10), (BEN, -10))
    said = [ratings(((table,),) * evenings)[ANN] for evenings in (1, 5, 6)]
    assert SETTLED_AFTER == 6
    assert [row.is_settled for row in said] == [False, False, True]
    assert said[0].words == "still settling: 1 of 6 evenings"
    assert said[1].words == "still settling: 5 of 6 evenings"
    assert said[2].words == "rough"


def test_a_rating_grows_surer_with_every_evening() -> None:
    ups_and_downs = [((ANN, 10 - at % 3), (BEN, 9), (CY, at % 5), (DI, 2)) for at in range(60)]
    steps = ratings(tuple((table,) for table in ups_and_downs))[ANN].steps
    give_or_take = [step.give_or_take for step in steps]
    assert give_or_take == sorted(give_or_take, reverse=True)
    said = [Rating(steps[:evenings]).words for evenings in (6, 24, 60)]
    assert said == ["rough", "fairly sure", "sure"]


def test_the_last_evenings_change_is_told() -> None:
    up, down = ((ANN, 10), (BEN, -10)), ((ANN, -10), (BEN, 10))
    first, second = (ratings(((up,),))[ANN], ratings(((up,), (down,)))[ANN])
    assert first.change == first.now.points - START > 0
    assert second.change == second.now.points - first.now.points < 0
