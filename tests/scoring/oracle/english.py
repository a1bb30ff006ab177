"""English house rules, as the account and notes 28 to 32 of docs/rules/notes.md tell them."""

from collections import Counter
from collections.abc import Iterator

from tests.scoring.oracle import shapes
from tests.scoring.oracle.classic import (
    Way,
    all_concealed,
    bonus_doubles,
    doubles_of,
    events,
    only_possible_tile,
    points_of,
    product,
    readings,
)
from tests.scoring.oracle.hand import Hand
from tests.scoring.oracle.tiles import (
    DRAGONS,
    FROM_WALL,
    MAJORS,
    WINDS,
    Group,
    Groups,
    Tiles,
    chows,
    equal_groups,
    expose_claimed_tile,
    one_suit_only,
    one_suit_with_honours,
    sets_and_a_pair,
)

LIMIT = None
OF_TILES: dict[str, tuple[shapes.OfTiles, int]] = {
    "thirteen_wonders": (shapes.thirteen_wonders, 3000),
    "seven_pairs": (shapes.seven_pairs, 1000),
    "knitting": (shapes.knitting, 1000),
    "triple_knitting": (shapes.triple_knitting_and_any_two_alike, 1000),
    "wriggling_snake": (shapes.wriggling_snake, 1000),
    "gates_of_heaven": (shapes.gates_with_any_tile, 1000),
}
OF_SETS: dict[str, shapes.OfGroups] = {
    "three_great_scholars": shapes.three_great_scholars,
    "four_blessings": shapes.four_blessings,
    "fourfold_plenty": shapes.fourfold_plenty,
    "heads_and_tails": shapes.heads_and_tails,
    "imperial_jade": shapes.imperial_jade_with_any_pair,
}


def most_chows(_hand: Hand) -> int:
    """Any number."""
    return 4


def winners(hand: Hand) -> Iterator[Way]:
    """Every way to score a Mah-Jong: its face value or a limit hand's."""
    hand_readings = list(readings(hand))
    for groups in hand_readings:
        yield face(hand, groups)
        yield from (Way(1000, special=key) for key in special_sets(hand, groups))
    irregular = special_tiles(hand, hand.concealed)
    if not gates_stand(hand):
        irregular = [key for key in irregular if key != "gates_of_heaven"]
    if irregular and not hand_readings:
        yield from (face(hand, groups) for key in irregular for groups in loose_readings(hand, key))
    yield from (Way(OF_TILES[key][1], special=key) for key in irregular)
    if hand_readings or irregular:
        yield from (Way(3000, special=key) for key in events(hand))


def special_tiles(hand: Hand, tiles: Tiles) -> list[str]:
    """The hands of another shape that these tiles are; nothing exposed, no kong."""
    if not hand.all_in_hand:
        return []
    return [
        key for key, (is_hand, _value) in OF_TILES.items() if is_hand(tiles + hand.hidden_tiles)
    ]


def gates_stand(hand: Hand) -> bool:
    """Whether the claimed tile, if any, can stand outside the pungs of 1s and 9s."""
    if not hand.is_claimed or hand.winning is None:
        return True
    return hand.winning[1] not in "19" or hand.tiles.count(hand.winning) == 4


def special_sets(hand: Hand, groups: Groups) -> list[str]:
    """The limit hands of sets that the reading is."""
    special_keys = [key for key, is_hand in OF_SETS.items() if is_hand(groups)]
    pungs = tuple(group for group in groups if group.kind == "pung")
    is_one_suit = one_suit_with_honours(tuple(group.tile for group in groups))
    if shapes.four_pungs_of_one_suit(groups) and is_one_suit and all_concealed(pungs):
        special_keys.append("buried_treasure")
    return special_keys


def loose_readings(hand: Hand, key: str) -> Iterator[Groups]:
    """What stands in a winner's irregular hand of that kind, the claimed tile anywhere."""
    if key == "knitting":
        yield ()
        return
    in_pairs = key in {"seven_pairs", "triple_knitting"}
    for groups in [pairs_of(hand.tiles)] if in_pairs else equal_groups(hand.tiles):
        if not hand.is_claimed:
            yield groups
            continue
        yield from expose_claimed_tile(groups, hand.winning or "")
        used = sum({"pair": 2, "pung": 3}[g.kind] for g in groups if g.tile == hand.winning)
        if used < hand.tiles.count(hand.winning or ""):
            yield groups


def pairs_of(tiles: Tiles) -> Groups:
    """The tiles two by two: four of a kind are two pairs and no pung."""
    tile_counts = Counter(tiles)
    return tuple(
        Group("pair", tile) for tile in tile_counts for _pair in range(tile_counts[tile] // 2)
    )


def face(hand: Hand, groups: Groups) -> Way:
    """The face value of a winner's sets."""
    points, doubles = standing(hand, groups)
    points += 20
    if hand.won_by in FROM_WALL:
        points += 2
    if only_possible_tile(hand, makes_mahjong):
        points += 2
    return product(points + points_of_kind(groups), doubles + winners_doubles(hand, groups))


def points_of_kind(groups: Groups) -> int:
    """Ten for all pungs or kongs, ten for all chows."""
    pungs = sum(group.kind in {"pung", "kong"} for group in groups)
    return 10 if 4 in (chows(groups), pungs) else 0


def winners_doubles(hand: Hand, groups: Groups) -> int:
    doubles = 0
    if hand.won_by in {"loose_tile", "last_wall_tile", "last_discard"}:
        doubles += 1
    if not hand.is_claimed and all_concealed(groups):
        doubles += 1
    if set(hand.tiles) <= set(MAJORS):
        doubles += 1
    if one_suit_only(hand.tiles):
        doubles += 3
    if "thirteenth_win" in hand.facts and hand.seat == "E":
        doubles += 7
    return doubles


def standing(hand: Hand, groups: Groups) -> tuple[int, int]:
    """Points and doubles of any player's sets, pairs and bonus tiles."""
    winds = (hand.seat,)
    points = sum(points_of(group, winds) for group in groups) + 4 * len(hand.bonus)
    doubles = sum(doubles_of(group, winds) for group in groups) + bonus_doubles(hand, family=3)
    if one_suit_with_honours(hand.tiles):
        doubles += 1
    return points, doubles


def makes_mahjong(hand: Hand, tiles: Tiles) -> bool:
    """Whether these concealed tiles would make a Mah-Jong of some shape."""
    return any(sets_and_a_pair(tiles)) or bool(special_tiles(hand, tiles))


def losers(hand: Hand) -> Iterator[Way]:
    """Face value, or the three hands that score for everyone."""
    for concealed_groups in equal_groups(hand.concealed):
        groups = (*hand.table, *concealed_groups)
        yield product(*standing(hand, groups))
        if set(DRAGONS) <= shapes.kinds_of_sets(groups):
            yield Way(1000, special="three_great_scholars")
        if set(WINDS) <= shapes.kinds_of_sets(groups):
            yield Way(1000, special="four_blessings")
    if set(hand.concealed) == set(MAJORS):
        yield Way(3000, special="thirteen_wonders")
