"""A rule set compiled to arrays, and what it says of hands before their tiles are cut."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from scoring import marks
from scoring.batch.circumstances import Circumstances
from scoring.batch.piles import PARTS, Numbers, Places
from scoring.batch.prices import DOUBLES, POINTS, SetPrices, Standing
from scoring.batch.questions import (
    BONUS_REACH,
    Question,
    Vocabulary,
    Words,
    all_asked,
    highest,
    much,
)
from scoring.book import Book, DoubledForm
from scoring.conditions import Asked
from scoring.declarations import Reach, SpecialHand, Value
from scoring.rules import RuleSet
from scoring.shapes import Shape
from scoring.tiles import BONUS_TILES

_PLAYERS: Final = 256
_EVERY_BONUS: Final = 1 << len(BONUS_TILES)


class Tally(NamedTuple):
    """Hands laid out: the numbers and words of all they hold, and the points of bonus tiles."""

    numbers: Numbers
    words: Words
    bonus: Numbers

    def those(self, chosen: Places) -> "Tally":
        """Only those hands."""
        return Tally(self.numbers[chosen], self.words[chosen], self.bonus[chosen])


class Doubled(NamedTuple):
    """A hand whose own points are doubled: what it asks, and the points it adds."""

    asked: Question
    doubles: int
    points: list[Question]


class Loose(NamedTuple):
    """A special hand of another shape, and its value."""

    asked: Question
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
            chosen = np.flatnonzero(form.asked.held(tally.words))
            doubled = self.own_doubled(form, tally.those(chosen))
            best[chosen] = np.maximum(best[chosen], doubled)
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
        self.won = _won(book, vocabulary)
        self.stood = _stood(book, vocabulary)
        self.bonus = _bonus(rules)
        self.asks_only_tile = bool(book.asks & marks.ONLY_TILE)
        self.chows_allowed = np.array(
            [rules.chows.allowed(players, goulash=False) for players in range(_PLAYERS)]
        )

    def capped(self, totals: Numbers) -> Numbers:
        """The totals, or the limit where they are more."""
        limit = self.rules.limit
        return totals if limit is None else np.minimum(totals, limit)


def _bonus(rules: RuleSet) -> Numbers:
    """The points of every choice of bonus tiles, by their bits; -1 where there are none to hold."""
    if rules.bonus_points is None:
        return np.array([0] + [-1] * (_EVERY_BONUS - 1))
    points = rules.bonus_points.points
    return np.array([points * bits.bit_count() for bits in range(_EVERY_BONUS)])


@lru_cache(maxsize=16)
def compiled(rules: RuleSet) -> Compiled:
    """The rule set in arrays; made once, in less than a second."""
    return Compiled(rules)


def _won(book: Book, vocabulary: Vocabulary) -> Side:
    limit = book.rules.limit
    return Side(
        points=vocabulary.worths(book.points),
        doubles=vocabulary.worths(book.doubles_won),
        beside=_beside(book, vocabulary, won=True),
        everywhere=vocabulary.worths(book.doubles_reaching(Reach.EVERYTHING, won=True)),
        fixed=[
            vocabulary.question(Asked(form.mask, form.want), form.special.value.points(limit))
            for form in book.set_forms
        ],
        made=[],
        loose=_loose(book, vocabulary, won=True),
        doubled=_doubled(book.doubled_forms, vocabulary),
    )


def _stood(book: Book, vocabulary: Vocabulary) -> Side:
    limit = book.rules.limit
    forms = [form for form in book.doubled_forms if not form.special.winner_only]
    return Side(
        points=[],
        doubles=vocabulary.worths(book.doubles_standing),
        beside=_beside(book, vocabulary, won=False),
        everywhere=vocabulary.worths(book.doubles_reaching(Reach.EVERYTHING, won=False)),
        fixed=[
            vocabulary.question(asked, value.points(limit))
            for asked, value, _special in book.standing_forms
        ],
        made=[
            vocabulary.question(Asked(form.mask, form.want), form.special.fishing.points(limit))
            for form in book.set_forms
            if form.special.of_pungs and form.special.fishing
        ],
        loose=_loose(book, vocabulary, won=False),
        doubled=[form._replace(points=[]) for form in _doubled(forms, vocabulary)],
    )


def _beside(book: Book, vocabulary: Vocabulary, *, won: bool) -> list[Question] | None:
    if not book.rules.bonus_tiles_beside:
        return None
    return vocabulary.worths(book.doubles_reaching(*BONUS_REACH, won=won))


def _loose(book: Book, vocabulary: Vocabulary, *, won: bool) -> list[Loose]:
    limit = book.rules.limit
    return [
        Loose(vocabulary.question(Asked(form.mask, form.want)), form.shape, value.points(limit))
        for form in book.loose_forms
        if (value := _value(form.special, won=won))
    ]


def _value(special: SpecialHand, *, won: bool) -> Value | None:
    return special.value if won else special.fishing


def _doubled(forms: Iterable[DoubledForm], vocabulary: Vocabulary) -> list[Doubled]:
    return [
        Doubled(
            vocabulary.question(Asked(form.mask, form.want)),
            form.special.doubles,
            vocabulary.worths(form.points),
        )
        for form in forms
    ]
