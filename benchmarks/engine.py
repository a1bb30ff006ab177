"""What the engine does in a second: `python -m benchmarks.engine [WHAT]`.

WHAT is ``speed`` (hands a second: `benchmarks.speed`), ``totals`` (how long it takes to know every
possible total), ``batch`` (totals a second of hands in columns) or ``detective`` (how often it
names a slip that was planted).
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np

from benchmarks.speed import measure_speed
from scoring import (
    BadHand,
    Hand,
    RuleSet,
    Wind,
    hand_from_json,
    possible_totals,
    rule_set,
    rule_set_keys,
)
from scoring.batch import Hands, hands_from, score_totals
from scoring.hands.tiles import BONUS_TILES, MAJORS, PLAYING_TILES, SUIT_TILES
from scoring.totals.possible import reckon_totals, representative_player
from tests.scoring.planted import CLAIMS, ROWS, Rates, claim_rates, row_rates

BMJA = rule_set("bmja")
RUNS = 5
DIFFERENT_HANDS, HANDS = 20_000, 1_000_000  # in columns
SLIPS = 2000  # of each kind
HandFields = dict[str, Any]
MakeHand = Callable[[random.Random], HandFields]


def random_winds(chance: random.Random) -> HandFields:
    return {"seat_wind": chance.choice("ESWN"), "prevailing_wind": chance.choice("ESWN")}


def ordinary_winner(chance: random.Random) -> HandFields:
    """A Mah-Jong of three pungs, perhaps a chow, and a pair, half of it on the table."""
    tiles = chance.sample(PLAYING_TILES, 4)
    low = chance.choice([tile for tile in SUIT_TILES if tile[1] < "8" and tile not in tiles])
    chow = [low[0] + str(int(low[1]) + step) for step in range(3)]
    if any(tile in tiles for tile in chow):
        return ordinary_winner(chance)
    return random_winds(chance) | {
        "sets": [{"tiles": [tile] * 3, "exposed": True} for tile in tiles[:2]],
        "concealed": [tiles[2]] * 3 + chow + [tiles[3]] * 2,
        "bonus": chance.sample(BONUS_TILES, chance.choice([0, 1, 2])),
        "mahjong": True,
        "won_by": chance.choice(["wall", "discard"]),
        "winning_tile": tiles[3],
    }


def loser(chance: random.Random) -> HandFields:
    """Thirteen tiles of a player who did not win, one pung of them on the table."""
    tile = chance.choice(PLAYING_TILES)
    other_tiles = [other_tile for other_tile in PLAYING_TILES * 4 if other_tile != tile]
    return random_winds(chance) | {
        "sets": [{"tiles": [tile] * 3, "exposed": True}],
        "concealed": chance.sample(other_tiles, 10),
        "mahjong": False,
    }


def closed_loser(chance: random.Random) -> HandFields:
    """Thirteen tiles in the hand, for which every special hand must be checked."""
    return random_winds(chance) | {
        "concealed": chance.sample(PLAYING_TILES * 4, 13),
        "mahjong": False,
    }


def measure_totals() -> None:
    """Print the time of the first question of each kind: worked out for house rules, and stored."""
    for key, won, seat in product(rule_set_keys(), (True, False), (Wind.E, Wind.S)):
        rules, hand_kind = rule_set(key), "Mah-Jong" if won else "other hand"
        start = time.process_time()
        computed_totals = house_totals(rules, won=won, seat=seat)
        half = time.process_time()
        stored_totals = possible_totals(rules, won=won, seat_wind=seat, prevailing_wind=Wind.E)
        end = time.process_time()
        times = f"reckoned {half - start:6.2f} s, stored {1000 * (end - half):6.2f} ms"
        warning = "" if computed_totals == stored_totals else "   NOT THE SAME TOTALS"
        print(
            f"{key:9} {seat.label:5} {hand_kind:10} {len(stored_totals):5} totals {times}{warning}"
        )


def house_totals(rules: RuleSet, *, won: bool, seat: Wind) -> tuple[int, ...]:
    """The totals, worked out as for rules whose totals are not stored."""
    hand = Hand(
        seat_wind=seat,
        prevailing_wind=Wind.E if rules.passing.prevailing else None,
        dealer=seat is Wind.E,
        mahjong=won,
    )
    if not won and not rules.losers_score:
        return (0,)
    return reckon_totals(representative_player(hand, rules), rules)


def concealed_winner(chance: random.Random) -> HandFields:
    """A Mah-Jong of one suit, all in the hand, that can often be read in several ways."""
    suit = chance.choice("BCO")
    tiles: list[str] = []
    while len(tiles) < 12:
        low = chance.randint(1, 7)
        tiles += [f"{suit}{low + step}" for step in (0, 1, 2)]
    tiles += [chance.choice(sorted(MAJORS - set(SUIT_TILES)))] * 2
    won = {"mahjong": True, "won_by": chance.choice(["wall", "discard"]), "winning_tile": tiles[0]}
    return random_winds(chance) | {"concealed": tiles} | won


def seven_pairs(chance: random.Random) -> HandFields:
    """A Mah-Jong of seven pairs of 1s, 9s, winds and dragons."""
    tiles = chance.sample(sorted(MAJORS), 7) * 2
    return random_winds(chance) | {"concealed": tiles, "mahjong": True, "won_by": "wall"}


MIXES: dict[str, dict[MakeHand, int]] = {
    "ordinary winners": {ordinary_winner: 1},
    "losers": {loser: 1},
    "losers, all concealed": {closed_loser: 1},
    "a mix: 1 winner in 4, 1 special in 100": {
        ordinary_winner: 19,
        concealed_winner: 5,
        seven_pairs: 1,
        loser: 50,
        closed_loser: 25,
    },
}


def deal_mixed(makers: dict[MakeHand, int], rules: RuleSet) -> Hands:
    """HANDS hands, of which so many are different that no cache holds what they look up."""
    chance = random.Random(1)
    hands: list[Hand] = []
    while len(hands) < DIFFERENT_HANDS:
        make = chance.choices([*makers], weights=[*makers.values()])[0]
        try:
            fields = make(chance)
            fields = fields if rules.bonus_points else fields | {"bonus": []}
            hands.append(hand_from_json(fields, rules))
        except BadHand:
            continue
    order = np.random.default_rng(1).permutation(np.resize(np.arange(DIFFERENT_HANDS), HANDS))
    return hands_from(hands).those(order)


def totals_a_second(hands: Hands, rules: RuleSet) -> tuple[float, float]:
    """Hands a second, warm, by the clock on the wall and by the processor's: medians."""
    score_totals(hands.those(np.arange(DIFFERENT_HANDS)), rules)
    durations = []
    for _ in range(RUNS):
        began = time.perf_counter(), time.process_time()
        score_totals(hands, rules)
        durations.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    wall, processor = (statistics.median(clock) for clock in zip(*durations, strict=True))
    return len(hands) / wall, len(hands) / processor


def measure_batch() -> None:
    """Print the figures; the processor's are the truer ones where others use it too."""
    for key in rule_set_keys():
        rules = rule_set(key)
        for label, makers in MIXES.items():
            wall, processor = totals_a_second(deal_mixed(makers, rules), rules)
            print(f"| {key} | {label} | {wall:,.0f} | {processor:,.0f} |", flush=True)


def print_slips(title: str, names: Iterable[str], rates: Callable[[str, int], Rates]) -> None:
    """Print a line for each kind of slip: named first, in the first three, mended; the time."""
    print(f"{title:34} first  in three  mended      ms")
    for name in names:
        began = time.perf_counter()
        first, in_three, mended_rate = rates(name, SLIPS)
        milliseconds = 1000 * (time.perf_counter() - began) / SLIPS
        print(f"{name:34}{first:6.1%}{in_three:10.1%}{mended_rate:8.1%}{milliseconds:8.2f}")
    print()


def measure_detective() -> None:
    print_slips("a row of a sheet", ROWS, row_rates)
    print_slips("a claimed score", CLAIMS, claim_rates)


MEASUREMENTS = {
    "speed": measure_speed,
    "totals": measure_totals,
    "batch": measure_batch,
    "detective": measure_detective,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=MEASUREMENTS, default="speed")
    MEASUREMENTS[parser.parse_args().what]()


if __name__ == "__main__":
    main()
