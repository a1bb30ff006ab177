"""Special hands made whole at random, each from its own description."""

import random
from collections.abc import Callable

from tests.scoring.oracle.hand import Fields
from tests.scoring.oracle.tiles import (
    DRAGONS,
    GREEN,
    HONOURS,
    MAJORS,
    PLAYING,
    SUIT_TILES,
    SUITS,
    TERMINALS,
    WINDS,
)

NUMBERS = "123456789"
Kinds = list[str]
Make = Callable[[random.Random], Fields]


def in_hand(tiles: Kinds) -> Fields:
    return {"sets": [], "concealed": tiles}


def pairs(chance: random.Random, kinds: tuple[str, ...]) -> Fields:
    return in_hand(chance.sample([*kinds, *kinds], 7) * 2)


def all_pair_honours(chance: random.Random) -> Fields:
    return pairs(chance, MAJORS)


def seven_pairs(chance: random.Random) -> Fields:
    kinds = [tile for tile in PLAYING if tile[0] in chance.choice(["BCOWD", "B", "BWD", "BC"])]
    return pairs(chance, tuple(kinds))


def knitting(chance: random.Random) -> Fields:
    one, other = chance.sample(SUITS, 2)
    return in_hand([s + n for n in chance.sample(NUMBERS * 2, 7) for s in (one, other)])


def loose_knitting(chance: random.Random) -> Fields:
    """Each pair in two suits of its own: no hand under most rules."""
    return in_hand(
        [suit + n for n in chance.sample(NUMBERS, 7) for suit in chance.sample(SUITS, 2)]
    )


def triple_knitting(chance: random.Random) -> Fields:
    numbers = chance.sample(NUMBERS * 2, 5)
    last = numbers.pop()
    pair = [suit + last for suit in chance.sample(SUITS, 2)]
    if chance.random() < 0.1:
        pair = pair[:1] * 2
    return in_hand([suit + number for number in numbers for suit in SUITS] + pair)


def thirteen_wonders(chance: random.Random) -> Fields:
    return in_hand([*MAJORS, chance.choice(MAJORS)])


def gates_of_heaven(chance: random.Random) -> Fields:
    suit = chance.choice(SUITS)
    return in_hand([suit + number for number in "1112345678999" + chance.choice(NUMBERS)])


def wriggling_snake(chance: random.Random) -> Fields:
    suit = chance.choice(SUITS)
    return in_hand([suit + number for number in "1" + NUMBERS] + [*WINDS])


def orphan(chance: random.Random) -> Fields:
    """Fourteen tiles of which no two could belong together."""
    apart = [suit + number for suit in SUITS for number in chance.choice(["147", "258", "369"])]
    return in_hand([*apart, *chance.sample(HONOURS, 5)])


def wide_orphan(chance: random.Random) -> Fields:
    """The same with other gaps, and now and then with one too narrow."""
    runs = ["148", "149", "158", "169", "259", "269", "37", "149", "257"]
    apart = [suit + number for suit in SUITS for number in chance.choice(runs)]
    return in_hand([*apart, *chance.sample(HONOURS, 14 - len(apart))] if len(apart) > 6 else apart)


def sets_of(chance: random.Random, kinds: Kinds, pair: str, shapes: str = "cpkq") -> Fields:
    """Sets of these kinds: c concealed pung, p exposed pung, k exposed kong, q concealed kong."""
    table: list[Fields] = []
    concealed = [pair, pair]
    for tile in kinds:
        shape = chance.choice(shapes)
        if shape == "c":
            concealed += [tile] * 3
        else:
            table.append({"tiles": [tile] * (3 if shape == "p" else 4), "exposed": shape != "q"})
    return {"sets": table, "concealed": concealed}


def sets_and_pair(chance: random.Random, kinds: Kinds, shapes: str = "cpkq") -> Fields:
    """Four sets and a pair of different kinds among these."""
    *four, pair = chance.sample(kinds, 5)
    return sets_of(chance, four, pair, shapes)


def imperial_jade(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*GREEN], chance.choice(["cpkq", "cp"]))


def jade_and_any_pair(chance: random.Random) -> Fields:
    return sets_of(chance, chance.sample([*GREEN], 4), chance.choice(PLAYING))


def all_winds_and_dragons(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*HONOURS], chance.choice(["cpkq", "c"]))


def heads_and_tails(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*TERMINALS], chance.choice(["cpkq", "cp"]))


def only_majors(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*MAJORS])


def fourfold_plenty(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*PLAYING], chance.choice(["kq", "kq", "q", "kkqp"]))


def three_great_scholars(chance: random.Random) -> Fields:
    fourth, pair = chance.sample(SUIT_TILES + WINDS, 2)
    return sets_of(chance, [*DRAGONS, fourth], pair)


def scholars_with_a_chow(chance: random.Random) -> Fields:
    made = sets_of(chance, [*DRAGONS], chance.choice(WINDS))
    suit, first = chance.choice(SUITS), chance.randint(1, 7)
    return made | {"concealed": made["concealed"] + [f"{suit}{first + n}" for n in range(3)]}


def four_blessings(chance: random.Random) -> Fields:
    return sets_of(chance, [*WINDS], chance.choice(SUIT_TILES + DRAGONS))


def buried_treasure(chance: random.Random) -> Fields:
    suit = chance.choice(SUITS)
    kinds = [tile for tile in PLAYING if tile[0] in chance.choice([suit, suit + "WD"])]
    return sets_and_pair(chance, kinds, chance.choice(["c", "c", "ccccccq", "ccccccp"]))


def purity(chance: random.Random) -> Fields:
    suit = chance.choice(SUITS)
    return sets_and_pair(
        chance, [suit + number for number in NUMBERS], chance.choice(["cpkq", "cp"])
    )


def honour_kongs(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*HONOURS], chance.choice(["q", "qk", "qqqc"]))


def one_suit_of_chows(chance: random.Random) -> Fields:
    """A hand of one suit, perhaps with honours, that may be cut up in several ways."""
    suit, first = chance.choice(SUITS), chance.randint(1, 5)
    run = [suit + str(first + step) for step in range(3)]
    fourth = chance.choice([*HONOURS, suit + str(first + 3), suit + str(first + 4)])
    pair = chance.choice([*HONOURS, suit + "1", suit + "9"])
    return in_hand(run * 3 + [fourth] * 3 + [pair] * 2)


def dragon_of_chows(chance: random.Random) -> Fields:
    """The runs 1-3, 4-6 and 7-9, of one suit or of several, some of them on the table."""
    suits = chance.choice([[suit] * 3 for suit in SUITS] + [chance.choices(SUITS, k=3)] * 3)
    table: list[Fields] = []
    concealed = [chance.choice(HONOURS)] * 2
    for suit, numbers in zip(suits, ["123", "456", "789"], strict=True):
        run = [suit + number for number in numbers]
        if chance.random() < 0.6:
            concealed += run
        else:
            table.append({"tiles": run, "exposed": True})
    fourth = chance.choice(
        [[tile] * 3 for tile in SUIT_TILES] + [["B2", "B3", "B4"], ["C6", "C7", "C8"]]
    )
    return {"sets": table, "concealed": concealed + fourth}


def plain_hand(chance: random.Random) -> Fields:
    """Three pungs, a chow and a pair, to be won in some remarkable way."""
    tiles = chance.sample([tile for tile in SUIT_TILES if tile[1] not in "456"], 3)
    suit = chance.choice(SUITS)
    run = [suit + number for number in "456"]
    made = sets_of(chance, tiles, chance.choice(["O5", "O1", "WE", "DR", "C5"]), "ccpkqk")
    return made | {"concealed": made["concealed"] + run}


CLASSIC: list[Make] = [
    all_pair_honours,
    knitting,
    loose_knitting,
    triple_knitting,
    thirteen_wonders,
    gates_of_heaven,
    wriggling_snake,
    imperial_jade,
    all_winds_and_dragons,
    heads_and_tails,
    only_majors,
    fourfold_plenty,
    three_great_scholars,
    scholars_with_a_chow,
    four_blessings,
    buried_treasure,
    buried_treasure,
    purity,
    purity,
    plain_hand,
    plain_hand,
    one_suit_of_chows,
    seven_pairs,
]
MADE: dict[str, list[Make]] = {
    "bmja": CLASSIC,
    "tallies": CLASSIC,
    "english": [*CLASSIC, seven_pairs, honour_kongs, dragon_of_chows, jade_and_any_pair],
    "safalra": [honour_kongs, one_suit_of_chows, all_winds_and_dragons, purity, buried_treasure],
    "baggaley": [seven_pairs, orphan, wide_orphan, dragon_of_chows, dragon_of_chows, plain_hand],
}
