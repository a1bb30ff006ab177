"""The totals of hands under rules that only add points up.

A hand in which three chows may make a dragon is left to `score`.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

import numpy as np

from scoring.adding import Adder
from scoring.batch.circumstances import claimed
from scoring.batch.compiled import compiled
from scoring.batch.hands import NO_TILE, Flags, named
from scoring.batch.piles import PARTS, Numbers, Places, counts_of
from scoring.batch.prices import PAIRS, POINTS, SETS, THIRDS, Looked
from scoring.batch.questions import Words, much, with_suits_counted
from scoring.batch.readings import best_reading
from scoring.batch.shapes import whole
from scoring.batch.told import REFUSED, UNSURE, Told
from scoring.declarations import Adding
from scoring.hands import Hand
from scoring.rules import RuleSet
from scoring.tiles import BONUS_TILES

_DRAGON: Final = 1 << 40
_EACH_SUIT: Final = 0x111111111
_A_THIRD: Final = 0x111
_SETS_IN_A_HAND: Final = 4


class Sums:
    """What only rules that add points up need to have compiled."""

    def __init__(self, rules: RuleSet, adding: Adding) -> None:
        self.rules = compiled(rules)
        prices, times = self.rules.prices, adding.last_tile.times
        asked = rules.book.last_tile
        self.times = times
        self.again = self.rules.vocabulary.question(asked) if asked else None
        self.completing = [prices.completing(part, times) for part in range(PARTS)]
        self.standing = [prices.most_standing(part) for part in range(PARTS)]
        every = [
            Hand(bonus=tuple(named(bits, BONUS_TILES))) for bits in range(1 << len(BONUS_TILES))
        ]
        self.bonus = np.array([_bonus(Adder(hand, rules, adding)) for hand in every])


def _bonus(adder: Adder) -> int:
    return sum(line.points or 0 for line in adder.bonus)


@lru_cache(maxsize=16)
def sums(rules: RuleSet, adding: Adding) -> Sums:
    """The rule set compiled; made once."""
    return Sums(rules, adding)


def sums_won(added: Sums, told: Told) -> Numbers:
    """The points (n,) of these Mah-Jongs, REFUSED or UNSURE."""
    drawn = _drawn(told, added)
    unnamed = told.hands.winning_tile == NO_TILE
    again = drawn & ~unnamed
    totals = np.empty(len(told.hands), np.int64)
    for chosen, cuts in ((again, added.completing), (~again, added.rules.of_cuts)):
        some = np.flatnonzero(chosen)
        if some.size:
            hands = told.those(some)
            placed = chosen[some] & again[some] | claimed(hands.hands)
            totals[some] = best_reading(hands, placed, partial(_added, added, cuts))
    _add_loose(told, added, drawn, totals)
    pair_alone = drawn & unnamed & (SETS.of(told.numbers) == _SETS_IN_A_HAND)
    totals[(totals >= _DRAGON) | again & claimed(told.hands) | pair_alone] = UNSURE
    return totals


def _drawn(told: Told, added: Sums) -> Flags:
    """Whether the last tile, if it is named, counts again what it completes."""
    if added.again is None:
        return np.zeros(len(told.hands), np.bool_)
    return added.again.held(told.known)


def _added(added: Sums, cuts: Sequence[Looked], told: Told, cut: Places) -> Numbers:
    """What the hands add up to, cut so; _DRAGON and more where chows may make one."""
    numbers, words = told.numbers, told.words | told.known
    for part, priced in enumerate(cuts):
        more, held = priced.at(cut[part], told.winds)
        numbers = numbers + more
        words = words | held
    dragon = np.logical_and.reduce([third.of(numbers) > 0 for third in THIRDS])
    points = POINTS.of(numbers) + _as_a_whole(told, added, with_suits_counted(words))
    return np.where(PAIRS.of(numbers) == 1, points + dragon * _DRAGON, REFUSED)


def _as_a_whole(told: Told, added: Sums, words: Words) -> Numbers:
    side = added.rules.won
    return much([*side.points, *side.fixed], words) + added.bonus.take(told.hands.bonus)


def _add_loose(told: Told, added: Sums, drawn: Flags, totals: Numbers) -> None:
    may_be = np.flatnonzero(told.may_be_loose)
    counts = counts_of(told.whole[:, may_be])
    for form in added.rules.won.loose:
        chosen = may_be[whole(form.shape, counts)]
        hands = told.those(chosen)
        words = hands.loose(added.rules).words
        times = np.where(drawn[chosen], added.times, 1)
        points = form.value * times + _as_a_whole(hands, added, words)
        best = np.where(form.asked.held(words), points, REFUSED)
        totals[chosen] = np.maximum(totals[chosen], best)


def sums_standing(added: Sums, told: Told) -> Numbers:
    """The points (n,) of these hands that did not go Mah-Jong, or UNSURE."""
    rules = added.rules
    if not rules.rules.losers_score:
        return np.zeros(len(told.hands), np.int64)
    totals = POINTS.of(told.numbers) + added.bonus.take(told.hands.bonus)
    for part, most in enumerate(added.standing):
        totals += most.numbers.take(told.concealed[part] + most.offset.take(told.winds))
    totals[_may_make_a_dragon(told)] = UNSURE
    return totals


def _may_make_a_dragon(told: Told) -> Flags:
    """Where there are 1 to 3, 4 to 6 and 7 to 9 of some suit, as chows or in the hand."""
    counts = counts_of(told.concealed)[:3].astype(np.int64)
    held = (counts | counts >> 1 | counts >> 2) & _EACH_SUIT
    found = np.ones(len(told.hands), np.bool_)
    for third, field in enumerate(THIRDS):
        bits = _A_THIRD << 12 * third
        found &= (held & bits == bits).any(axis=0) | (field.of(told.numbers) > 0)
    return found
