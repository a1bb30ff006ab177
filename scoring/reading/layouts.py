"""How a hand may be laid out: a winner's sets and pair, a loser's sets, and one tile more.

A layout is a sequence of the codes of sets (`scoring.hands.hand.TileSet.code`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from scoring.hands.cuts import PART_STARTS, parts_with_waits, ways_of_part
from scoring.hands.hand import (
    CHOWS_FROM,
    CLAIMS,
    EXPOSED_FROM,
    PUNGS_FROM,
    Fact,
    Hand,
    Kind,
    TileSet,
    chow_from,
    first_set_code,
    set_of,
)
from scoring.hands.tiles import (
    COUNT_BITS,
    JOKER,
    PLAYING_TILES,
    SORT_ORDER,
    SUIT_MASK,
    TILE_PLACE,
    TILE_UNIT,
    TILE_UNITS,
    Counts,
    Tile,
    count_kinds,
    count_of,
    count_tiles,
    drop_singles,
    sort_tiles,
)
from scoring.rules.prices import CLAIM_PLACES, PAIR_SHAPE, Cut, Cuts, Prices
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import Shape

Layout = Sequence[int]
CutLayout = tuple[Cut, ...]  # a whole layout, part by part

_MAX_SETS: Final = 4
_SHAPE_BOUND: Final = 1 << 6  # more than any shape
_PAIR_SIZE, _PUNG_SIZE = 2, 3
_ONE_OF_EACH: Final = sum(TILE_UNITS)
_FOUR_OF_A_KIND: Final = 4 * _ONE_OF_EACH


Sets = tuple[TileSet, ...]


def concealed_set(kind: Kind, tile: Tile, jokers: int = 0) -> TileSet:
    """The concealed pair, pung or chow that the tile makes (a chow's lowest)."""
    return set_of(first_set_code(kind, exposed=False, jokers=jokers) + TILE_PLACE[tile])


def sets_and_a_pair(tiles: tuple[Tile, ...], *, jokers_in_a_pung: int) -> list[Sets]:
    """Every way to lay all the tiles out as one pair and sets of three, in no particular order.

    A joker stands in a pung only; four equal tiles are never a kong.
    """
    counts = Counter(tiles)
    jokers = counts.pop(JOKER, 0)
    layouts: dict[frozenset[tuple[TileSet, int]], Sets] = {}
    for tile in [tile for tile, number in counts.items() if number >= 2]:
        remaining_counts = counts.copy()
        remaining_counts[tile] -= 2
        pair = concealed_set(Kind.PAIR, tile)
        for sets in _split_into_sets(
            sort_tiles(remaining_counts.elements()), jokers, jokers_in_a_pung
        ):
            layout = (*sets, pair)
            layouts[frozenset(Counter(layout).items())] = layout
    return list(layouts.values())


def _split_into_sets(tiles: tuple[Tile, ...], jokers: int, most: int) -> Iterator[Sets]:
    if not tiles:
        if jokers == 0:
            yield ()
        return
    for first, remaining_tiles, used in first_sets(tiles, min(jokers, most)):
        for other_sets in _split_into_sets(remaining_tiles, jokers - used, most):
            yield (first, *other_sets)


def first_sets(
    tiles: tuple[Tile, ...], jokers: int
) -> Iterator[tuple[TileSet, tuple[Tile, ...], int]]:
    """The sets with the first of the tiles (in order, jokers apart), what is left, jokers taken."""
    first = tiles[0]
    equal = tiles.count(first)
    for used in range(min(jokers, 2) + 1):
        genuine = 3 - used
        if equal >= genuine:
            yield concealed_set(Kind.PUNG, first, used), tiles[genuine:], used
    chow = chow_from(first)
    if chow and chow[1] in tiles and chow[2] in tiles:
        remaining_tiles = list(tiles)
        for tile in chow:
            remaining_tiles.remove(tile)
        yield concealed_set(Kind.CHOW, first), tuple(remaining_tiles), 0


def standing_sets(tiles: tuple[Tile, ...], *, jokers_in_a_pung: int) -> list[Sets]:
    """Every way to pick pungs and pairs out of the tiles of a player who did not win.

    What is left over, chows among it, scores nothing and is not listed.
    """
    counts = Counter(tiles)
    jokers = counts.pop(JOKER, 0)
    choices: list[tuple[Sets, int]] = [((), 0)]
    for tile in sorted(counts, key=SORT_ORDER.__getitem__):
        options = _options(tile, counts[tile], min(jokers, jokers_in_a_pung))
        choices = [
            (sets + option_sets, used + more_jokers)
            for sets, used in choices
            for option_sets, more_jokers in options
            if used + more_jokers <= jokers
        ]
    return [sets for sets, _used in choices]


def _options(tile: Tile, number: int, jokers: int) -> list[tuple[Sets, int]]:
    """What so many equal tiles can be: as many pungs and pairs as there are tiles for."""
    options: list[tuple[Sets, int]] = []
    for used in range(min(jokers, 2) + 1):
        if number >= 3 - used:
            pung = concealed_set(Kind.PUNG, tile, used)
            remaining_count = number - 3 + used
            options += [
                ((pung, *sets), used + more_jokers)
                for sets, more_jokers in _options(tile, remaining_count, jokers)
            ]
    return [*options, ((concealed_set(Kind.PAIR, tile),) * (number // 2), 0)]


def concealed_counts(hand: Hand) -> Counts:
    """The tiles in the hand, jokers left out, counted."""
    if _has_jokers(hand):
        return count_tiles([tile for tile in hand.concealed if tile != JOKER])
    return count_tiles(hand.concealed)


def all_counts(hand: Hand, counts: Counts) -> Counts:
    """These tiles in the hand and those of its sets, jokers left out, counted."""
    for group in hand.sets:
        counts += group.counts
    return counts


def fewest_chows(hand: Hand, rules: RuleSet) -> int | None:
    """The fewest chows, those on the table included, with which the tiles are sets and a pair.

    None where no way of laying them out makes sets and a pair.
    """
    chows = [_count_chows(layout) for layout in all_layouts(hand, rules)]
    return chows_on_the_table(hand) + min(chows) if chows else None


def chow_limit(hand: Hand, rules: RuleSet) -> int:
    """How many chows this hand may hold."""
    return rules.chows.max_chows(hand.players, goulash=hand.goulash)


def chows_on_the_table(hand: Hand) -> int:
    """How many of the sets on the table are chows."""
    return sum([group.kind is Kind.CHOW for group in hand.sets])


def won_layouts(hand: Hand, rules: RuleSet, prices: Prices, counts: Counts) -> Sequence[CutLayout]:
    """Every way in which a winner's hand is sets and a pair with no more chows than are allowed.

    `counts` are the tiles in the hand. The set that a claimed tile completes is exposed; each place
    where it could stand is a layout.
    """
    most = PAIR_SHAPE + _max_concealed_chows(hand, rules)
    if hand.goulash and _has_jokers(hand):
        return _allowed_layouts(_joker_layouts(hand, rules, prices), most)
    claimed_shift = claimed_at = -1
    if hand.winning_tile is not None and hand.won_by in CLAIMS:
        claimed_shift, tile = CLAIM_PLACES[hand.winning_tile]
    several: list[Cuts] = []
    shape = 0
    for shift, won, claimed_cuts, _standing in prices.parts:
        if tiles := counts >> shift & SUIT_MASK:
            if shift == claimed_shift:
                claimed_at, cuts = len(several), claimed_cuts[tiles | tile]
            else:
                cuts = won[tiles]
            if not cuts:
                return []
            several.append(cuts)
            shape += cuts[0].shape if len(cuts) == 1 else _SHAPE_BOUND
    if shape < _SHAPE_BOUND:
        return [*product(*several)] if PAIR_SHAPE <= shape <= most else []
    return _allowed_layouts(_all_choices(several, claimed_at), most)


def _all_choices(several: list[Cuts], claimed_at: int) -> Iterable[CutLayout]:
    """Every choice of a way to cut each part.

    The places of the claimed tile come in turn within each reading of the other tiles.
    """
    if claimed_at < 0 or len(several[claimed_at]) == 1:
        return product(*several)
    cut_choices = product(*several[:claimed_at], *several[claimed_at + 1 :], several[claimed_at])
    return ((*cuts[:claimed_at], cuts[-1], *cuts[claimed_at:-1]) for cuts in cut_choices)


def _max_concealed_chows(hand: Hand, rules: RuleSet) -> int:
    """How many chows the tiles in the hand may be read as."""
    most = chow_limit(hand, rules)
    return most - chows_on_the_table(hand) if hand.sets and most < _MAX_SETS else most


def _allowed_layouts(layouts: Iterable[CutLayout], most: int) -> list[CutLayout]:
    """The layouts with one pair and no more chows than allowed: a shape up to `most`."""
    return [cuts for cuts in layouts if PAIR_SHAPE <= sum([cut.shape for cut in cuts]) <= most]


def _joker_layouts(hand: Hand, rules: RuleSet, prices: Prices) -> Sequence[CutLayout]:
    last = hand.winning_tile
    layouts: list[Layout] = [
        codes_of_sets(sets) for sets in _sets_with_jokers(hand.concealed, rules)
    ]
    if last is not None and hand.claimed:
        layouts = [
            claimed_layout
            for layout in layouts
            for claimed_layout in _claimed_layouts(layout, last)
        ]
    return [(prices.sets.cut(layout),) for layout in layouts]


def all_layouts(hand: Hand, rules: RuleSet) -> Sequence[Layout]:
    """Every way in which the tiles in the hand, beside the table, are sets and a pair."""
    if _has_jokers(hand):
        return [codes_of_sets(sets) for sets in _sets_with_jokers(hand.concealed, rules)]
    return layouts_of_counts(count_tiles(hand.concealed), _MAX_SETS + 1 - len(hand.sets))


def layouts_of_counts(counts: Counts, groups: int) -> Sequence[Layout]:
    """Every way in which the tiles are so many groups, one of them a pair."""
    layouts = [b""]
    for first in PART_STARTS:
        if tiles := counts >> COUNT_BITS * first & SUIT_MASK:
            splits = ways_of_part(first).get(tiles, ())
            layouts = [
                partial_layout + bytes(code + first for code in split)
                for partial_layout in layouts
                for split in splits
            ]
    return [layout for layout in layouts if len(layout) == groups]


def _has_jokers(hand: Hand) -> bool:
    return JOKER in hand.concealed


def _sets_with_jokers(tiles: tuple[Tile, ...], rules: RuleSet) -> list[tuple[TileSet, ...]]:
    jokers = rules.jokers
    return sets_and_a_pair(tiles, jokers_in_a_pung=jokers.in_a_pung) if jokers else []


def codes_of_sets(sets: Sequence[TileSet]) -> list[int]:
    return [group.code for group in sets]


def _count_chows(layout: Layout) -> int:
    return sum([CHOWS_FROM <= code < PUNGS_FROM for code in layout])


def _claimed_layouts(layout: Layout, tile: Tile) -> Iterator[Layout]:
    """The layout with the set that the claimed tile completes exposed, for each such set."""
    for number, code in enumerate(layout):
        if tile in set_of(code).tiles and code not in layout[:number]:
            exposed_layout = list(layout)
            exposed_layout[number] += EXPOSED_FROM
            yield exposed_layout


def standing_layouts(
    hand: Hand, rules: RuleSet, prices: Prices, counts: Counts
) -> Sequence[CutLayout]:
    """The ways to count the sets that stand in a loser's hand, but those that another way beats.

    Chows score nothing and are not listed; what is left over scores nothing either.
    """
    if hand.goulash and rules.jokers and _has_jokers(hand):
        standing = standing_sets(hand.concealed, jokers_in_a_pung=rules.jokers.in_a_pung)
        return [(prices.sets.cut(codes_of_sets(sets)),) for sets in standing]
    repeated_counts = drop_singles(counts)
    several = [
        standing[tiles]
        for shift, _won, _claimed_cuts, standing in prices.parts
        if (tiles := repeated_counts >> shift & SUIT_MASK)
    ]
    return [*product(*several)]


def irregular_layouts(hand: Hand, rules: RuleSet, prices: Prices, shape: Shape) -> list[CutLayout]:
    """The ways to count what stands in a winner's hand of that shape, all its tiles in the hand.

    A claimed tile that none of the sets needs leaves them all concealed.
    """
    if shape.most_alike < _PUNG_SIZE:
        # Equal tiles two by two: four of a kind are two pairs.
        tiles = sort_tiles({*hand.concealed}) if shape.most_alike == _PAIR_SIZE else ()
        pairs = [bytes((TILE_PLACE[tile],)) * (hand.concealed.count(tile) // 2) for tile in tiles]
        concealed_layouts: Sequence[CutLayout] = [(prices.sets.cut(b"".join(pairs)),)]
    else:
        concealed_layouts = standing_layouts(hand, rules, prices, count_tiles(hand.concealed))
    last = hand.winning_tile
    if not hand.claimed or last is None:
        return [*concealed_layouts]
    layouts: list[CutLayout] = []
    for cuts in concealed_layouts:
        groups = [group for cut in cuts for group in cut.groups]
        if sum(group.tiles.count(last) for group in groups) == hand.concealed.count(last):
            layouts += [
                (prices.sets.cut(claimed_layout),)
                for claimed_layout in _claimed_layouts(codes_of_sets(groups), last)
            ]
        else:
            layouts.append(cuts)
    return layouts


def one_short_layouts(hand: Hand, rules: RuleSet, counts: Counts) -> list[Layout]:
    """Every way in which one tile more makes a hand of thirteen pungs or kongs and a pair.

    `counts` are the tiles in the hand.
    """
    if hand.goulash:
        return _goulash_one_short(hand, rules)
    # Three of each kind but for two tiles.
    if count_kinds(counts) != _MAX_SETS + 1 - len(hand.sets) or counts & _FOUR_OF_A_KIND:
        return []
    tile_counts = {TILE_PLACE[tile]: hand.concealed.count(tile) for tile in {*hand.concealed}}
    total_counts = all_counts(hand, counts)
    could_come = [
        place
        for place, n in tile_counts.items()
        if n < _PUNG_SIZE and count_of(total_counts, place) < 4
    ]
    return [
        [
            place + (PUNGS_FROM if n + (place == last) == _PUNG_SIZE else 0)
            for place, n in tile_counts.items()
        ]
        for last in could_come
    ]


def _goulash_one_short(hand: Hand, rules: RuleSet) -> list[Layout]:
    if len({*hand.concealed} - {JOKER}) > _MAX_SETS + 1 - len(hand.sets):
        return []
    possible_tiles = [tile for tile in (*PLAYING_TILES, JOKER) if hand.tiles.count(tile) < 4]
    set_choices = (_sets_with_jokers((*hand.concealed, tile), rules) for tile in possible_tiles)
    layouts = [codes_of_sets(sets) for several in set_choices for sets in several]
    return [layout for layout in layouts if not _count_chows(layout)]


def loose_tiles(hand: Hand, counts: Counts) -> Counts | None:
    """The hand as loose tiles; None where a set was claimed, a kong declared or a joker held.

    `counts` are the tiles in the hand.
    """
    for group in hand.sets:
        if group.exposed or group.kind is Kind.KONG or JOKER in group.tiles:
            return None
        counts += group.counts
    return None if hand.goulash and _has_jokers(hand) else counts


def take_up_sets(hand: Hand) -> Hand:
    """The hand with its sets taken back among the concealed tiles."""
    return replace(hand, sets=(), concealed=hand.tiles)


def is_only_tile(hand: Hand, rules: RuleSet, counts: Counts) -> bool:
    """Whether no other kind of tile could have made the hand a Mah-Jong, by its shape.

    `counts` are the tiles in the hand. The table may overrule; kinds of which the player holds all
    four are no possibility. Where a joker is held, no tile is the only one.
    """
    if Fact.ONLY_POSSIBLE_TILE in hand.facts or Fact.NOT_ONLY_POSSIBLE_TILE in hand.facts:
        return Fact.ONLY_POSSIBLE_TILE in hand.facts
    if hand.winning_tile is None or _has_jokers(hand):
        return False
    last = TILE_UNIT[hand.winning_tile]
    held_before = all_counts(hand, counts) - last
    other_tiles = _ONE_OF_EACH & ~last & ~(held_before >> 2)
    if _makes_sets(hand, counts - last, other_tiles, rules):
        return False
    loose = loose_tiles(hand, counts)
    if loose is None or not (
        near_places := rules.book.loose_shapes.shapes_lacking_one(loose - last)
    ):
        return True
    shapes = [rules.book.loose_forms[place].shape for place in near_places]
    units = [unit for unit in TILE_UNITS if unit & other_tiles]
    return not any(shape.is_complete(loose - last + unit) for shape in shapes for unit in units)


def _makes_sets(hand: Hand, counts_before: Counts, other_tiles: Counts, rules: RuleSet) -> bool:
    """Whether one of the others in place of the last tile makes sets and a pair.

    `counts_before`: the tiles in the hand without it.
    """
    parts = [
        (tiles, shift, splits, waits)
        for shift, splits, waits in parts_with_waits()
        if (tiles := counts_before >> shift & SUIT_MASK)
    ]
    incomplete = [part for part in parts if part[0] not in part[2]]
    if len(incomplete) > 1:
        return False
    waiting = 0
    for tiles, shift, _splits, waits in incomplete or parts:
        waiting |= waits[tiles] << shift
    if not waiting & other_tiles:
        return False
    most = chow_limit(hand, rules)
    if most == _MAX_SETS and len(parts) < _MAX_SETS:
        return True
    # Few chows may be allowed, and a pair in each of four parts is no hand.
    return any(
        chows_on_the_table(hand) + _count_chows(layout) <= most
        for unit in TILE_UNITS
        if waiting & other_tiles & unit
        for layout in layouts_of_counts(counts_before + unit, _MAX_SETS + 1 - len(hand.sets))
    )


def remove_last_tile(hand: Hand, tile: Tile) -> Hand:
    """The hand before that tile came."""
    remaining_tiles = list(hand.concealed)
    remaining_tiles.remove(tile)
    return replace(
        hand, concealed=tuple(remaining_tiles), mahjong=False, winning_tile=None, won_by=None
    )
