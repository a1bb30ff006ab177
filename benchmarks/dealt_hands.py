"""Random hands to measure the engine with: hard ones, of every kind, and all different.

Each is the fields of a line of `score`. A rule set may refuse some of them: `dealt` keeps the rest.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from scoring import BadHand, Hand, RuleSet, hand_from_json, score
from scoring.hands.tiles import (
    BONUS_TILES,
    DRAGON_TILES,
    HONOURS,
    MAJORS,
    PLAYING_TILES,
    SUIT_TILES,
    SUITS,
    TERMINALS,
    WIND_TILES,
)
from scoring.rules.conditions import JADE_TILES

HandFields = dict[str, Any]
MakeHand = Callable[[random.Random], HandFields]
TileList = list[str]

_WON_BY: Final = ("wall", "wall", *(("discard",) * 5), "loose_tile", "last_wall_tile")
_RARE_WON_BY: Final = ("last_discard", "robbed_kong")
_BONUS_TILES: Final = (0, 0, 1, 1, 2, 2, 3, 4)


def _circumstances(chance: random.Random) -> HandFields:
    facts = ["original_call"] if chance.random() < 0.05 else []
    return {
        "seat_wind": chance.choice("ESWN"),
        "prevailing_wind": chance.choice("ESWN"),
        "bonus": chance.sample(BONUS_TILES, chance.choice(_BONUS_TILES)),
        "facts": facts,
    }


def _winning_hand(
    chance: random.Random, sets: Sequence[HandFields], concealed: TileList
) -> HandFields:
    """A Mah-Jong of those tiles, won in some way on any of those in the hand."""
    won_by_choices = _RARE_WON_BY if chance.random() < 0.05 else _WON_BY
    chance.shuffle(concealed)
    return _circumstances(chance) | {
        "sets": [*sets],
        "concealed": concealed,
        "mahjong": True,
        "won_by": chance.choice(won_by_choices),
        "winning_tile": chance.choice(concealed),
    }


def _chow(chance: random.Random, suits: str) -> TileList:
    suit, low = chance.choice(suits), chance.randint(1, 7)
    return [f"{suit}{low + step}" for step in range(3)]


def _sets_and_a_pair(chance: random.Random, most_chows: int, suits: str) -> list[TileList]:
    """Four sets and a pair, with no more than four of any tile."""
    tiles = [tile for tile in PLAYING_TILES if tile in HONOURS or tile[0] in suits]
    while True:
        chows = chance.randint(0, most_chows)
        sets = [_chow(chance, suits) for _ in range(chows)]
        sets += [[tile] * 3 for tile in chance.sample(tiles, 4 - chows)]
        sets.append([chance.choice(tiles)] * 2)
        if max(Counter(tile for group in sets for tile in group).values()) <= 4:
            return sets


def _hand_of_sets(chance: random.Random, groups: list[TileList]) -> HandFields:
    """A Mah-Jong of these sets and this pair, none to two of them on the table."""
    *sets, pair = groups
    chance.shuffle(sets)
    table_count = chance.choice((0, 0, 0, 1, 2))
    concealed = [tile for group in [*sets[table_count:], pair] for tile in group]
    table_sets = []
    for group in sets[:table_count]:
        alone = group[0] == group[1] and sum(group[0] in other_group for other_group in groups) == 1
        kong = alone and chance.random() < 0.2
        table_sets.append({"tiles": group + group[:1] * kong, "exposed": chance.random() < 0.8})
    return _winning_hand(chance, table_sets, concealed)


def ordinary_winner(chance: random.Random) -> HandFields:
    """Pungs, kongs, a chow at most and a pair: three in five concealed, over half claimed."""
    return _hand_of_sets(chance, _sets_and_a_pair(chance, 1, "BCO"))


def winner_of_chows(chance: random.Random) -> HandFields:
    """The same with up to four chows."""
    return _hand_of_sets(chance, _sets_and_a_pair(chance, 4, "BCO"))


def winner_of_one_suit(chance: random.Random) -> HandFields:
    """Sets of one suit and of honours, which can often be read in several ways."""
    return _hand_of_sets(chance, _sets_and_a_pair(chance, 4, chance.choice(SUITS)))


def _pungs_and_pair(*pungs: Sequence[str], pair: Sequence[str]) -> MakeHand:
    """A special hand: a pung of each of these, and a pair."""

    def make(chance: random.Random) -> HandFields:
        while True:
            tiles = [chance.choice(tile_choices) for tile_choices in pungs]
            last = chance.choice(pair)
            if len({*tiles, last}) == 5:
                return _hand_of_sets(chance, [*([tile] * 3 for tile in tiles), [last] * 2])

    return make


def _suit_tiles(chance: random.Random) -> list[str]:
    suit = chance.choice(SUITS)
    return [tile for tile in SUIT_TILES if tile[0] == suit]


def _purity(chance: random.Random) -> HandFields:
    of_suit = _suit_tiles(chance)
    return _pungs_and_pair(of_suit, of_suit, of_suit, of_suit, pair=of_suit)(chance)


def _buried_treasure(chance: random.Random) -> HandFields:
    of_suit = [*_suit_tiles(chance), *HONOURS]
    fields = _pungs_and_pair(of_suit, of_suit, of_suit, of_suit, pair=of_suit)(chance)
    taken_up = [tile for group in fields["sets"] for tile in group["tiles"][:3]]
    return fields | {"sets": [], "concealed": fields["concealed"] + taken_up}


def _fourfold_plenty(chance: random.Random) -> HandFields:
    *kongs, pair = chance.sample(PLAYING_TILES, 5)
    sets: list[HandFields] = [
        {"tiles": [tile] * 4, "exposed": chance.random() < 0.5} for tile in kongs
    ]
    return _winning_hand(chance, sets, [pair] * 2)


def _pairs_of(tiles: Sequence[str]) -> MakeHand:
    return lambda chance: _winning_hand(chance, [], chance.sample(tiles, 7) * 2)


def _knitting(chance: random.Random) -> HandFields:
    two, numbers = chance.sample(SUITS, 2), chance.sample("123456789", 7)
    return _winning_hand(chance, [], [suit + number for suit in two for number in numbers])


def _triple_knitting(chance: random.Random) -> HandFields:
    *threes, two = chance.sample("123456789", 5)
    tiles = [suit + number for suit in SUITS for number in threes]
    return _winning_hand(chance, [], tiles + [suit + two for suit in chance.sample(SUITS, 2)])


def _wonders(chance: random.Random) -> HandFields:
    return _winning_hand(chance, [], [*MAJORS, chance.choice(sorted(MAJORS))])


def _gates(chance: random.Random) -> HandFields:
    of_suit = _suit_tiles(chance)
    ends = [of_suit[0], of_suit[8]] * 2
    return _winning_hand(chance, [], [*of_suit, *ends, chance.choice(of_suit[1:8])])


def _snake(chance: random.Random) -> HandFields:
    of_suit = _suit_tiles(chance)
    return _winning_hand(chance, [], [*of_suit, of_suit[0], *WIND_TILES])


def _orphan(chance: random.Random) -> HandFields:
    rows = chance.sample(["147", "258", "369"], 3)
    suit_tiles = [suit + number for suit, row in zip(SUITS, rows, strict=True) for number in row]
    return _winning_hand(chance, [], suit_tiles + chance.sample(sorted(HONOURS), 5))


_TERMINALS, _HONOURS = sorted(TERMINALS), sorted(HONOURS)
SPECIAL: Final[tuple[MakeHand, ...]] = (
    _purity,
    _buried_treasure,
    _fourfold_plenty,
    _knitting,
    _triple_knitting,
    _wonders,
    _gates,
    _snake,
    _orphan,
    _pairs_of(sorted(MAJORS)),
    _pairs_of(PLAYING_TILES),
    _pungs_and_pair(JADE_TILES, JADE_TILES, JADE_TILES, JADE_TILES, pair=JADE_TILES),
    _pungs_and_pair(_HONOURS, _HONOURS, _HONOURS, _HONOURS, pair=_HONOURS),
    _pungs_and_pair(_TERMINALS, _TERMINALS, _TERMINALS, _TERMINALS, pair=_TERMINALS),
    _pungs_and_pair(DRAGON_TILES, DRAGON_TILES, DRAGON_TILES, PLAYING_TILES, pair=PLAYING_TILES),
    _pungs_and_pair(WIND_TILES, WIND_TILES, WIND_TILES, WIND_TILES, pair=PLAYING_TILES),
)


def special_winner(chance: random.Random) -> HandFields:
    """Each special hand as often as any other."""
    return chance.choice(SPECIAL)(chance)


def without_a_tile(make: MakeHand) -> MakeHand:
    """The hand of a player who lacks one tile of such a Mah-Jong."""

    def make_short_hand(chance: random.Random) -> HandFields:
        fields = make(chance)
        concealed = fields["concealed"][1:]
        loser_fields = {
            "concealed": concealed,
            "mahjong": False,
            "won_by": None,
            "winning_tile": None,
        }
        return fields | loser_fields

    return make_short_hand


def loser_of_anything(chance: random.Random) -> HandFields:
    """Thirteen random tiles, all in the hand or with one or two pungs on the table."""
    pung_tiles = chance.sample(PLAYING_TILES, chance.choice((0, 0, 1, 2)))
    other_tiles = [tile for tile in PLAYING_TILES * 4 if tile not in pung_tiles]
    concealed = chance.sample(other_tiles, 13 - 3 * len(pung_tiles))
    sets = [{"tiles": [tile] * 3, "exposed": True} for tile in pung_tiles]
    return _circumstances(chance) | {"sets": sets, "concealed": concealed, "mahjong": False}


def winner_of_any_kind(chance: random.Random) -> HandFields:
    """Special hands, ordinary ones, and those of one suit or of chows, as often as each other."""
    makes = (special_winner, ordinary_winner, winner_of_one_suit, winner_of_chows)
    return chance.choice(makes)(chance)


def loser(chance: random.Random) -> HandFields:
    """Half of them one tile short of a special hand, a quarter of an ordinary one, and others."""
    makes = (loser_of_anything, _near_to_ordinary, _near_to_special, _near_to_special)
    return chance.choice(makes)(chance)


_near_to_ordinary = without_a_tile(ordinary_winner)
_near_to_special = without_a_tile(special_winner)


def deal_hands(make: MakeHand, rules: RuleSet, hand_count: int, seed: int) -> list[HandFields]:
    """So many different hands that these rules can score.

    They are tried under a copy, so that the tables of the rules themselves do not know them yet.
    """
    chance, hands = random.Random(seed), dict[str, HandFields]()
    for fields in _scorable_hands(make, replace(rules), chance):
        hands.setdefault(str(fields), fields)
        if len(hands) == hand_count:
            break
    return [*hands.values()]


def _scorable_hands(make: MakeHand, rules: RuleSet, chance: random.Random) -> Iterator[HandFields]:
    while True:
        fields = make(chance)
        if rules.bonus_points is None:
            fields["bonus"] = []
        try:
            score(hand_from_json(fields, rules), rules)
        except BadHand:
            continue
        yield fields


def build_hands(several: Sequence[HandFields], rules: RuleSet) -> list[Hand]:
    """The hands as a program builds them, which no rules have looked over yet."""
    hands = [hand_from_json(fields, rules) for fields in several]
    for hand in hands:
        hand.mark_sound(None)
    return hands
