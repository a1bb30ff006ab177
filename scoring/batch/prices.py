"""What a rule set asks of hands and what sets and cuts are worth, as arrays to look up.

A hand's marks (`scoring.rules.marks`) are more than a machine word holds. A rule set asks about few
of them, and of many only whether any is there at all, so all it asks about fits into one word.

Several small numbers ride in one: a `BitField` says where. They are added up all at once.
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
    FACT_ORDER,
    HIGH_SIZE,
    KINDS_IN_PART,
    LOW_SIZE,
    NO_SET,
    PART_COUNT,
    SET_CODES,
    TILE_ORDER,
    WAY_ORDER,
    Flags,
    Hands,
    Numbers,
    Piles,
    Places,
    Words,
    count_in_piles,
    cuts_of,
    select_by_bits,
)
from scoring.hands.hand import (
    CHOWS_FROM,
    CLAIMS,
    EXPOSED_FROM,
    PUNGS_FROM,
    Hand,
    Kind,
    set_codes,
    set_of,
)
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, Tile, Wind
from scoring.rules import marks
from scoring.rules.conditions import MarkQuestion
from scoring.rules.declarations import Reach
from scoring.rules.prices import Prices
from scoring.rules.rule_set import Book, RuleSet
from scoring.rules.shapes import Shape
from scoring.rules.verdicts import Worth, merge_alike_marks

_SEPARATE_MARKS: Final = (*marks.SUIT.values(), marks.ONE_SUIT)
_SUIT_BITS: Final = np.uint64(7)
_ONE_SUIT_BIT: Final = np.uint64(8)
_WORD_BITS: Final = 64
_UNSUPPORTED_MARKS: Final = marks.COUNTED_MARKS | marks.THREE_KONGS
_BONUS_CHOICES: Final = 1 << len(BONUS_TILES)
_WAYS_OR_NONE: Final = (*WAY_ORDER, None)
_TILES_OR_NONE: Final = (*TILE_ORDER, None)
_UP_TO_FOUR: Final = range(5)
_IS_CLAIM: Final = np.array([won_by in CLAIMS for won_by in _WAYS_OR_NONE])
NumericT = TypeVar("NumericT", np.int64, np.uint64)
WIND_PAIRS: Final = tuple(product(Wind, (*Wind, None)))
_NEXT_TWO_TILES: Final = 1 + 5
_THIRD_STARTS: Final = "147"
_SET_COLUMNS: Final = SET_CODES + 2
_PLAYER_CODES: Final = 256


class WordQuestion(NamedTuple):
    """What is asked of a word, `word & mask == want`, and what holding is worth."""

    mask: np.uint64
    want: np.uint64
    amount: int

    def holds(self, mark_words: Words) -> Flags:
        return (mark_words & self.mask) == self.want


class Vocabulary:
    """The marks that a rule set asks about, in one word.

    Marks that every question treats alike share a bit. A question whether all of several are there
    keeps their bits apart, since it treats each like no other.
    """

    def __init__(self, conditions: Iterable[MarkQuestion]) -> None:
        other_marks = ~sum(_SEPARATE_MARKS)
        shared_marks = merge_alike_marks(
            (condition.mask & other_marks, condition.want & other_marks) for condition in conditions
        )
        self._shared_marks = [*_SEPARATE_MARKS, *shared_marks]
        self.size = len(self._shared_marks)

    def word(self, bits: int) -> np.uint64:
        """The word of these marks; ONE_SUIT is not told from the suits."""
        return np.uint64(
            sum(1 << bit for bit, mark in enumerate(self._shared_marks) if bits & mark)
        )

    def words(self, several: Iterable[int]) -> Words:
        return np.array([self.word(bits) for bits in several], np.uint64)

    def question(self, condition: MarkQuestion, amount: int = 0) -> WordQuestion:
        return WordQuestion(self.word(condition.mask), self.word(condition.want), amount)

    def worths(self, lines: Iterable[Worth]) -> list[WordQuestion]:
        """What the lines ask, and give."""
        return [self.question(line, line.amount) for line in lines]


def all_questions(book: Book) -> Iterator[MarkQuestion]:
    """Everything that the rules ask of a hand's marks."""
    yield from (*book.points, *book.doubles_won, *book.doubles_standing)
    yield from book.set_forms
    yield from book.loose_forms
    for doubled_form in book.doubled_forms:
        yield doubled_form
        yield from doubled_form.points
    yield from book.standing_forms
    if book.last_tile:
        yield book.last_tile


@lru_cache(maxsize=64)
def can_use_arrays(rules: RuleSet) -> bool:
    """Whether whole arrays of hands can be scored; under other rules hands are, one by one.

    Several limits, two suits for special hands alone and sets that are counted are not in arrays,
    nor is what asks about more than fits into one word.
    """
    questions = [*all_questions(rules.book)]
    is_split = rules.limits or (rules.one_suit and rules.one_suit.but_special)
    if is_split or any(question.mask & _UNSUPPORTED_MARKS for question in questions):
        return False
    return Vocabulary(questions).size <= _WORD_BITS


def is_one_suit(mark_words: Words) -> Flags:
    """Whether the suit tiles are all of one suit; so are none."""
    suits = mark_words & _SUIT_BITS
    return suits & (suits - (suits != 0)) == 0


def add_one_suit_bit(mark_words: Words) -> Words:
    """The same words, and whether the hand's suit tiles are all of one suit."""
    return mark_words | (is_one_suit(mark_words) & (mark_words & _SUIT_BITS != 0)) * _ONE_SUIT_BIT


def total_worth(questions: Iterable[WordQuestion], mark_words: Words) -> Numbers:
    """What those of the questions that each hand holds are worth together."""
    total = np.zeros(mark_words.shape, np.int64)
    for question in questions:
        total += question.holds(mark_words) * np.int64(question.amount)
    return total


def highest_worth(questions: Iterable[WordQuestion], mark_words: Words) -> Numbers:
    """The most that one of the questions that each hand holds is worth; 0 where none is held."""
    most = np.zeros(mark_words.shape, np.int64)
    by_worth = attrgetter("amount")
    for worth, equal in groupby(sorted(questions, key=by_worth), key=by_worth):
        flags = np.zeros(mark_words.shape, np.bool_)
        for question in equal:
            flags |= question.holds(mark_words)
        most = np.maximum(most, flags * np.int64(worth))
    return most


class Circumstances:
    """The words of everything that `marks.of_circumstances` tells of a hand."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        def words_of_hands(hands: Iterable[Hand]) -> Words:
            return vocabulary.words(marks.of_circumstances(hand) for hand in hands)

        every_bonus = [tuple(select_by_bits(bits, BONUS_TILES)) for bits in range(_BONUS_CHOICES)]
        every_fact = [
            frozenset(select_by_bits(bits, FACT_ORDER)) for bits in range(1 << len(FACT_ORDER))
        ]
        kong = set_of(set_codes(Kind.KONG, exposed=False)[0])
        self._seat = words_of_hands(
            Hand(seat_wind=wind, dealer=False, bonus=bonus)
            for wind, bonus in product(Wind, every_bonus)
        )
        self._dealer = words_of_hands(
            Hand(seat_wind=Wind.S, dealer=dealer) for dealer in (False, True)
        )
        self._facts = words_of_hands(Hand(seat_wind=Wind.S, facts=facts) for facts in every_fact)
        self._kongs = words_of_hands(
            Hand(seat_wind=Wind.S, sets=(kong,) * count) for count in _UP_TO_FOUR
        )
        self._end = words_of_hands(
            Hand(
                seat_wind=Wind.S,
                mahjong=True,
                won_by=won_by,
                winning_tile=tile,
                concealed=(tile or Tile(""),) * count,
            )
            for won_by, tile, count in product(_WAYS_OR_NONE, _TILES_OR_NONE, _UP_TO_FOUR)
        )

    def words(self, hands: Hands, kongs: Numbers, all_piles: Piles) -> Words:
        """The words of hands with so many kongs, whose tiles are all in those piles."""
        seat = hands.seat_wind.astype(np.intp) * _BONUS_CHOICES + hands.bonus
        circumstance_words = self._seat.take(seat, mode="clip") | self._dealer.take(hands.dealer)
        circumstance_words |= self._facts.take(hands.facts, mode="clip") | self._kongs.take(
            kongs, mode="clip"
        )
        if hands.mahjong.any():
            end = _way_indexes(hands) * len(_TILES_OR_NONE)
            end += np.minimum(hands.winning_tile, len(TILE_ORDER))
            end *= len(_UP_TO_FOUR)
            end += count_in_piles(all_piles, hands.winning_tile)
            circumstance_words |= self._end.take(end) * hands.mahjong
        return circumstance_words


def is_claimed(hands: Hands) -> Flags:
    """Whether each hand's last tile was claimed from another player."""
    return _IS_CLAIM.take(_way_indexes(hands)) & hands.mahjong


def _way_indexes(hands: Hands) -> Places:
    return np.minimum(hands.won_by, len(WAY_ORDER)).astype(np.intp)


class BitField(NamedTuple):
    """A small number within a larger one."""

    shift: int
    bits: int

    def extract(self, numbers: Numbers) -> Numbers:
        return (numbers >> self.shift) & ((1 << self.bits) - 1)

    def holding(self, amount: int) -> int:
        """The number in which the field is so much and every other nothing."""
        return amount << self.shift


POINTS, DOUBLES = BitField(0, 20), BitField(20, 8)
SETS, CHOWS, KONGS, FIXED = BitField(28, 4), BitField(32, 4), BitField(36, 4), BitField(40, 4)
PAIRS = BitField(44, 6)
SINGLES, TWOS, THREES, FOURS = BitField(28, 6), BitField(34, 6), BitField(40, 6), BitField(46, 6)
THIRDS: Final = (BitField(50, 4), BitField(54, 4), BitField(58, 4))
MANY_WAYS: Final = BitField(52, 6)

_NO_CUT: Final = PAIRS.holding(8)


class LookupTable(NamedTuple):
    """Numbers and words in one table; `offset` is where those of each pair of winds begin."""

    numbers: Numbers
    words: Words
    offset: Places

    def look_up(self, places: Places, winds: Places) -> tuple[Numbers, Words]:
        rows = places + self.offset.take(winds)
        return self.numbers.take(rows, mode="clip"), self.words.take(rows, mode="clip")


def _distinct_rows(numbers: Numbers, mark_words: Words) -> tuple[Places, Places]:
    """The rows that differ from all before them, and which of those each row equals."""
    joined_rows = np.concatenate([numbers, mark_words.view(np.int64)], axis=1)
    _rows, first, which = np.unique(joined_rows, axis=0, return_index=True, return_inverse=True)
    return first, which.ravel().astype(np.intp)


class SetPriceArrays:
    """The price of every set for each pair of winds (rows); columns are codes and one more."""

    def __init__(self, book: Book, vocabulary: Vocabulary) -> None:
        self.numbers = np.zeros((len(WIND_PAIRS), _SET_COLUMNS), np.int64)
        self.words = np.zeros((len(WIND_PAIRS), _SET_COLUMNS), np.uint64)
        for row, (seat, prevailing) in enumerate(WIND_PAIRS):
            prices = book.prices(seat, prevailing).sets
            for code in _all_set_codes():
                price = prices[code]
                worth = POINTS.holding(price.points) + DOUBLES.holding(price.doubles)
                group = set_of(code)
                number = SETS.holding(1)
                if group.kind is Kind.PAIR:
                    number += PAIRS.holding(1)
                if group.kind is Kind.CHOW:
                    number += CHOWS.holding(1)
                    if group.tile[1] in _THIRD_STARTS:
                        number += THIRDS[_THIRD_STARTS.index(group.tile[1])].holding(1)
                if group.kind is Kind.KONG:
                    number += KONGS.holding(1)
                fixed = FIXED.holding(group.exposed or group.kind is Kind.KONG)
                self.numbers[row, code + 1] = worth + number + fixed
                self.words[row, code + 1] = vocabulary.word(price.marks)

    def on_table(self, vocabulary: Vocabulary) -> LookupTable:
        """The sets as they lie on the table."""
        table_words = np.zeros(_SET_COLUMNS, np.uint64)
        for code in _all_set_codes():
            alone = Hand(seat_wind=Wind.S, sets=(set_of(code),))
            table_words[code + 1] = vocabulary.word(marks.of_circumstances(alone))
        offset = np.arange(len(WIND_PAIRS)) * _SET_COLUMNS
        return LookupTable(self.numbers.ravel(), (self.words | table_words).ravel(), offset)

    def of_cuts(self, part: int, *, times: int | None = None) -> LookupTable:
        """The rows of the cuts of a part, each as a whole.

        `times`: with nothing exposed, the set that a tile completes counting so many times.
        """
        cuts = cuts_of(KINDS_IN_PART[part])
        places = np.where(cuts.groups == NO_SET, 0, cuts.groups + 1 + 9 * part).astype(np.intp)
        completed_flags = places > EXPOSED_FROM
        if times is not None:
            places -= EXPOSED_FROM * completed_flags
        used = np.unique(places)
        first, which = _distinct_rows(self.numbers[:, used], self.words[:, used])
        numbers, mark_words = self.numbers[first], self.words[first]
        cut_numbers = np.add.reduce([numbers[:, column] for column in places.T])
        if times is not None:
            for column, is_completed in zip(places.T, completed_flags.T, strict=True):
                cut_numbers += (times - 1) * POINTS.extract(numbers[:, column]) * is_completed
        marks_held = np.bitwise_or.reduce([mark_words[:, column] for column in places.T])
        cut_numbers[:, 0] = _NO_CUT
        return LookupTable(cut_numbers.ravel(), marks_held.ravel(), which * len(places))

    def most_standing(self, part: int) -> LookupTable:
        """By the number of a pile, the most points of sets that stand in it."""
        places = range(9 * part, 9 * part + KINDS_IN_PART[part])
        codes = [place + 1 + kind for kind in (0, CHOWS_FROM, PUNGS_FROM) for place in places]
        first, which = _distinct_rows(self.numbers[:, codes], self.words[:, codes])
        most = [
            _best_standing_points(POINTS.extract(self.numbers[row, codes]).reshape(3, -1))
            for row in first
        ]
        return LookupTable(np.concatenate(most), np.zeros(1, np.uint64), which * most[0].size)


def _best_standing_points(points: Numbers) -> Numbers:
    """By the number of a pile, the most that pairs, chows and pungs (rows) of its kinds give.

    Kind by kind from the last: the lowest tile of a pile stands in a set or is left over.
    """
    kinds = points.shape[1]
    most = np.zeros(5**kinds, np.int64)
    for place in reversed(range(kinds)):
        pair, chow, pung = points[:, place]
        by_place = most[:: 5**place].reshape(-1, 5)
        other_places = np.arange(len(by_place))
        runs = kinds == 9 and place < 7
        run_places = other_places[runs & (other_places % 5 > 0) & (other_places // 5 % 5 > 0)]
        for count in range(1, 5):
            best = by_place[:, count - 1].copy()
            if count >= 2:
                best = np.maximum(best, by_place[:, count - 2] + pair)
            if count >= 3:
                best = np.maximum(best, by_place[:, count - 3] + pung)
            best[run_places] = np.maximum(
                best[run_places], by_place[run_places - _NEXT_TWO_TILES, count - 1] + chow
            )
            by_place[:, count] = best
        most[:: 5**place] = by_place.ravel()
    return most


def _all_set_codes() -> Iterable[int]:
    for kind, exposed in product(Kind, (False, True)):
        yield from set_codes(kind, exposed=exposed)


class StandingTables:
    """What a player who did not win holds of a part: its sets, and every tile."""

    def __init__(self, book: Book, vocabulary: Vocabulary, part: int) -> None:
        places = range(9 * part, 9 * part + KINDS_IN_PART[part])
        prices = [book.prices(seat, prevailing) for seat, prevailing in WIND_PAIRS]
        standing_rows = [
            [_standing_of_tile(price, place, vocabulary) for place in places] for price in prices
        ]
        numbers = np.array(
            [[tile_numbers for tile_numbers, _mark_words in row] for row in standing_rows]
        )
        mark_words = np.array(
            [[mark_words for _tile_numbers, mark_words in row] for row in standing_rows], np.uint64
        )
        loose = vocabulary.words(marks.OF_TILE[PLAYING_TILES[place]] for place in places)
        tiles = np.outer(loose, np.array([0, 1, 1, 1, 1], np.uint64))
        self.low = _half_table(numbers[:, :5], mark_words[:, :5], LOW_SIZE)
        self.high = _half_table(numbers[:, 5:], mark_words[:, 5:], HIGH_SIZE + 1)
        self.loose_low = _combine_digits(np.bitwise_or, tiles[:5], LOW_SIZE)
        self.loose_high = _combine_digits(np.bitwise_or, tiles[5:], HIGH_SIZE + 1)


def _standing_of_tile(
    prices: Prices, place: int, vocabulary: Vocabulary
) -> tuple[list[int], list[np.uint64]]:
    """The numbers and words of none, one, two, three and four of a tile, as they stand in sets."""
    numbers = [0, *(field.holding(1) for field in (SINGLES, TWOS, THREES, FOURS))]
    by_count = [0] + 4 * [marks.OF_TILE[PLAYING_TILES[place]]]
    for count, splits in enumerate(prices.sets.standing[place]):
        several = [prices.sets[code] for code in splits[0]]
        by_count[count] |= reduce(or_, (price.marks for price in several), 0)
        numbers[count] += POINTS.holding(sum(price.points for price in several))
        numbers[count] += DOUBLES.holding(sum(price.doubles for price in several))
        numbers[count] += MANY_WAYS.holding(len(splits) - 1)
    return numbers, [vocabulary.word(marks_held) for marks_held in by_count]


def _half_table(numbers: Numbers, mark_words: Words, size: int) -> LookupTable:
    """A table by the digits of half a pile's number, from what so many of each kind are."""
    rows = len(numbers)
    first, which = _distinct_rows(numbers.reshape(rows, -1), mark_words.reshape(rows, -1))
    numbers_by_pile = [_combine_digits(np.add, numbers[row], size) for row in first]
    words_by_pile = [_combine_digits(np.bitwise_or, mark_words[row], size) for row in first]
    return LookupTable(np.concatenate(numbers_by_pile), np.concatenate(words_by_pile), which * size)


def _combine_digits(
    join: np.ufunc, kinds: npt.NDArray[NumericT], size: int
) -> npt.NDArray[NumericT]:
    """What each number comes to whose digits count the kinds; nothing beyond the last of them."""
    table = np.zeros(1, kinds.dtype)
    for kind in kinds:
        table = join.outer(kind, table).ravel()
    padded_table = np.zeros(size, kinds.dtype)
    padded_table[: table.size] = table
    return padded_table


class Tally(NamedTuple):
    """Hands laid out: the numbers and words of all they hold, and the points of bonus tiles."""

    numbers: Numbers
    words: Words
    bonus: Numbers

    def those(self, places: Places) -> "Tally":
        return Tally(self.numbers[places], self.words[places], self.bonus[places])


class DoubledQuestion(NamedTuple):
    """A hand whose own points are doubled: what it asks, and the points it adds."""

    question: WordQuestion
    doubles: int
    points: list[WordQuestion]


class LooseQuestion(NamedTuple):
    """A special hand of another shape, and its value."""

    question: WordQuestion
    shape: Shape
    value: int


@dataclass(frozen=True, slots=True)
class SideQuestions:
    """What a winner's hand is asked, or any other's.

    `bonus_doubles`: the doubles of the bonus tiles beside a special hand; None where they do not
    count. `everywhere`: the doubles that reach into a special hand. `fixed`, `fishing_questions`,
    `loose`: special hands with their values, known by marks, known by the marks of the sets that
    one tile more makes, and of another shape. `doubled_questions`: those whose own points are
    doubled.
    """

    points: list[WordQuestion]
    doubles: list[WordQuestion]
    bonus_doubles: list[WordQuestion] | None
    everywhere: list[WordQuestion]
    fixed: list[WordQuestion]
    fishing_questions: list[WordQuestion]
    loose: list[LooseQuestion]
    doubled_questions: list[DoubledQuestion]

    def best(self, tally: Tally) -> Numbers:
        """The best score of hands of sets, in points before the limit."""
        best = np.maximum(self.ordinary(tally), self.of_fixed_value(tally))
        for form in self.doubled_questions:
            places = np.flatnonzero(form.question.holds(tally.words))
            best[places] = np.maximum(best[places], self.own_doubled(form, tally.those(places)))
        return best

    def ordinary(self, tally: Tally) -> Numbers:
        """Everything counted as the rules count an ordinary hand."""
        points = POINTS.extract(tally.numbers) + tally.bonus + total_worth(self.points, tally.words)
        return points << (DOUBLES.extract(tally.numbers) + total_worth(self.doubles, tally.words))

    def of_fixed_value(self, tally: Tally) -> Numbers:
        """The best special hand that the marks tell, and its bonus tiles; 0 where there is none."""
        value = highest_worth(self.fixed, tally.words)
        return np.where(value, value + self.bonus_beside(tally), 0)

    def own_doubled(self, form: DoubledQuestion, tally: Tally) -> Numbers:
        """The hands' own points doubled, and their bonus tiles beside them."""
        points = POINTS.extract(tally.numbers) + total_worth(
            [*self.points, *form.points], tally.words
        )
        doubles = form.doubles + total_worth(self.everywhere, tally.words)
        return (points << doubles) + self.bonus_beside(tally)

    def bonus_beside(self, tally: Tally) -> Numbers:
        """What bonus tiles are worth beside a special hand."""
        if self.bonus_doubles is None:
            return np.zeros_like(tally.bonus)
        return tally.bonus << total_worth(self.bonus_doubles, tally.words)


class CompiledRules:
    """One rule set, looked up in arrays."""

    def __init__(self, rules: RuleSet) -> None:
        book = rules.book
        vocabulary = Vocabulary(all_questions(book))
        prices = SetPriceArrays(book, vocabulary)
        self.rules = rules
        self.prices = prices
        self.vocabulary = vocabulary
        self.circumstances = Circumstances(vocabulary)
        self.only_tile = vocabulary.word(marks.ONLY_TILE)
        self.as_loose = vocabulary.word(marks.LOOSE)
        self.on_table = prices.on_table(vocabulary)
        self.of_cuts = [prices.of_cuts(part) for part in range(PART_COUNT)]
        self.standing = [StandingTables(book, vocabulary, part) for part in range(PART_COUNT)]
        self.won = _side_questions(book, vocabulary, won=True)
        self.standing_questions = _side_questions(book, vocabulary, won=False)
        self.bonus = _bonus_points(rules)
        self.asks_only_tile = bool(book.asks & marks.ONLY_TILE)
        self.chows_allowed = np.array(
            [rules.chows.max_chows(players, goulash=False) for players in range(_PLAYER_CODES)]
        )
        self.has_minimum = np.array(
            [rules.minimum_for(players) is not None for players in range(_PLAYER_CODES)]
        )

    def cap_totals(self, totals: Numbers) -> Numbers:
        limit = self.rules.limit
        return totals if limit is None else np.minimum(totals, limit)


def _bonus_points(rules: RuleSet) -> Numbers:
    """The points of every choice of bonus tiles, by their bits; -1 where there are none to hold."""
    if rules.bonus_points is None:
        return np.array([0] + [-1] * (_BONUS_CHOICES - 1))
    points = rules.bonus_points.points
    return np.array([points * bits.bit_count() for bits in range(_BONUS_CHOICES)])


compile_rules: Final = lru_cache(maxsize=16)(CompiledRules)  # made once, in less than a second


def _side_questions(book: Book, vocabulary: Vocabulary, *, won: bool) -> SideQuestions:
    limit = book.rules.limit
    fixed = [vocabulary.question(form, form.special.value.points(limit)) for form in book.set_forms]
    standing = [vocabulary.question(form, form.value.points(limit)) for form in book.standing_forms]
    fished_for = [
        vocabulary.question(form, form.special.fishing.points(limit))
        for form in book.set_forms
        if form.special.of_pungs and form.special.fishing
    ]
    bonus_questions = vocabulary.worths(book.doubles_reaching(Reach.BONUS_TILES, won=won))
    return SideQuestions(
        points=vocabulary.worths(book.points if won else book.points_standing),
        doubles=vocabulary.worths(book.doubles_won if won else book.doubles_standing),
        bonus_doubles=bonus_questions if book.rules.bonus_tiles_beside else None,
        everywhere=vocabulary.worths(book.doubles_reaching(Reach.EVERYTHING, won=won)),
        fixed=fixed if won else standing,
        fishing_questions=[] if won else fished_for,
        loose=[
            LooseQuestion(vocabulary.question(form), form.shape, value.points(limit))
            for form in book.loose_forms
            if (value := form.special.value if won else form.special.fishing)
        ],
        doubled_questions=[
            DoubledQuestion(
                vocabulary.question(form),
                form.special.doubles,
                vocabulary.worths(form.points if won else ()),
            )
            for form in book.doubled_forms
            if won or not form.special.winner_only
        ],
    )
