"""Who sits where at the square table: everyone keeps a chair while the winds pass."""

import random
from collections.abc import Iterator, Sequence

import pytest

from clubs.table.rows import HandLine, HandView
from clubs.table.square import (
    SITTING_OUT_POSITION,
    Chair,
    add_empty_chair,
    chairs_after,
    seats_in_play_order,
    seen_from,
    square_of,
    without_dealer,
)
from scoring import Deal, RuleSet, Wind, deals, rule_set, rule_set_keys
from scoring.rules.declarations import FourthWind, Succession
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.selectors import hand_row


def chairs(rules: str, seats: int, *winners: int | None) -> dict[int, int]:
    deal_list = deals(winners, rules=rule_set(rules), seats=seats).deals
    return chairs_after([deal.winds for deal in deal_list])


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
    assert seats_in_play_order(deal.winds) == seats


def test_two_who_sat_in_each_others_place_have_each_others_chairs() -> None:
    exchanges = [(2, 1, 3), (4, 1, 3)]
    deal_list = deals([1, 1, 1], rules=rule_set("bmja"), exchanges=exchanges).deals
    chair_maps = [
        chairs_after([deal.winds for deal in deal_list[:n]], exchanges) for n in (1, 2, 3, 4)
    ]
    usual, swapped_chairs = {1: 1, 2: 2, 3: 3, 4: 4}, {1: 3, 2: 2, 3: 1, 4: 4}
    assert chair_maps == [usual, swapped_chairs, swapped_chairs, usual]


def test_who_sat_out_in_anothers_place_has_that_chair() -> None:
    exchanges = [(1, 1, 5)]
    deal_list = deals([2], rules=rule_set("bmja"), seats=5, exchanges=exchanges).deals
    chair_maps = [chairs_after([deal.winds for deal in deal_list[:n]], exchanges) for n in (1, 2)]
    assert chair_maps == [{2: 2, 3: 3, 4: 4, 5: 1}, {2: 2, 3: 3, 4: 4, 1: 1}]


@pytest.mark.parametrize("exchange", [(2, 1, 2), (2, 2, 3), (2, 3, 4), (2, 1, 4)])
@pytest.mark.parametrize("winners", [(1, 1), (2, 2), (3, None, 4), (2, 3, 4, 1)])
def test_the_winds_go_round_anticlockwise_after_an_exchange(
    exchange: tuple[int, int, int], winners: tuple[int | None, ...]
) -> None:
    deal_list = deals(winners, rules=rule_set("bmja"), exchanges=[exchange]).deals
    for number, deal in enumerate(deal_list, start=1):
        chair_by_seat = chairs_after(
            [past_deal.winds for past_deal in deal_list[:number]], [exchange]
        )
        by_chair = [
            deal.winds[seat] for seat in sorted(chair_by_seat, key=chair_by_seat.__getitem__)
        ]
        east = by_chair.index(deal.winds[deal.dealer])
        assert "".join(by_chair[east:] + by_chair[:east]) == "ESWN"
        assert "".join(deal.winds[seat] for seat in seats_in_play_order(deal.winds)) == "ESWN"


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
    game_deals = deals(outcomes, rules=rules, seats=seats)
    while not game_deals.is_finished and len(outcomes) < 30:
        outcomes.append(chance.choice([None, *game_deals.deals[-1].winds]))
        game_deals = deals(outcomes, rules=rules, seats=seats)
    return rules, game_deals.deals


def square_after(game_progress: Sequence[Deal], rules: RuleSet, seats: int) -> tuple[Chair, ...]:
    names = {seat: NAMES[seat] for seat in range(1, seats + 1)}
    chairs = chairs_after([deal.winds for deal in game_progress])
    square = square_of(game_progress[-1], chairs, names, dict.fromkeys(names, "0"))
    return add_empty_chair(square, rules.passing)


def squares(key: str, seats: int, seed: int) -> Iterator[tuple[Deal, tuple[Chair, ...]]]:
    rules, game_deals = game(key, seats, seed)
    for number, deal in enumerate(game_deals, start=1):
        yield deal, square_after(game_deals[:number], rules, seats)


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_after_every_hand_the_winds_go_round_the_way_the_game_does(
    key: str, seats: int, seed: int
) -> None:
    order = rule_set(key).passing.order
    for _, square in squares(key, seats, seed):
        seated_chairs = [chair for chair in square if chair.position != SITTING_OUT_POSITION]
        east = next(chair.position for chair in seated_chairs if chair.wind == "E")
        round_from_east = sorted(seated_chairs, key=lambda chair: (chair.position - east) % 4)
        winds = [chair.wind for chair in round_from_east]
        assert winds == [wind for wind in order if wind in winds]
        assert len({chair.position for chair in seated_chairs}) == len(seated_chairs)


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_everybody_keeps_a_chair_from_hand_to_hand(key: str, seats: int, seed: int) -> None:
    chairs_before: dict[str, int] = {}
    for _, square in squares(key, seats, seed):
        now = {chair.name: chair.position for chair in square if chair.plays}
        staying_names = now.keys() & chairs_before.keys()
        assert {name: now[name] for name in staying_names} == {
            name: chairs_before[name] for name in staying_names
        }
        chairs_before = now


@pytest.mark.parametrize(("key", "seats", "seed"), GAMES)
def test_who_deals_and_who_sits_out_is_as_the_rules_say(key: str, seats: int, seed: int) -> None:
    for deal, square in squares(key, seats, seed):
        assert [chair.key for chair in square if chair.dealer] == [str(deal.dealer)]
        rests = [int(chair.key) for chair in square if chair.position == SITTING_OUT_POSITION]
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
    positions = {int(chair.key): chair.position for chair in seen_from(square, seat)}
    assert [positions[(seat - 1 + step) % 4 + 1] for step in range(4)] == [1, 2, 3, 4]
    assert [chair.key for chair in seen_from(square, seat) if chair.is_you] == [str(seat)]


def test_whoever_sits_out_sees_the_table_as_it_is() -> None:
    square = square_after(game("bmja", 5, 0)[1][:1], rule_set("bmja"), 5)
    view = seen_from(square, 5)
    assert [chair.position for chair in view] == [1, 2, 3, 4, SITTING_OUT_POSITION]
    assert [chair.name for chair in view if chair.is_you] == ["Seán"]


def test_when_the_game_is_over_nobody_deals() -> None:
    square = square_after(game("english", 4, 0)[1], rule_set("english"), 4)
    assert not any(chair.dealer for chair in without_dealer(square))


def test_the_lines_of_a_hand_begin_with_east() -> None:
    deal = {
        "winds": {"1": "N", "2": "E", "3": "S", "4": "W"},
        "dealer": 2,
        "prevailing_wind": "E",
        "goulash": False,
    }
    hand = Hand(
        number=2, deal=deal, winner=3, report={}, state=HandState.REPORTED,
        score_1=4, score_2=20, score_3=60, score_4=8,
        gain_1=-96, gain_2=-64, gain_3=240, gain_4=-80,
    )  # fmt: skip
    assert HandView(hand_row(hand), NAMES).lines == (
        HandLine(2, "Dilip", Wind.E, is_dealer=True, is_winner=False, score=20, gain=-64),
        HandLine(3, "Zoë", Wind.S, is_dealer=False, is_winner=True, score=60, gain=240),
        HandLine(4, "Ngaio", Wind.W, is_dealer=False, is_winner=False, score=8, gain=-80),
        HandLine(1, "Margaret", Wind.N, is_dealer=False, is_winner=False, score=4, gain=-96),
    )
