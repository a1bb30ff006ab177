"""No reading is better than the engine's: a few thousand random hands against a slow searcher."""

import random
from typing import Any

import pytest

from scoring import BadHand, hand_from_json, rule_set, score
from scoring.tiles import BONUS_TILES, PLAYING_TILES
from tests.scoring.brute_force import CLAIMED, best_score

BMJA = rule_set("bmja")
WAYS = ["wall", "last_wall_tile", "loose_tile", "first_draw", *CLAIMED, None]
HANDS = 1500


def a_set(chance: random.Random, suits: str) -> list[str]:
    """A random pung, chow or kong of few suits, so that sets overlap."""
    tile = chance.choice([tile for tile in PLAYING_TILES if tile[0] in suits])
    if tile[0] in "BCO" and tile[1] < "8" and chance.random() < 0.3:
        return [tile[0] + str(int(tile[1]) + step) for step in range(3)]
    return [tile] * 3


def circumstances(chance: random.Random) -> dict[str, Any]:
    """Random winds, bonus tiles and facts."""
    return {
        "seat_wind": chance.choice("ESWN"),
        "prevailing_wind": chance.choice("ESWN"),
        "bonus": sorted(chance.sample(BONUS_TILES, chance.choice([0, 0, 1, 2, 8]))),
        "facts": chance.choice([[], [], ["original_call"]]),
    }


def a_winner(chance: random.Random) -> dict[str, Any]:
    """A random Mah-Jong of sets and a pair; perhaps with too many of a tile."""
    suits = chance.choice(["B", "BW", "CD", "BCOWD", "WD", "BCO"])
    table: list[dict[str, Any]] = []
    pair = chance.choice([tile for tile in PLAYING_TILES if tile[0] in suits])
    concealed: list[str] = [pair, pair]
    for _number in range(4):
        tiles = a_set(chance, suits)
        if chance.random() < 0.5:
            concealed += tiles
        elif len(set(tiles)) == 1 and chance.random() < 0.3:
            table.append({"tiles": tiles + tiles[:1], "exposed": chance.random() < 0.5})
        else:
            table.append({"tiles": tiles, "exposed": True})
    return circumstances(chance) | {
        "sets": table,
        "concealed": concealed,
        "mahjong": True,
        "won_by": chance.choice(WAYS),
        "winning_tile": chance.choice(concealed),
    }


def a_loser(chance: random.Random) -> dict[str, Any]:
    """Twelve random tiles, few kinds among them: too few to fish for anything."""
    kinds = chance.sample(PLAYING_TILES, 6)
    concealed = chance.sample(kinds * 4, 9)
    tiles = [chance.choice([tile for tile in PLAYING_TILES if tile not in kinds])] * 3
    table = [{"tiles": tiles, "exposed": chance.random() < 0.5}]
    return circumstances(chance) | {"sets": table, "concealed": concealed, "mahjong": False}


@pytest.mark.parametrize("seed", range(4))
def test_no_winner_scores_better(seed: int) -> None:
    chance = random.Random(seed)
    compared = 0
    for _number in range(HANDS):
        fields = a_winner(chance)
        try:
            found = score(hand_from_json(fields, BMJA), BMJA)
        except BadHand as bad:
            codes = {problem.code for problem in bad.problems}
            assert codes <= {"too_many_copies", "too_many_chows"}, fields
            assert codes != {"too_many_chows"} or best_score(fields) is None, fields
            continue
        if found.special in {None, "purity"}:
            assert found.total == best_score(fields), fields
            compared += 1
        else:
            assert found.total >= (best_score(fields) or 0), fields
    assert compared > HANDS // 4


@pytest.mark.parametrize("seed", range(4))
def test_no_loser_scores_better(seed: int) -> None:
    chance = random.Random(seed)
    for _number in range(HANDS // 3):
        fields = a_loser(chance)
        assert score(hand_from_json(fields, BMJA), BMJA).total == best_score(fields), fields
