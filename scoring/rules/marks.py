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
    DRAGONS,
    FLOWERS,
    HONOURS,
    JOKER,
    OWN_FLOWER as _FLOWER_OF,
    OWN_SEASON as _SEASON_OF,
    PLAYING_TILES,
    SEASONS,
    SUITS,
    TERMINALS,
    WINDS,
    Tile,
    Wind,
)

_places = count()


def _mark() -> int:
    return 1 << next(_places)


HOLDS: Final = {tile: _mark() for tile in PLAYING_TILES}
SET_OF: Final = {tile: _mark() for tile in PLAYING_TILES}
CONCEALED_SET_OF: Final = {tile: _mark() for tile in PLAYING_TILES}
SUIT: Final = {suit: _mark() for suit in SUITS}
SUITED, ONE_SUIT, HONOUR, TERMINAL, WIND, DRAGON = (_mark() for _ in range(6))
CHOW, PUNG, KONG, TWO_KONGS, THREE_KONGS, LOOSE = (_mark() for _ in range(6))
EXPOSED, EXPOSED_PUNG, OPENED = (_mark() for _ in range(3))
THREE_CONCEALED, FOUR_CONCEALED, TWO_DRAGON_SETS, THREE_WIND_SETS = (_mark() for _ in range(4))
DRAWN, DRAWN_OR_LOOSE, CLAIMED, CLAIMED_THIRD, FIRST_TURN = (_mark() for _ in range(5))
WON_BY: Final = {way: _mark() for way in WonBy}
FACT: Final = {fact: _mark() for fact in Fact}
EAST, DEALER, GOULASH, ONLY_TILE = (_mark() for _ in range(4))
OWN_FLOWER, OWN_SEASON, ALL_FLOWERS, ALL_SEASONS = (_mark() for _ in range(4))
OWN_BONUS_TILE: Final = _mark()
LAST_TILE: Final = {tile: _mark() for tile in (*PLAYING_TILES, JOKER)}


class Count(NamedTuple):
    """A mark that a hand has with so many of other marks, or more."""

    mark: int
    least: int
    of: int


COUNTS: Final = (
    Count(THREE_CONCEALED, 3, sum(CONCEALED_SET_OF.values())),
    Count(FOUR_CONCEALED, 4, sum(CONCEALED_SET_OF.values())),
    Count(TWO_DRAGON_SETS, 2, sum(SET_OF[tile] for tile in DRAGONS)),
    Count(THREE_WIND_SETS, 3, sum(SET_OF[tile] for tile in WINDS)),
)
COUNTED: Final = sum(count.mark for count in COUNTS)
OF_SETS: Final = sum(
    (
        *(*HOLDS.values(), *SET_OF.values(), *CONCEALED_SET_OF.values(), *SUIT.values()),
        *(SUITED, ONE_SUIT, HONOUR, TERMINAL, WIND, DRAGON),
        *(CHOW, PUNG, KONG, LOOSE, EXPOSED, EXPOSED_PUNG, COUNTED),
    )
)

_KINDS_OF_WAY: Final = {
    DRAWN: {WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.FIRST_DRAW},
    DRAWN_OR_LOOSE: {WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.FIRST_DRAW, WonBy.LOOSE_TILE},
    CLAIMED: CLAIMS,
    FIRST_TURN: {WonBy.FIRST_DISCARD, WonBy.FIRST_DRAW},
}
_OF_WAY: Final[dict[WonBy | None, int]] = {None: 0} | {
    way: WON_BY[way] | sum(mark for mark, ways in _KINDS_OF_WAY.items() if way in ways)
    for way in WonBy
}
_KIND_MARK: Final = {Kind.PAIR: 0, Kind.CHOW: CHOW, Kind.PUNG: PUNG, Kind.KONG: KONG}
_OF_SEAT: Final = {wind: EAST if wind is Wind.E else 0 for wind in Wind}
_FLOWERS, _SEASONS = frozenset(FLOWERS), frozenset(SEASONS)
_OWN: Final = {
    wind: dict.fromkeys(BONUS_TILES, 0)
    | {_FLOWER_OF[wind]: OWN_FLOWER | OWN_BONUS_TILE, _SEASON_OF[wind]: OWN_SEASON | OWN_BONUS_TILE}
    for wind in Wind
}
_FIRST_SUIT: Final = SUIT["B"].bit_length() - 1
_REMEMBERED: Final = 1 << 12
_TILES_IN_A_KONG: Final = 4
_A_THIRD: Final = 3


def _of_a_tile(tile: Tile) -> int:
    if tile in HONOURS:
        return HOLDS[tile] | HONOUR | (WIND if tile in WINDS else DRAGON)
    return HOLDS[tile] | SUITED | SUIT[tile[0]] | (TERMINAL if tile in TERMINALS else 0)


OF_TILE: Final = {tile: _of_a_tile(tile) for tile in PLAYING_TILES} | {JOKER: 0}


def of_tiles(tiles: Iterable[Tile]) -> int:
    """The marks of these tiles, which stand in no set."""
    marks = 0
    for tile in tiles:
        marks |= OF_TILE[tile]
    return marks


def of_set(group: TileSet) -> int:
    """The marks of one set; a joker counts as the tile that it stands for."""
    marks = _KIND_MARK[group.kind] | (EXPOSED if group.exposed else 0)
    if group.kind in {Kind.PUNG, Kind.KONG}:
        marks |= SET_OF[group.tile]
        marks |= EXPOSED_PUNG if group.exposed else CONCEALED_SET_OF[group.tile]
    return marks | of_tiles(group.stands_for)


_HOW_MANY_SUITS: Final = (0, ONE_SUIT, ONE_SUIT, 0, ONE_SUIT, 0, 0, 0)


def counted(marks: int) -> int:
    """The marks of a whole hand, with what only all of its sets and tiles together show."""
    shown = sum(each.mark for each in COUNTS if (marks & each.of).bit_count() >= each.least)
    return marks | shown | _HOW_MANY_SUITS[marks >> _FIRST_SUIT & 7]


def of_circumstances(hand: Hand) -> int:
    """What is known of the hand beside its playing tiles: winds, bonus tiles, how it was won."""
    marks = _OF_SEAT[hand.seat_wind]
    if hand.dealer:
        marks |= DEALER
    if hand.goulash:
        marks |= GOULASH
    if hand.mahjong:
        marks |= _OF_WAY[hand.won_by]
        last = hand.winning_tile
        if last is not None:
            marks |= LAST_TILE[last]
            if marks & CLAIMED and _many(last, hand) == _A_THIRD:
                marks |= CLAIMED_THIRD
    for fact in hand.facts:
        marks |= FACT[fact]
    if hand.bonus:
        marks |= _of_bonus(hand.bonus, hand.seat_wind)
    return marks | _of_table(hand.sets) if hand.sets else marks


def _many(tile: Tile, hand: Hand) -> int:
    """How many there are of the tile, in the hand and on the table."""
    count = hand.concealed.count(tile)
    for group in hand.sets:
        count += group.tiles.count(tile)
    return count


@lru_cache(_REMEMBERED)
def _of_bonus(bonus: tuple[Tile, ...], seat: Wind) -> int:
    own, marks = _OWN[seat], 0
    for tile in bonus:
        marks |= own[tile]
    if len(bonus) >= len(FLOWERS):
        marks |= ALL_FLOWERS if _FLOWERS.issubset(bonus) else 0
        marks |= ALL_SEASONS if _SEASONS.issubset(bonus) else 0
    return marks


def _of_table(sets: Iterable[TileSet]) -> int:
    marks = kongs = 0
    for group in sets:
        if group.exposed:
            marks = OPENED
        if len(group.tiles) == _TILES_IN_A_KONG:
            kongs += 1
    if kongs >= 2:
        marks |= TWO_KONGS if kongs == 2 else TWO_KONGS | THREE_KONGS
    return marks
