"""The questions of a rule set, asked of many hands at once.

A hand's marks (`scoring.rules.marks`) are more than a machine word holds. A rule set asks about few
of them, and of many only whether any is there at all, so all it asks about fits into one word."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.batch.hands import (
    FACTS,
    TILES,
    WAYS,
    Flags,
    Hands,
    Numbers,
    Piles,
    Places,
    held_of,
    named,
)
from scoring.hands.hand import CLAIMS, Hand, Kind, codes_of, known_set
from scoring.hands.tiles import BONUS_TILES, Tile, Wind
from scoring.rules import marks
from scoring.rules.conditions import Asked
from scoring.rules.declarations import Reach
from scoring.rules.rule_set import Book, Worth

Words = npt.NDArray[np.uint64]
BONUS_REACH: Final = (Reach.BONUS_TILES, Reach.EVERYTHING)
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
        """Which of the hands hold it."""
        return (words & self.mask) == self.want


class Vocabulary:
    """The marks that a rule set asks about, in one word.

    Marks that every question treats alike share a bit. A question whether all of several are there
    keeps their bits apart, since it treats each like no other.
    """

    def __init__(self, conditions: Iterable[Asked]) -> None:
        questions = sorted(set(conditions))
        alike: dict[tuple[object, ...], int] = defaultdict(int)
        for number, mark in enumerate(_marks_of(questions)):
            use = tuple((bool(mask & mark), bool(want & mark)) for mask, want in questions)
            alone = number if any(wanted for _question, wanted in use) else -1
            alike[alone, use] |= mark
        self._shared = [*_OF_THEIR_OWN, *alike.values()]
        if len(self._shared) > _MOST:
            raise ValueError("These rules ask about more than fits into one word.")

    def word(self, bits: int) -> np.uint64:
        """The word of these marks; ONE_SUIT is not told from the suits."""
        return np.uint64(sum(1 << bit for bit, mark in enumerate(self._shared) if bits & mark))

    def words(self, several: Iterable[int]) -> Words:
        """The word of each."""
        return np.array([self.word(bits) for bits in several], np.uint64)

    def question(self, condition: Asked, much: int = 0) -> Question:
        """The question, asked of words."""
        return Question(self.word(condition.mask), self.word(condition.want), much)

    def worths(self, lines: Iterable[Worth]) -> list[Question]:
        """What the lines ask, and give."""
        return [self.question(Asked(line.mask, line.want), line.much) for line in lines]


def _marks_of(questions: Sequence[Asked]) -> Iterator[int]:
    """Each mark that a question asks about, but those that have bits of their own."""
    whole = 0
    for question in questions:
        whole |= question.mask
    for mark in _OF_THEIR_OWN:
        whole &= ~mark
    while whole:
        yield whole & -whole
        whole &= whole - 1


def all_asked(book: Book) -> Iterator[Asked]:
    """Everything that the rules ask of a hand's marks."""
    lines = [*book.points, *book.doubles_won, *book.doubles_standing]
    for doubled in book.doubled_forms:
        lines += doubled.points
        yield Asked(doubled.mask, doubled.want)
    for line in lines:
        yield Asked(line.mask, line.want)
    for form in book.set_forms:
        yield Asked(form.mask, form.want)
    for loose in book.loose_forms:
        yield Asked(loose.mask, loose.want)
    for condition, _value, _special in book.standing_forms:
        yield condition
    if book.last_tile:
        yield book.last_tile


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
    for worth, alike in groupby(sorted(questions, key=_worth), key=_worth):
        answered = np.zeros(words.shape, np.bool_)
        for question in alike:
            answered |= question.holds(words)
        most = np.maximum(most, answered * np.int64(worth))
    return most


def _worth(question: Question) -> int:
    return question.much


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
            Hand(seat_wind=wind, bonus=bonus) for wind, bonus in product(Wind, every_bonus)
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
            known |= self._end.take(_end(hands, whole)) * hands.mahjong
        return known


def _end(hands: Hands, whole: Piles) -> Places:
    place = _way(hands) * len(_LAST_TILES)
    place += np.minimum(hands.winning_tile, len(TILES))
    place *= len(_UP_TO_FOUR)
    return place + held_of(whole, hands.winning_tile)


def claimed(hands: Hands) -> Flags:
    """Whether each hand's last tile was claimed from another player."""
    return _CLAIMS.take(_way(hands)) & hands.mahjong


def _way(hands: Hands) -> Places:
    return np.minimum(hands.won_by, len(WAYS)).astype(np.intp)
