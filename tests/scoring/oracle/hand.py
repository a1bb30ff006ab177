"""The hand that a line describes, and what is wrong with the description."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.scoring.oracle.tiles import (
    BONUS,
    CLAIMED,
    FACTS,
    JOKER,
    NUMBER_OF_WIND,
    PLAYING,
    WAYS_TO_WIN,
    Group,
    Groups,
    Tiles,
    run_from,
)

Fields = dict[str, Any]


@dataclass(frozen=True)
class Hand:
    """One player's hand, as a line of the contract describes it."""

    seat: str
    prevailing: str | None
    dealer: bool
    table: Groups
    concealed: Tiles
    bonus: Tiles
    mahjong: bool
    winning: str | None
    won_by: str | None
    facts: Tiles
    players: int
    goulash: bool

    @property
    def is_claimed(self) -> bool:
        """Whether the last tile was another player's."""
        return self.mahjong and self.won_by in CLAIMED

    @property
    def tiles(self) -> Tiles:
        """Every playing tile by its kind; a joker on the table is what it stands for."""
        return self.concealed + tuple(tile for group in self.table for tile in tiles_of(group))

    @property
    def all_in_hand(self) -> bool:
        """Whether the table holds nothing but pungs and chows that nobody has exposed."""
        return not any(group.exposed or group.kind == "kong" for group in self.table)

    @property
    def hidden_tiles(self) -> Tiles:
        """The tiles of the sets that lie on the table unexposed; jokers are jokers."""
        sets = [group for group in self.table if not group.exposed]
        natural = tuple(tile for group in sets for tile in tiles_of(group)[group.jokers :])
        return natural + (JOKER,) * sum(group.jokers for group in sets)

    @property
    def size(self) -> int:
        """How many tiles, a kong counting as three."""
        return len(self.concealed) + 3 * len(self.table)

    @property
    def kongs(self) -> int:
        """How many kongs there are."""
        return sum(group.kind == "kong" for group in self.table)

    @property
    def chows(self) -> int:
        """How many chows lie on the table."""
        return sum(group.kind == "chow" for group in self.table)

    def number_held(self, tile: str) -> int:
        """How many tiles of a kind are in the hand, those that jokers stand for not counted."""
        on_table = [group for group in self.table if group.holds(tile)]
        natural = sum(tiles_of(group).count(tile) - group.jokers for group in on_table)
        return self.concealed.count(tile) + natural


def tiles_of(group: Group) -> Tiles:
    """The tiles that a group shows."""
    if group.kind == "chow":
        return run_from(group.tile)
    return (group.tile,) * {"pair": 2, "pung": 3, "kong": 4}[group.kind]


def read(fields: Fields) -> Hand:
    """The hand of a line in which nothing is wrong."""
    seat = fields.get("seat_wind", "E")
    return Hand(
        seat=seat,
        prevailing=fields.get("prevailing_wind"),
        dealer=fields.get("dealer", seat == "E"),
        table=tuple(laid_down(table_set) for table_set in fields.get("sets", [])),
        concealed=tuple(fields["concealed"]),
        bonus=tuple(fields.get("bonus", [])),
        mahjong=fields["mahjong"],
        winning=fields.get("winning_tile"),
        won_by=fields.get("won_by"),
        facts=tuple(fields.get("facts", [])),
        players=fields.get("players", 4),
        goulash=fields.get("goulash", False),
    )


def laid_down(table_set: Fields) -> Group:
    """A set on the table that is one."""
    tiles = sorted(tile for tile in table_set["tiles"] if tile != JOKER)
    jokers = len(table_set["tiles"]) - len(tiles)
    kind = "kong" if len(table_set["tiles"]) == 4 else "pung" if tiles[0] == tiles[1] else "chow"
    return Group(kind, tiles[0], table_set["exposed"], jokers)


def faults(fields: Fields, *, bonus_tiles: bool, jokers: bool) -> set[str]:
    """The codes of what can be seen to be wrong before any rule of play is asked."""
    missing = {"concealed", "mahjong"} - set(fields)
    if missing:
        return {"missing_field"}
    jokers = jokers and fields.get("goulash", False)
    return {
        *faults_of_words(fields),
        *faults_of_tiles(fields, bonus_tiles=bonus_tiles, jokers=jokers),
        *faults_of_numbers(fields),
    }


def faults_of_words(fields: Fields) -> Iterator[str]:
    if fields.get("seat_wind", "E") not in NUMBER_OF_WIND:
        yield "bad_wind"
    if fields.get("prevailing_wind") not in (None, *NUMBER_OF_WIND):
        yield "bad_wind"
    if fields.get("won_by") not in (None, *WAYS_TO_WIN):
        yield "bad_value"
    if fields.get("players", 4) not in {2, 3, 4, 5}:
        yield "bad_value"
    if not set(fields.get("facts", [])) <= set(FACTS):
        yield "bad_value"


def faults_of_tiles(fields: Fields, *, bonus_tiles: bool, jokers: bool) -> Iterator[str]:
    for tile in playing_tiles(fields):
        if tile in BONUS and bonus_tiles:
            yield "bonus_in_hand"
        elif tile not in PLAYING and not (tile == JOKER and jokers):
            yield "unknown_tile"
    if not set(fields.get("bonus", [])) <= set(BONUS if bonus_tiles else ()):
        yield "unknown_tile"
    if any(not is_set(table_set["tiles"]) for table_set in fields.get("sets", [])):
        yield "bad_set"


def faults_of_numbers(fields: Fields) -> Iterator[str]:
    tile_counts = Counter([*playing_tiles(fields), *fields.get("bonus", [])])
    if any(number > (1 if tile in BONUS else 4) for tile, number in tile_counts.items()):
        yield "too_many_copies"
    yield from faults_of_size(fields)
    winning = fields.get("winning_tile")
    is_claimed = fields["mahjong"] and fields.get("won_by") in CLAIMED
    if winning not in fields["concealed"] and (winning is not None or is_claimed):
        yield "winning_tile_missing"


def faults_of_size(fields: Fields) -> Iterator[str]:
    size = len(fields["concealed"]) + 3 * len(fields.get("sets", []))
    if fields["mahjong"] and size != 14:
        yield "wrong_count"
    if not fields["mahjong"] and size > 13:
        yield "long_hand"


def playing_tiles(fields: Fields) -> list[str]:
    """Every tile on the table or in the hand, bonus tiles apart."""
    set_tiles = [tile for set_tiles in fields.get("sets", []) for tile in set_tiles["tiles"]]
    return set_tiles + list(fields["concealed"])


def is_set(tiles: list[str]) -> bool:
    """Whether these are a chow, or a pung with one joker at most, or a kong with two."""
    natural = sorted(tile for tile in tiles if tile != JOKER)
    if len(tiles) not in {3, 4} or len(natural) < 2:
        return False
    if len(set(natural)) == 1:
        return True
    return len(tiles) == 3 and tuple(natural) == run_from(natural[0])
