"""How many hands a second the engine scores: `python -m benchmarks.engine`."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from scoring import Wind, hand_from_json, reckoning_as_json, rule_set, score, settle
from scoring.tiles import BONUS_TILES, PLAYING_TILES, SUIT_TILES

BMJA = rule_set("bmja")
Fields = dict[str, Any]


def ordinary_winner(chance: random.Random) -> Fields:
    """A Mah-Jong of three pungs, perhaps a chow, and a pair, half of it on the table."""
    tiles = chance.sample(PLAYING_TILES, 4)
    low = chance.choice([tile for tile in SUIT_TILES if tile[1] < "8" and tile not in tiles])
    chow = [low[0] + str(int(low[1]) + step) for step in range(3)]
    if any(tile in tiles for tile in chow):
        return ordinary_winner(chance)
    return {
        "seat_wind": chance.choice("ESWN"),
        "prevailing_wind": chance.choice("ESWN"),
        "sets": [{"tiles": [tile] * 3, "exposed": True} for tile in tiles[:2]],
        "concealed": [tiles[2]] * 3 + chow + [tiles[3]] * 2,
        "bonus": chance.sample(BONUS_TILES, chance.choice([0, 1, 2])),
        "mahjong": True,
        "won_by": chance.choice(["wall", "discard"]),
        "winning_tile": tiles[3],
    }


def loser(chance: random.Random) -> Fields:
    """Thirteen tiles of a player who did not win, one pung of them on the table."""
    tile = chance.choice(PLAYING_TILES)
    rest = [other for other in PLAYING_TILES * 4 if other != tile]
    return {
        "seat_wind": chance.choice("ESWN"),
        "prevailing_wind": chance.choice("ESWN"),
        "sets": [{"tiles": [tile] * 3, "exposed": True}],
        "concealed": chance.sample(rest, 10),
        "mahjong": False,
    }


def per_second(action: Callable[[], object], times: int) -> float:
    """How many times a second, best of three."""
    best = 0.0
    for _try in range(3):
        began = time.perf_counter()
        action()
        best = max(best, times / (time.perf_counter() - began))
    return best


def from_python(lines: list[Fields]) -> float:
    """Hands a second scored and itemised, read already."""
    hands = [hand_from_json(fields, BMJA) for fields in lines]
    return per_second(lambda: [reckoning_as_json(score(hand, BMJA)) for hand in hands], len(hands))


def from_the_command_line(lines: list[Fields]) -> float:
    """Lines of JSON a second through a pipe, starting the interpreter included."""
    said = "\n".join(json.dumps(fields) for fields in lines).encode()
    command = [sys.executable, "-m", "scoring", "score", "--rules", "bmja"]

    def run() -> None:
        subprocess.run(command, input=said, capture_output=True, check=True)  # noqa: S603

    return per_second(run, len(lines))


def settlements(number: int) -> float:
    """Hands a second settled."""
    scores = {Wind.E: 80, Wind.S: 84, Wind.W: 208, Wind.N: 416}
    return per_second(
        lambda: [settle(scores, winner=Wind.S, rules=BMJA) for _ in range(number)], number
    )


def main() -> None:
    """Print the figures."""
    chance = random.Random(1)
    winners = [ordinary_winner(chance) for _ in range(4000)]
    losers = [loser(chance) for _ in range(2000)]
    print(f"ordinary winning hands, Python call     {from_python(winners):>10,.0f} a second")
    print(f"losing hands, Python call               {from_python(losers):>10,.0f} a second")
    print(
        f"ordinary winning hands, command line    {from_the_command_line(winners):>10,.0f} a second"
    )
    print(f"settlements                             {settlements(4000):>10,.0f} a second")


if __name__ == "__main__":
    main()
