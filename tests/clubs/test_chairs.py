"""Everybody keeps a chair while the winds pass: near, right, far, left."""

import pytest

from clubs.chairs import chairs_after, round_the_table
from scoring import deals, rule_set


def chairs(rules: str, seats: int, *winners: int | None) -> dict[int, int]:
    dealt = deals(winners, rules=rule_set(rules), seats=seats).deals
    return chairs_after([deal.winds for deal in dealt])


@pytest.mark.parametrize("rules", ["bmja", "safalra", "tallies", "baggaley", "english"])
@pytest.mark.parametrize("winners", [(), (2,), (3, None, 4), (1, 2, 3, 4)])
def test_four_players_never_change_chairs(rules: str, winners: tuple[int | None, ...]) -> None:
    assert chairs(rules, 4, *winners) == {1: 1, 2: 2, 3: 3, 4: 4}


def test_two_players_face_each_other() -> None:
    assert chairs("bmja", 2, 2) == {1: 1, 2: 3}


def test_the_player_who_sat_out_takes_the_chair_of_the_east_who_lost() -> None:
    assert chairs("bmja", 5, 2) == {2: 2, 3: 3, 4: 4, 5: 1}
    assert chairs("bmja", 5, 2, 3) == {3: 3, 4: 4, 5: 1, 1: 2}


@pytest.mark.parametrize(
    ("rules", "winners", "seats"),
    [
        ("bmja", (2,), [2, 3, 4, 1]),
        ("safalra", (3,), [3, 4, 1, 2]),
        ("tallies", (3,), [1, 2, 3, 4]),
        ("baggaley", (2,), [2, 3, 4, 1]),
    ],
)
def test_the_table_is_named_in_the_order_of_play_from_east(
    rules: str, winners: tuple[int, ...], seats: list[int]
) -> None:
    deal = deals(winners, rules=rule_set(rules)).deals[-1]
    assert round_the_table(deal.winds) == seats
