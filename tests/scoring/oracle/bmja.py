"""The rules of the British Mah-Jong Association; notes 2 to 12 of docs/rules/notes.md."""

from collections.abc import Iterator

from tests.scoring.oracle import shapes
from tests.scoring.oracle.classic import (
    Way,
    all_concealed,
    bonus_doubles,
    doubles_of,
    events,
    points_of,
    product,
    readings,
)
from tests.scoring.oracle.hand import Hand
from tests.scoring.oracle.tiles import (
    FROM_WALL,
    JOKER,
    MAJORS,
    PLAYING,
    Groups,
    Tiles,
    chows,
    equal_groups,
    has_honours,
    one_suit_with_honours,
    suits_among,
)

LIMIT = 1000
OF_TILES: dict[str, tuple[shapes.OfTiles, int, int]] = {
    "all_pair_honours": (shapes.all_pair_honours, 500, 200),
    "knitting": (shapes.knitting, 500, 200),
    "triple_knitting": (shapes.triple_knitting, 500, 200),
    "thirteen_unique_wonders": (shapes.thirteen_wonders, 1000, 400),
    "gates_of_heaven": (shapes.gates_of_heaven, 1000, 400),
    "wriggling_snake": (shapes.wriggling_snake, 1000, 400),
}
OF_SETS: dict[str, shapes.OfGroups] = {
    "imperial_jade": shapes.imperial_jade,
    "all_winds_and_dragons": shapes.all_winds_and_dragons,
    "heads_and_tails": shapes.heads_and_tails,
    "fourfold_plenty": shapes.fourfold_plenty,
    "three_great_scholars": shapes.three_great_scholars,
    "four_blessings": shapes.four_blessings,
}
SETS_WON, SETS_FISHED = 1000, 400


def most_chows(hand: Hand) -> int:
    """One chow; none with two or three players, none in a goulash."""
    return 0 if hand.players < 4 or hand.goulash else 1


def winners(hand: Hand) -> Iterator[Way]:
    """Every way to score a Mah-Jong; none where the tiles are none."""
    hand_readings = list(readings(hand))
    allowed_readings = [groups for groups in hand_readings if chows(groups) <= most_chows(hand)]
    for groups in allowed_readings:
        yield ordinary(hand, groups)
        if shapes.purity(groups):
            yield purity_won(hand, groups)
        for key in special_sets(hand, groups):
            yield fixed(hand, SETS_WON, key)
    special_keys = special_tiles(hand, hand.concealed)
    for key in special_keys:
        yield fixed(hand, OF_TILES[key][1], key)
    if allowed_readings or special_keys:
        yield from (fixed(hand, LIMIT, key) for key in events(hand))


def winds_of(hand: Hand) -> tuple[str | None, ...]:
    return (hand.seat, hand.prevailing)


def ordinary(hand: Hand, groups: Groups) -> Way:
    """The winner's points and doubles."""
    winds = winds_of(hand)
    points = sum(points_of(group, winds) for group in groups)
    points += 20 + 4 * len(hand.bonus)
    if hand.won_by in FROM_WALL:
        points += 2
    doubles = sum(doubles_of(group, winds) for group in groups)
    doubles += bonus_doubles(hand, family=1)
    return product(points, doubles + winners_doubles(hand, groups))


def winners_doubles(hand: Hand, groups: Groups) -> int:
    doubles = doubles_of_suits(groups, concealed=True)
    if chows(groups) == 0 and not hand.goulash:
        doubles += 1
    if hand.won_by in {"loose_tile", "last_wall_tile", "last_discard", "robbed_kong"}:
        doubles += 1
    if "original_call" in hand.facts:
        doubles += 2
    return doubles


def doubles_of_suits(groups: Groups, *, concealed: bool) -> int:
    """What the whole hand's suits and honours double; `concealed` if that doubles too."""
    kinds = tuple(group.tile for group in groups)
    is_mixed = bool(suits_among(kinds)) and has_honours(kinds)
    doubles = 0
    if one_suit_with_honours(kinds):
        doubles += 1
    if is_mixed and chows(groups) == 0 and set(kinds) <= set(MAJORS):
        doubles += 1
    if concealed and is_mixed and all_concealed(groups):
        doubles += 1
    return doubles


def special_tiles(hand: Hand, tiles: Tiles) -> list[str]:
    """The hands of another shape that these tiles are; nothing exposed, no kong, no joker."""
    all_tiles = tiles + hand.hidden_tiles
    if not hand.all_in_hand or JOKER in all_tiles:
        return []
    return [key for key, (is_hand, _won, _fishing_value) in OF_TILES.items() if is_hand(all_tiles)]


def special_sets(hand: Hand, groups: Groups) -> list[str]:
    """The special hands of sets that the reading is, Purity apart."""
    special_keys = [key for key, is_hand in OF_SETS.items() if is_hand(groups)]
    if shapes.four_pungs_of_one_suit(groups) and all_concealed(hand.table):
        special_keys.append("buried_treasure")
    return special_keys


def bonus_part(hand: Hand) -> int:
    """Bonus tiles apart: their points, their own doubles, and the final discard's."""
    doubles = bonus_doubles(hand, family=1) + final_discard(hand)
    return 4 * len(hand.bonus) << doubles


def final_discard(hand: Hand) -> int:
    return int(hand.mahjong and hand.won_by == "last_discard")


def fixed(hand: Hand, value: int, key: str, *, fishing: bool = False) -> Way:
    """A special hand's value with its bonus tiles beside it."""
    return Way(value + bonus_part(hand), special=key, fishing=fishing)


def purity_won(hand: Hand, groups: Groups) -> Way:
    """Purity's tiles three times doubled; a loose tile counts as drawn."""
    points = 20 + sum(points_of(group, winds_of(hand)) for group in groups)
    if hand.won_by in (*FROM_WALL, "loose_tile"):
        points += 2
    return pure(hand, points, 3 + final_discard(hand))


def pure(hand: Hand, points: int, doubles: int, *, fishing: bool = False) -> Way:
    """Purity's points so often doubled, and the bonus tiles apart."""
    if hand.bonus:
        return Way((points << doubles) + bonus_part(hand), None, None, "purity", fishing, doubles)
    return product(points, doubles, "purity")._replace(fishing=fishing)


def losers(hand: Hand) -> Iterator[Way]:
    """Every way to score a player who did not go Mah-Jong."""
    for groups in equal_groups(hand.concealed):
        yield standing(hand, (*hand.table, *groups))
    if hand.size == 13:
        yield from fished_hands(hand)


def standing(hand: Hand, groups: Groups) -> Way:
    """The sets and pairs that stand in a loser's hand."""
    winds = winds_of(hand)
    points = sum(points_of(group, winds) for group in groups) + 4 * len(hand.bonus)
    doubles = sum(doubles_of(group, winds) for group in groups) + bonus_doubles(hand, family=1)
    return product(points, doubles + ("original_call" in hand.facts))


def fished_hands(hand: Hand) -> Iterator[Way]:
    """The special hands of which the loser is one tile short."""
    for tile in missing_tiles(hand):
        tiles = (*hand.concealed, tile)
        for key in special_tiles(hand, tiles):
            yield fixed(hand, OF_TILES[key][2], key, fishing=True)
        yield from fished_of_sets(hand, tiles)


def missing_tiles(hand: Hand) -> list[str]:
    """Every kind of tile that the player does not hold all four of."""
    kinds = [*PLAYING, JOKER] if hand.goulash else PLAYING
    return [tile for tile in kinds if hand.number_held(tile) < 4]


def fished_of_sets(hand: Hand, tiles: Tiles) -> Iterator[Way]:
    for concealed_groups in sets_and_a_pair_without_chows(tiles):
        groups = (*hand.table, *concealed_groups)
        if shapes.purity(groups):
            yield from purity_fished(hand)
        for key in special_sets(hand, groups):
            yield fixed(hand, SETS_FISHED, key, fishing=True)


def sets_and_a_pair_without_chows(tiles: Tiles) -> Iterator[Groups]:
    """Pungs and one pair that take up all of these tiles: five kinds at most."""
    if len(set(tiles) - {JOKER}) > 5:
        return
    for groups in equal_groups(tiles):
        if sum(3 if group.kind == "pung" else 2 for group in groups) == len(tiles) and (
            sum(group.kind == "pair" for group in groups) == 1
        ):
            yield groups


def purity_fished(hand: Hand) -> Iterator[Way]:
    """Purity's doubles for the sets that stand already."""
    for groups in equal_groups(hand.concealed):
        points = sum(points_of(group, ()) for group in (*hand.table, *groups))
        yield pure(hand, points, 3, fishing=True)
