"""Every way in which tiles can be cut into sets and pairs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from scoring.hands.counts import A_SUIT, BITS, Counts, over_four
from scoring.hands.hand import (
    CHOWS_FROM,
    PUNGS_FROM,
    Kind,
    TileSet,
    chow_from,
    first_code,
    known_set,
)
from scoring.hands.tiles import IN_ORDER, JOKER, PLACE, Tile, in_order

Way = bytes

_MOST_SETS: Final = 4
_HONOURS: Final = 27
_SUITS: Final = (0, 9, 18)
_NO_CHOWS: Final = bytes(code for code in range(256) if not CHOWS_FROM <= code < PUNGS_FROM)

_Piece = tuple[int, Counts]  # the code of a set of the first suit, and its tiles
_Table = dict[Counts, tuple[Way, ...]]


def ways_to_lay_out(counts: Counts, groups: int) -> Sequence[Way]:
    """Every way in which the tiles are so many groups, one of them a pair."""
    ways: Sequence[Way] = ()
    for table, shift in _tables():
        tiles = counts >> shift & A_SUIT
        if tiles:
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


def chows(way: Way) -> int:
    """How many of the sets are chows."""
    return len(way.translate(None, _NO_CHOWS))


@cache
def ways_by_counts(kinds: int, *, chows: bool) -> _Table:
    """What every number of tiles of one suit, or of the honours, may be laid out as."""
    sets, pairs = _pieces(kinds, chows=chows)
    tiles = dict(sets + pairs)
    by_counts: dict[Counts, list[Way]] = {}
    for pile in _piles(sets, _MOST_SETS):
        counts = sum([tiles[code] for code in pile])
        by_counts.setdefault(counts, []).append(bytes(pile))
        for code, two in pairs:
            if not over_four(counts + two):
                by_counts.setdefault(counts + two, []).append(bytes((*pile, code)))
    return {counts: tuple(ways) for counts, ways in by_counts.items()}


def _pieces(kinds: int, *, chows: bool) -> tuple[list[_Piece], list[_Piece]]:
    """The pungs and chows of so many kinds of tile, and the pairs."""
    pungs = [(PUNGS_FROM + place, 3 << BITS * place) for place in range(kinds)]
    runs = [(CHOWS_FROM + place, 0x111 << BITS * place) for place in range(kinds - 2)]
    pairs = [(place, 2 << BITS * place) for place in range(kinds)]
    return pungs + (runs if chows else []), pairs


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
    for first, rest, used in _first_sets(tiles, min(jokers, most)):
        for others in _sets(rest, jokers - used, most):
            yield (first, *others)


def _first_sets(
    tiles: tuple[Tile, ...], jokers: int
) -> Iterator[tuple[TileSet, tuple[Tile, ...], int]]:
    """The sets that hold the first tile, what is left beside each, and the jokers it took."""
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
    pairs = (concealed_set(Kind.PAIR, tile),) * (number // 2)
    return [*options, (pairs, 0)]
