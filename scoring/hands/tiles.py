"""The tiles of the game, their two-character notation (B1, WE, DR, F3, JK), and tiles counted.

Tiles are counted in one whole number: four bits for each kind, so that five of a kind still fit.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final, NewType

Tile = NewType("Tile", str)


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


def _tiles(codes: Iterable[str]) -> tuple[Tile, ...]:
    return tuple(Tile(code) for code in codes)


SUITS: Final = ("B", "C", "O")
SUIT_TILES: Final = _tiles(f"{suit}{number}" for suit in SUITS for number in range(1, 10))
WINDS: Final = _tiles(("WE", "WS", "WW", "WN"))
DRAGONS: Final = _tiles(("DR", "DG", "DW"))
FLOWERS: Final = _tiles(("F1", "F2", "F3", "F4"))
SEASONS: Final = _tiles(("S1", "S2", "S3", "S4"))
JOKER: Final = Tile("JK")

HONOURS: Final = frozenset(WINDS + DRAGONS)
TERMINALS: Final = frozenset(tile for tile in SUIT_TILES if tile[1] in "19")
MAJORS: Final = HONOURS | TERMINALS
PLAYING_TILES: Final = SUIT_TILES + WINDS + DRAGONS
BONUS_TILES: Final = FLOWERS + SEASONS
IN_ORDER: Final = {tile: place for place, tile in enumerate((*PLAYING_TILES, *BONUS_TILES, JOKER))}
PLACE: Final = {tile: place for place, tile in enumerate(PLAYING_TILES)}

WIND_TILE: Final = dict(zip(Wind, WINDS, strict=True))
OWN_FLOWER: Final = dict(zip(Wind, FLOWERS, strict=True))
OWN_SEASON: Final = dict(zip(Wind, SEASONS, strict=True))


SUIT_NAMES: Final = {"B": "bamboos", "C": "characters", "O": "circles"}
TILE_NAMES: Final[dict[Tile, str]] = (
    {tile: f"{tile[1]} of {SUIT_NAMES[tile[0]]}" for tile in SUIT_TILES}
    | {tile: f"{wind.label} wind" for wind, tile in WIND_TILE.items()}
    | dict(zip(DRAGONS, ("red dragon", "green dragon", "white dragon"), strict=True))
    | {tile: f"flower {tile[1]}" for tile in FLOWERS}
    | {tile: f"season {tile[1]}" for tile in SEASONS}
    | {JOKER: "joker"}
)


def read_tile(text: object) -> Tile | None:
    """The tile that the notation names, or None where it names none."""
    return Tile(text) if isinstance(text, str) and text in IN_ORDER else None


def in_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """The tiles sorted by suit and number, honours after the suits, jokers last."""
    return tuple(sorted(tiles, key=IN_ORDER.__getitem__))


Counts = int
BITS: Final = 4
UNIT: Final = {tile: 1 << BITS * place for tile, place in PLACE.items()}
UNITS: Final = tuple(UNIT[tile] for tile in PLAYING_TILES)
_EACH: Final = sum(UNITS)
SUIT_BITS: Final = 9 * BITS
A_SUIT: Final = (1 << SUIT_BITS) - 1


def tiles_of(codes: str) -> tuple[Tile, ...]:
    """The tiles of such codes: `tiles_of("B1 B1 B1 WE")`; `score` says which is none."""
    return tuple(map(Tile, codes.split()))


def counted(tiles: Iterable[Tile]) -> Counts:
    """How many there are of each playing tile, up to fifteen; KeyError for any other tile."""
    return sum(map(UNIT.__getitem__, tiles))


# Counted on top of the guard, a fifth tile of some kind shows: `(counts + GUARD) & OVER`. Of counts
# without one, up to four tiles more may be added before the next look.
GUARD: Final = 3 * _EACH
OVER: Final = 8 * _EACH


def over_four(counts: Counts) -> bool:
    """Whether there are more than four of some tile."""
    return ((counts + GUARD) | counts) & OVER != 0


def all_even(counts: Counts) -> bool:
    """Whether there are none, two or four of each tile."""
    return not counts & _EACH


def odd_ones(counts: Counts) -> int:
    """How many kinds of tile there are an odd number of."""
    return (counts & _EACH).bit_count()


def kinds_of(counts: Counts) -> int:
    """How many kinds of tile there are, where there are not more than four of any."""
    return ((counts | counts >> 1 | counts >> 2) & _EACH).bit_count()


def one_of_each(counts: Counts) -> Counts:
    """One of each kind of tile that there is, where there are not more than four of any."""
    return (counts | counts >> 1 | counts >> 2) & _EACH


def more_than_one(counts: Counts) -> Counts:
    """The same without single tiles, where there are not more than four of any."""
    return counts & ((counts >> 1 | counts >> 2) & _EACH) * 15


def suits_of(counts: Counts) -> int:
    """Of how many suits there are tiles."""
    return sum([counts >> shift & A_SUIT > 0 for shift in (0, SUIT_BITS, 2 * SUIT_BITS)])


def count_of(counts: Counts, place: int) -> int:
    """How many there are of the tile at that place of PLAYING_TILES."""
    return counts >> BITS * place & 15


def as_list(counts: Counts) -> list[int]:
    """How many there are of each playing tile, in the order of PLAYING_TILES."""
    return [counts >> BITS * place & 15 for place in range(len(PLAYING_TILES))]


def only_of(tiles: Collection[Tile]) -> Counts:
    """Fifteen of each of these: `counts & ~only_of(tiles)` is what there is of others."""
    return sum(15 * UNIT[tile] for tile in tiles)
