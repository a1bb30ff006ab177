"""The square table is right after every hand, and no one moves a disc."""

import random
from collections.abc import Iterator, Sequence

import pytest

from clubs.table.rows import (
    SITS_OUT,
    Chair,
    chairs_after,
    left_the_table,
    seen_from,
    square_of,
    with_the_empty_chair,
)
from scoring import Deal, RuleSet, deals, rule_set, rule_set_keys
from scoring.rules.declarations import FourthWind, Succession

NAMES = {1: "Margaret", 2: "Dilip", 3: "Zoë", 4: "Ngaio", 5: "Seán"}
GAMES = [
    (key, seats, seed)
    for key in rule_set_keys()
    for seats in rule_set(key).seats
    for seed in range(4)
]


def game(key: str, seats: int, seed: int) -> tuple[RuleSet, Sequence[Deal]]:
    """The deals of some game under these rules, thirty hands at most."""
    rules, chance, outcomes = rule_set(key), random.Random(seed), list[int | None]()
    told = deals(outcomes, rules=rules, seats=seats)
    while not told.finished and len(outcomes) < 30:
        outcomes.append(chance.choice([None, *told.deals[-1].winds]))
        told = deals(outcomes, rules=rules, seats=seats)
    return rules, told.deals


def square_after(dealt: Sequence[Deal], rules: RuleSet, seats: int) -> tuple[Chair, ...]:
    names = {seat: NAMES[seat] for seat in range(1, seats + 1)}
    chairs = chairs_after([deal.winds for deal in dealt])
    square = square_of(dealt[-1], chairs, names, dict.fromkeys(names, "0"))
    return with_the_empty_chair(square, rules.passing)


def squares(key: str, seats: int, seed: int) -> Iterator[tuple[Deal, tuple[Chair, ...]]]:
    rules, dealt = game(key, seats, seed)
    for number, deal in enumerate(dealt, start=1):
        yield deal, square_after(dealt[:number], rules, seats)


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_after_every_hand_the_winds_go_round_the_way_the_game_does(
    key: str, seats: int, seed: int
) -> None:
    order = rule_set(key).passing.order
    for _, square in squares(key, seats, seed):
        seated = [chair for chair in square if chair.position != SITS_OUT]
        east = next(chair.position for chair in seated if chair.wind == "E")
        round_from_east = sorted(seated, key=lambda chair: (chair.position - east) % 4)
        winds = [chair.wind for chair in round_from_east]
        assert winds == [wind for wind in order if wind in winds]
        assert len({chair.position for chair in seated}) == len(seated)


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_everybody_keeps_a_chair_from_hand_to_hand(key: str, seats: int, seed: int) -> None:
    before: dict[str, int] = {}
    for _, square in squares(key, seats, seed):
        now = {chair.name: chair.position for chair in square if chair.plays}
        stayed = now.keys() & before.keys()
        assert {name: now[name] for name in stayed} == {name: before[name] for name in stayed}
        before = now


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_who_deals_and_who_sits_out_is_as_the_rules_say(key: str, seats: int, seed: int) -> None:
    for deal, square in squares(key, seats, seed):
        assert [chair.key for chair in square if chair.dealer] == [str(deal.dealer)]
        rests = [int(chair.key) for chair in square if chair.position == SITS_OUT]
        assert rests == [] if deal.sits_out is None else rests == [deal.sits_out]


@pytest.mark.parametrize("key", rule_set_keys())
def test_only_where_the_winner_deals_somebody_else_than_east_may_deal(key: str) -> None:
    deal_moves = rule_set(key).passing.succession is Succession.WINNER_DEALS
    dealt_by = {chair.wind for _, square in squares(key, 4, 1) for chair in square if chair.dealer}
    assert (dealt_by == {"E"}) is not deal_moves


@pytest.mark.parametrize("key", [key for key in rule_set_keys() if 3 in rule_set(key).seats])
def test_the_empty_chair_of_three_has_a_wind_where_the_rules_give_it_one(key: str) -> None:
    has_a_wind = rule_set(key).passing.fourth_wind is FourthWind.EMPTY_PLACE
    for _, square in squares(key, 3, 2):
        empty = [chair.wind for chair in square if chair.is_empty]
        assert len(empty) == has_a_wind
        assert "E" not in empty


def test_two_players_sit_opposite_each_other() -> None:
    square = square_after(game("bmja", 2, 0)[1][:1], rule_set("bmja"), 2)
    assert [(chair.position, chair.wind) for chair in square] == [(1, "E"), (3, "W")]


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_on_my_own_link_i_sit_nearest_and_my_right_hand_neighbour_is_right(seat: int) -> None:
    square = square_after(game("bmja", 4, 3)[1], rule_set("bmja"), 4)
    turned = {int(chair.key): chair.position for chair in seen_from(square, seat)}
    assert [turned[(seat - 1 + step) % 4 + 1] for step in range(4)] == [1, 2, 3, 4]
    assert [chair.key for chair in seen_from(square, seat) if chair.is_you] == [str(seat)]


def test_whoever_sits_out_sees_the_table_as_it_is() -> None:
    square = square_after(game("bmja", 5, 0)[1][:1], rule_set("bmja"), 5)
    seen = seen_from(square, 5)
    assert [chair.position for chair in seen] == [1, 2, 3, 4, SITS_OUT]
    assert [chair.name for chair in seen if chair.is_you] == ["Seán"]


def test_when_the_game_is_over_nobody_deals() -> None:
    square = square_after(game("english", 4, 0)[1], rule_set("english"), 4)
    assert not any(chair.dealer for chair in left_the_table(square))
