"""How many totals a second come of hands in columns: `python -m benchmarks.batch`."""

import random
import statistics
import time
from collections.abc import Callable

import numpy as np

from benchmarks.engine import Fields, closed_loser, loser, ordinary_winner, winds
from scoring import BadHand, Hand, RuleSet, hand_from_json, rule_set, rule_set_keys
from scoring.batch import Hands, hands_from, score_totals
from scoring.hands.tiles import MAJORS, SUIT_TILES

DIFFERENT, HANDS, TRIES = 20_000, 1_000_000, 5
Make = Callable[[random.Random], Fields]


def concealed_winner(chance: random.Random) -> Fields:
    """A Mah-Jong of one suit, all in the hand, that can often be read in several ways."""
    suit = chance.choice("BCO")
    tiles: list[str] = []
    while len(tiles) < 12:
        low = chance.randint(1, 7)
        tiles += [f"{suit}{low + step}" for step in (0, 1, 2)]
    tiles += [chance.choice(sorted(MAJORS - set(SUIT_TILES)))] * 2
    won = {"mahjong": True, "won_by": chance.choice(["wall", "discard"]), "winning_tile": tiles[0]}
    return winds(chance) | {"concealed": tiles} | won


def seven_pairs(chance: random.Random) -> Fields:
    """A Mah-Jong of seven pairs of 1s, 9s, winds and dragons."""
    tiles = chance.sample(sorted(MAJORS), 7) * 2
    return winds(chance) | {"concealed": tiles, "mahjong": True, "won_by": "wall"}


MIXES: dict[str, dict[Make, int]] = {
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


def dealt(makers: dict[Make, int], rules: RuleSet) -> Hands:
    """HANDS hands, of which so many are different that no cache holds what they look up."""
    chance = random.Random(1)
    hands: list[Hand] = []
    while len(hands) < DIFFERENT:
        make = chance.choices([*makers], weights=[*makers.values()])[0]
        try:
            hands.append(hand_from_json(playable(make(chance), rules), rules))
        except BadHand:
            continue
    again = np.random.default_rng(1).permutation(np.resize(np.arange(DIFFERENT), HANDS))
    return hands_from(hands).those(again)


def playable(fields: Fields, rules: RuleSet) -> Fields:
    """The hand without flowers and seasons where the rules have none."""
    return fields if rules.bonus_points else fields | {"bonus": []}


def per_second(hands: Hands, rules: RuleSet) -> tuple[float, float]:
    """Hands a second, warm, by the clock on the wall and by the processor's: medians."""
    score_totals(hands.those(np.arange(DIFFERENT)), rules)
    taken = []
    for _ in range(TRIES):
        began = time.perf_counter(), time.process_time()
        score_totals(hands, rules)
        taken.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    wall, own = (statistics.median(clock) for clock in zip(*taken, strict=True))
    return len(hands) / wall, len(hands) / own


def main() -> None:
    """Print the figures; the processor's are the truer ones where others use it too."""
    for key in rule_set_keys():
        rules = rule_set(key)
        for words, makers in MIXES.items():
            wall, own = per_second(dealt(makers, rules), rules)
            print(f"| {key} | {words} | {wall:,.0f} | {own:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
