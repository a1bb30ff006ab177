"""Special hands made at random from their descriptions are known for what they are."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from scoring import BadHand, hand_from_json, rule_set, score

BMJA = rule_set("bmja")
NUMBERS = "123456789"
WINDS, DRAGONS = ["WE", "WS", "WW", "WN"], ["DR", "DG", "DW"]
HONOURS = WINDS + DRAGONS
TERMINALS = [suit + number for suit in "BCO" for number in "19"]
JADE = ["DG", "B2", "B3", "B4", "B6", "B8"]
ALL = [suit + number for suit in "BCO" for number in NUMBERS] + HONOURS
Tiles = list[str]
Make = Callable[[random.Random], Tiles]
MOST_ATTEMPTS = 500


def all_pair_honours(chance: random.Random) -> Tiles:
    return chance.sample((TERMINALS + HONOURS) * 2, 7) * 2


def knitting(chance: random.Random) -> Tiles:
    one, other = chance.sample("BCO", 2)
    numbers = chance.sample(NUMBERS * 2, 7)
    return [suit + number for number in numbers for suit in (one, other)]


def triple_knitting(chance: random.Random) -> Tiles:
    numbers = chance.sample(NUMBERS * 2, 5)
    last = numbers.pop()
    pair = [suit + last for suit in chance.sample("BCO", 2)]
    return [suit + number for number in numbers for suit in "BCO"] + pair


def thirteen_unique_wonders(chance: random.Random) -> Tiles:
    return TERMINALS + HONOURS + [chance.choice(TERMINALS + HONOURS)]


def gates_of_heaven(chance: random.Random) -> Tiles:
    suit = chance.choice("BCO")
    return [suit + number for number in "111" + "2345678" + "999" + chance.choice("2345678")]


def wriggling_snake(chance: random.Random) -> Tiles:
    suit = chance.choice("BCO")
    return [suit + number for number in "1" + NUMBERS] + WINDS


OTHER_SHAPES: list[Make] = [
    all_pair_honours,
    knitting,
    triple_knitting,
    thirteen_unique_wonders,
    gates_of_heaven,
    wriggling_snake,
]


def is_other_shape(tiles: Tiles) -> bool:
    """Whether the tiles are one of the six hands of another shape, told by counting."""
    counts = Counter(tiles)
    numbers = {n: sorted(counts[suit + n] for suit in "BCO") for n in NUMBERS}
    suits = {tile[0] for tile in tiles if tile[0] in "BCO"}
    honours = [tile for tile in tiles if tile in HONOURS]
    majors = all(tile in TERMINALS + HONOURS for tile in tiles)
    even = all(held % 2 == 0 for held in counts.values())
    knit = not honours and len(suits) == 2
    knit = knit and all(n[0] == 0 and n[1] == n[2] for n in numbers.values())
    odd = [n for n in numbers.values() if n[0] != n[2]]
    triple = not honours and len(odd) == 1 and odd[0][0] + 1 == odd[0][1] == odd[0][2]
    return (
        (majors and even)
        or knit
        or triple
        or (majors and len(counts) == 13)
        or (len(suits) == 1 and not honours and gates_counts(tiles))
        or (len(suits) == 1 and sorted(honours) == sorted(WINDS) and snake_counts(tiles))
    )


def gates_counts(tiles: Tiles) -> bool:
    numbers = sorted(tile[1] for tile in tiles)
    middle = numbers[3:-3]
    return "".join(numbers[:3] + numbers[-3:]) == "111999" and set(middle) == set("2345678")


def snake_counts(tiles: Tiles) -> bool:
    return sorted(tile[1] for tile in tiles if tile not in WINDS) == sorted("1" + NUMBERS)


def fields(tiles: Tiles, chance: random.Random, **more: Any) -> dict[str, Any]:
    chance.shuffle(tiles)
    return {"concealed": tiles, "mahjong": True, "winning_tile": tiles[0], "won_by": "wall"} | more


def legal(make: Make, chance: random.Random) -> Tiles:
    """A hand so made that holds no tile five times."""
    for _attempt in range(MOST_ATTEMPTS):
        tiles = make(chance)
        if max(Counter(tiles).values()) <= 4:
            return tiles
    raise AssertionError(f"{make.__name__} makes no legal hand")


@pytest.mark.parametrize("make", OTHER_SHAPES, ids=lambda make: make.__name__)
def test_a_hand_of_its_own_shape(make: Make) -> None:
    chance = random.Random(make.__name__)
    special = next(line for line in BMJA.specials if line.key == make.__name__)
    for _number in range(60):
        tiles = legal(make, chance)
        way = chance.choice(["wall", "discard", "loose_tile"])
        won = score(hand_from_json(fields(tiles, chance, won_by=way), BMJA), BMJA)
        assert (won.special, won.total) == (make.__name__, special.value.points(1000)), tiles


@pytest.mark.parametrize("make", OTHER_SHAPES, ids=lambda make: make.__name__)
def test_one_tile_changed_is_another_hand(make: Make) -> None:
    """Changed by one tile the hand is a Mah-Jong only if the counts say so."""
    chance = random.Random(make.__name__)
    for _number in range(200):
        tiles = legal(make, chance)
        tiles[chance.randrange(14)] = chance.choice(ALL)
        try:
            won = score(hand_from_json(fields(tiles, chance), BMJA), BMJA).special is not None
        except BadHand as bad:
            if "too_many_copies" in {problem.code for problem in bad.problems}:
                continue
            won = False
        assert won == is_other_shape(tiles), tiles


@pytest.mark.parametrize("make", OTHER_SHAPES, ids=lambda make: make.__name__)
def test_fishing_for_a_hand_of_its_own_shape(make: Make) -> None:
    """Two tiles off the hand, it fishes if and only if some tile completes such a hand."""
    chance = random.Random(make.__name__)
    for _number in range(60):
        tiles = legal(make, chance)[1:]
        tiles[chance.randrange(13)] = chance.choice(ALL)
        if max(Counter(tiles).values()) > 4:
            continue
        found = score(hand_from_json({"concealed": tiles, "mahjong": False}, BMJA), BMJA)
        could = [tile for tile in ALL if tiles.count(tile) < 4]
        fishes = any(is_other_shape([*tiles, tile]) for tile in could)
        by_shape = {special.key for special in BMJA.specials if BMJA.book.shape(special)}
        assert found.special not in by_shape or fishes, tiles
        assert not fishes or found.total >= 200, tiles


def pungs(chance: random.Random, kinds: Tiles, pairs: Tiles) -> dict[str, Any]:
    """Four pungs or kongs of these kinds and a pair, laid out at random."""
    table: list[dict[str, Any]] = []
    pair = chance.choice([tile for tile in pairs if tile not in kinds])
    concealed = [pair, pair]
    for tile in kinds:
        shape = chance.choice(["concealed", "pung", "kong", "closed kong"])
        if shape == "concealed":
            concealed += [tile] * 3
        else:
            exposed = shape != "closed kong"
            table.append({"tiles": [tile] * (3 if shape == "pung" else 4), "exposed": exposed})
    return fields(concealed, chance, sets=table)


PUNG_HANDS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "imperial_jade": lambda chance: pungs(chance, chance.sample(JADE, 4), JADE),
    "all_winds_and_dragons": lambda chance: pungs(chance, chance.sample(HONOURS, 4), HONOURS),
    "heads_and_tails": lambda chance: pungs(chance, chance.sample(TERMINALS, 4), TERMINALS),
    "three_great_scholars": lambda chance: pungs(chance, [*DRAGONS, chance.choice(ALL[:27])], ALL),
    "four_blessings": lambda chance: pungs(chance, WINDS, ALL),
}


@pytest.mark.parametrize("key", PUNG_HANDS)
def test_a_special_hand_of_pungs_and_kongs(key: str) -> None:
    chance = random.Random(key)
    for _number in range(60):
        told = PUNG_HANDS[key](chance)
        won = score(hand_from_json(told, BMJA), BMJA)
        assert (won.special is not None, won.total) == (True, 1000), told
        left = dict(told, concealed=told["concealed"][1:], mahjong=False, winning_tile=None)
        fishing = score(hand_from_json(left, BMJA), BMJA)
        assert fishing.total >= 400, left
