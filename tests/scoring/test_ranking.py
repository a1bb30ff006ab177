"""Who comes before whom, and why."""

from fractions import Fraction
from random import Random

from hypothesis import given, strategies as st

from scoring.table.ranking import METRICS, RankingRow, rank, table_points

ANN = RankingRow("a", "Ann", {"total": 400, "mahjongs": 3, "best_hand": 96})
BEN = RankingRow("b", "Ben", {"total": 400, "mahjongs": 5, "best_hand": 64})
CY = RankingRow("c", "Cy", {"total": -200, "mahjongs": 1, "best_hand": 40})
DI = RankingRow("d", "Di", {"total": -200, "mahjongs": 1, "best_hand": 40})
ROWS = st.lists(
    st.builds(
        RankingRow,
        key=st.text("abc", min_size=1),
        name=st.sampled_from(["Ann", "Ben"]),
        values=st.fixed_dictionaries({"total": st.integers(-3, 3), "mahjongs": st.integers(0, 2)}),
    ),
    unique_by=lambda row: row.key,
)


def test_the_metric_that_broke_the_tie_is_named() -> None:
    ranking = rank([ANN, BEN, CY], metrics=["total", "mahjongs"])
    assert [(row.place, row.row.name, row.decided_by) for row in ranking] == [
        (1, "Ben", None),
        (2, "Ann", "mahjongs"),
        (3, "Cy", "total"),
    ]


def test_equals_share_a_place_and_the_next_is_left_out() -> None:
    ranking = rank([DI, ANN, CY], metrics=["total", "best_hand"])
    assert [(row.place, row.is_tied) for row in ranking] == [(1, False), (2, True), (2, True)]
    assert [row.row.name for row in ranking] == ["Ann", "Cy", "Di"]


@given(ROWS, st.randoms(use_true_random=False))
def test_ranking_does_not_depend_on_the_order_of_rows(
    rows: list[RankingRow], chance: Random
) -> None:
    shuffled_rows = list(rows)
    chance.shuffle(shuffled_rows)
    assert rank(shuffled_rows, metrics=["total", "mahjongs"]) == rank(
        rows, metrics=["total", "mahjongs"]
    )


def test_table_points_go_by_place() -> None:
    assert list(table_points([336, -1096, -36, 796])) == [2, 0, 1, 4]


def test_ties_share_table_points() -> None:
    assert list(table_points([10, 10, 0, -20])) == [3, 3, 1, 0]
    assert table_points([0, 0, 0, 0]) == (Fraction(7, 4),) * 4


def test_three_at_a_table() -> None:
    assert list(table_points([5, -10, 5])) == [3, 1, 3]


def test_every_metric_is_in_words() -> None:
    assert {"table_points", "total", "average", "mahjongs", "best_hand", "attended"} <= set(METRICS)
