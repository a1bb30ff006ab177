"""One player's hand as the table reports it, and as the engine reads it in sets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from scoring.tiles import HONOURS, JOKER, SUIT_TILES, Tile, Wind, in_order


class WonBy(StrEnum):
    """Where the winning tile came from."""

    WALL = "wall"
    LAST_WALL_TILE = "last_wall_tile"
    LOOSE_TILE = "loose_tile"
    DISCARD = "discard"
    LAST_DISCARD = "last_discard"
    ROBBED_KONG = "robbed_kong"
    DEALT = "dealt"
    FIRST_DISCARD = "first_discard"
    FIRST_DRAW = "first_draw"


CLAIMS = frozenset(
    {WonBy.DISCARD, WonBy.LAST_DISCARD, WonBy.FIRST_DISCARD, WonBy.ROBBED_KONG},
)


class Fact(StrEnum):
    """What only the table can say about a hand."""

    ORIGINAL_CALL = "original_call"
    TWOFOLD_FORTUNE = "twofold_fortune"
    ONLY_POSSIBLE_TILE = "only_possible_tile"
    NOT_ONLY_POSSIBLE_TILE = "not_only_possible_tile"
    THIRTEENTH_WIN = "thirteenth_win"


class Kind(StrEnum):
    """The kinds of set."""

    PAIR = "pair"
    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"


_KIND_BY_SIZE = {2: Kind.PAIR, 3: Kind.PUNG, 4: Kind.KONG}


@dataclass(frozen=True, slots=True)
class TileSet:
    """A pair, chow, pung or kong; `tile` is the tile it is made of, a chow's lowest."""

    kind: Kind
    tile: Tile
    tiles: tuple[Tile, ...]
    exposed: bool

    @property
    def jokers(self) -> int:
        """How many jokers stand in the set."""
        return self.tiles.count(JOKER)

    def as_json(self) -> dict[str, object]:
        """The form of `sets` and of `arrangement`."""
        return {"tiles": list(self.tiles), "exposed": self.exposed}


def read_set(tiles: Sequence[Tile], *, exposed: bool) -> TileSet | None:
    """The set that the tiles make, jokers standing in for equal tiles; None if none."""
    genuine = in_order(tile for tile in tiles if tile != JOKER)
    jokers = (JOKER,) * (len(tiles) - len(genuine))
    if genuine and len(set(genuine)) == 1 and len(tiles) in _KIND_BY_SIZE:
        return TileSet(_KIND_BY_SIZE[len(tiles)], genuine[0], genuine + jokers, exposed)
    if genuine and not jokers and genuine == chow_from(genuine[0]):
        return TileSet(Kind.CHOW, genuine[0], genuine, exposed)
    return None


_CHOWS = {
    tile: (tile, SUIT_TILES[place + 1], SUIT_TILES[place + 2])
    for place, tile in enumerate(SUIT_TILES)
    if tile[1] <= "7"
}


def chow_from(lowest: Tile) -> tuple[Tile, Tile, Tile] | None:
    """The three tiles of the chow that begins there; None for an 8, a 9 or an honour."""
    return _CHOWS.get(lowest)


@dataclass(frozen=True, kw_only=True)
class Hand:
    """One player's hand: the fields of a line of `score`, read and typed."""

    seat_wind: Wind = Wind.E
    prevailing_wind: Wind | None = None
    dealer: bool = False
    sets: tuple[TileSet, ...] = ()
    concealed: tuple[Tile, ...] = ()
    bonus: tuple[Tile, ...] = ()
    mahjong: bool = False
    winning_tile: Tile | None = None
    won_by: WonBy | None = None
    facts: frozenset[Fact] = frozenset()
    players: int = 4
    goulash: bool = False

    @property
    def size(self) -> int:
        """The number of playing tiles, a kong counting as three."""
        return 3 * len(self.sets) + len(self.concealed)

    @property
    def claimed(self) -> bool:
        """Whether the last tile was claimed from another player."""
        return self.mahjong and self.won_by in CLAIMS


@dataclass(frozen=True)
class Reading:
    """A hand read as sets, or (where `sets` holds only those on the table) as loose tiles."""

    hand: Hand
    sets: tuple[TileSet, ...]
    loose: tuple[Tile, ...]
    choices: Mapping[str, bool | int]

    @cached_property
    def kinds(self) -> frozenset[Tile]:
        """The different tiles, a joker counting as the tile that it stands for."""
        kinds = set(self.loose)
        for tile_set in self.sets:
            kinds.update(tile for tile in tile_set.tiles if tile != JOKER)
        return frozenset(kinds)

    @cached_property
    def counts(self) -> Mapping[Tile, int]:
        """How many there are of each of the loose tiles."""
        return Counter(self.loose)

    @cached_property
    def suits(self) -> frozenset[str]:
        """The suits among the tiles: B, C, O."""
        return frozenset(tile[0] for tile in self.kinds if tile not in HONOURS)

    @property
    def chows(self) -> int:
        """How many chows stand in the hand."""
        return sum(tile_set.kind is Kind.CHOW for tile_set in self.sets)
