"""Everyone keeps a chair while the winds pass: near, right, far, left."""

import pytest

from clubs.table.rows import chairs_after, round_the_table
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


def test_two_who_sat_in_each_others_place_have_each_others_chairs() -> None:
    exchanges = [(2, 1, 3), (4, 1, 3)]
    dealt = deals([1, 1, 1], rules=rule_set("bmja"), exchanges=exchanges).deals
    told = [chairs_after([deal.winds for deal in dealt[:n]], exchanges) for n in (1, 2, 3, 4)]
    usual, changed = {1: 1, 2: 2, 3: 3, 4: 4}, {1: 3, 2: 2, 3: 1, 4: 4}
    assert told == [usual, changed, changed, usual]


def test_who_sat_out_in_anothers_place_has_that_chair() -> None:
    exchanges = [(1, 1, 5)]
    dealt = deals([2], rules=rule_set("bmja"), seats=5, exchanges=exchanges).deals
    told = [chairs_after([deal.winds for deal in dealt[:n]], exchanges) for n in (1, 2)]
    assert told == [{2: 2, 3: 3, 4: 4, 5: 1}, {2: 2, 3: 3, 4: 4, 1: 1}]


@pytest.mark.parametrize("exchange", [(2, 1, 2), (2, 2, 3), (2, 3, 4), (2, 1, 4)])
@pytest.mark.parametrize("winners", [(1, 1), (2, 2), (3, None, 4), (2, 3, 4, 1)])
def test_the_winds_go_round_anticlockwise_after_an_exchange(
    exchange: tuple[int, int, int], winners: tuple[int | None, ...]
) -> None:
    dealt = deals(winners, rules=rule_set("bmja"), exchanges=[exchange]).deals
    for at, deal in enumerate(dealt, start=1):
        seated = chairs_after([one.winds for one in dealt[:at]], [exchange])
        by_chair = [deal.winds[seat] for seat in sorted(seated, key=seated.__getitem__)]
        east = by_chair.index(deal.winds[deal.dealer])
        assert "".join(by_chair[east:] + by_chair[:east]) == "ESWN"
        assert "".join(deal.winds[seat] for seat in round_the_table(deal.winds)) == "ESWN"
