"""One player's hand as the table reports it, and as the engine reads it in sets."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from json import dumps
from typing import cast

from scoring.hands.problems import BadHand, Code, Problem
from scoring.hands.tiles import (
    JOKER,
    PLAYING_TILES,
    SORT_ORDER,
    SUIT_TILES,
    SUITS,
    TILE_NAMES,
    TILE_PLACE,
    Counts,
    Tile,
    Wind,
    count_tiles,
    sort_tiles,
)

_CHOW_TILES = {
    tile: (tile, SUIT_TILES[place + 1], SUIT_TILES[place + 2])
    for place, tile in enumerate(SUIT_TILES)
    if tile[1] <= "7"
}

KINDS_OF_TILE = len(PLAYING_TILES)
CHOWS_FROM, PUNGS_FROM = KINDS_OF_TILE, 2 * KINDS_OF_TILE
EXPOSED_FROM = 4 * KINDS_OF_TILE
JOKERS_FROM = 2 * EXPOSED_FROM
SET_CODE_COUNT = 4 * JOKERS_FROM


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


CLAIMS = frozenset({WonBy.DISCARD, WonBy.LAST_DISCARD, WonBy.FIRST_DISCARD, WonBy.ROBBED_KONG})


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
_SIZE_BY_KIND = {kind: size for size, kind in _KIND_BY_SIZE.items()}
_KIND_ORDER = tuple(Kind)


@dataclass(frozen=True, slots=True)
class TileSet:
    """A pair, chow, pung or kong; `tile` is the tile it is made of, a chow's lowest.

    `code`, 0 to CODES, says all that: the place of the tile, and so much more for a chow, a pung
    or a kong, for an exposed set, and for each joker. -1: flowers, seasons or tiles
    that are no such set, which no hand may hold. `counts` are its tiles counted
    (`scoring.hands.tiles`), jokers left out.
    """

    kind: Kind
    tile: Tile
    tiles: tuple[Tile, ...]
    exposed: bool
    code: int = field(init=False, repr=False, compare=False)
    counts: Counts = field(init=False, repr=False, compare=False)
    _text: str = field(default="", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        code = -1
        if self._is_set():
            first = first_set_code(self.kind, exposed=self.exposed, jokers=self.jokers)
            code = first + TILE_PLACE[self.tile]
        object.__setattr__(self, "code", code)
        object.__setattr__(
            self, "counts", count_tiles([tile for tile in self.tiles if tile in TILE_PLACE])
        )

    def _is_set(self) -> bool:
        """Whether the tiles are what the kind and the tile say."""
        if self.kind is Kind.CHOW:
            return self.tiles == _CHOW_TILES.get(self.tile)
        equal_count = self.tiles.count(self.tile) + self.jokers
        return (
            self.tile in TILE_PLACE and equal_count == len(self.tiles) == _SIZE_BY_KIND[self.kind]
        )

    @property
    def stands_for(self) -> tuple[Tile, ...]:
        """The different tiles of the set, a joker counting as the tile that it stands for."""
        return self.tiles if self.kind is Kind.CHOW else (self.tile,)

    @property
    def jokers(self) -> int:
        return self.tiles.count(JOKER)

    def as_json(self) -> dict[str, object]:
        """The form of `sets` and of `arrangement`."""
        return {"tiles": list(self.tiles), "exposed": self.exposed}

    @property
    def text(self) -> str:
        """The same as JSON, kept once it has been written."""
        if not self._text:
            object.__setattr__(self, "_text", dumps(self.as_json()))
        return self._text


def first_set_code(kind: Kind, *, exposed: bool, jokers: int = 0) -> int:
    """The code of such a set of the tile at place 0; that of another tile is so much more."""
    code = _KIND_ORDER.index(kind) * KINDS_OF_TILE + jokers * JOKERS_FROM
    return code + EXPOSED_FROM if exposed else code


def set_codes(kind: Kind, *, exposed: bool) -> list[int]:
    """The codes of all sets of that kind without jokers."""
    first = first_set_code(kind, exposed=exposed)
    if kind is Kind.CHOW:
        return [first + TILE_PLACE[tile] for tile in _CHOW_TILES]
    return [first + place for place in range(KINDS_OF_TILE)]


@cache
def set_of(code: int) -> TileSet:
    jokers, remainder = divmod(code, JOKERS_FROM)
    exposed, remainder = divmod(remainder, EXPOSED_FROM)
    number, place = divmod(remainder, KINDS_OF_TILE)
    kind, tile = _KIND_ORDER[number], PLAYING_TILES[place]
    if kind is Kind.CHOW:
        return TileSet(kind, tile, _CHOW_TILES[tile], bool(exposed))
    tiles = (tile,) * (_SIZE_BY_KIND[kind] - jokers) + (JOKER,) * jokers
    return TileSet(kind, tile, tiles, bool(exposed))


def unknown_tile_problems(path: str, tiles: Iterable[Tile]) -> list[Problem]:
    """The codes among these that are no tile's; `path` is the field that has them."""
    return [
        Problem(
            Code.UNKNOWN_TILE, f"{path}.{place}", {"found": tile, "expected": "the code of a tile"}
        )
        for place, tile in enumerate(tiles)
        if tile not in SORT_ORDER
    ]


def read_set(tiles: Sequence[Tile], *, exposed: bool) -> TileSet | None:
    """The set that the tiles make, jokers standing in for equal tiles; None if none.

    Raises BadHand with each code that is no tile's.
    """
    if problems := unknown_tile_problems("tiles", tiles):
        raise BadHand(problems)
    genuine = sort_tiles(tile for tile in tiles if tile != JOKER)
    jokers = (JOKER,) * (len(tiles) - len(genuine))
    if genuine and len(set(genuine)) == 1 and len(tiles) in _KIND_BY_SIZE:
        return TileSet(_KIND_BY_SIZE[len(tiles)], genuine[0], genuine + jokers, exposed)
    if genuine and not jokers and genuine == chow_from(genuine[0]):
        return TileSet(Kind.CHOW, genuine[0], genuine, exposed)
    return None


def chow_from(lowest: Tile) -> tuple[Tile, Tile, Tile] | None:
    """The three tiles of the chow that begins there; None for an 8, a 9 or an honour."""
    return _CHOW_TILES.get(lowest)


@dataclass(frozen=True, kw_only=True)
class Hand:
    """One player's hand: the fields of a line of `score`, read and typed.

    `dealer`: East unless said otherwise. `sound_under`: the rule set that has found no problem
    with the tiles, so that it need not look again; a hand that is changed or copied is looked over
    anew. `notices`: what was worth saying when the hand was read.
    """

    seat_wind: Wind = Wind.E
    prevailing_wind: Wind | None = None
    dealer: bool = cast("bool", None)
    sets: tuple[TileSet, ...] = ()
    concealed: tuple[Tile, ...] = ()
    bonus: tuple[Tile, ...] = ()
    mahjong: bool = False
    winning_tile: Tile | None = None
    won_by: WonBy | None = None
    facts: frozenset[Fact] = frozenset()
    players: int = 4
    goulash: bool = False
    notices: tuple[Problem, ...] = field(default=(), repr=False, compare=False)
    sound_under: object = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if cast("bool | None", self.dealer) is None:
            object.__setattr__(self, "dealer", self.seat_wind is Wind.E)

    def mark_sound(self, rules: object) -> None:
        """Remember that these rules have no problem with the tiles."""
        object.__setattr__(self, "sound_under", rules)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "sound_under"}

    @property
    def size(self) -> int:
        """The number of playing tiles, a kong counting as three."""
        return 3 * len(self.sets) + len(self.concealed)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every playing tile, in the hand and on the table."""
        return (*self.concealed, *(tile for group in self.sets for tile in group.tiles))

    @property
    def claimed(self) -> bool:
        """Whether the last tile was claimed from another player."""
        return self.mahjong and self.won_by in CLAIMS


def join_words(phrases: Iterable[str], *, last: str = "and") -> str:
    """Words in a row: `East, South and West`; at least one word."""
    *most, final = phrases
    return f"{', '.join(most)} {last} {final}" if most else final


def quantity(count: int, noun: str) -> str:
    """So many of a thing: `1 double`, `2 doubles`, `no jokers`; the noun takes an s."""
    if count == 1:
        return f"1 {noun}"
    return f"{f'{count:,}' if count else 'no'} {noun}s"


def times_text(count: int) -> str:
    """How often: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def with_article(name: str) -> str:
    """The name after `a` or `an`."""
    return f"an {name}" if name[0] in "8E" else f"a {name}"


def any_of_tiles(tiles: Collection[Tile]) -> str:
    """One of these tiles: `a 2, 3 or 8 of bamboos or a green dragon`; at least one tile."""
    names: list[str] = []
    for suit in SUITS:
        if of_suit := [tile for tile in sort_tiles(tiles) if tile[0] == suit]:
            _number, _space, suit_name = TILE_NAMES[of_suit[0]].partition(" ")
            numbers = join_words([tile[1] for tile in of_suit], last="or")
            names.append(with_article(f"{numbers} {suit_name}"))
    other_tiles = [tile for tile in sort_tiles(tiles) if tile[0] not in SUITS]
    return join_words(
        [*names, *(with_article(TILE_NAMES[tile]) for tile in other_tiles)], last="or"
    )


def set_names(groups: Iterable[TileSet]) -> str:
    """Several sets in words, equal ones together: `two chows 1 2 3 of circles and pung of …`."""
    names = []
    for group, count in Counter(groups).items():
        kind, _space, description = set_name(group).partition(" ")
        several = f"{('one', 'two', 'three', 'four')[count - 1]} {kind}s {description}"
        names.append(several if count > 1 else set_name(group))
    return join_words(names)


def set_name(group: TileSet) -> str:
    """The set in words: `pung of 5s of circles`, `chow 1 2 3 of bamboos`, `pair of East winds`."""
    name = TILE_NAMES[group.tile]
    number, _space, suit_name = name.partition(" ")
    if group.kind is Kind.CHOW:
        return f"chow {' '.join(tile[1] for tile in group.tiles)} {suit_name}"
    several = f"{number}s {suit_name}" if number.isdigit() else f"{name}s"
    return f"{group.kind} of {several}"
