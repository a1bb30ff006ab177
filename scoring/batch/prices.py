"""What a rule set asks of hands and what sets and cuts are worth, as arrays to look up.

A hand's marks (`scoring.rules.marks`) are more than a machine word holds. A rule set asks about few
of them, and of many only whether any is there at all, so all it asks about fits into one word.

Several small numbers ride in one: a `Field` says where. They are added up all at once.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import groupby, product
from operator import attrgetter, or_
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scoring.batch.hands import (
    FACTS,
    HIGH,
    KINDS,
    LOW,
    NO_SET,
    PARTS,
    SET_CODES,
    TILES,
    WAYS,
    Flags,
    Hands,
    Numbers,
    Piles,
    Places,
    Words,
    cuts_of,
    held_of,
    named,
)
from scoring.hands.hand import (
    CHOWS_FROM,
    CLAIMS,
    EXPOSED_FROM,
    PUNGS_FROM,
    Hand,
    Kind,
    codes_of,
    known_set,
)
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, Tile, Wind
from scoring.rules import marks
from scoring.rules.conditions import Asks
from scoring.rules.declarations import Reach
from scoring.rules.prices import Prices
from scoring.rules.rule_set import Book, RuleSet
from scoring.rules.shapes import Shape
from scoring.rules.verdicts import Worth, alike

_OF_THEIR_OWN: Final = (*marks.SUIT.values(), marks.ONE_SUIT)
_SUITS: Final = np.uint64(7)
_ONE_SUIT: Final = np.uint64(8)
_MOST: Final = 64


class Question(NamedTuple):
    """What is asked of a word, `word & mask == want`, and what holding is worth."""

    mask: np.uint64
    want: np.uint64
    much: int

    def holds(self, words: Words) -> Flags:
        return (words & self.mask) == self.want


class Vocabulary:
    """The marks that a rule set asks about, in one word.

    Marks that every question treats alike share a bit. A question whether all of several are there
    keeps their bits apart, since it treats each like no other.
    """

    def __init__(self, conditions: Iterable[Asks]) -> None:
        others = ~sum(_OF_THEIR_OWN)
        shared = alike((each.mask & others, each.want & others) for each in conditions)
        self._shared = [*_OF_THEIR_OWN, *shared]
        self.size = len(self._shared)

    def word(self, bits: int) -> np.uint64:
        """The word of these marks; ONE_SUIT is not told from the suits."""
        return np.uint64(sum(1 << bit for bit, mark in enumerate(self._shared) if bits & mark))

    def words(self, several: Iterable[int]) -> Words:
        return np.array([self.word(bits) for bits in several], np.uint64)

    def question(self, condition: Asks, much: int = 0) -> Question:
        return Question(self.word(condition.mask), self.word(condition.want), much)

    def worths(self, lines: Iterable[Worth]) -> list[Question]:
        """What the lines ask, and give."""
        return [self.question(line, line.much) for line in lines]


def all_asked(book: Book) -> Iterator[Asks]:
    """Everything that the rules ask of a hand's marks."""
    yield from (*book.points, *book.doubles_won, *book.doubles_standing)
    yield from book.set_forms
    yield from book.loose_forms
    for doubled in book.doubled_forms:
        yield doubled
        yield from doubled.points
    yield from book.standing_forms
    if book.last_tile:
        yield book.last_tile


_NOT_IN_ARRAYS: Final = marks.COUNTED | marks.THREE_KONGS


@lru_cache(maxsize=64)
def fits_arrays(rules: RuleSet) -> bool:
    """Whether whole arrays of hands can be scored; under other rules hands are, one by one.

    Several limits, two suits for special hands alone and sets that are counted are not in arrays,
    nor is what asks about more than fits into one word.
    """
    asked = [*all_asked(rules.book)]
    is_split = rules.limits or (rules.one_suit and rules.one_suit.but_special)
    if is_split or any(each.mask & _NOT_IN_ARRAYS for each in asked):
        return False
    return Vocabulary(asked).size <= _MOST


def of_one_suit(words: Words) -> Flags:
    """Whether the suit tiles are all of one suit; so are none."""
    suits = words & _SUITS
    return suits & (suits - (suits != 0)) == 0


def with_suits_counted(words: Words) -> Words:
    """The same words, and whether the hand's suit tiles are all of one suit."""
    return words | (of_one_suit(words) & (words & _SUITS != 0)) * _ONE_SUIT


def much(questions: Iterable[Question], words: Words) -> Numbers:
    """What those of the questions that each hand holds are worth together."""
    total = np.zeros(words.shape, np.int64)
    for question in questions:
        total += question.holds(words) * np.int64(question.much)
    return total


def highest(questions: Iterable[Question], words: Words) -> Numbers:
    """The most that one of the questions that each hand holds is worth; 0 where none is held."""
    most = np.zeros(words.shape, np.int64)
    by_worth = attrgetter("much")
    for worth, equal in groupby(sorted(questions, key=by_worth), key=by_worth):
        answered = np.zeros(words.shape, np.bool_)
        for question in equal:
            answered |= question.holds(words)
        most = np.maximum(most, answered * np.int64(worth))
    return most


_ALL_BONUS: Final = 1 << len(BONUS_TILES)
_WAYS: Final = (*WAYS, None)
_LAST_TILES: Final = (*TILES, None)
_UP_TO_FOUR: Final = range(5)
_CLAIMS: Final = np.array([way in CLAIMS for way in _WAYS])


class Circumstances:
    """The words of everything that `marks.of_circumstances` tells of a hand."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        def words(hands: Iterable[Hand]) -> Words:
            return vocabulary.words(marks.of_circumstances(hand) for hand in hands)

        every_bonus = [tuple(named(bits, BONUS_TILES)) for bits in range(_ALL_BONUS)]
        every_fact = [frozenset(named(bits, FACTS)) for bits in range(1 << len(FACTS))]
        kong = known_set(codes_of(Kind.KONG, exposed=False)[0])
        self._seat = words(
            Hand(seat_wind=wind, dealer=False, bonus=bonus)
            for wind, bonus in product(Wind, every_bonus)
        )
        self._dealer = words(Hand(seat_wind=Wind.S, dealer=dealer) for dealer in (False, True))
        self._facts = words(Hand(seat_wind=Wind.S, facts=facts) for facts in every_fact)
        self._kongs = words(Hand(seat_wind=Wind.S, sets=(kong,) * many) for many in _UP_TO_FOUR)
        self._end = words(
            Hand(
                seat_wind=Wind.S,
                mahjong=True,
                won_by=way,
                winning_tile=tile,
                concealed=(tile or Tile(""),) * many,
            )
            for way, tile, many in product(_WAYS, _LAST_TILES, _UP_TO_FOUR)
        )

    def words(self, hands: Hands, kongs: Numbers, whole: Piles) -> Words:
        """The words of hands with so many kongs, whose tiles are all in those piles."""
        seat = hands.seat_wind.astype(np.intp) * _ALL_BONUS + hands.bonus
        known = self._seat.take(seat, mode="clip") | self._dealer.take(hands.dealer)
        known |= self._facts.take(hands.facts, mode="clip") | self._kongs.take(kongs, mode="clip")
        if hands.mahjong.any():
            end = _way(hands) * len(_LAST_TILES)
            end += np.minimum(hands.winning_tile, len(TILES))
            end *= len(_UP_TO_FOUR)
            end += held_of(whole, hands.winning_tile)
            known |= self._end.take(end) * hands.mahjong
        return known


def claimed(hands: Hands) -> Flags:
    """Whether each hand's last tile was claimed from another player."""
    return _CLAIMS.take(_way(hands)) & hands.mahjong


def _way(hands: Hands) -> Places:
    return np.minimum(hands.won_by, len(WAYS)).astype(np.intp)


T = TypeVar("T", np.int64, np.uint64)


class Field(NamedTuple):
    """A small number within a larger one."""

    shift: int
    bits: int

    def of(self, numbers: Numbers) -> Numbers:
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
                fixed = FIXED.holding(group.exposed or group.kind is Kind.KONG)
                self.numbers[row, code + 1] = worth + number + fixed
                self.words[row, code + 1] = vocabulary.word(price.marks)

    def on_table(self, vocabulary: Vocabulary) -> Looked:
        """The sets as they lie on the table."""
        laid = np.zeros(_COLUMNS, np.uint64)
        for code in _all_codes():
            alone = Hand(seat_wind=Wind.S, sets=(known_set(code),))
            laid[code + 1] = vocabulary.word(marks.of_circumstances(alone))
        offset = np.arange(len(WIND_PAIRS)) * _COLUMNS
        return Looked(self.numbers.ravel(), (self.words | laid).ravel(), offset)

    def of_cuts(self, part: int, *, times: int | None = None) -> Looked:
        """The rows of the cuts of a part, each as a whole.

        `times`: with nothing exposed, the set that a tile completes counting so many times.
        """
        cuts = cuts_of(KINDS[part])
        places = np.where(cuts.groups == NO_SET, 0, cuts.groups + 1 + 9 * part).astype(np.intp)
        completed = places > EXPOSED_FROM
        if times is not None:
            places -= EXPOSED_FROM * completed
        used = np.unique(places)
        first, which = _different(self.numbers[:, used], self.words[:, used])
        numbers, words = self.numbers[first], self.words[first]
        whole = np.add.reduce([numbers[:, column] for column in places.T])
        if times is not None:
            for column, again in zip(places.T, completed.T, strict=True):
                whole += (times - 1) * POINTS.of(numbers[:, column]) * again
        marks_held = np.bitwise_or.reduce([words[:, column] for column in places.T])
        whole[:, 0] = _NO_CUT
        return Looked(whole.ravel(), marks_held.ravel(), which * len(places))

    def most_standing(self, part: int) -> Looked:
        """By the number of a pile, the most points of sets that stand in it."""
        places = range(9 * part, 9 * part + KINDS[part])
        codes = [place + 1 + kind for kind in (0, CHOWS_FROM, PUNGS_FROM) for place in places]
        first, which = _different(self.numbers[:, codes], self.words[:, codes])
        most = [_most(POINTS.of(self.numbers[row, codes]).reshape(3, -1)) for row in first]
        return Looked(np.concatenate(most), np.zeros(1, np.uint64), which * most[0].size)


def _most(points: Numbers) -> Numbers:
    """By the number of a pile, the most that pairs, chows and pungs (rows) of its kinds give.

    Kind by kind from the last: the lowest tile of a pile stands in a set or is left over.
    """
    kinds = points.shape[1]
    most = np.zeros(5**kinds, np.int64)
    for place in reversed(range(kinds)):
        pair, chow, pung = points[:, place]
        by_place = most[:: 5**place].reshape(-1, 5)
        others = np.arange(len(by_place))
        runs = kinds == 9 and place < 7
        run = others[runs & (others % 5 > 0) & (others // 5 % 5 > 0)]
        for many in range(1, 5):
            best = by_place[:, many - 1].copy()
            if many >= 2:
                best = np.maximum(best, by_place[:, many - 2] + pair)
            if many >= 3:
                best = np.maximum(best, by_place[:, many - 3] + pung)
            best[run] = np.maximum(best[run], by_place[run - _NEXT_TWO, many - 1] + chow)
            by_place[:, many] = best
        most[:: 5**place] = by_place.ravel()
    return most


def _all_codes() -> Iterable[int]:
    for kind, exposed in product(Kind, (False, True)):
        yield from codes_of(kind, exposed=exposed)


class Standing:
    """What a player who did not win holds of a part: its sets, and every tile."""

    def __init__(self, book: Book, vocabulary: Vocabulary, part: int) -> None:
        places = range(9 * part, 9 * part + KINDS[part])
        prices = [book.prices(seat, prevailing) for seat, prevailing in WIND_PAIRS]
        held = [[_standing(price, place, vocabulary) for place in places] for price in prices]
        numbers = np.array([[counted for counted, _words in row] for row in held])
        words = np.array([[words for _counted, words in row] for row in held], np.uint64)
        loose = vocabulary.words(marks.OF_TILE[PLAYING_TILES[place]] for place in places)
        tiles = np.outer(loose, np.array([0, 1, 1, 1, 1], np.uint64))
        self.low = _half(numbers[:, :5], words[:, :5], LOW)
        self.high = _half(numbers[:, 5:], words[:, 5:], HIGH + 1)
        self.loose_low = _each(np.bitwise_or, tiles[:5], LOW)
        self.loose_high = _each(np.bitwise_or, tiles[5:], HIGH + 1)


def _standing(
    prices: Prices, place: int, vocabulary: Vocabulary
) -> tuple[list[int], list[np.uint64]]:
    """The numbers and words of none, one, two, three and four of a tile, as they stand in sets."""
    numbers = [0, *(field.holding(1) for field in (SINGLES, TWOS, THREES, FOURS))]
    by_count = [0] + 4 * [marks.OF_TILE[PLAYING_TILES[place]]]
    for many, ways in enumerate(prices.sets.standing[place]):
        several = [prices.sets[code] for code in ways[0]]
        by_count[many] |= reduce(or_, (price.marks for price in several), 0)
        numbers[many] += POINTS.holding(sum(price.points for price in several))
        numbers[many] += DOUBLES.holding(sum(price.doubles for price in several))
        numbers[many] += MANY_WAYS.holding(len(ways) - 1)
    return numbers, [vocabulary.word(marks_held) for marks_held in by_count]


def _half(numbers: Numbers, words: Words, size: int) -> Looked:
    """A table by the digits of half a pile's number, from what so many of each kind are."""
    rows = len(numbers)
    first, which = _different(numbers.reshape(rows, -1), words.reshape(rows, -1))
    whole = [_each(np.add, numbers[row], size) for row in first]
    words_by_pile = [_each(np.bitwise_or, words[row], size) for row in first]
    return Looked(np.concatenate(whole), np.concatenate(words_by_pile), which * size)


def _each(join: np.ufunc, kinds: npt.NDArray[T], size: int) -> npt.NDArray[T]:
    """What each number comes to whose digits count the kinds; nothing beyond the last of them."""
    table = np.zeros(1, kinds.dtype)
    for kind in kinds:
        table = join.outer(kind, table).ravel()
    whole = np.zeros(size, kinds.dtype)
    whole[: table.size] = table
    return whole


_PLAYERS: Final = 256


class Tally(NamedTuple):
    """Hands laid out: the numbers and words of all they hold, and the points of bonus tiles."""

    numbers: Numbers
    words: Words
    bonus: Numbers

    def those(self, chosen: Places) -> "Tally":
        return Tally(self.numbers[chosen], self.words[chosen], self.bonus[chosen])


class Doubled(NamedTuple):
    """A hand whose own points are doubled: what it asks, and the points it adds."""

    question: Question
    doubles: int
    points: list[Question]


class Loose(NamedTuple):
    """A special hand of another shape, and its value."""

    question: Question
    shape: Shape
    value: int


@dataclass(frozen=True, slots=True)
class Side:
    """What a winner's hand is asked, or any other's.

    `beside`: the doubles of the bonus tiles beside a special hand; None where they do not count.
    `everywhere`: the doubles that reach into a special hand. `fixed`, `made`, `loose`: special
    hands with their values, known by marks, known by the marks of the sets that one tile more
    makes, and of another shape. `doubled`: those whose own points are doubled.
    """

    points: list[Question]
    doubles: list[Question]
    beside: list[Question] | None
    everywhere: list[Question]
    fixed: list[Question]
    made: list[Question]
    loose: list[Loose]
    doubled: list[Doubled]

    def best(self, tally: Tally) -> Numbers:
        """The best score of hands of sets, in points before the limit."""
        best = np.maximum(self.ordinary(tally), self.of_fixed_value(tally))
        for form in self.doubled:
            chosen = np.flatnonzero(form.question.holds(tally.words))
            best[chosen] = np.maximum(best[chosen], self.own_doubled(form, tally.those(chosen)))
        return best

    def ordinary(self, tally: Tally) -> Numbers:
        """Everything counted as the rules count an ordinary hand."""
        points = POINTS.of(tally.numbers) + tally.bonus + much(self.points, tally.words)
        return points << (DOUBLES.of(tally.numbers) + much(self.doubles, tally.words))

    def of_fixed_value(self, tally: Tally) -> Numbers:
        """The best special hand that the marks tell, and its bonus tiles; 0 where there is none."""
        value = highest(self.fixed, tally.words)
        return np.where(value, value + self.bonus_beside(tally), 0)

    def own_doubled(self, form: Doubled, tally: Tally) -> Numbers:
        """The hands' own points doubled, and their bonus tiles beside them."""
        points = POINTS.of(tally.numbers) + much([*self.points, *form.points], tally.words)
        doubles = form.doubles + much(self.everywhere, tally.words)
        return (points << doubles) + self.bonus_beside(tally)

    def bonus_beside(self, tally: Tally) -> Numbers:
        """What bonus tiles are worth beside a special hand."""
        if self.beside is None:
            return np.zeros_like(tally.bonus)
        return tally.bonus << much(self.beside, tally.words)


class Compiled:
    """One rule set, looked up in arrays."""

    def __init__(self, rules: RuleSet) -> None:
        book = rules.book
        vocabulary = Vocabulary(all_asked(book))
        prices = SetPrices(book, vocabulary)
        self.rules = rules
        self.prices = prices
        self.vocabulary = vocabulary
        self.circumstances = Circumstances(vocabulary)
        self.only_tile = vocabulary.word(marks.ONLY_TILE)
        self.as_loose = vocabulary.word(marks.LOOSE)
        self.on_table = prices.on_table(vocabulary)
        self.of_cuts = [prices.of_cuts(part) for part in range(PARTS)]
        self.standing = [Standing(book, vocabulary, part) for part in range(PARTS)]
        self.won = _side(book, vocabulary, won=True)
        self.stood = _side(book, vocabulary, won=False)
        self.bonus = _bonus(rules)
        self.asks_only_tile = bool(book.asks & marks.ONLY_TILE)
        self.chows_allowed = np.array(
            [rules.chows.allowed(players, goulash=False) for players in range(_PLAYERS)]
        )
        self.has_minimum = np.array(
            [rules.minimum_for(players) is not None for players in range(_PLAYERS)]
        )

    def capped(self, totals: Numbers) -> Numbers:
        limit = self.rules.limit
        return totals if limit is None else np.minimum(totals, limit)


def _bonus(rules: RuleSet) -> Numbers:
    """The points of every choice of bonus tiles, by their bits; -1 where there are none to hold."""
    if rules.bonus_points is None:
        return np.array([0] + [-1] * (_ALL_BONUS - 1))
    points = rules.bonus_points.points
    return np.array([points * bits.bit_count() for bits in range(_ALL_BONUS)])


compiled: Final = lru_cache(maxsize=16)(Compiled)  # made once, in less than a second


def _side(book: Book, vocabulary: Vocabulary, *, won: bool) -> Side:
    limit = book.rules.limit
    fixed = [vocabulary.question(form, form.special.value.points(limit)) for form in book.set_forms]
    standing = [vocabulary.question(form, form.value.points(limit)) for form in book.standing_forms]
    fished_for = [
        vocabulary.question(form, form.special.fishing.points(limit))
        for form in book.set_forms
        if form.special.of_pungs and form.special.fishing
    ]
    beside = vocabulary.worths(book.doubles_reaching(Reach.BONUS_TILES, won=won))
    return Side(
        points=vocabulary.worths(book.points if won else book.points_standing),
        doubles=vocabulary.worths(book.doubles_won if won else book.doubles_standing),
        beside=beside if book.rules.bonus_tiles_beside else None,
        everywhere=vocabulary.worths(book.doubles_reaching(Reach.EVERYTHING, won=won)),
        fixed=fixed if won else standing,
        made=[] if won else fished_for,
        loose=[
            Loose(vocabulary.question(form), form.shape, value.points(limit))
            for form in book.loose_forms
            if (value := form.special.value if won else form.special.fishing)
        ],
        doubled=[
            Doubled(
                vocabulary.question(form),
                form.special.doubles,
                vocabulary.worths(form.points if won else ()),
            )
            for form in book.doubled_forms
            if won or not form.special.winner_only
        ],
    )
