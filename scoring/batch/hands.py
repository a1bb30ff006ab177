"""Hands as columns of small numbers, their tiles as piles, and the shapes of special hands."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from itertools import permutations, product
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scoring.hands import tiles as counting
from scoring.hands.cuts import ways_by_counts
from scoring.hands.hand import (
    EXPOSED_FROM,
    SET_CODE_COUNT,
    Fact,
    Hand,
    Kind,
    WonBy,
    set_codes,
    set_of,
)
from scoring.hands.tiles import (
    BONUS_TILES,
    COUNT_BITS,
    JOKER,
    PLAYING_TILES,
    SUIT_BITS,
    SUIT_TILES,
    TILE_PLACE,
    Counts,
    Tile,
    Wind,
)
from scoring.rules.shapes import KnittedPairs, KnittedThrees, Listed, SevenPairs, Shape, Unrelated

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.int16]
Flags = npt.NDArray[np.bool_]
ItemT = TypeVar("ItemT")

TILE_ORDER: Final = (*PLAYING_TILES, JOKER)
WAY_ORDER: Final = tuple(WonBy)
FACT_ORDER: Final = tuple(Fact)
MAX_TILES, MAX_SETS = 14, 4
NO_TILE, NO_WAY = 255, 255
NO_SET, BAD_SET = -1, SET_CODE_COUNT
NO_WIND: Final = len(Wind)

_TILE_INDEX: Final[dict[Tile | None, int]] = {tile: place for place, tile in enumerate(TILE_ORDER)}
_WAY_INDEX: Final = {won_by: place for place, won_by in enumerate(WAY_ORDER)}
_WIND_INDEX: Final = {wind: place for place, wind in enumerate(Wind)}
_FACT_BIT: Final = {fact: 1 << place for place, fact in enumerate(FACT_ORDER)}
_BONUS_BIT: Final = {tile: 1 << place for place, tile in enumerate(BONUS_TILES)}
Piles = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
Words = npt.NDArray[np.uint64]
PART_COUNT: Final = 4
KINDS_IN_PART: Final = (9, 9, 9, 7)
LOW_SIZE: Final = 5**5
HIGH_SIZE: Final = 5**4
_INVALID_PILE: Final = LOW_SIZE * HIGH_SIZE
_POWERS: Final = 5 ** np.arange(9, dtype=np.int32)
SET_CODES: Final = 2 * EXPOSED_FROM
_MAX_GROUPS: Final = 5
_ONES: Final = np.uint64(0x111111111)
_UNIT: Final = np.uint64(1)
_EIGHTS: Final = np.uint64(8) * _ONES
_FOURS: Final = np.uint64(4) * _ONES

_HASH_FACTORS: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)
_SUIT_ROTATIONS: Final = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
_HASH_SHIFT: Final = np.uint64(48)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Many hands, each a column; the fields are those of `scoring.hands.hand.Hand`.

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

    def those(self, places: slice | npt.NDArray[np.intp]) -> "Hands":
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        if isinstance(places, slice):
            return Hands(**{name: column[..., places] for name, column in columns.items()})
        return Hands(**{name: column.take(places, axis=-1) for name, column in columns.items()})

    def hand(self, number: int) -> Hand:
        """That hand by itself; raises IndexError or ValueError where it is none."""
        tile, won_by_index = int(self.winning_tile[number]), int(self.won_by[number])
        prevailing = int(self.prevailing_wind[number])
        winds = tuple(Wind)
        return Hand(
            seat_wind=winds[self.seat_wind[number]],
            prevailing_wind=None if prevailing == NO_WIND else winds[prevailing],
            dealer=bool(self.dealer[number]),
            sets=tuple(set_of(int(code)) for code in self.sets[:, number] if code != NO_SET),
            concealed=tuple(
                TILE_ORDER[place] for place in self.concealed[:, number] if place != NO_TILE
            ),
            bonus=tuple(select_by_bits(int(self.bonus[number]), BONUS_TILES)),
            mahjong=bool(self.mahjong[number]),
            winning_tile=None if tile == NO_TILE else TILE_ORDER[tile],
            won_by=None if won_by_index == NO_WAY else WAY_ORDER[won_by_index],
            facts=frozenset(select_by_bits(int(self.facts[number]), FACT_ORDER)),
            players=int(self.players[number]),
            goulash=bool(self.goulash[number]),
        )


def select_by_bits(bits: int, names: Sequence[ItemT]) -> list[ItemT]:
    return [name for place, name in enumerate(names) if bits >> place & 1]


def hands_from(hands: Iterable[Hand]) -> Hands:
    """The hands as columns; one that does not fit holds BAD_SET, which no rules can score."""
    hand_list = list(hands)
    # Whether the columns can hold it: known tiles, no bonus tile twice or out of its place.
    fitting = [
        (
            len(hand.concealed) <= MAX_TILES
            and len(hand.sets) <= MAX_SETS
            and all(group.code >= 0 for group in hand.sets)
            and all(tile in _TILE_INDEX for tile in (*hand.concealed, hand.winning_tile or JOKER))
            and len({*hand.bonus} & {*BONUS_TILES}) == len(hand.bonus)
        )
        for hand in hand_list
    ]
    flagged_hands = list(zip(hand_list, fitting, strict=True))
    codes = [
        [group.code for group in hand.sets] if fits else [BAD_SET] for hand, fits in flagged_hands
    ]
    places = [
        [_TILE_INDEX[tile] for tile in hand.concealed] if fits else []
        for hand, fits in flagged_hands
    ]
    return Hands(
        concealed=_padded_rows(places, NO_TILE, MAX_TILES).astype(np.uint8),
        sets=_padded_rows(codes, NO_SET, MAX_SETS),
        seat_wind=_byte_array(_WIND_INDEX[hand.seat_wind] for hand in hand_list),
        prevailing_wind=_byte_array(
            NO_WIND if hand.prevailing_wind is None else _WIND_INDEX[hand.prevailing_wind]
            for hand in hand_list
        ),
        dealer=_flag_array(hand.dealer for hand in hand_list),
        bonus=_byte_array(
            _combine_bits(_BONUS_BIT.get(tile, 0) for tile in hand.bonus) for hand in hand_list
        ),
        mahjong=_flag_array(hand.mahjong for hand in hand_list),
        winning_tile=_byte_array(_TILE_INDEX.get(hand.winning_tile, NO_TILE) for hand in hand_list),
        won_by=_byte_array(
            NO_WAY if hand.won_by is None else _WAY_INDEX[hand.won_by] for hand in hand_list
        ),
        facts=_byte_array(
            _combine_bits(_FACT_BIT[fact] for fact in hand.facts) for hand in hand_list
        ),
        players=_byte_array(hand.players for hand in hand_list),
        goulash=_flag_array(hand.goulash for hand in hand_list),
    )


def _combine_bits(several: Iterable[int]) -> int:
    return sum(several) & 255


def _byte_array(numbers: Iterable[int]) -> Bytes:
    return np.fromiter(numbers, np.uint8)


def _flag_array(flags: Iterable[bool]) -> Flags:
    return np.fromiter(flags, np.bool_)


def _padded_rows(columns: Sequence[Sequence[int]], empty: int, rows: int) -> Codes:
    """The columns side by side, each filled up with `empty`."""
    padded_columns = [[*column, *[empty] * (rows - len(column))] for column in columns]
    return np.array(padded_columns, np.int16).reshape(len(columns), rows).T


def part_and_digit(place: int) -> tuple[int, int]:
    """The part of a pile, and its digit, that count the tile at that place of PLAYING_TILES."""
    return divmod(place, 9)


def _tile_piles() -> Piles:
    piles = np.zeros((256, PART_COUNT), np.int32)
    piles[:, 0] = _INVALID_PILE
    for place in range(len(PLAYING_TILES)):
        part, digit = part_and_digit(place)
        piles[place] = 0
        piles[place, part] = 5**digit
    piles[NO_TILE] = 0
    return piles


def _set_piles() -> Piles:
    """By code and one more, so that the first is NO_SET; the last stands for all that are none."""
    piles = np.zeros((SET_CODES + 2, PART_COUNT), np.int32)
    piles[1:, 0] = _INVALID_PILE
    for kind in (Kind.CHOW, Kind.PUNG, Kind.KONG):
        for code in (*set_codes(kind, exposed=False), *set_codes(kind, exposed=True)):
            piles[code + 1] = sum(TILE_PILES[TILE_PLACE[tile]] for tile in set_of(code).tiles)
    return piles


TILE_PILES: Final = _tile_piles()
SET_PILES: Final = _set_piles()


def piles_of_tiles(tiles: Bytes) -> Piles:
    """The piles (4, n) of tiles (14, n)."""
    pile = TILE_PILES.take(tiles[0], axis=0)
    for column in tiles[1:]:
        pile += TILE_PILES.take(column, axis=0)
    return np.ascontiguousarray(pile.T)


def piles_of_sets(sets: Codes) -> Piles:
    """The piles (4, n) of the tiles of sets (4, n)."""
    pile = SET_PILES.take(sets[0] + 1, axis=0, mode="clip")
    for column in sets[1:]:
        pile += SET_PILES.take(column + 1, axis=0, mode="clip")
    return np.ascontiguousarray(pile.T)


def count_in_piles(pile: Piles, tiles: Bytes) -> Piles:
    """How many of one tile there are in each pile; of no tile, anything."""
    part, digit = np.divmod(tiles.astype(np.intp), 9)
    row = np.minimum(part, PART_COUNT - 1) * tiles.size
    numbers = pile.ravel().take(row + np.arange(tiles.size))
    return numbers // _POWERS.take(digit) % 5


def halves(pile: Piles) -> tuple[Places, Places]:
    """Each number's five lower digits and its others, at most HIGH, where there are too many."""
    high = pile // LOW_SIZE
    low = pile - high * LOW_SIZE
    return low.astype(np.intp), np.minimum(high, HIGH_SIZE).astype(np.intp)


def digits(number: int, kinds: int) -> list[int]:
    """How many of each kind that number of a pile counts."""
    return [number // 5**place % 5 for place in range(kinds)]


def _packed_counts(size: int, kinds: int) -> Words:
    counts = [
        sum(digit << COUNT_BITS * place for place, digit in enumerate(digits(number, kinds)))
        for number in range(size)
    ]
    return np.array(counts, np.uint64)


_LOW_COUNTS: Final = _packed_counts(LOW_SIZE, 5)
_HIGH_COUNTS: Final = _packed_counts(HIGH_SIZE, 4) << np.uint64(5 * COUNT_BITS)


def counts_of(pile: Piles) -> Words:
    """The same tiles counted as `scoring.hands.tiles` counts them, for each part (4, n)."""
    low, high = halves(pile)
    return _LOW_COUNTS.take(low) | _HIGH_COUNTS.take(high, mode="clip")


class Cuts(NamedTuple):
    """The rows of a suit, or of the honours: each a way to cut some pile.

    `groups` (rows, 5): the codes of the row's sets as if of the first suit, NO_SET where there
    are fewer; row 0 cuts nothing. `pile_index`: by the number of a pile, which it is of those that
    can be cut, 0 for none. `first` and `row_counts`: by slot, the rows of a pile.
    """

    kinds: int
    groups: Codes
    pile_index: npt.NDArray[np.int16]
    first: npt.NDArray[np.int32]
    row_counts: npt.NDArray[np.uint8]

    def slots(self, pile: Places, claimed_place: Places) -> Places:
        """Where the rows of each pile are told; `claimed_place`: one more than its digit, or 0.

        Each set that a claimed tile could complete is a row, and the set is exposed.
        """
        return (
            self.pile_index.take(pile, mode="clip").astype(np.intp) * (self.kinds + 1)
            + claimed_place
        )


@cache
def cuts_of(kinds: int) -> Cuts:
    """The ways to cut a part of a pile that counts so many kinds of tile."""
    splits_by_counts = ways_by_counts(kinds, chows=kinds == 9)
    pile_slots = np.zeros(5**kinds, np.int16)
    pile_slots[[_pile_number(counts) for counts in splits_by_counts]] = np.arange(
        1, len(splits_by_counts) + 1
    )
    groups = _padded_rows(
        [split for several in splits_by_counts.values() for split in several], NO_SET, _MAX_GROUPS
    ).T
    slots = np.repeat(
        np.arange(1, len(splits_by_counts) + 1), [*map(len, splits_by_counts.values())]
    ) * (kinds + 1)
    rows = [_padded_rows([b""], NO_SET, _MAX_GROUPS).T, groups]
    owners = [np.zeros(1, np.intp), slots]
    for column, digit in product(range(_MAX_GROUPS), range(kinds)):
        # The rows where a tile could complete that set, and no equal set that stands before it.
        set_column = groups[:, column]
        completed_flags: Flags = np.isin(set_column, _sets_containing(digit))
        for earlier_column in range(column):
            completed_flags &= groups[:, earlier_column] != set_column
        exposed_rows = groups[completed_flags]
        exposed_rows[:, column] += EXPOSED_FROM
        rows.append(exposed_rows)
        owners.append(slots[completed_flags] + digit + 1)
    # The rows in the order of their slots; a slot without any has row 0.
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    row_counts = np.bincount(owner, minlength=(len(splits_by_counts) + 1) * (kinds + 1))
    first = np.where(row_counts, np.cumsum(row_counts) - row_counts, 0).astype(np.int32)
    sorted_rows = np.concatenate(rows)[order]
    return Cuts(kinds, sorted_rows, pile_slots, first, np.maximum(row_counts, 1).astype(np.uint8))


def _pile_number(counts: Counts) -> int:
    """The number of a pile of tiles so counted."""
    number, unit = 0, 1
    while counts:
        number += unit * (counts & 15)
        counts, unit = counts >> COUNT_BITS, unit * 5
    return number


@cache
def _sets_containing(digit: int) -> list[int]:
    """The codes of the first suit's sets that hold that tile."""
    kinds = (Kind.PAIR, Kind.CHOW, Kind.PUNG)
    codes = [code for kind in kinds for code in set_codes(kind, exposed=False)]
    return [code for code in codes if SUIT_TILES[digit] in set_of(code).tiles]


def _suit_tile_counts(tile_count: int) -> Words:
    """So many of every suit tile in turn (4, 27, 1)."""
    counts = np.zeros((PART_COUNT, 27, 1), np.uint64)
    for suit, number in product(range(3), range(9)):
        counts[suit, 9 * suit + number] = tile_count << COUNT_BITS * number
    return counts


_ONE_OF_A_SUIT: Final = _suit_tile_counts(1)
_FOURS_OF_A_SUIT: Final = _suit_tile_counts(4)


def matches_shape(shape: Shape, counts: Words) -> Flags:
    """Which of these hands of fourteen tiles are the shape."""
    match shape:
        case SevenPairs():
            return (
                _has_only_named(shape, counts)
                & ~_has_any(counts & _ONES)
                & ~_has_forbidden_repeats(shape, counts)
            )
        case KnittedPairs():
            return (counts[3] == 0) & _is_knitted(shape, counts)
        case KnittedThrees():
            threes = (counts[3] == 0) & _is_knitted_threes(shape, counts)
            if shape.honours:
                threes |= _is_pair(counts[3]) & _have_equal_suits(counts)
            return threes
        case Listed():
            return _hand_index(shape.hands).holds(counts)
        case Unrelated():
            return _are_all_different(counts, shape.is_complete)
    return _test_each(shape.is_complete, counts)


def is_one_short(shape: Shape, counts: Words) -> Flags:
    """Which of these hands of thirteen tiles are one tile short of the shape."""
    match shape:
        case SevenPairs():
            return (
                _has_only_named(shape, counts)
                & (np.bitwise_count(counts & _ONES).sum(axis=0, dtype=np.uint8) == 1)
                & ~_has_forbidden_repeats(shape, counts)
            )
        case KnittedPairs():
            return (counts[3] == 0) & _is_nearly_knitted(shape, counts)
        case KnittedThrees():
            suited_places = np.flatnonzero(counts[3] == 0)
            of_suits = counts[:, np.newaxis, suited_places]
            could_come = (of_suits & _FOURS_OF_A_SUIT == 0).all(axis=0)
            flags = np.zeros(counts.shape[1:], np.bool_)
            flags[suited_places] = (
                could_come & _is_knitted_threes(shape, of_suits + _ONE_OF_A_SUIT)
            ).any(axis=0)
            if shape.honours:
                flags |= _is_single_tile(counts[3]) & _have_equal_suits(counts)
                for first, two, third in _SUIT_ROTATIONS:
                    one_short = (counts[first] == counts[two]) & _is_single_tile(
                        counts[first] - counts[third]
                    )
                    flags |= _is_pair(counts[3]) & one_short
            return flags
        case Listed():
            return _hand_index(shape.one_short).holds(counts)
        case Unrelated():
            return _are_all_different(counts, shape.lacks_one_tile)
    return _test_each(shape.lacks_one_tile, counts)


def split_counts(counts: counting.Counts) -> Words:
    """Counts in one number as a row for each suit and one for the honours."""
    suit = (1 << SUIT_BITS) - 1
    return np.array([counts >> SUIT_BITS * part & suit for part in range(PART_COUNT)], np.uint64)


def _test_each(predicate: Callable[[counting.Counts], bool], counts: Words) -> Flags:
    return np.array(
        [
            predicate(sum(int(row) << SUIT_BITS * part for part, row in enumerate(column)))
            for column in counts.T
        ],
        np.bool_,
    )


def _are_all_different(counts: Words, predicate: Callable[[counting.Counts], bool]) -> Flags:
    """Which of the hands without two of any tile are so."""
    flags = ~_has_any(counts & ~_ONES)
    flags[flags] = _test_each(predicate, counts[:, flags])
    return flags


def _has_any(counts: Words) -> Flags:
    return np.bitwise_or.reduce(counts) != 0


def _has_only_named(shape: SevenPairs, counts: Words) -> Flags:
    other_tiles = ~split_counts(counting.tiles_mask(shape.of))
    return ~_has_any(counts & other_tiles[:, np.newaxis])


def _has_forbidden_repeats(shape: SevenPairs, counts: Words) -> Flags:
    """Which hold three or four of a kind where every pair must be of another kind."""
    if not shape.different:
        return np.zeros(counts.shape[1:], np.bool_)
    return _has_any(counts & _FOURS | counts & counts >> _UNIT & _ONES)


def _is_single_tile(counts: Words) -> Flags:
    """Where there is one tile and no more."""
    return (counts & _ONES == counts) & (counts & (counts - _UNIT) == 0) & (counts != 0)


def _is_knitted(shape: KnittedPairs, counts: Words) -> Flags:
    """Where every tile has its partner in another suit."""
    if not shape.same_suits:
        # Every number even in all, and not more of one suit than of the two others.
        total = counts[0] + counts[1] + counts[2]
        return (total & _ONES == 0) & _is_balanced(counts, total)
    flags = np.zeros(counts.shape[1:], np.bool_)
    for first, two, third in _SUIT_ROTATIONS:
        flags |= (counts[third] == 0) & (counts[first] == counts[two])
    return flags


def _is_nearly_knitted(shape: KnittedPairs, counts: Words) -> Flags:
    """Where one tile lacks its partner."""
    if not shape.same_suits:
        total = counts[0] + counts[1] + counts[2]
        odd_bits = total & _ONES
        return (np.bitwise_count(odd_bits) == 1) & _is_balanced(counts, total + odd_bits)
    flags = np.zeros(counts.shape[1:], np.bool_)
    for first, two, third in permutations(range(3)):
        flags |= (counts[third] == 0) & _is_single_tile(counts[first] - counts[two])
    return flags


def _is_balanced(counts: Words, total: Words) -> Flags:
    """Where no suit has more than half of any number, `total` being even in each."""
    half = (total >> _UNIT) | _EIGHTS
    room = np.full(total.shape, _EIGHTS)
    for suit in counts[:3]:
        room &= half - suit
    return room & _EIGHTS == _EIGHTS


def _is_knitted_threes(shape: KnittedThrees, counts: Words) -> Flags:
    """Every number alike in the suits, but for two of one number."""
    flags = np.zeros(counts.shape[1:], np.bool_)
    for first, two, three in (counts[list(suits)] for suits in _SUIT_ROTATIONS):
        flags |= (first == two) & _is_single_tile(first - three)
        if shape.two_alike:
            flags |= (first == two) & _is_pair(three - first)
    return flags


def _have_equal_suits(counts: Words) -> Flags:
    """Where the three suits hold every number alike."""
    return (counts[0] == counts[1]) & (counts[1] == counts[2])


def _is_pair(tiles: Words) -> Flags:
    """Where the tiles are two of one kind."""
    return (tiles & _UNIT == 0) & _is_single_tile(tiles >> _UNIT)


def add_tile(counts: Words, part: int, digit: int) -> Words:
    new_counts = counts.copy()
    new_counts[part] += _UNIT << np.uint64(COUNT_BITS * digit)
    return new_counts


class _HandIndex(NamedTuple):
    """Hands in the order of a number made of them, and which numbers begin like one of them."""

    hands: Words
    numbers: Words
    begins: Flags

    def holds(self, counts: Words) -> Flags:
        numbers = _hash_hands(counts)
        flags = self.begins.take((numbers >> _HASH_SHIFT).astype(np.intp))
        likely = np.flatnonzero(flags)
        positions = np.searchsorted(self.numbers, numbers[likely])
        indexes = np.minimum(positions, self.numbers.size - 1)
        flags[likely] = (self.hands[:, indexes] == counts[:, likely]).all(axis=0)
        return flags


@lru_cache(maxsize=64)
def _hand_index(hands: frozenset[counting.Counts]) -> _HandIndex:
    hand_counts = np.stack([split_counts(hand) for hand in hands], axis=1)
    numbers = _hash_hands(hand_counts)
    order = np.argsort(numbers)
    begins = np.zeros(1 << 64 - int(_HASH_SHIFT), np.bool_)
    begins[(numbers >> _HASH_SHIFT).astype(np.intp)] = True
    return _HandIndex(hand_counts[:, order], numbers[order], begins)


def _hash_hands(counts: Words) -> Words:
    """A number made of each hand; hands that differ have different ones, but for ill luck."""
    hashes = counts[0] * _HASH_FACTORS[0]
    for row, factor in zip(counts[1:], _HASH_FACTORS[1:], strict=True):
        hashes ^= row * factor
    return hashes
