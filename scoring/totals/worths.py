"""What the lines of the rules that a hand meets come to."""

from collections.abc import Iterator
from typing import NamedTuple

from scoring.book import Worth
from scoring.declarations import Reach
from scoring.rules import RuleSet
from scoring.totals.questions import Flags, Question, Questions


class Verdict(NamedTuple):
    """What holds for a hand as a whole.

    `points` and `doubles` are those of the ordinary score; `value` is a special hand's, None where
    there is none. `own_doubles` are those of a hand whose own points are doubled, None where it is
    not one; it adds `own_points` to the points. `through` are the doubles that multiply such a
    hand too, `beside` those of the bonus tiles that are counted apart.
    """

    points: int = 0
    doubles: int = 0
    value: int | None = None
    own_points: int = 0
    own_doubles: int | None = None
    through: int = 0
    beside: int = 0

    def with_(self, other: "Verdict") -> "Verdict":
        """Both together; of two special hands the one that is worth more."""
        return Verdict(
            self.points + other.points,
            self.doubles + other.doubles,
            _greater(self.value, other.value),
            self.own_points + other.own_points,
            _greater(self.own_doubles, other.own_doubles),
            self.through + other.through,
            self.beside + other.beside,
        )


def _greater(one: int | None, other: int | None) -> int | None:
    return other if one is None or (other is not None and other > one) else one


class Part(NamedTuple):
    """What is settled by one part of a hand, and the flags that still matter beside the other."""

    verdict: Verdict
    flags: Flags


class Worths(dict[Flags, Verdict]):
    """The lines for one player, a winner or not; looked up by flags, what they come to."""

    def __init__(self, rules: RuleSet, *, won: bool, fishing: bool = False) -> None:
        super().__init__()
        lines = [*_ordinary(rules, won=won)]
        if rules.adding:
            lines += _added(rules) if won else ()
        else:
            lines += _special(rules) if won else _standing(rules)
        lines += _doubled(rules, won=won) if won or fishing else []
        self.questions = Questions(
            (question for question, _verdict in lines), one_suit=won and rules.one_suit is not None
        )
        self._limit = rules.limit
        self._verdicts = [verdict for _question, verdict in lines]

    def of_sets(self, flags: Flags) -> Part:
        """What sets with these flags settle whatever is true beside them."""
        return self._part(flags, self.questions.of_sets_alone)

    def beside_sets(self, flags: Flags) -> Part:
        """What bonus tiles and circumstances with these flags settle whatever the sets."""
        return self._part(flags, self.questions.of_no_sets)

    def _part(self, flags: Flags, alone: Flags) -> Part:
        failed = self.questions.all_failed
        verdict = self[flags | failed & ~alone]
        if self._limit is not None and (verdict.value or 0) >= self._limit:
            return Part(Verdict(value=self._limit), failed)
        return Part(verdict, self.questions[flags | alone])

    def __missing__(self, flags: Flags) -> Verdict:
        whole = Verdict()
        for number in self.questions.met(flags):
            whole = whole.with_(self._verdicts[number])
        self[flags] = whole
        return whole


_Lines = Iterator[tuple[Question, Verdict]]


def _ordinary(rules: RuleSet, *, won: bool) -> _Lines:
    book = rules.book
    through = {*book.doubles_reaching(Reach.EVERYTHING, won=won)}
    beside = {*book.doubles_reaching(Reach.BONUS_TILES, Reach.EVERYTHING, won=won)}
    for line in book.points if won else ():
        yield _question(line), Verdict(points=line.much)
    for line in book.doubles_won if won else book.doubles_standing:
        reaching = line.much if line in through else 0
        beside_it = line.much if line in beside else 0
        yield _question(line), Verdict(doubles=line.much, through=reaching, beside=beside_it)


def _question(line: Worth) -> Question:
    return Question(line.mask, line.want)


def _special(rules: RuleSet) -> _Lines:
    for mask, want, special in rules.book.set_forms:
        yield Question(mask, want), Verdict(value=special.value.points(rules.limit))


def _added(rules: RuleSet) -> _Lines:
    if rules.book.last_tile:
        yield Question(*rules.book.last_tile), Verdict()
    for mask, want, special in rules.book.set_forms:
        yield Question(mask, want), Verdict(points=special.value.points(rules.limit))


def _standing(rules: RuleSet) -> _Lines:
    for (mask, want), value, _special in rules.book.standing_forms:
        yield Question(mask, want), Verdict(value=value.points(rules.limit))


def _doubled(rules: RuleSet, *, won: bool) -> _Lines:
    for form in rules.book.doubled_forms:
        if won or not form.special.winner_only:
            yield Question(form.mask, form.want), Verdict(own_doubles=form.special.doubles)
            for line in form.points if won else ():
                both = Question(form.mask | line.mask, form.want | line.want)
                yield both, Verdict(own_points=line.much)
