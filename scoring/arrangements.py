"""Every way in which concealed tiles can be laid out as sets."""

from collections import Counter
from collections.abc import Iterator

from scoring.hands import Kind, TileSet, chow_from, first_code, known_set
from scoring.tiles import IN_ORDER, JOKER, PLACE, Tile, in_order

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
    found: dict[frozenset[tuple[TileSet, int]], Sets] = {}
    for tile in [tile for tile, held in counts.items() if held >= 2]:
        rest = counts.copy()
        rest[tile] -= 2
        pair = concealed_set(Kind.PAIR, tile)
        for sets in _sets(in_order(rest.elements()), jokers, jokers_in_a_pung):
            whole = (*sets, pair)
            found[frozenset(Counter(whole).items())] = whole
    return list(found.values())


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


def _options(tile: Tile, held: int, jokers: int) -> list[tuple[Sets, int]]:
    """What so many equal tiles can be: as many pungs and pairs as there are tiles for."""
    options: list[tuple[Sets, int]] = []
    for used in range(min(jokers, 2) + 1):
        if held >= 3 - used:
            pung = concealed_set(Kind.PUNG, tile, used)
            left = held - 3 + used
            options += [
                ((pung, *sets), used + taken) for sets, taken in _options(tile, left, jokers)
            ]
    pairs = (concealed_set(Kind.PAIR, tile),) * (held // 2)
    return [*options, (pairs, 0)]
