"""The tiles by their codes, what kinds the books speak of, and every way to lay tiles out."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

SUITS = "BCO"
WINDS = ("WE", "WS", "WW", "WN")
DRAGONS = ("DR", "DG", "DW")
HONOURS = WINDS + DRAGONS
TERMINALS = tuple(suit + number for suit in SUITS for number in "19")
MAJORS = TERMINALS + HONOURS
SUIT_TILES = tuple(suit + number for suit in SUITS for number in "123456789")
PLAYING = SUIT_TILES + HONOURS
BONUS = tuple(family + number for family in "FS" for number in "1234")
GREEN = ("DG", "B2", "B3", "B4", "B6", "B8")
JOKER = "JK"

CLAIMED = ("discard", "last_discard", "first_discard", "robbed_kong")
FROM_WALL = ("wall", "last_wall_tile", "first_draw")
WAYS_TO_WIN = (*CLAIMED, *FROM_WALL, "loose_tile", "dealt")
FACTS = (
    "original_call",
    "twofold_fortune",
    "only_possible_tile",
    "not_only_possible_tile",
    "thirteenth_win",
)
NUMBER_OF_WIND = {"E": "1", "S": "2", "W": "3", "N": "4"}


def suits_among(tiles: tuple[str, ...]) -> set[str]:
    """The suits of these tiles, as letters."""
    return {tile[0] for tile in tiles if tile[0] in SUITS}


def has_honours(tiles: tuple[str, ...]) -> bool:
    """Whether there is a wind or a dragon among these tiles."""
    return any(tile in HONOURS for tile in tiles)


def one_suit_with_honours(tiles: tuple[str, ...]) -> bool:
    """All suit tiles of one suit, with at least one wind or dragon."""
    return len(suits_among(tiles)) == 1 and has_honours(tiles)


def one_suit_only(tiles: tuple[str, ...]) -> bool:
    """One suit and no honours."""
    return len(suits_among(tiles)) == 1 and not has_honours(tiles)


class Group(NamedTuple):
    """Tiles that belong together; `tile` is the lowest, `jokers` stand among them."""

    kind: str
    tile: str
    exposed: bool = False
    jokers: int = 0

    def holds(self, tile: str) -> bool:
        """Whether such a tile lies in the group."""
        if tile == JOKER:
            return self.jokers > 0
        if self.kind == "chow":
            return tile in run_from(self.tile)
        return tile == self.tile


Groups = tuple[Group, ...]
Tiles = tuple[str, ...]


def chows(groups: Groups) -> int:
    return sum(group.kind == "chow" for group in groups)


def run_from(tile: str) -> Tiles:
    """The chow that begins with this tile; nothing where there is none."""
    if tile[0] not in SUITS or tile[1] > "7":
        return ()
    return tuple(tile[0] + str(int(tile[1]) + step) for step in range(3))


def remove_tiles(tiles: Tiles, taken_tiles: Tiles) -> Tiles | None:
    """The tiles that are left; None where one of those taken is not there."""
    remaining_tiles = list(tiles)
    for tile in taken_tiles:
        if tile not in remaining_tiles:
            return None
        remaining_tiles.remove(tile)
    return tuple(remaining_tiles)


def first_groups(tiles: Tiles, jokers: int) -> Iterator[tuple[Group, Tiles, int]]:
    """Each group that the first tile can begin, the tiles left and the jokers left."""
    first = tiles[0]
    tile_count = tiles.count(first)
    if tile_count >= 2:
        yield Group("pair", first), tiles[2:], jokers
    if tile_count >= 3:
        yield Group("pung", first), tiles[3:], jokers
    if tile_count >= 2 and jokers:
        yield Group("pung", first, jokers=1), tiles[2:], jokers - 1
    run = run_from(first)
    remaining_tiles = remove_tiles(tiles, run) if run else None
    if remaining_tiles is not None:
        yield Group("chow", first), remaining_tiles, jokers


@lru_cache(maxsize=200_000)
def cuts(tiles: Tiles, jokers: int) -> tuple[Groups, ...]:
    """Every way to cut sorted tiles of one suit, with just so many jokers, leaving none over."""
    if not tiles:
        return () if jokers else ((),)
    groupings = {
        tuple(sorted((group, *other_groups)))
        for group, remaining_tiles, unused_jokers in first_groups(tiles, jokers)
        for other_groups in cuts(remaining_tiles, unused_jokers)
    }
    return tuple(sorted(groupings))


@lru_cache(maxsize=200_000)
def layouts(tiles: Tiles) -> tuple[Groups, ...]:
    """Every way to lay out some of these sorted tiles of one suit, leaving the rest over."""
    if not tiles:
        return ((),)
    groupings = set(layouts(tiles[1:]))
    for group, remaining_tiles, _unused_jokers in first_groups(tiles, 0):
        groupings |= {
            tuple(sorted((group, *other_groups))) for other_groups in layouts(remaining_tiles)
        }
    return tuple(sorted(groupings))


def by_suit(tiles: Tiles) -> list[Tiles]:
    """The tiles sorted out, a suit (or the winds, or the dragons) at a time."""
    natural = sorted(tile for tile in tiles if tile != JOKER)
    letters = sorted({tile[0] for tile in natural})
    return [tuple(tile for tile in natural if tile[0] == letter) for letter in letters]


def dealt_out(total: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to share so many jokers among so many suits."""
    return (share for share in product(range(total + 1), repeat=places) if sum(share) == total)


def sets_and_a_pair(tiles: Tiles) -> Iterator[Groups]:
    """Every way to lay out all of these tiles as sets and one pair."""
    suits = by_suit(tiles)
    for share in dealt_out(tiles.count(JOKER), len(suits)):
        for parts in product(*(cuts(*part) for part in zip(suits, share, strict=True))):
            groups = tuple(group for part in parts for group in part)
            if sum(group.kind == "pair" for group in groups) == 1:
                yield groups


def equal_groups(tiles: Tiles) -> Iterator[Groups]:
    """Every way to lay pairs and pungs of equal tiles out of these, with or without jokers."""
    tile_counts = Counter(tiles)
    jokers = tile_counts.pop(JOKER, 0)
    choices = [equals_of(tile, number, jokers) for tile, number in sorted(tile_counts.items())]
    for parts in product(*choices):
        groups = tuple(group for part in parts for group in part)
        if sum(group.jokers for group in groups) <= jokers:
            yield groups


def equals_of(tile: str, tile_count: int, jokers: int) -> list[Groups]:
    """The pairs and pungs that so many equal tiles make."""
    pair, pung = Group("pair", tile), Group("pung", tile)
    with_joker = pung._replace(jokers=1)
    choices: list[Groups] = [()]
    if tile_count >= 2:
        choices.append((pair,))
    if tile_count >= 3:
        choices.append((pung,))
    if tile_count == 4:
        choices.append((pair, pair))
    if tile_count >= 2 and jokers:
        choices.append((with_joker,))
    if tile_count == 4 and jokers:
        choices += [(with_joker, pair), (with_joker, with_joker)]
    return choices[1:] or choices


def expose_claimed_tile(groups: Groups, tile: str) -> Iterator[Groups]:
    """The groups with one that holds the claimed tile exposed, for each place it may have."""
    for place, group in enumerate(groups):
        if group.holds(tile):
            yield (*groups[:place], group._replace(exposed=True), *groups[place + 1 :])
