"""What a rule set makes of a hand's marks, compiled from its page into three small tables.

Each question of the page is `marks & mask == want`. A part of it is about the sets, a part about
how the hand was won. One table says which questions the sets meet, one which the circumstances
meet, and a question that both meet holds; the third says what those that hold are worth. Every
entry follows from the page and is worked out when it is first asked for.

Sets of tiles that no question tells apart would fill the first table many times over. So the marks
of sets are put into a word, in which marks that every question treats alike share a bit.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, NamedTuple, TypeVar

from scoring.rules import marks
from scoring.rules.conditions import ConditionMask, MarkQuestion
from scoring.rules.declarations import DoubledHand, SpecialHand, Value
from scoring.rules.prices import Line, Lookup
from scoring.rules.shapes import Shape

QuestionT = TypeVar("QuestionT")
_SUIT_MARKS: Final = (*marks.SUIT.values(), marks.ONE_SUIT)
_SUIT_BITS: Final = 7
_ONE_SUIT_BIT: Final = 8
_SINGLE_SUITS: Final = {1, 2, 4}


class Worth(NamedTuple):
    """A line of the rules: what it asks of the hand's marks, how much it gives, and its line."""

    mask: int
    want: int
    amount: int
    line: Line


class SetForm(NamedTuple):
    """A special hand that is known by its marks alone."""

    mask: int
    want: int
    special: SpecialHand


class LooseForm(NamedTuple):
    """A special hand of another shape than sets and a pair."""

    mask: int
    want: int
    shape: Shape
    special: SpecialHand


class DoubledForm(NamedTuple):
    """A hand whose own points are doubled, and the points it adds."""

    mask: int
    want: int
    points: tuple[Worth, ...]
    line: Line
    special: DoubledHand

    @property
    def key(self) -> str:
        return self.special.key


class StandingForm(NamedTuple):
    """What gives a special hand's value to a player who did not go Mah-Jong."""

    mask: int
    want: int
    value: Value
    special: SpecialHand


def merge_alike_marks(questions: Iterable[tuple[int, int]]) -> list[int]:
    """The marks that these questions (mask and want) ask about, those that all treat alike in one.

    A question whether all of several are there keeps them apart: it treats each like no other.
    """
    distinct_questions = sorted(set(questions))
    together: dict[tuple[object, ...], int] = defaultdict(int)
    asked_marks = reduce(or_, (mask for mask, _want in distinct_questions), 0)
    while asked_marks:
        mark = asked_marks & -asked_marks
        use = tuple((bool(mask & mark), bool(want & mark)) for mask, want in distinct_questions)
        alone = mark if any(is_wanted for _question, is_wanted in use) else 0
        together[alone, use] |= mark
        asked_marks ^= mark
    return [*together.values()]


class Vocabulary:
    """The marks of sets and tiles that a rule set asks about, in one small word.

    The lowest three bits are the suits; the next is set where they are one. Marks that are counted
    have a bit each.
    """

    def __init__(self, questions: Sequence[MarkQuestion]) -> None:
        asked_marks = reduce(or_, (question.mask for question in questions), 0)
        counts = [count for count in marks.COUNTS if count.mark & asked_marks]
        each_of = [*_single_bits(reduce(or_, (count.mark | count.mask for count in counts), 0))]
        of_sets = marks.SET_MARKS & ~sum((*_SUIT_MARKS, *each_of))
        shared_marks = merge_alike_marks(
            (question.mask & of_sets, question.want & of_sets) for question in questions
        )
        self._bits = [
            (mark, 1 << bit) for bit, mark in enumerate((*_SUIT_MARKS, *each_of, *shared_marks))
        ]
        self._counts = [
            marks.Count(self.word(mark), least, self.word(counted_marks))
            for mark, least, counted_marks in counts
        ]

    def word(self, marks_held: int) -> int:
        """The word of these marks."""
        return sum([bit for mark, bit in self._bits if marks_held & mark])

    def with_counts(self, word: int) -> int:
        """The word of a whole hand, with what only all of its sets together show."""
        if word & _SUIT_BITS in _SINGLE_SUITS:
            word |= _ONE_SUIT_BIT
        return word | sum(
            [
                mark
                for mark, least, counted_marks in self._counts
                if (word & counted_marks).bit_count() >= least
            ]
        )


def _single_bits(marks_held: int) -> Iterator[int]:
    while marks_held:
        yield marks_held & -marks_held
        marks_held &= marks_held - 1


class Doubling(NamedTuple):
    """A hand whose own points are doubled: what points are added to those of its sets."""

    form: DoubledForm
    points: int = 0
    point_lines: tuple[Line, ...] = ()

    @property
    def key(self) -> str:
        return self.form.key


@dataclass(frozen=True, slots=True)
class Verdict:
    """What holds for a hand as a whole.

    `points` and `doubles` are added to those of its sets in the ordinary score. `specials`, `loose`
    and `standing` are special hands by what they ask of marks. `through_doubles` are the doubles of
    a hand whose own points are doubled, `bonus_doubles` those of bonus tiles counted apart.
    """

    points: int
    doubles: int
    point_lines: tuple[Line, ...]
    double_lines: tuple[Line, ...]
    is_special: bool
    specials: tuple[SpecialHand, ...]
    doublings: tuple[Doubling, ...]
    loose: tuple[LooseForm, ...]
    standing: tuple[StandingForm, ...]
    through_doubles: int
    through_lines: tuple[Line, ...]
    bonus_doubles: int
    beside_lines: tuple[Line, ...]


class Questions(NamedTuple):
    """What a page asks of a winner's hand, or of one that did not win.

    `through_doubles` are the doubles that also multiply a special hand's own points,
    `bonus_doubles` those of the bonus tiles beside it.
    """

    points: Sequence[Worth]
    doubles: Sequence[Worth]
    through_doubles: Sequence[Worth]
    bonus_doubles: Sequence[Worth]
    set_forms: Sequence[SetForm]
    loose_forms: Sequence[LooseForm]
    doubled_forms: Sequence[DoubledForm]
    standing_forms: Sequence[StandingForm]

    @property
    def mark_questions(self) -> list[MarkQuestion]:
        """Every question."""
        return [
            *self.points,
            *self.doubles,
            *self.through_doubles,
            *self.bonus_doubles,
            *self.set_forms,
            *self.loose_forms,
            *self.doubled_forms,
            *(line for form in self.doubled_forms for line in form.points),
            *self.standing_forms,
        ]


class Verdicts(Lookup[Verdict]):
    """What holds for hands, by the questions that they meet: a bit for each question.

    `verdicts[verdicts.by_circumstances[marks & verdicts.asked] & verdicts.by_word[word]]` is what
    holds for a hand of sets of that word, won or not in circumstances of those marks.
    """

    def __init__(self, questions: Questions, vocabulary: Vocabulary) -> None:
        super().__init__(self._verdict)
        mark_questions = questions.mark_questions
        self._questions = questions
        self._bits = {id(asks): 1 << bit for bit, asks in enumerate(mark_questions)}
        of_sets: dict[ConditionMask, int] = defaultdict(int)
        circumstance_bits: dict[ConditionMask, int] = defaultdict(int)
        for bit, asks in enumerate(mark_questions):
            set_mask = ConditionMask(vocabulary.word(asks.mask), vocabulary.word(asks.want))
            other_mask = ConditionMask(asks.mask & ~marks.SET_MARKS, asks.want & ~marks.SET_MARKS)
            of_sets[set_mask] |= 1 << bit
            circumstance_bits[other_mask] |= 1 << bit
        self.by_word = Lookup(lambda word: _met_bits(of_sets, vocabulary.with_counts(word)))
        self.by_circumstances = Lookup(
            lambda circumstances: _met_bits(circumstance_bits, circumstances)
        )
        self.asked_marks = reduce(
            or_, (condition_mask.mask for condition_mask in circumstance_bits), 0
        )
        of_others: list[MarkQuestion] = [
            *questions.points,
            *questions.doubles,
            *questions.standing_forms,
        ]
        self.ask_of_tiles = any(asks.mask & marks.SET_MARKS for asks in of_others)

    def _verdict(self, met_bits: int) -> Verdict:
        bits = self._bits

        def select_met(mark_questions: Sequence[QuestionT]) -> tuple[QuestionT, ...]:
            return tuple([asks for asks in mark_questions if bits[id(asks)] & met_bits])

        questions = self._questions
        points, doubles = select_met(questions.points), select_met(questions.doubles)
        through_doubles = select_met(questions.through_doubles)
        bonus_doubles = select_met(questions.bonus_doubles)
        set_forms = select_met(questions.set_forms)
        doublings = [
            _make_doubling(form, (*points, *select_met(form.points)))
            for form in select_met(questions.doubled_forms)
        ]
        return Verdict(
            points=_total_worth(points),
            doubles=_total_worth(doubles),
            point_lines=_worth_lines(points),
            double_lines=_worth_lines(doubles),
            is_special=bool(set_forms or doublings),
            specials=tuple([form.special for form in set_forms]),
            doublings=tuple(doublings),
            loose=select_met(questions.loose_forms),
            standing=select_met(questions.standing_forms),
            through_doubles=_total_worth(through_doubles),
            through_lines=_worth_lines(through_doubles),
            bonus_doubles=_total_worth(bonus_doubles),
            beside_lines=_worth_lines(bonus_doubles),
        )


def _met_bits(questions: Mapping[ConditionMask, int], marks_held: int) -> int:
    """Those of the questions, by their bits, that are met by what is held."""
    return sum([bits for (mask, want), bits in questions.items() if marks_held & mask == want])


def _make_doubling(form: DoubledForm, points: Sequence[Worth]) -> Doubling:
    return Doubling(form, _total_worth(points), _worth_lines(points))


def _total_worth(worths: Iterable[Worth]) -> int:
    return sum([worth.amount for worth in worths])


def _worth_lines(worths: Iterable[Worth]) -> tuple[Line, ...]:
    return tuple([worth.line for worth in worths])
