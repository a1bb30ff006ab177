"""Hands as columns of small numbers: what `score_totals` reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from scoring.hands import CODES, Fact, Hand, WonBy, known_set
from scoring.tiles import BONUS_TILES, JOKER, PLAYING_TILES, Tile, Wind

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]
T = TypeVar("T")

TILES: Final = (*PLAYING_TILES, JOKER)
WAYS: Final = tuple(WonBy)
FACTS: Final = tuple(Fact)
MOST_TILES, MOST_SETS = 14, 4
NO_TILE, NO_WAY = 255, 255
NO_SET, BAD_SET = -1, CODES
NO_WIND: Final = len(Wind)

_PLACE: Final = {tile: place for place, tile in enumerate(TILES)}
_WAY: Final = {way: place for place, way in enumerate(WAYS)}
_WIND: Final = {wind: place for place, wind in enumerate(Wind)}
_FACT_BIT: Final = {fact: 1 << place for place, fact in enumerate(FACTS)}
_BONUS_BIT: Final = {tile: 1 << place for place, tile in enumerate(BONUS_TILES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Many hands, each a column; the fields are those of `scoring.hands.Hand`.

    `concealed`: (14, n), the places of the tiles in PLAYING_TILES, 34 for a joker, NO_TILE where
    there is none. `sets`: (4, n), codes of sets (`TileSet.code`), NO_SET where there is none.
    The others are (n,): winds as their places in Wind (`prevailing_wind` may be NO_WIND), `bonus`
    and `facts` a bit for each of BONUS_TILES and of Fact, `winning_tile` as in `concealed`,
    `won_by` the place in WonBy or NO_WAY.
    """

    concealed: Bytes
    sets: Codes
    seat_wind: Bytes
    prevailing_wind: Bytes
    dealer: Flags
    bonus: Bytes
    mahjong: Flags
    winning_tile: Bytes
    won_by: Bytes
    facts: Bytes
    players: Bytes
    goulash: Flags

    def __len__(self) -> int:
        return self.mahjong.size

    def those(self, chosen: slice | npt.NDArray[np.intp]) -> "Hands":
        """Only those hands."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        if isinstance(chosen, slice):
            return Hands(**{name: column[..., chosen] for name, column in columns.items()})
        return Hands(**{name: column.take(chosen, axis=-1) for name, column in columns.items()})

    def hand(self, number: int) -> Hand:
        """That hand by itself; raises IndexError or ValueError where it is none."""
        tile, way = int(self.winning_tile[number]), int(self.won_by[number])
        prevailing = int(self.prevailing_wind[number])
        winds = tuple(Wind)
        return Hand(
            seat_wind=winds[self.seat_wind[number]],
            prevailing_wind=None if prevailing == NO_WIND else winds[prevailing],
            dealer=bool(self.dealer[number]),
            sets=tuple(known_set(int(code)) for code in self.sets[:, number] if code != NO_SET),
            concealed=tuple(
                TILES[place] for place in self.concealed[:, number] if place != NO_TILE
            ),
            bonus=tuple(named(int(self.bonus[number]), BONUS_TILES)),
            mahjong=bool(self.mahjong[number]),
            winning_tile=None if tile == NO_TILE else TILES[tile],
            won_by=None if way == NO_WAY else WAYS[way],
            facts=frozenset(named(int(self.facts[number]), FACTS)),
            players=int(self.players[number]),
            goulash=bool(self.goulash[number]),
        )


def named(bits: int, names: Sequence[T]) -> list[T]:
    """The names whose bits are set."""
    return [name for place, name in enumerate(names) if bits >> place & 1]


def hands_from(hands: Iterable[Hand]) -> Hands:
    """The hands as columns; one that does not fit holds BAD_SET, which no rules can score."""
    told = list(hands)
    fitting = [_fits(hand) for hand in told]
    tiles = [hand.concealed if fits else () for hand, fits in zip(told, fitting, strict=True)]
    laid = [hand.sets if fits else None for hand, fits in zip(told, fitting, strict=True)]
    codes = [[BAD_SET] if sets is None else [group.code for group in sets] for sets in laid]
    places = [[_PLACE[tile] for tile in held] for held in tiles]
    return Hands(
        concealed=_rows(places, NO_TILE, MOST_TILES).astype(np.uint8),
        sets=_rows(codes, NO_SET, MOST_SETS),
        seat_wind=_bytes(_WIND[hand.seat_wind] for hand in told),
        prevailing_wind=_bytes(
            NO_WIND if hand.prevailing_wind is None else _WIND[hand.prevailing_wind]
            for hand in told
        ),
        dealer=_flags(hand.dealer for hand in told),
        bonus=_bytes(_bits(_BONUS_BIT.get(tile, 0) for tile in hand.bonus) for hand in told),
        mahjong=_flags(hand.mahjong for hand in told),
        winning_tile=_bytes(_place(hand.winning_tile) for hand in told),
        won_by=_bytes(NO_WAY if hand.won_by is None else _WAY[hand.won_by] for hand in told),
        facts=_bytes(_bits(_FACT_BIT[fact] for fact in hand.facts) for hand in told),
        players=_bytes(hand.players for hand in told),
        goulash=_flags(hand.goulash for hand in told),
    )


def _fits(hand: Hand) -> bool:
    """Whether the columns can hold it: known tiles, no bonus tile twice or out of its place."""
    return (
        len(hand.concealed) <= MOST_TILES
        and len(hand.sets) <= MOST_SETS
        and all(group.code >= 0 for group in hand.sets)
        and all(tile in _PLACE for tile in (*hand.concealed, hand.winning_tile or JOKER))
        and len({*hand.bonus} & {*BONUS_TILES}) == len(hand.bonus)
    )


def _place(tile: Tile | None) -> int:
    return NO_TILE if tile is None else _PLACE.get(tile, NO_TILE)


def _bits(several: Iterable[int]) -> int:
    return sum(several) & 255


def _bytes(numbers: Iterable[int]) -> Bytes:
    return np.fromiter(numbers, np.uint8)


def _flags(flags: Iterable[bool]) -> Flags:
    return np.fromiter(flags, np.bool_)


def _rows(columns: Sequence[Sequence[int]], empty: int, rows: int) -> Codes:
    """The columns side by side, each filled up with `empty`."""
    filled = [[*column, *[empty] * (rows - len(column))] for column in columns]
    return np.array(filled, np.int16).reshape(len(columns), rows).T
