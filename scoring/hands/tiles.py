"""The tiles of the game, their two-character notation (B1, WE, DR, F3, JK), and tiles counted.

Tiles are counted in one whole number: four bits for each kind, so that five of a kind still fit.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final, NewType

Tile = NewType("Tile", str)
SUITS: Final = ("B", "C", "O")
JOKER: Final = Tile("JK")
SUIT_NAMES: Final = {"B": "bamboos", "C": "characters", "O": "circles"}
Counts = int
COUNT_BITS: Final = 4
SUIT_BITS: Final = 9 * COUNT_BITS
SUIT_MASK: Final = (1 << SUIT_BITS) - 1


class Wind(StrEnum):
    """A seat's wind; members are in the order in which East is passed on."""

    E = "E"
    S = "S"
    W = "W"
    N = "N"

    @property
    def label(self) -> str:
        return _WIND_LABELS[self]


_WIND_LABELS: Final = {Wind.E: "East", Wind.S: "South", Wind.W: "West", Wind.N: "North"}


def _make_tiles(codes: Iterable[str]) -> tuple[Tile, ...]:
    return tuple(Tile(code) for code in codes)


SUIT_TILES: Final = _make_tiles(f"{suit}{number}" for suit in SUITS for number in range(1, 10))
WIND_TILES: Final = _make_tiles(("WE", "WS", "WW", "WN"))
DRAGON_TILES: Final = _make_tiles(("DR", "DG", "DW"))
FLOWER_TILES: Final = _make_tiles(("F1", "F2", "F3", "F4"))
SEASON_TILES: Final = _make_tiles(("S1", "S2", "S3", "S4"))

HONOURS: Final = frozenset(WIND_TILES + DRAGON_TILES)
TERMINALS: Final = frozenset(tile for tile in SUIT_TILES if tile[1] in "19")
MAJORS: Final = HONOURS | TERMINALS
PLAYING_TILES: Final = SUIT_TILES + WIND_TILES + DRAGON_TILES
BONUS_TILES: Final = FLOWER_TILES + SEASON_TILES
SORT_ORDER: Final = {
    tile: place for place, tile in enumerate((*PLAYING_TILES, *BONUS_TILES, JOKER))
}
TILE_PLACE: Final = {tile: place for place, tile in enumerate(PLAYING_TILES)}

TILE_OF_WIND: Final = dict(zip(Wind, WIND_TILES, strict=True))
FLOWER_OF_WIND: Final = dict(zip(Wind, FLOWER_TILES, strict=True))
SEASON_OF_WIND: Final = dict(zip(Wind, SEASON_TILES, strict=True))


TILE_NAMES: Final[dict[Tile, str]] = (
    {tile: f"{tile[1]} of {SUIT_NAMES[tile[0]]}" for tile in SUIT_TILES}
    | {tile: f"{wind.label} wind" for wind, tile in TILE_OF_WIND.items()}
    | dict(zip(DRAGON_TILES, ("red dragon", "green dragon", "white dragon"), strict=True))
    | {tile: f"flower {tile[1]}" for tile in FLOWER_TILES}
    | {tile: f"season {tile[1]}" for tile in SEASON_TILES}
    | {JOKER: "joker"}
)


def read_tile(text: object) -> Tile | None:
    """The tile that the notation names, or None where it names none."""
    return Tile(text) if isinstance(text, str) and text in SORT_ORDER else None


def sort_tiles(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles sorted by suit and number, honours after the suits, jokers last."""
    return tuple(sorted(tiles, key=SORT_ORDER.__getitem__))


TILE_UNIT: Final = {tile: 1 << COUNT_BITS * place for tile, place in TILE_PLACE.items()}
TILE_UNITS: Final = tuple(TILE_UNIT[tile] for tile in PLAYING_TILES)
_ONE_OF_EACH: Final = sum(TILE_UNITS)


def tiles_of(codes: str) -> tuple[Tile, ...]:
    """The tiles of such codes: `tiles_of("B1 B1 B1 WE")`; `score` says which is none."""
    return tuple(map(Tile, codes.split()))


def count_tiles(tiles: Iterable[Tile]) -> Counts:
    """How many there are of each playing tile, up to fifteen; KeyError for any other tile."""
    return sum(map(TILE_UNIT.__getitem__, tiles))


# On top of the guard a fifth tile of a kind shows: `(counts + GUARD) & OVERFLOW_BITS`. Of counts
# without one, up to four tiles more may be added before the next look.
GUARD: Final = 3 * _ONE_OF_EACH
OVERFLOW_BITS: Final = 8 * _ONE_OF_EACH


def has_more_than_four(counts: Counts) -> bool:
    """Whether there are more than four of some tile."""
    return ((counts + GUARD) | counts) & OVERFLOW_BITS != 0


def is_all_even(counts: Counts) -> bool:
    """Whether there are none, two or four of each tile."""
    return not counts & _ONE_OF_EACH


def count_odd_kinds(counts: Counts) -> int:
    """How many kinds of tile there are an odd number of."""
    return (counts & _ONE_OF_EACH).bit_count()


def count_kinds(counts: Counts) -> int:
    """How many kinds of tile there are, where there are not more than four of any."""
    return ((counts | counts >> 1 | counts >> 2) & _ONE_OF_EACH).bit_count()


def one_of_each(counts: Counts) -> Counts:
    """One of each kind of tile that there is, where there are not more than four of any."""
    return (counts | counts >> 1 | counts >> 2) & _ONE_OF_EACH


def drop_singles(counts: Counts) -> Counts:
    """The same without single tiles, where there are not more than four of any."""
    return counts & ((counts >> 1 | counts >> 2) & _ONE_OF_EACH) * 15


def count_suits(counts: Counts) -> int:
    """Of how many suits there are tiles."""
    return sum([counts >> shift & SUIT_MASK > 0 for shift in (0, SUIT_BITS, 2 * SUIT_BITS)])


def count_of(counts: Counts, place: int) -> int:
    """How many there are of the tile at that place of PLAYING_TILES."""
    return counts >> COUNT_BITS * place & 15


def counts_list(counts: Counts) -> list[int]:
    """How many there are of each playing tile, in the order of PLAYING_TILES."""
    return [counts >> COUNT_BITS * place & 15 for place in range(len(PLAYING_TILES))]


def tiles_mask(tiles: Collection[Tile]) -> Counts:
    """Fifteen of each of these: `counts & ~tiles_mask(tiles)` is what there is of others."""
    return sum(15 * TILE_UNIT[tile] for tile in tiles)
