"""A hand while it is tapped together: all that is known of it so far, finished or not."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoring.hands.hand import CLAIMS, Fact, Kind, TileSet, WonBy
from scoring.hands.tiles import BONUS_TILES, JOKER, Tile, Wind

MOST_SETS: Final = 4
MOST_TILES: Final = 18
NOTHING_USED: Final[Mapping[Tile, int]] = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """What has been tapped: any number of tiles up to MOST_TILES, a kong counting as three.

    `tiles` are in the hand, in the order in which they were tapped; `table` holds exposed sets and
    concealed kongs. `dealer` None: East deals. `way` and `last` are how a Mah-Jong was won; they
    are kept while `won` is off, and count for nothing then.
    """

    tiles: tuple[Tile, ...] = ()
    table: tuple[TileSet, ...] = ()
    bonus: tuple[Tile, ...] = ()
    seat: Wind = Wind.E
    prevailing: Wind = Wind.E
    dealer: bool | None = None
    players: int = 4
    goulash: bool = False
    won: bool = True
    way: WonBy | None = None
    last: Tile | None = None
    facts: frozenset[Fact] = frozenset()

    @property
    def size(self) -> int:
        """The number of playing tiles, a kong counting as three."""
        return 3 * len(self.table) + len(self.tiles)

    @property
    def held(self) -> Counter[Tile]:
        """How many of each tile there are, flowers and seasons included."""
        on_table = [tile for group in self.table for tile in group.tiles]
        return Counter([*self.tiles, *on_table, *self.bonus])

    @property
    def deals(self) -> bool:
        """Whether the player is the dealer."""
        return self.seat is Wind.E if self.dealer is None else self.dealer

    @property
    def claimed(self) -> bool:
        """Whether the last tile was claimed from another player."""
        return self.won and self.way in CLAIMS

    @property
    def kongs(self) -> int:
        """How many kongs were declared."""
        return sum(group.kind is Kind.KONG for group in self.table)


def most_of(tile: Tile) -> int:
    """How many of that tile there are in a set of tiles."""
    return 1 if tile in BONUS_TILES else 4


def left_of(tile: Tile, draft: Draft, used: Mapping[Tile, int] = NOTHING_USED) -> int:
    """How many of that tile may still be tapped; `used`: how many others at the table hold."""
    return max(0, most_of(tile) - draft.held[tile] - used.get(tile, 0))


def with_tiles(draft: Draft, tiles: Iterable[Tile]) -> Draft:
    """The draft with these tiles more, in the hand or beside it."""
    more = tuple(tiles)
    bonus = tuple(tile for tile in more if tile in BONUS_TILES)
    playing = tuple(tile for tile in more if tile not in BONUS_TILES)
    return replace(draft, tiles=draft.tiles + playing, bonus=draft.bonus + bonus)


def without_tiles(draft: Draft, tiles: Iterable[Tile]) -> Draft:
    """The draft without these tiles, which are in the hand: those tapped last are taken."""
    left = list(reversed(draft.tiles))
    for tile in tiles:
        left.remove(tile)
    return replace(draft, tiles=tuple(reversed(left)))


def without_bonus(draft: Draft, tile: Tile) -> Draft:
    """The draft without that flower or season."""
    return replace(draft, bonus=tuple(other for other in draft.bonus if other != tile))


def laying(draft: Draft, group: TileSet) -> Draft:
    """The draft with one set more on the table."""
    return replace(draft, table=(*draft.table, group))


def changing(draft: Draft, old: TileSet, *new: TileSet) -> Draft:
    """The draft with a set on the table replaced, or gone."""
    place = draft.table.index(old)
    return replace(draft, table=(*draft.table[:place], *new, *draft.table[place + 1 :]))


def without_jokers(draft: Draft) -> Draft:
    """The draft without jokers and the sets that they stand in."""
    return replace(
        draft,
        tiles=tuple(tile for tile in draft.tiles if tile != JOKER),
        table=tuple(group for group in draft.table if not group.jokers),
    )
