"""What sets and cuts are worth under a rule set, as arrays to look up.

Several small numbers ride in one: a `Field` says where. They are added up all at once.
"""

from collections.abc import Iterable
from itertools import product
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scoring import marks
from scoring.batch.cuts import Cuts, cuts_of
from scoring.batch.hands import NO_SET
from scoring.batch.piles import HIGH, KINDS, LOW, SET_CODES, Numbers, Places
from scoring.batch.questions import Vocabulary, Words
from scoring.book import Book, Prices
from scoring.hands import CHOWS_FROM, EXPOSED_FROM, PUNGS_FROM, Hand, Kind, codes_of, known_set
from scoring.tiles import PLAYING_TILES, Wind

T = TypeVar("T", np.int64, np.uint64)


class Field(NamedTuple):
    """A small number within a larger one."""

    shift: int
    bits: int

    def of(self, numbers: Numbers) -> Numbers:
        """The field of each."""
        return (numbers >> self.shift) & ((1 << self.bits) - 1)

    def holding(self, much: int) -> int:
        """The number in which the field is so much and every other nothing."""
        return much << self.shift


POINTS, DOUBLES = Field(0, 20), Field(20, 8)
SETS, CHOWS, KONGS, FIXED = Field(28, 4), Field(32, 4), Field(36, 4), Field(40, 4)
PAIRS = Field(44, 6)
SINGLES, TWOS, THREES, FOURS = Field(28, 6), Field(34, 6), Field(40, 6), Field(46, 6)
THIRDS: Final = (Field(50, 4), Field(54, 4), Field(58, 4))
MANY_WAYS: Final = Field(52, 6)

WIND_PAIRS: Final = tuple(product(Wind, (*Wind, None)))
_NEXT_TWO: Final = 1 + 5
_FIRST_OF_THIRDS: Final = "147"
_COLUMNS: Final = SET_CODES + 2
_NO_CUT: Final = PAIRS.holding(8)


class Looked(NamedTuple):
    """Numbers and words in one table; `offset` is where those of each pair of winds begin."""

    numbers: Numbers
    words: Words
    offset: Places

    def at(self, places: Places, winds: Places) -> tuple[Numbers, Words]:
        """What stands at those places."""
        rows = places + self.offset.take(winds)
        return self.numbers.take(rows, mode="clip"), self.words.take(rows, mode="clip")


def _different(numbers: Numbers, words: Words) -> tuple[Places, Places]:
    """The rows that differ from all before them, and which of those each row equals."""
    both = np.concatenate([numbers, words.view(np.int64)], axis=1)
    _rows, first, which = np.unique(both, axis=0, return_index=True, return_inverse=True)
    return first, which.ravel().astype(np.intp)


class SetPrices:
    """The price of every set for each pair of winds (rows); columns are codes and one more."""

    def __init__(self, book: Book, vocabulary: Vocabulary) -> None:
        self.numbers = np.zeros((len(WIND_PAIRS), _COLUMNS), np.int64)
        self.words = np.zeros((len(WIND_PAIRS), _COLUMNS), np.uint64)
        for row, (seat, prevailing) in enumerate(WIND_PAIRS):
            prices = book.prices(seat, prevailing).sets
            for code in _all_codes():
                price = prices[code]
                worth = POINTS.holding(price.points) + DOUBLES.holding(price.doubles)
                self.numbers[row, code + 1] = worth + _shape(code)
                self.words[row, code + 1] = vocabulary.word(price.marks)

    def on_table(self, vocabulary: Vocabulary) -> Looked:
        """The sets as they lie on the table."""
        laid = np.zeros(_COLUMNS, np.uint64)
        for code in _all_codes():
            alone = Hand(seat_wind=Wind.S, sets=(known_set(code),))
            laid[code + 1] = vocabulary.word(marks.of_circumstances(alone))
        offset = np.arange(len(WIND_PAIRS)) * _COLUMNS
        return Looked(self.numbers.ravel(), (self.words | laid).ravel(), offset)

    def of_cuts(self, part: int) -> Looked:
        """The rows of the cuts of a part, each as a whole."""
        places = _moved(cuts_of(KINDS[part]), part)
        used = np.unique(places)
        first, which = _different(self.numbers[:, used], self.words[:, used])
        numbers, words = self.numbers[first], self.words[first]
        whole = np.add.reduce([numbers[:, column] for column in places.T])
        held = np.bitwise_or.reduce([words[:, column] for column in places.T])
        whole[:, 0] = _NO_CUT
        return Looked(whole.ravel(), held.ravel(), which * len(places))

    def completing(self, part: int, times: int) -> Looked:
        """The rows of cuts, nothing exposed: the set that a tile completes counts so many times."""
        places = _moved(cuts_of(KINDS[part]), part)
        completed = places > EXPOSED_FROM
        concealed = places - EXPOSED_FROM * completed
        used = np.unique(concealed)
        first, which = _different(self.numbers[:, used], self.words[:, used])
        numbers, words = self.numbers[first], self.words[first]
        whole = np.add.reduce([numbers[:, column] for column in concealed.T])
        for column, again in zip(concealed.T, completed.T, strict=True):
            whole += (times - 1) * POINTS.of(numbers[:, column]) * again
        held = np.bitwise_or.reduce([words[:, column] for column in concealed.T])
        whole[:, 0] = _NO_CUT
        return Looked(whole.ravel(), held.ravel(), which * len(places))

    def most_standing(self, part: int) -> Looked:
        """By the number of a pile, the most points of sets that stand in it."""
        places = range(9 * part, 9 * part + KINDS[part])
        codes = [place + 1 + kind for kind in (0, CHOWS_FROM, PUNGS_FROM) for place in places]
        first, which = _different(self.numbers[:, codes], self.words[:, codes])
        most = [_most(POINTS.of(self.numbers[row, codes]).reshape(3, -1)) for row in first]
        whole = np.concatenate(most)
        return Looked(whole, np.zeros(1, np.uint64), which * most[0].size)


def _most(points: Numbers) -> Numbers:
    """By the number of a pile, the most that pairs, chows and pungs (rows) of its kinds give.

    Kind by kind from the last: the lowest tile of a pile stands in a set or is left over.
    """
    kinds = points.shape[1]
    most = np.zeros(5**kinds, np.int64)
    for place in reversed(range(kinds)):
        pair, chow, pung = points[:, place]
        held = most[:: 5**place].reshape(-1, 5)
        others = np.arange(len(held))
        runs = kinds == 9 and place < 7
        run = others[runs & (others % 5 > 0) & (others // 5 % 5 > 0)]
        for many in range(1, 5):
            best = held[:, many - 1].copy()
            if many >= 2:
                best = np.maximum(best, held[:, many - 2] + pair)
            if many >= 3:
                best = np.maximum(best, held[:, many - 3] + pung)
            best[run] = np.maximum(best[run], held[run - _NEXT_TWO, many - 1] + chow)
            held[:, many] = best
        most[:: 5**place] = held.ravel()
    return most


def _all_codes() -> Iterable[int]:
    for kind, exposed in product(Kind, (False, True)):
        yield from codes_of(kind, exposed=exposed)


def _shape(code: int) -> int:
    group = known_set(code)
    number = SETS.holding(1)
    if group.kind is Kind.PAIR:
        number += PAIRS.holding(1)
    if group.kind is Kind.CHOW:
        number += CHOWS.holding(1)
        if group.tile[1] in _FIRST_OF_THIRDS:
            number += THIRDS[_FIRST_OF_THIRDS.index(group.tile[1])].holding(1)
    if group.kind is Kind.KONG:
        number += KONGS.holding(1)
    return number + FIXED.holding(group.exposed or group.kind is Kind.KONG)


def _moved(cuts: Cuts, part: int) -> Places:
    """The places of the sets in the prices, moved to their own suit."""
    moved = np.where(cuts.groups == NO_SET, 0, cuts.groups + 1 + 9 * part)
    return moved.astype(np.intp)


class Standing:
    """What a player who did not win holds of a part: its sets, and every tile."""

    def __init__(self, book: Book, vocabulary: Vocabulary, part: int) -> None:
        places = range(9 * part, 9 * part + KINDS[part])
        prices = [book.prices(seat, prevailing) for seat, prevailing in WIND_PAIRS]
        numbers = np.array([[_standing(one, place) for place in places] for one in prices])
        words = np.array(
            [[_held(one, place, vocabulary) for place in places] for one in prices], np.uint64
        )
        tiles = np.array([_loose(place, vocabulary) for place in places], np.uint64)
        self.low = _half(numbers[:, :5], words[:, :5], LOW)
        self.high = _half(numbers[:, 5:], words[:, 5:], HIGH + 1)
        self.loose_low = _each(np.bitwise_or, tiles[:5], LOW)
        self.loose_high = _each(np.bitwise_or, tiles[5:], HIGH + 1)


def _standing(prices: Prices, place: int) -> list[int]:
    """The numbers of none, one, two, three and four of a tile."""
    numbers = [0, *(field.holding(1) for field in (SINGLES, TWOS, THREES, FOURS))]
    for many, ways in enumerate(prices.standing[place]):
        several = [prices.sets[code] for code in ways[0]]
        numbers[many] += POINTS.holding(sum(price.points for price in several))
        numbers[many] += DOUBLES.holding(sum(price.doubles for price in several))
        numbers[many] += MANY_WAYS.holding(len(ways) - 1)
    return numbers


def _held(prices: Prices, place: int, vocabulary: Vocabulary) -> list[np.uint64]:
    """The words of none, one, two, three and four of a tile, as the sets that they stand as."""
    held = [0] + 4 * [marks.OF_TILE[PLAYING_TILES[place]]]
    for many, ways in enumerate(prices.standing[place]):
        for code in ways[0]:
            held[many] |= prices.sets[code].marks
    return [vocabulary.word(several) for several in held]


def _loose(place: int, vocabulary: Vocabulary) -> list[np.uint64]:
    held = vocabulary.word(marks.OF_TILE[PLAYING_TILES[place]])
    return [np.uint64(0), held, held, held, held]


def _half(numbers: Numbers, words: Words, size: int) -> Looked:
    """A table by the digits of half a pile's number, from what so many of each kind are."""
    rows = len(numbers)
    first, which = _different(numbers.reshape(rows, -1), words.reshape(rows, -1))
    whole = [_each(np.add, numbers[row], size) for row in first]
    held = [_each(np.bitwise_or, words[row], size) for row in first]
    return Looked(np.concatenate(whole), np.concatenate(held), which * size)


def _each(join: np.ufunc, kinds: npt.NDArray[T], size: int) -> npt.NDArray[T]:
    """What each number comes to whose digits count the kinds; nothing beyond the last of them."""
    table = np.zeros(1, kinds.dtype)
    for kind in kinds:
        table = join.outer(kind, table).ravel()
    whole = np.zeros(size, kinds.dtype)
    whole[: table.size] = table
    return whole
