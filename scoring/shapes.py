"""Conditions on hands of another shape than four sets and a pair."""

from collections.abc import Callable, Mapping

from scoring.conditions import Condition, HandCondition
from scoring.hands import Reading
from scoring.tiles import MAJORS, SUITS, WINDS, Tile

Counts = Mapping[Tile, int]


def _shape(words: str, test: Callable[[Counts], bool]) -> HandCondition:
    def of_a_whole_hand(reading: Reading) -> bool:
        return len(reading.loose) == 14 and test(reading.counts)

    return Condition(words, of_a_whole_hand)


def _cross_suit_counts(counts: Counts) -> dict[str, list[int]]:
    """For each number of 1 to 9, how many are held in each suit."""
    return {
        number: [counts.get(Tile(suit + number), 0) for suit in SUITS] for number in "123456789"
    }


def _is_knitted_in_pairs(counts: Counts) -> bool:
    by_number = _cross_suit_counts(counts).values()
    return all(sum(held) % 2 == 0 and 2 * max(held) <= sum(held) for held in by_number)


def _is_knitted_in_threes(counts: Counts) -> bool:
    uneven = [held for held in _cross_suit_counts(counts).values() if len(set(held)) > 1]
    return len(uneven) == 1 and max(uneven[0]) - min(uneven[0]) == 1 and sum(uneven[0]) % 3 == 2


def _holds(counts: Counts, wanted: Mapping[str, int], suit: str) -> bool:
    return counts == {Tile(suit + number): held for number, held in wanted.items()}


def _is_gates(counts: Counts) -> bool:
    suit = next(iter(counts))[0]
    run = dict.fromkeys("12345678", 1) | {"1": 3, "9": 3}
    return any(_holds(counts, run | {doubled: 2}, suit) for doubled in "2345678")


def _is_snake(counts: Counts) -> bool:
    suits = {tile[0] for tile in counts if tile not in WINDS}
    snake = dict.fromkeys("123456789", 1) | {"1": 2}
    winds = dict.fromkeys(WINDS, 1)
    return any(
        counts == winds | {Tile(suit + number): held for number, held in snake.items()}
        for suit in suits
    )


seven_pairs = _shape("seven pairs", lambda counts: all(held % 2 == 0 for held in counts.values()))
no_pair_twice = _shape("no pair twice", lambda counts: all(held == 2 for held in counts.values()))
knitted_pairs = _shape("seven pairs, each of one number in two suits", _is_knitted_in_pairs)
knitted_threes = _shape(
    "four threes of one number in the three suits and two of one number in two suits",
    _is_knitted_in_threes,
)
thirteen_majors = _shape(
    "one of each 1, 9, wind and dragon, and a second of one of them",
    lambda counts: counts.keys() == MAJORS,
)
gates = _shape("three 1s, three 9s, 2 to 8 of one suit, one of 2 to 8 paired", _is_gates)
snake = _shape("a pair of 1s, 2 to 9 of the same suit and the four winds", _is_snake)
two_suits: HandCondition = Condition(
    "the same two suits throughout", lambda reading: len(reading.suits) == 2
)
