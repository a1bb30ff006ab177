"""How a hand may be laid out: a winner's sets and pair, a loser's sets, and one tile more.

A layout is a sequence of the codes of sets (`scoring.hands.hand.TileSet.code`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from scoring.hands.counts import BITS, UNIT, UNITS, Counts, as_list, count_of, counted
from scoring.hands.hand import (
    CHOWS_FROM,
    EXPOSED_FROM,
    PUNGS_FROM,
    Fact,
    Hand,
    Kind,
    TileSet,
    known_set,
)
from scoring.hands.tiles import JOKER, PLACE, PLAYING_TILES, Tile, in_order
from scoring.reading.cuts import chows, sets_and_a_pair, standing_sets, ways_to_lay_out
from scoring.rules.rule_set import Prices, RuleSet
from scoring.rules.shapes import Shape

Layout = Sequence[int]
_SETS = 4
_PAIR, _PUNG = 2, 3


def all_counts(hand: Hand) -> Counts:
    """The tiles of the hand and of its sets, jokers left out, counted."""
    counts = counted(tile for tile in hand.concealed if tile != JOKER)
    for group in hand.sets:
        counts += group.counts
    return counts


def fewest_chows(hand: Hand, rules: RuleSet) -> int | None:
    """The fewest chows, those on the table included, with which the tiles are sets and a pair.

    None where no way of laying them out makes sets and a pair.
    """
    chows = [_chows(layout) for layout in laid_out(hand, rules)]
    return chows_on_the_table(hand) + min(chows) if chows else None


def chows_on_the_table(hand: Hand) -> int:
    """How many of the sets on the table are chows."""
    return sum([group.kind is Kind.CHOW for group in hand.sets])


def won_layouts(hand: Hand, rules: RuleSet, most_chows: int) -> Sequence[Layout]:
    """Every way in which a winner's hand is sets and a pair with so many chows at most.

    The set that a claimed tile completes is exposed; each place where it could stand is a layout.
    """
    laid = laid_out(hand, rules)
    if most_chows < _SETS:
        left = most_chows - chows_on_the_table(hand)
        laid = [layout for layout in laid if _chows(layout) <= left]
    if hand.winning_tile is None or not hand.claimed:
        return laid
    return [placed for layout in laid for placed in _placed(layout, hand.winning_tile)]


def laid_out(hand: Hand, rules: RuleSet) -> Sequence[Layout]:
    """Every way in which the tiles in the hand, beside the table, are sets and a pair."""
    if JOKER in hand.concealed:
        return [codes(sets) for sets in _with_jokers(hand.concealed, rules)]
    return ways_to_lay_out(counted(hand.concealed), 5 - len(hand.sets))


def _with_jokers(tiles: tuple[Tile, ...], rules: RuleSet) -> list[tuple[TileSet, ...]]:
    jokers = rules.jokers
    return sets_and_a_pair(tiles, jokers_in_a_pung=jokers.in_a_pung) if jokers else []


def codes(sets: Sequence[TileSet]) -> list[int]:
    """The codes of the sets."""
    return [group.code for group in sets]


def groups(layout: Layout) -> tuple[TileSet, ...]:
    """The sets of the layout."""
    return tuple([known_set(code) for code in layout])


def _chows(layout: Layout) -> int:
    if isinstance(layout, bytes):
        return chows(layout)
    return sum([CHOWS_FROM <= code < PUNGS_FROM for code in layout])


def _placed(layout: Layout, tile: Tile) -> Iterator[Layout]:
    """The layout with the set that the claimed tile completes exposed, for each such set."""
    for number, code in enumerate(layout):
        if tile in known_set(code).tiles and code not in layout[:number]:
            opened = list(layout)
            opened[number] += EXPOSED_FROM
            yield opened


def standing_layouts(hand: Hand, rules: RuleSet, prices: Prices) -> list[Layout]:
    """The ways to count the sets that stand in a loser's hand, but those that another way beats.

    Chows score nothing and are not listed; what is left over scores nothing either.
    """
    if JOKER in hand.concealed and rules.jokers:
        standing = standing_sets(hand.concealed, jokers_in_a_pung=rules.jokers.in_a_pung)
        return [codes(sets) for sets in standing]
    several = [
        prices.standing[place][many]
        for place, many in enumerate(as_list(counted(hand.concealed)))
        if many > 1
    ]
    return [b"".join(ways) for ways in product(*several)]


def irregular_layouts(hand: Hand, rules: RuleSet, prices: Prices, shape: Shape) -> list[Layout]:
    """The ways to count what stands in a winner's hand of that shape, all its tiles in the hand.

    A claimed tile that none of the sets needs leaves them all concealed.
    """
    if shape.most_alike < _PUNG:
        laid: list[Layout] = [_pairs(hand.concealed) if shape.most_alike == _PAIR else b""]
    else:
        laid = standing_layouts(hand, rules, prices)
    tile = hand.winning_tile
    if not hand.claimed or tile is None:
        return laid
    layouts: list[Layout] = []
    for layout in laid:
        needed = sum(group.tiles.count(tile) for group in groups(layout))
        layouts += _placed(layout, tile) if needed == hand.concealed.count(tile) else [layout]
    return layouts


def _pairs(tiles: Sequence[Tile]) -> bytes:
    """Equal tiles two by two: four of a kind are two pairs."""
    return b"".join(bytes((PLACE[tile],)) * (tiles.count(tile) // 2) for tile in in_order({*tiles}))


def one_tile_short(hand: Hand, rules: RuleSet) -> list[Layout]:
    """Every way in which one tile more makes the hand pungs or kongs and a pair."""
    if hand.size != 13:
        return []
    if hand.goulash:
        return _short_with_jokers(hand, rules)
    concealed = hand.concealed
    if len({*concealed}) != 5 - len(hand.sets):
        return []
    many = {tile: concealed.count(tile) for tile in concealed}
    pungs = [3] * len(many)
    if sorted(many.values()) not in ([1, *pungs[1:]], [2, 2, *pungs[2:]]):
        return []
    whole = all_counts(hand)
    could_come = [t for t, n in many.items() if n in {1, 2} and count_of(whole, PLACE[t]) < 4]
    return [_of_equal_tiles(many | {tile: many[tile] + 1}) for tile in could_come]


def _of_equal_tiles(many: Mapping[Tile, int]) -> bytes:
    """The pungs and the pair that so many of each tile are."""
    return bytes(PLACE[tile] + (PUNGS_FROM if n == 3 else 0) for tile, n in many.items())


def _short_with_jokers(hand: Hand, rules: RuleSet) -> list[Layout]:
    if len({*hand.concealed} - {JOKER}) > 5 - len(hand.sets):
        return []
    whole = [*hand.concealed, *(tile for group in hand.sets for tile in group.tiles)]
    could_come = [tile for tile in (*PLAYING_TILES, JOKER) if whole.count(tile) < 4]
    completed = (_with_jokers((*hand.concealed, tile), rules) for tile in could_come)
    layouts = [codes(sets) for several in completed for sets in several]
    return [layout for layout in layouts if not _chows(layout)]


def loose_tiles(hand: Hand) -> Counts | None:
    """The hand as loose tiles; None where a set was claimed, a kong declared or a joker held."""
    for group in hand.sets:
        if group.exposed or group.kind is Kind.KONG or JOKER in group.tiles:
            return None
    return None if JOKER in hand.concealed else all_counts(hand)


def taken_up(hand: Hand) -> Hand:
    """The hand with its sets taken back among the concealed tiles."""
    tiles = (tile for group in hand.sets for tile in group.tiles)
    return replace(hand, sets=(), concealed=(*hand.concealed, *tiles))


def only_possible(hand: Hand, rules: RuleSet) -> bool:
    """Whether no other kind of tile could have made the hand a Mah-Jong, by its shape.

    The table may overrule; kinds of which the player holds all four are no possibility. Where a
    joker is held, no tile is the only one.
    """
    if Fact.ONLY_POSSIBLE_TILE in hand.facts or Fact.NOT_ONLY_POSSIBLE_TILE in hand.facts:
        return Fact.ONLY_POSSIBLE_TILE in hand.facts
    if hand.winning_tile is None or JOKER in hand.concealed:
        return False
    last = UNIT[hand.winning_tile]
    held_before = all_counts(hand) - last
    others = [unit for unit in UNITS if unit != last and held_before & 15 * unit < 4 * unit]
    return not (_sets_with(others, hand, last, rules) or _shape_with(others, hand, last, rules))


def _sets_with(others: Sequence[Counts], hand: Hand, last: Counts, rules: RuleSet) -> bool:
    """Whether one of the others in place of the last tile makes sets and a pair."""
    before = counted(hand.concealed) - last
    beside = before | before << BITS | before >> BITS
    near = beside | beside << BITS | beside >> BITS
    most = rules.chows.allowed(hand.players, goulash=hand.goulash) - chows_on_the_table(hand)
    return any(
        chows(way) <= most
        for unit in others
        if near & 15 * unit
        for way in ways_to_lay_out(before + unit, 5 - len(hand.sets))
    )


def _shape_with(others: Sequence[Counts], hand: Hand, last: Counts, rules: RuleSet) -> bool:
    """Whether one of the others in place of the last tile makes a special hand's own shape."""
    loose = loose_tiles(hand)
    if loose is None:
        return False
    before = loose - last
    shapes = [form.shape for form in rules.book.loose_forms if form.shape.near(before)]
    return any(shape.whole(before + unit) for shape in shapes for unit in others)


def without(hand: Hand, tile: Tile) -> Hand:
    """The hand before that tile came."""
    left = list(hand.concealed)
    left.remove(tile)
    return replace(hand, concealed=tuple(left), mahjong=False, winning_tile=None, won_by=None)
