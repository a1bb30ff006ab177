"""How a hand may be laid out: a winner's sets and pair, a loser's sets, and one tile more.

A layout is a sequence of the codes of sets (`scoring.hands.hand.TileSet.code`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Final

from scoring.hands.hand import (
    CHOWS_FROM,
    EXPOSED_FROM,
    PUNGS_FROM,
    Fact,
    Hand,
    Kind,
    TileSet,
    chow_from,
    first_code,
    known_set,
)
from scoring.hands.tiles import (
    A_SUIT,
    BITS,
    IN_ORDER,
    JOKER,
    PLACE,
    PLAYING_TILES,
    UNIT,
    UNITS,
    Counts,
    Tile,
    as_list,
    count_of,
    counted,
    in_order,
    over_four,
)
from scoring.rules.rule_set import Prices, RuleSet
from scoring.rules.shapes import Shape

Layout = Sequence[int]
Way = bytes

_MOST_SETS: Final = 4
_PAIR, _PUNG = 2, 3
_HONOURS: Final = 27
_SUITS: Final = (0, 9, 18)
_NO_CHOWS: Final = bytes(code for code in range(256) if not CHOWS_FROM <= code < PUNGS_FROM)

_Piece = tuple[int, Counts]  # the code of a set of the first suit, and its tiles
_Table = dict[Counts, tuple[Way, ...]]


def ways_to_lay_out(counts: Counts, groups: int) -> Sequence[Way]:
    """Every way in which the tiles are so many groups, one of them a pair."""
    ways: Sequence[Way] = ()
    for table, shift in _tables():
        if tiles := counts >> shift & A_SUIT:
            part = table.get(tiles)
            if part is None:
                return ()
            ways = [way + more for way in ways for more in part] if ways else part
    return ways if ways and len(ways[0]) == groups else ()


@cache
def _tables() -> tuple[tuple[_Table, int], ...]:
    """The table of each suit and of the honours, and where its tiles begin in the counts."""
    suit, honours = ways_by_counts(9, chows=True), ways_by_counts(7, chows=False)
    tables = [(_moved(suit, first), BITS * first) for first in _SUITS]
    return *tables, (_moved(honours, _HONOURS), BITS * _HONOURS)


def _moved(table: _Table, first: int) -> _Table:
    """The same for tiles that begin at that place."""
    by = bytes(min(code + first, 255) for code in range(256))
    return {counts: tuple([way.translate(by) for way in ways]) for counts, ways in table.items()}


@cache
def ways_by_counts(kinds: int, *, chows: bool) -> _Table:
    """What every number of tiles of one suit, or of the honours, may be laid out as."""
    sets = [(PUNGS_FROM + place, 3 << BITS * place) for place in range(kinds)]
    if chows:
        sets += [(CHOWS_FROM + place, 0x111 << BITS * place) for place in range(kinds - 2)]
    pairs = [(place, 2 << BITS * place) for place in range(kinds)]
    tiles = dict(sets + pairs)
    by_counts: dict[Counts, list[Way]] = {}
    for pile in _piles(sets, _MOST_SETS):
        counts = sum([tiles[code] for code in pile])
        by_counts.setdefault(counts, []).append(bytes(pile))
        for code, two in pairs:
            if not over_four(counts + two):
                by_counts.setdefault(counts + two, []).append(bytes((*pile, code)))
    return {counts: tuple(ways) for counts, ways in by_counts.items()}


def _piles(sets: Sequence[_Piece], most: int, counts: Counts = 0) -> Iterator[tuple[int, ...]]:
    """Every choice of so many sets at most, the same one perhaps again, that four tiles allow."""
    yield ()
    for place, (code, tiles) in enumerate(sets):
        if most and not over_four(counts + tiles):
            for more in _piles(sets[place:], most - 1, counts + tiles):
                yield (code, *more)


Sets = tuple[TileSet, ...]


def concealed_set(kind: Kind, tile: Tile, jokers: int = 0) -> TileSet:
    """The concealed pair, pung or chow that the tile makes (a chow's lowest)."""
    return known_set(first_code(kind, exposed=False, jokers=jokers) + PLACE[tile])


def sets_and_a_pair(tiles: tuple[Tile, ...], *, jokers_in_a_pung: int) -> list[Sets]:
    """Every way to lay all the tiles out as one pair and sets of three, in no particular order.

    A joker stands in a pung only; four equal tiles are never a kong.
    """
    counts = Counter(tiles)
    jokers = counts.pop(JOKER, 0)
    layouts: dict[frozenset[tuple[TileSet, int]], Sets] = {}
    for tile in [tile for tile, number in counts.items() if number >= 2]:
        rest = counts.copy()
        rest[tile] -= 2
        pair = concealed_set(Kind.PAIR, tile)
        for sets in _sets(in_order(rest.elements()), jokers, jokers_in_a_pung):
            whole = (*sets, pair)
            layouts[frozenset(Counter(whole).items())] = whole
    return list(layouts.values())


def _sets(tiles: tuple[Tile, ...], jokers: int, most: int) -> Iterator[Sets]:
    if not tiles:
        if jokers == 0:
            yield ()
        return
    for first, rest, used in first_sets(tiles, min(jokers, most)):
        for others in _sets(rest, jokers - used, most):
            yield (first, *others)


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
        rest = list(tiles)
        for tile in chow:
            rest.remove(tile)
        yield concealed_set(Kind.CHOW, first), tuple(rest), 0


def standing_sets(tiles: tuple[Tile, ...], *, jokers_in_a_pung: int) -> list[Sets]:
    """Every way to pick pungs and pairs out of the tiles of a player who did not win.

    What is left over, chows among it, scores nothing and is not listed.
    """
    counts = Counter(tiles)
    jokers = counts.pop(JOKER, 0)
    choices: list[tuple[Sets, int]] = [((), 0)]
    for tile in sorted(counts, key=IN_ORDER.__getitem__):
        options = _options(tile, counts[tile], min(jokers, jokers_in_a_pung))
        choices = [
            (sets + more, used + taken)
            for sets, used in choices
            for more, taken in options
            if used + taken <= jokers
        ]
    return [sets for sets, _used in choices]


def _options(tile: Tile, number: int, jokers: int) -> list[tuple[Sets, int]]:
    """What so many equal tiles can be: as many pungs and pairs as there are tiles for."""
    options: list[tuple[Sets, int]] = []
    for used in range(min(jokers, 2) + 1):
        if number >= 3 - used:
            pung = concealed_set(Kind.PUNG, tile, used)
            left = number - 3 + used
            options += [
                ((pung, *sets), used + taken) for sets, taken in _options(tile, left, jokers)
            ]
    return [*options, ((concealed_set(Kind.PAIR, tile),) * (number // 2), 0)]


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
    if most_chows < _MOST_SETS:
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
    return [group.code for group in sets]


def groups(layout: Layout) -> tuple[TileSet, ...]:
    return tuple([known_set(code) for code in layout])


def _chows(layout: Layout) -> int:
    if isinstance(layout, bytes):
        return len(layout.translate(None, _NO_CHOWS))
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
        # Equal tiles two by two: four of a kind are two pairs.
        tiles = in_order({*hand.concealed}) if shape.most_alike == _PAIR else ()
        pairs = [bytes((PLACE[tile],)) * (hand.concealed.count(tile) // 2) for tile in tiles]
        laid: list[Layout] = [b"".join(pairs)]
    else:
        laid = standing_layouts(hand, rules, prices)
    last = hand.winning_tile
    if not hand.claimed or last is None:
        return laid
    layouts: list[Layout] = []
    for layout in laid:
        needed = sum(group.tiles.count(last) for group in groups(layout))
        layouts += _placed(layout, last) if needed == hand.concealed.count(last) else [layout]
    return layouts


def one_tile_short(hand: Hand, rules: RuleSet) -> list[Layout]:
    """Every way in which one tile more makes the hand pungs or kongs and a pair."""
    if hand.size != 13:
        return []
    concealed = hand.concealed
    if hand.goulash:
        if len({*concealed} - {JOKER}) > 5 - len(hand.sets):
            return []
        more = [tile for tile in (*PLAYING_TILES, JOKER) if hand.tiles.count(tile) < 4]
        completed = (_with_jokers((*concealed, tile), rules) for tile in more)
        layouts = [codes(sets) for several in completed for sets in several]
        return [layout for layout in layouts if not _chows(layout)]
    if len({*concealed}) != 5 - len(hand.sets):
        return []
    many = {tile: concealed.count(tile) for tile in concealed}
    pungs = [3] * len(many)
    if sorted(many.values()) not in ([1, *pungs[1:]], [2, 2, *pungs[2:]]):
        return []
    whole = all_counts(hand)
    could_come = [t for t, n in many.items() if n in {1, 2} and count_of(whole, PLACE[t]) < 4]
    return [
        bytes(PLACE[t] + (PUNGS_FROM if n + (t == last) == 3 else 0) for t, n in many.items())
        for last in could_come
    ]


def loose_tiles(hand: Hand) -> Counts | None:
    """The hand as loose tiles; None where a set was claimed, a kong declared or a joker held."""
    for group in hand.sets:
        if group.exposed or group.kind is Kind.KONG or JOKER in group.tiles:
            return None
    return None if JOKER in hand.concealed else all_counts(hand)


def taken_up(hand: Hand) -> Hand:
    """The hand with its sets taken back among the concealed tiles."""
    return replace(hand, sets=(), concealed=hand.tiles)


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
    if _sets_with(others, hand, last, rules):
        return False
    loose = loose_tiles(hand)
    if loose is None:
        return True
    before = loose - last
    shapes = [form.shape for form in rules.book.loose_forms if form.shape.near(before)]
    return not any(shape.whole(before + unit) for shape in shapes for unit in others)


def _sets_with(others: Sequence[Counts], hand: Hand, last: Counts, rules: RuleSet) -> bool:
    """Whether one of the others in place of the last tile makes sets and a pair."""
    before = counted(hand.concealed) - last
    beside = before | before << BITS | before >> BITS
    near = beside | beside << BITS | beside >> BITS
    most = rules.chows.allowed(hand.players, goulash=hand.goulash) - chows_on_the_table(hand)
    return any(
        _chows(way) <= most
        for unit in others
        if near & 15 * unit
        for way in ways_to_lay_out(before + unit, 5 - len(hand.sets))
    )


def without(hand: Hand, tile: Tile) -> Hand:
    """The hand before that tile came."""
    left = list(hand.concealed)
    left.remove(tile)
    return replace(hand, concealed=tuple(left), mahjong=False, winning_tile=None, won_by=None)
