"""What sets are worth under a rule set, and tables of what the tiles of one suit are worth in sets.

The tables follow from the page and from the tiles alone. An entry is worked out when it is first
asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from json import dumps
from typing import Final, NamedTuple, TypeVar

from scoring.hands.cuts import HONOURS_START, PART_STARTS, ways_of_part
from scoring.hands.hand import CHOWS_FROM, EXPOSED_FROM, PUNGS_FROM, Kind, TileSet
from scoring.hands.tiles import (
    COUNT_BITS,
    PLAYING_TILES,
    SUIT_BITS,
    SUIT_MASK,
    TILE_PLACE,
    Counts,
    Tile,
    count_of,
)

EntryT = TypeVar("EntryT")
PAIR_SHAPE: Final = 8
_KIND_SHAPE: Final = {Kind.PAIR: PAIR_SHAPE, Kind.CHOW: 1, Kind.PUNG: 0, Kind.KONG: 0}

# The shift of the part in which each tile is, and its place there above that part's tiles.
CLAIM_PLACES: Final = {
    tile: (part * SUIT_BITS, place << SUIT_BITS)
    for tile, (part, place) in ((tile, divmod(place, 9)) for tile, place in TILE_PLACE.items())
}

# By how many there are of a tile: the ways to count them that no other way beats.
StandingWays = Sequence[Sequence[bytes]]

_LAST_CHOW_PLACE: Final = 6
_CHOW_COUNTS: Final = 0x111
_BEST_CACHE_SIZE: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: points, doubles, or the value of a special hand.

    A value that was itself reckoned (Purity's) carries its own lines as `workings`. The lines of
    the rules outlive the hands that they score, so each keeps its JSON once it has been written.
    """

    name: str
    source: str
    tiles: tuple[Tile, ...] = ()
    points: int | None = None
    doubles: int | None = None
    value: int | None = None
    workings: tuple["Line", ...] = ()
    _text: str = field(default="", init=False, repr=False, compare=False)

    @property
    def text(self) -> str:
        """`as_json` as JSON."""
        if not self._text:
            object.__setattr__(self, "_text", dumps(self.as_json()))
        return self._text

    def as_json(self) -> dict[str, object]:
        """The form of `items`: the name, the tiles and what the line is worth."""
        tiles = [*self.tiles]
        if self.points is not None:
            return {"name": self.name, "tiles": tiles, "points": self.points}
        if self.doubles is not None:
            return {"name": self.name, "tiles": tiles, "doubles": self.doubles}
        data: dict[str, object] = {"name": self.name, "tiles": tiles, "value": self.value}
        if self.workings:
            data["workings"] = [line.as_json() for line in self.workings]
        return data


def lines_total(lines: Iterable[Line]) -> int:
    """What the lines come to before the limit: values, and points doubled."""
    points = doubles = values = 0
    for line in lines:
        points += line.points or 0
        doubles += line.doubles or 0
        values += line.value or 0
    return values + (points << doubles)


class Price(NamedTuple):
    """What a set is worth, the marks it gives the hand, and its lines.

    `word`: as many of those marks as the rules ask for (`scoring.rules.verdicts`).
    """

    points: int
    doubles: int
    marks: int
    point_lines: tuple[Line, ...]
    double_lines: tuple[Line, ...]
    word: int
    group: TileSet


class Lookup(dict[int, EntryT]):
    """A table whose entries are worked out when they are first asked for."""

    def __init__(self, entry: Callable[[int], EntryT]) -> None:
        self._entry = entry

    def __missing__(self, key: int) -> EntryT:
        entry = self[key] = self._entry(key)
        return entry


class SetPrices(Lookup[Price]):
    """The price of every set by its code."""

    @cached_property
    def best(self) -> "BestSets":
        """The sets worth most at these prices."""
        return BestSets(self)

    @cached_property
    def standing(self) -> "Lookup[StandingWays]":
        """What equal tiles may stand as, by their place."""
        return Lookup(lambda place: standing_ways(place, self))

    def cut(self, codes: Iterable[int]) -> "Cut":
        """These sets as one cut."""
        points = doubles = word = shape = 0
        point_lines: tuple[Line, ...] = ()
        double_lines: tuple[Line, ...] = ()
        groups = []
        for code in codes:
            its_points, its_doubles, _marks, lines, lines_twice, its_word, group = self[code]
            points += its_points
            doubles += its_doubles
            word |= its_word
            point_lines += lines
            double_lines += lines_twice
            shape += _KIND_SHAPE[group.kind]
            groups.append(group)
        return Cut(points, doubles, word, shape, point_lines, double_lines, tuple(groups))


class Cut(NamedTuple):
    """Tiles of one part of a hand as sets: what they are worth together, and their lines.

    `shape`: 1 for each chow, and PAIR_SHAPE for each pair.
    """

    points: int
    doubles: int
    word: int
    shape: int
    point_lines: tuple[Line, ...]
    double_lines: tuple[Line, ...]
    groups: tuple[TileSet, ...]


Cuts = tuple[Cut, ...]


class WonCuts(dict[Counts, Cuts]):
    """By the tiles of a part: every way to cut them all into sets and at most one pair."""

    def __init__(self, first: int, sets: SetPrices) -> None:
        self._first = first
        self._sets = sets
        self._cuts_by_tiles = ways_of_part(first)

    def __missing__(self, tiles: Counts) -> Cuts:
        splits = self._cuts_by_tiles.get(tiles)
        if splits is None:
            return ()
        first, cut = self._first, self._sets.cut
        cuts = self[tiles] = tuple([cut([first + code for code in split]) for split in splits])
        return cuts


class ClaimedCuts(dict[int, Cuts]):
    """The same with a set exposed that a claimed tile completes, for each such set.

    By the tiles of the part, with the tile above them as CLAIM_PLACES has it.
    """

    def __init__(self, first: int, sets: SetPrices, won: WonCuts) -> None:
        self._first = first
        self._sets = sets
        self._won = won

    def __missing__(self, key: int) -> Cuts:
        place, tiles = divmod(key, 1 << SUIT_BITS)
        won = self._won[tiles]
        if not won:
            return ()
        cuts = self[key] = tuple(self._expose_claims(won, PLAYING_TILES[self._first + place]))
        return cuts

    def _expose_claims(self, won: Cuts, last: Tile) -> Iterator[Cut]:
        for cut in won:
            codes = [group.code for group in cut.groups]
            for number, group in enumerate(cut.groups):
                if last in group.tiles and group.code not in codes[:number]:
                    exposed_codes = [*codes]
                    exposed_codes[number] += EXPOSED_FROM
                    yield self._sets.cut(exposed_codes)


class StandingCuts(dict[Counts, Cuts]):
    """By the tiles of a part of which there are two or more: the ways to count pungs and pairs.

    Ways that another way beats are left out.
    """

    def __init__(self, first: int, sets: SetPrices) -> None:
        self._first = first
        self._sets = sets

    def __missing__(self, tiles: Counts) -> Cuts:
        kinds = (tiles.bit_length() + COUNT_BITS - 1) // COUNT_BITS
        several = [
            self._sets.standing[self._first + place][count]
            for place in range(kinds)
            if (count := count_of(tiles, place)) > 1
        ]
        cuts = self[tiles] = tuple(self._sets.cut(b"".join(splits)) for splits in product(*several))
        return cuts


class PartPrices(NamedTuple):
    """One suit, or the honours, and what its tiles are worth; `shift`: where they are counted."""

    shift: int
    won: WonCuts
    claimed: ClaimedCuts
    standing: StandingCuts


def part_prices(first: int, sets: SetPrices) -> PartPrices:
    """The tables of the part whose first tile has that place."""
    won = WonCuts(first, sets)
    return PartPrices(
        COUNT_BITS * first, won, ClaimedCuts(first, sets, won), StandingCuts(first, sets)
    )


@dataclass(frozen=True, slots=True)
class Prices:
    """For one player's winds: the price of every set, and the tables of every part."""

    sets: SetPrices
    parts: tuple[PartPrices, ...]


def standing_ways(place: int, sets: SetPrices) -> tuple[tuple[bytes, ...], ...]:
    """The ways to count none, one, two, three or four of that tile in pungs and pairs."""
    pair, pung = bytes((place,)), bytes((PUNGS_FROM + place,))
    three, four = (_drop_beaten((pung, pairs), sets) for pairs in (pair, pair * 2))
    return (b"",), (b"",), (pair,), three, four


def _drop_beaten(splits: tuple[bytes, ...], sets: SetPrices) -> tuple[bytes, ...]:
    """The ways that no earlier way equals or beats in both points and doubles."""
    worth = {
        split: (sum(sets[code].points for code in split), sum(sets[code].doubles for code in split))
        for split in splits
    }
    best_splits: list[bytes] = []
    for split in splits:
        points, doubles = worth[split]
        if not any(worth[k][0] >= points and worth[k][1] >= doubles for k in best_splits):
            best_splits.append(split)
    return tuple(best_splits)


class BestStand(NamedTuple):
    """Sets by their codes, and what they score together, in points."""

    points: int
    codes: bytes


class BestSets:
    """What tiles score at most as sets, each set being worth its price.

    Chows, pungs and pairs are all tried, one suit at a time: no set reaches from one suit to
    another. What is left over scores nothing.
    """

    def __init__(self, prices: Mapping[int, Price]) -> None:
        self._prices = prices
        self._best = lru_cache(_BEST_CACHE_SIZE)(self._best_of)

    def among(self, counts: Counts) -> bytes:
        """The codes of the sets worth most that stand in these tiles."""
        kinds = ((first, counts >> COUNT_BITS * first & SUIT_MASK) for first in PART_STARTS)
        return b"".join([self._best(first, tiles).codes for first, tiles in kinds])

    def _best_of(self, first: int, tiles: Counts) -> BestStand:
        """The best of one suit, or of the honours, whose tiles begin at that place."""
        if not tiles:
            return BestStand(0, b"")
        lowest = (tiles & -tiles).bit_length() // COUNT_BITS
        best_stands = []
        for code, set_ in _lowest_tile_sets(first, lowest, tiles):
            best = self._best(first, tiles - set_)
            points = best.points + self._prices[code].points
            best_stands.append(BestStand(points, bytes((code,)) + best.codes))
        best_stands.append(self._best(first, tiles - (1 << COUNT_BITS * lowest)))
        return max(best_stands, key=lambda stand: stand.points)


def _lowest_tile_sets(first: int, lowest: int, tiles: Counts) -> Iterator[tuple[int, Counts]]:
    """The code and the tiles of each set that the lowest tile can stand in."""
    count = count_of(tiles, lowest)
    place = first + lowest
    if count >= 3:
        yield PUNGS_FROM + place, 3 << COUNT_BITS * lowest
    shifted_counts = tiles >> COUNT_BITS * lowest
    is_run = shifted_counts & 0xF and shifted_counts & 0xF0 and shifted_counts & 0xF00
    if is_run and first < HONOURS_START and lowest <= _LAST_CHOW_PLACE:
        yield CHOWS_FROM + place, _CHOW_COUNTS << COUNT_BITS * lowest
    if count >= 2:
        yield place, 2 << COUNT_BITS * lowest
