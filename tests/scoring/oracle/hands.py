"""Random hands, the same for the same seed: won and lost, whole and a tile or two short.

Special hands are made from their descriptions. Few suits and overlapping sets come often, so that
a hand may be read in many ways; most hands are legal and some are wrong in one thing.
"""

import random
from collections import Counter
from collections.abc import Callable

from tests.scoring.oracle.hand import Fields
from tests.scoring.oracle.tiles import (
    BONUS,
    CLAIMED,
    DRAGONS,
    FACTS as ALL_FACTS,
    GREEN,
    HONOURS,
    JOKER,
    MAJORS,
    PLAYING,
    SUIT_TILES,
    SUITS,
    TERMINALS,
    WAYS_TO_WIN,
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
    suit, other_suit = chance.sample(SUITS, 2)
    return in_hand([s + n for n in chance.sample(NUMBERS * 2, 7) for s in (suit, other_suit)])


def loose_knitting(chance: random.Random) -> Fields:
    """Each pair in two suits of its own: no hand under most rules."""
    return in_hand(
        [suit + n for n in chance.sample(NUMBERS, 7) for suit in chance.sample(SUITS, 2)]
    )


def triple_knitting(chance: random.Random) -> Fields:
    numbers = chance.sample(NUMBERS * 2, 5)
    last = numbers.pop()
    pair = [suit + last for suit in chance.sample(SUITS, 2)]
    if chance.random() < 0.2:
        pair = [chance.choice([pair[0], *HONOURS])] * 2
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
    suit_tiles = [
        suit + number for suit in SUITS for number in chance.choice(["147", "258", "369"])
    ]
    return in_hand([*suit_tiles, *chance.sample(HONOURS, 5)])


def wide_orphan(chance: random.Random) -> Fields:
    """The same with other gaps, and now and then with one too narrow."""
    runs = ["148", "149", "158", "169", "259", "269", "37", "149", "257"]
    suit_tiles = [suit + number for suit in SUITS for number in chance.choice(runs)]
    return in_hand(
        [*suit_tiles, *chance.sample(HONOURS, 14 - len(suit_tiles))]
        if len(suit_tiles) > 6
        else suit_tiles
    )


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


def sets_among(kinds: tuple[str, ...], *shapes: str) -> Make:
    """Makes four sets and a pair of different kinds among these, in one of these shapes."""
    return lambda chance: sets_and_pair(chance, [*kinds], chance.choice(shapes))


honour_kongs = sets_among(HONOURS, "q", "qk", "qqqc")
imperial_jade = sets_among(GREEN, "cpkq", "cp")
all_winds_and_dragons = sets_among(HONOURS, "cpkq", "c")
heads_and_tails = sets_among(TERMINALS, "cpkq", "cp")
fourfold_plenty = sets_among(PLAYING, "kq", "kq", "q", "kkqp")


def jade_and_any_pair(chance: random.Random) -> Fields:
    return sets_of(chance, chance.sample([*GREEN], 4), chance.choice(PLAYING))


def only_majors(chance: random.Random) -> Fields:
    return sets_and_pair(chance, [*MAJORS])


def three_great_scholars(chance: random.Random) -> Fields:
    fourth, pair = chance.sample(SUIT_TILES + WINDS, 2)
    return sets_of(chance, [*DRAGONS, fourth], pair)


def scholars_with_a_chow(chance: random.Random) -> Fields:
    fields = sets_of(chance, [*DRAGONS], chance.choice(WINDS))
    suit, first = chance.choice(SUITS), chance.randint(1, 7)
    return fields | {"concealed": fields["concealed"] + [f"{suit}{first + n}" for n in range(3)]}


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


def one_suit_of_chows(chance: random.Random) -> Fields:
    """A hand of one suit, perhaps with honours, that may be cut up in several ways."""
    suit, first = chance.choice(SUITS), chance.randint(1, 5)
    chow = [suit + str(first + step) for step in range(3)]
    fourth = chance.choice([*HONOURS, suit + str(first + 3), suit + str(first + 4)])
    pair = chance.choice([*HONOURS, suit + "1", suit + "9"])
    return in_hand(chow * 3 + [fourth] * 3 + [pair] * 2)


def dragon_of_chows(chance: random.Random) -> Fields:
    """The runs 1-3, 4-6 and 7-9, of one suit or of several, some of them on the table."""
    suits = chance.choice([[suit] * 3 for suit in SUITS] + [chance.choices(SUITS, k=3)] * 3)
    table: list[Fields] = []
    concealed = [chance.choice(HONOURS)] * 2
    for suit, numbers in zip(suits, ["123", "456", "789"], strict=True):
        chow = [suit + number for number in numbers]
        if chance.random() < 0.6:
            concealed += chow
        else:
            table.append({"tiles": chow, "exposed": True})
    fourth = chance.choice(
        [[tile] * 3 for tile in SUIT_TILES] + [["B2", "B3", "B4"], ["C6", "C7", "C8"]]
    )
    return {"sets": table, "concealed": concealed + fourth}


def plain_hand(chance: random.Random) -> Fields:
    """Three pungs, a chow and a pair, to be won in some remarkable way."""
    tiles = chance.sample([tile for tile in SUIT_TILES if tile[1] not in "456"], 3)
    suit = chance.choice(SUITS)
    chow = [suit + number for number in "456"]
    fields = sets_of(chance, tiles, chance.choice(["O5", "O1", "WE", "DR", "C5"]), "ccpkqk")
    return fields | {"concealed": fields["concealed"] + chow}


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


PALETTES = ["B", "BC", "BW", "CD", "COD", "OWD", "BCOWD", "BCOWD", "WD", "BCO"]
FACTS: dict[str, list[str]] = {
    "bmja": ["original_call", "twofold_fortune"],
    "tallies": ["original_call", "twofold_fortune"],
    "english": [
        "only_possible_tile",
        "not_only_possible_tile",
        "thirteenth_win",
        "twofold_fortune",
    ],
    "safalra": ["only_possible_tile", "not_only_possible_tile"],
    "baggaley": [],
}
WITH_PREVAILING_WIND = {"bmja", "tallies"}
CHOW_CHANCE = {"bmja": 0.16, "tallies": 0.35, "english": 0.45, "safalra": 0.45, "baggaley": 0.5}


def a_hand(key: str, chance: random.Random) -> Fields:
    """A `score` line for a rule set."""
    makers: list[Callable[[str, random.Random], Fields]] = [
        a_winner,
        a_special_winner,
        one_short,
        two_short,
        a_loser,
        a_wrong_hand,
    ]
    fields = chance.choices(makers, weights=[38, 22, 16, 4, 12, 8])[0](key, chance)
    return drop_defaults(fields, chance)


def a_winner(key: str, chance: random.Random) -> Fields:
    """Four sets and a pair, some of them on the table."""
    fields = circumstances(key, chance)
    palette = "BCO"[chance.randrange(3)] + "WD" if key == "safalra" else chance.choice(PALETTES)
    pack = Counter({tile: 4 for tile in PLAYING if tile[0] in palette})
    tile_sets = [a_set(chance, pack, CHOW_CHANCE[key]) for _number in range(4)]
    pair = chance.choice([tile for tile in pack if pack[tile] >= 2])
    table = [set_down(key, tiles, chance, pack) for tiles in tile_sets]
    fields["sets"] = [table_set for table_set in table if table_set]
    in_hand = [tiles for tiles, table_set in zip(tile_sets, table, strict=True) if not table_set]
    fields["concealed"] = [tile for tiles in in_hand for tile in tiles] + [pair, pair]
    return won(with_jokers(key, fields, chance), chance)


def a_set(chance: random.Random, pack: Counter[str], chow_chance: float) -> list[str]:
    """A pung or a chow out of what the pack still holds."""
    while True:
        tile = chance.choice([tile for tile in pack if pack[tile]])
        tiles = [tile] * 3
        if tile[0] in "BCO" and tile[1] < "8" and chance.random() < chow_chance:
            tiles = [tile[0] + str(int(tile[1]) + step) for step in range(3)]
        if not Counter(tiles) - pack and pack.total() > 8:
            pack.subtract(tiles)
            return tiles


def set_down(
    key: str, tiles: list[str], chance: random.Random, pack: Counter[str]
) -> Fields | None:
    """The set as it lies on the table; None for one that stays in the hand."""
    chow = tiles[0] != tiles[1]
    if chance.random() < 0.5 or (chow and key == "safalra"):
        return None
    if not chow and pack[tiles[0]] and chance.random() < 0.4:
        pack[tiles[0]] -= 1
        return {"tiles": [*tiles, tiles[0]], "exposed": chance.random() < 0.6}
    return {"tiles": tiles, "exposed": chance.random() < 0.95}


def a_special_winner(key: str, chance: random.Random) -> Fields:
    """A special hand, whole."""
    for _attempt in range(100):
        fields = chance.choice(MADE[key])(chance)
        if legal(fields):
            if chance.random() < 0.06:
                fields = lay_hidden(fields, chance)
            return won(with_jokers(key, circumstances(key, chance) | fields, chance), chance)
    raise AssertionError(f"no special hand of {key} is legal")


def lay_hidden(fields: Fields, chance: random.Random) -> Fields:
    """A concealed pung told as a set that nobody has exposed."""
    concealed = fields["concealed"]
    threes = [tile for tile in concealed if concealed.count(tile) >= 3]
    if not threes:
        return fields
    tiles = [chance.choice(threes)] * 3
    remaining_tiles: list[str] = [*(Counter(concealed) - Counter(tiles)).elements()]
    return {
        "sets": [*fields["sets"], {"tiles": tiles, "exposed": False}],
        "concealed": remaining_tiles,
    }


def legal(fields: Fields) -> bool:
    """Whether no tile is there five times."""
    set_tiles = [tile for set_tiles in fields["sets"] for tile in set_tiles["tiles"]]
    return max(Counter(set_tiles + fields["concealed"]).values()) <= 4


def one_short(key: str, chance: random.Random) -> Fields:
    """A special hand, or now and then an ordinary one, without one of its concealed tiles."""
    full_hand = chance.choices([a_special_winner, a_winner], weights=[4, 1])[0](key, chance)
    chance.shuffle(full_hand["concealed"])
    return as_lost_hand(full_hand | {"concealed": full_hand["concealed"][1:]}, chance)


def two_short(key: str, chance: random.Random) -> Fields:
    """A special hand with one tile less and another changed."""
    fields = one_short(key, chance)
    if fields["concealed"]:
        fields["concealed"][0] = chance.choice(PLAYING)
    return fields if legal(fields) else one_short(key, chance)


def a_loser(key: str, chance: random.Random) -> Fields:
    """A loser's tiles, few kinds among them, sometimes not all of them given."""
    fields = circumstances(key, chance)
    kinds = chance.sample(PLAYING, chance.choice([4, 6, 9, 16]))
    pack = Counter(dict.fromkeys([*kinds, *run_among(chance)], 4))
    tile_sets = [
        a_set(chance, pack, CHOW_CHANCE[key]) for _set in range(chance.choice([0, 0, 1, 2, 3]))
    ]
    table = [set_down(key, tiles, chance, pack) for tiles in tile_sets]
    fields["sets"] = [table_set for table_set in table if table_set]
    size = 13 - 3 * len(fields["sets"]) - chance.choice([0, 0, 0, 1, 4])
    remaining_tiles = [*pack.elements()]
    fields["concealed"] = chance.sample(remaining_tiles, max(0, min(size, len(remaining_tiles))))
    return as_lost_hand(with_jokers(key, fields, chance), chance)


def run_among(chance: random.Random) -> list[str]:
    """Three to five tiles in a row, so that there are chows to be found."""
    suit, first = chance.choice("BCO"), chance.randint(1, 5)
    return [f"{suit}{number}" for number in range(first, first + chance.randint(3, 5))]


def circumstances(key: str, chance: random.Random) -> Fields:
    """Winds, bonus tiles, facts, players and whether it is a goulash."""
    has_prevailing_wind = key in WITH_PREVAILING_WIND or chance.random() < 0.2
    fields: Fields = {
        "seat_wind": chance.choice("ESWN"),
        "prevailing_wind": chance.choice("ESWN")
        if has_prevailing_wind and chance.random() < 0.95
        else None,
        "bonus": [] if key == "safalra" else bonus_tiles(chance),
        "facts": some_facts(key, chance),
        "players": chance.choices([2, 3, 4, 5], weights=[10, 6, 80, 4])[0],
        "goulash": chance.random() < (0.15 if key == "bmja" else 0.03),
    }
    if key == "tallies" and chance.random() < 0.5:
        fields["dealer"] = chance.random() < 0.4
    return fields


def some_facts(key: str, chance: random.Random) -> list[str]:
    """One that the rules ask after, or now and then two of any."""
    if chance.random() < 0.04:
        return chance.sample(ALL_FACTS, 2)
    return chance.sample(FACTS[key], 1) if FACTS[key] and chance.random() < 0.35 else []


def bonus_tiles(chance: random.Random) -> list[str]:
    """No, some or all flowers and seasons, or all of one family."""
    kind = chance.choices(["none", "some", "family", "all"], weights=[52, 34, 8, 6])[0]
    if kind == "some":
        return chance.sample(BONUS, chance.randint(1, 4))
    if kind == "family":
        letter = chance.choice("FS")
        return [tile for tile in BONUS if tile[0] == letter or chance.random() < 0.2]
    return [*BONUS] if kind == "all" else []


def with_jokers(key: str, fields: Fields, chance: random.Random) -> Fields:
    """In a goulash, jokers in place of a few tiles; most of them where they may stand."""
    if key != "bmja" or not fields["goulash"] or chance.random() < 0.25:
        return fields
    jokers_left = 4
    for table_set in fields["sets"]:
        number = chance.choice([0, 0, 1, 2 if len(table_set["tiles"]) == 4 else 1])
        if table_set["tiles"][0] == table_set["tiles"][1] and number <= jokers_left:
            table_set["tiles"] = [JOKER] * number + table_set["tiles"][number:]
            jokers_left -= number
    tile_counts: Counter[str] = Counter(fields["concealed"])
    for tile, number in tile_counts.items():
        if jokers_left and chance.random() < (0.4 if number >= 3 else 0.02):
            fields["concealed"][fields["concealed"].index(tile)] = JOKER
            jokers_left -= 1
    return fields


def won(fields: Fields, chance: random.Random) -> Fields:
    """The hand as a Mah-Jong, won in some way on some tile."""
    won_by = chance.choice([*WAYS_TO_WIN, "wall", "discard", "discard"])
    natural = [tile for tile in fields["concealed"] if tile != JOKER]
    winning = chance.choice(natural)
    if won_by == "loose_tile" and "O5" in natural and chance.random() < 0.5:
        winning = "O5"
    if won_by == "last_wall_tile" and "O1" in natural and chance.random() < 0.5:
        winning = "O1"
    if "twofold_fortune" in fields["facts"] and chance.random() < 0.5:
        won_by = "loose_tile"
    winning_tile = winning if won_by in CLAIMED or chance.random() < 0.85 else None
    chance.shuffle(fields["concealed"])
    return fields | {"mahjong": True, "won_by": won_by, "winning_tile": winning_tile}


def as_lost_hand(fields: Fields, chance: random.Random) -> Fields:
    """The hand as a loser's."""
    chance.shuffle(fields["concealed"])
    return fields | {"mahjong": False, "won_by": None, "winning_tile": None}


def drop_defaults(fields: Fields, chance: random.Random) -> Fields:
    """Leave out, now and then, what is as it would be taken to be."""
    if chance.random() < 0.6:
        return fields
    defaults: Fields = {
        "prevailing_wind": None,
        "bonus": [],
        "facts": [],
        "players": 4,
        "goulash": False,
        "seat_wind": "E",
        "won_by": None,
        "winning_tile": None,
        "sets": [],
    }
    return {name: value for name, value in fields.items() if value != defaults.get(name, ...)}


def a_wrong_hand(key: str, chance: random.Random) -> Fields:
    """A hand with one thing wrong, or one tile changed, which may be wrong too."""
    maker = chance.choice([a_winner, a_special_winner, a_loser])
    return chance.choice(SPOILERS)(maker(key, chance), chance)


def change_a_tile(fields: Fields, chance: random.Random) -> Fields:
    tiles = fields["concealed"]
    return fields | {"concealed": [*tiles[1:], chance.choice(PLAYING)], "winning_tile": None}


def add_a_tile(fields: Fields, chance: random.Random) -> Fields:
    return fields | {"concealed": [*fields["concealed"], chance.choice(PLAYING)]}


def lose_a_tile(fields: Fields, chance: random.Random) -> Fields:
    return fields | {"concealed": fields["concealed"][1:]}


def five_of_a_tile(fields: Fields, chance: random.Random) -> Fields:
    tiles = [fields["concealed"][0]] * 5 if fields["concealed"] else ["B1"] * 5
    return fields | {"concealed": tiles + fields["concealed"][5:]}


def no_winning_tile(fields: Fields, chance: random.Random) -> Fields:
    absent = [tile for tile in PLAYING if tile not in fields["concealed"]]
    return fields | {"winning_tile": chance.choice([None, *absent[:1]])}


def unknown_tile(fields: Fields, chance: random.Random) -> Fields:
    codes = ["B0", "XX", "W1", "C10"]
    return fields | {"concealed": [*fields["concealed"][1:], chance.choice(codes)]}


def bad_set(fields: Fields, chance: random.Random) -> Fields:
    tiles = chance.choice(
        [["B1", "B1", "B2"], ["C1", "C2", "C4"], ["DR", "DG", "DW"], ["O9", "O9"]]
    )
    return fields | {"sets": [*fields["sets"][1:], {"tiles": tiles, "exposed": True}]}


def mix_the_suits(fields: Fields, chance: random.Random) -> Fields:
    """One pung on the table of another suit."""
    if not fields["sets"]:
        return fields
    tile = chance.choice("BCO") + chance.choice("123456789")
    return fields | {"sets": [{"tiles": [tile] * 3, "exposed": True}, *fields["sets"][1:]]}


def misplaced_bonus_tile(fields: Fields, chance: random.Random) -> Fields:
    """A flower among the tiles, a playing tile among the flowers, or a flower twice."""
    bonus = fields["bonus"]
    return fields | chance.choice(
        [
            {"concealed": [*fields["concealed"][1:], chance.choice(BONUS)], "bonus": []},
            {"bonus": [*bonus, chance.choice(PLAYING)]},
            {"bonus": [*bonus[:3], "S2", "S2"]},
        ]
    )


def missing_field(fields: Fields, chance: random.Random) -> Fields:
    missing = chance.choice(["concealed", "mahjong"])
    return {name: value for name, value in fields.items() if name != missing}


def bad_word(fields: Fields, chance: random.Random) -> Fields:
    wrong_values = [
        ("seat_wind", "X"),
        ("prevailing_wind", "Q"),
        ("won_by", "luck"),
        ("players", 6),
    ]
    return fields | dict([chance.choice([*wrong_values, ("facts", ["lucky"])])])


SPOILERS: list[Callable[[Fields, random.Random], Fields]] = [
    change_a_tile,
    change_a_tile,
    change_a_tile,
    add_a_tile,
    lose_a_tile,
    five_of_a_tile,
    no_winning_tile,
    unknown_tile,
    bad_set,
    mix_the_suits,
    misplaced_bonus_tile,
    missing_field,
    bad_word,
]
