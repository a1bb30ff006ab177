"""The marks of a hand: one bit for each thing that a rule may ask about.

A hand's marks are one whole number: the marks of its sets, of its tiles and of how it was won, put
together with `|`. A rule then asks about all of them at once (`scoring.rules.conditions`).
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

from scoring.hands.hand import CLAIMS, Fact, Hand, Kind, TileSet, WonBy
from scoring.hands.tiles import (
    BONUS_TILES,
    DRAGON_TILES,
    FLOWER_OF_WIND as _FLOWER_OF,
    FLOWER_TILES,
    HONOURS,
    JOKER,
    PLAYING_TILES,
    SEASON_OF_WIND as _SEASON_OF,
    SEASON_TILES,
    SUITS,
    TERMINALS,
    WIND_TILES,
    Tile,
    Wind,
)

_bit_numbers = count()
_FLOWER_SET, _SEASON_SET = frozenset(FLOWER_TILES), frozenset(SEASON_TILES)
_BONUS_CACHE_SIZE: Final = 1 << 12
_TILES_IN_A_KONG: Final = 4
_THREE_OF_A_KIND: Final = 3


def _next_mark() -> int:
    return 1 << next(_bit_numbers)


HOLDS: Final = {tile: _next_mark() for tile in PLAYING_TILES}
SET_OF: Final = {tile: _next_mark() for tile in PLAYING_TILES}
CONCEALED_SET_OF: Final = {tile: _next_mark() for tile in PLAYING_TILES}
SUIT: Final = {suit: _next_mark() for suit in SUITS}
SUITED, ONE_SUIT, HONOUR, TERMINAL, WIND, DRAGON = (_next_mark() for _ in range(6))
CHOW, PUNG, KONG, TWO_KONGS, THREE_KONGS, LOOSE = (_next_mark() for _ in range(6))
EXPOSED, EXPOSED_PUNG, OPENED = (_next_mark() for _ in range(3))
THREE_CONCEALED, FOUR_CONCEALED, TWO_DRAGON_SETS, THREE_WIND_SETS = (_next_mark() for _ in range(4))
DRAWN, DRAWN_OR_LOOSE, CLAIMED, CLAIMED_THIRD, FIRST_TURN = (_next_mark() for _ in range(5))
WON_BY: Final = {won_by: _next_mark() for won_by in WonBy}
FACT: Final = {fact: _next_mark() for fact in Fact}
EAST, DEALER, GOULASH, ONLY_TILE = (_next_mark() for _ in range(4))
OWN_FLOWER, OWN_SEASON, ALL_FLOWERS, ALL_SEASONS = (_next_mark() for _ in range(4))
OWN_BONUS_TILE: Final = _next_mark()
LAST_TILE: Final = {tile: _next_mark() for tile in (*PLAYING_TILES, JOKER)}


class Count(NamedTuple):
    """A mark that a hand has with so many of other marks, or more."""

    mark: int
    least: int
    mask: int


COUNTS: Final = (
    Count(THREE_CONCEALED, 3, sum(CONCEALED_SET_OF.values())),
    Count(FOUR_CONCEALED, 4, sum(CONCEALED_SET_OF.values())),
    Count(TWO_DRAGON_SETS, 2, sum(SET_OF[tile] for tile in DRAGON_TILES)),
    Count(THREE_WIND_SETS, 3, sum(SET_OF[tile] for tile in WIND_TILES)),
)
COUNTED_MARKS: Final = sum(count.mark for count in COUNTS)
SET_MARKS: Final = sum(
    (
        *(*HOLDS.values(), *SET_OF.values(), *CONCEALED_SET_OF.values(), *SUIT.values()),
        *(SUITED, ONE_SUIT, HONOUR, TERMINAL, WIND, DRAGON),
        *(CHOW, PUNG, KONG, LOOSE, EXPOSED, EXPOSED_PUNG, COUNTED_MARKS),
    )
)

_WAYS_BY_MARK: Final = {
    DRAWN: {WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.FIRST_DRAW},
    DRAWN_OR_LOOSE: {WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.FIRST_DRAW, WonBy.LOOSE_TILE},
    CLAIMED: CLAIMS,
    FIRST_TURN: {WonBy.FIRST_DISCARD, WonBy.FIRST_DRAW},
}
_WAY_MARKS: Final[dict[WonBy | None, int]] = {None: 0} | {
    won_by: WON_BY[won_by]
    | sum(mark for mark, won_by_group in _WAYS_BY_MARK.items() if won_by in won_by_group)
    for won_by in WonBy
}
_KIND_MARKS: Final = {Kind.PAIR: 0, Kind.CHOW: CHOW, Kind.PUNG: PUNG, Kind.KONG: KONG}
_SEAT_MARKS: Final = {wind: EAST if wind is Wind.E else 0 for wind in Wind}
_OWN_BONUS_MARKS: Final = {
    wind: dict.fromkeys(BONUS_TILES, 0)
    | {_FLOWER_OF[wind]: OWN_FLOWER | OWN_BONUS_TILE, _SEASON_OF[wind]: OWN_SEASON | OWN_BONUS_TILE}
    for wind in Wind
}
_FIRST_SUIT_BIT: Final = SUIT["B"].bit_length() - 1


def _tile_marks(tile: Tile) -> int:
    if tile in HONOURS:
        return HOLDS[tile] | HONOUR | (WIND if tile in WIND_TILES else DRAGON)
    return HOLDS[tile] | SUITED | SUIT[tile[0]] | (TERMINAL if tile in TERMINALS else 0)


OF_TILE: Final = {tile: _tile_marks(tile) for tile in PLAYING_TILES} | {JOKER: 0}


def of_tiles(tiles: Iterable[Tile]) -> int:
    """The marks of these tiles, which stand in no set."""
    marks = 0
    for tile in tiles:
        marks |= OF_TILE[tile]
    return marks


def of_set(group: TileSet) -> int:
    """The marks of one set; a joker counts as the tile that it stands for."""
    marks = _KIND_MARKS[group.kind] | (EXPOSED if group.exposed else 0)
    if group.kind in {Kind.PUNG, Kind.KONG}:
        marks |= SET_OF[group.tile]
        marks |= EXPOSED_PUNG if group.exposed else CONCEALED_SET_OF[group.tile]
    return marks | of_tiles(group.stands_for)


_ONE_SUIT_MARKS: Final = (0, ONE_SUIT, ONE_SUIT, 0, ONE_SUIT, 0, 0, 0)


def add_counted_marks(marks: int) -> int:
    """The marks of a whole hand, with what only all of its sets and tiles together show."""
    count_marks = sum(
        count_mark.mark
        for count_mark in COUNTS
        if (marks & count_mark.mask).bit_count() >= count_mark.least
    )
    return marks | count_marks | _ONE_SUIT_MARKS[marks >> _FIRST_SUIT_BIT & 7]


def of_circumstances(hand: Hand) -> int:
    """What is known of the hand beside its playing tiles: winds, bonus tiles, how it was won."""
    marks = _SEAT_MARKS[hand.seat_wind]
    if hand.dealer:
        marks |= DEALER
    if hand.goulash:
        marks |= GOULASH
    if hand.mahjong:
        marks |= _WAY_MARKS[hand.won_by]
        last = hand.winning_tile
        if last is not None:
            marks |= LAST_TILE[last]
            if marks & CLAIMED and _count_tile(last, hand) == _THREE_OF_A_KIND:
                marks |= CLAIMED_THIRD
    for fact in hand.facts:
        marks |= FACT[fact]
    if hand.bonus:
        marks |= _bonus_marks(hand.bonus, hand.seat_wind)
    return marks | _table_marks(hand.sets) if hand.sets else marks


def _count_tile(tile: Tile, hand: Hand) -> int:
    """How many there are of the tile, in the hand and on the table."""
    count = hand.concealed.count(tile)
    for group in hand.sets:
        count += group.tiles.count(tile)
    return count


@lru_cache(_BONUS_CACHE_SIZE)
def _bonus_marks(bonus: tuple[Tile, ...], seat: Wind) -> int:
    tile_marks, marks = _OWN_BONUS_MARKS[seat], 0
    for tile in bonus:
        marks |= tile_marks[tile]
    if len(bonus) >= len(FLOWER_TILES):
        marks |= ALL_FLOWERS if _FLOWER_SET.issubset(bonus) else 0
        marks |= ALL_SEASONS if _SEASON_SET.issubset(bonus) else 0
    return marks


def _table_marks(sets: Iterable[TileSet]) -> int:
    marks = kongs = 0
    for group in sets:
        if group.exposed:
            marks = OPENED
        if len(group.tiles) == _TILES_IN_A_KONG:
            kongs += 1
    if kongs >= 2:
        marks |= TWO_KONGS if kongs == 2 else TWO_KONGS | THREE_KONGS
    return marks
