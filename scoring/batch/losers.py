"""The totals of hands that did not go Mah-Jong: the sets that stand, and what is one tile short."""

import numpy as np

from scoring.batch.compiled import Compiled, Tally
from scoring.batch.hands import Flags
from scoring.batch.piles import Numbers, Places, counts_of, part_of
from scoring.batch.prices import FOURS, MANY_WAYS, SETS, SINGLES, THREES, TWOS
from scoring.batch.questions import Words, highest, with_suits_counted
from scoring.batch.shapes import near
from scoring.batch.told import UNSURE, Told
from scoring.tiles import PLAYING_TILES

_ONE_SHORT = 13


def totals_standing(rules: Compiled, told: Told) -> Numbers:
    """The points (n,) of these hands before the limit, or UNSURE."""
    if not rules.rules.losers_score:
        return np.zeros(len(told.hands), np.int64)
    standing, words = told.standing(rules, told.concealed)
    tally = Tally(told.numbers + standing, with_suits_counted(words), told.bonus)
    totals = np.maximum(rules.stood.ordinary(tally), rules.stood.of_fixed_value(tally))
    _add_fishing_for_sets(told, rules, tally, np.flatnonzero(_all_but_one(told, standing)), totals)
    _add_fishing_for_others(told, rules, tally, totals)
    totals[MANY_WAYS.of(standing) > 0] = UNSURE
    return totals


def _all_but_one(told: Told, standing: Numbers) -> Flags:
    """Which hands one tile more could make pungs or kongs and a pair, there being one."""
    singles, twos, fours = SINGLES.of(standing), TWOS.of(standing), FOURS.of(standing)
    kinds = singles + twos + fours + THREES.of(standing)
    pairs_or_one = (singles == 1) & (twos == 0) | (singles == 0) & (twos == 2)
    groups = kinds + SETS.of(told.numbers)
    return (told.size == _ONE_SHORT) & (groups == 5) & (fours == 0) & pairs_or_one


def _add_fishing_for_sets(
    told: Told, rules: Compiled, tally: Tally, fishing: Places, totals: Numbers
) -> None:
    """Put in the special hands of sets that one tile more would make."""
    told, tally = told.those(fishing), tally.those(fishing)
    best = totals[fishing]
    for place in range(len(PLAYING_TILES)):
        some = np.flatnonzero(_wanted(told, place))
        if some.size:
            made = _with_one_more(told.those(some), rules, place)
            best[some] = np.maximum(best[some], _worth_fishing(made, rules, tally.those(some)))
    totals[fishing] = best


def _wanted(told: Told, place: int) -> Flags:
    """Whether a tile would make a pair or a pung, and may still be had."""
    part, digit = part_of(place)
    held, in_all = (pile[part] // 5**digit % 5 for pile in (told.concealed, told.whole))
    return (held > 0) & (held < 3) & (in_all < 4)


def _with_one_more(told: Told, rules: Compiled, place: int) -> Words:
    part, digit = part_of(place)
    more = told.concealed.copy()
    more[part] += 5**digit
    return with_suits_counted(told.standing(rules, more)[1])


def _worth_fishing(made: Words, rules: Compiled, tally: Tally) -> Numbers:
    """What hands are worth that one tile would make these; 0 where that is no special hand."""
    value = highest(rules.stood.made, made)
    best = np.where(value, value + rules.stood.bonus_beside(tally), 0)
    for form in rules.stood.doubled:
        doubled = rules.stood.own_doubled(form, tally)
        best = np.maximum(best, np.where(form.asked.held(made), doubled, 0))
    return best


def _add_fishing_for_others(told: Told, rules: Compiled, tally: Tally, totals: Numbers) -> None:
    """Put in the special hands of other shapes that one tile more would make."""
    may_be = np.flatnonzero(told.may_be_loose & (told.size == _ONE_SHORT))
    counts = counts_of(told.whole[:, may_be])
    for form in rules.stood.loose:
        chosen = may_be[near(form.shape, counts)]
        held = form.asked.held(told.those(chosen).loose(rules).words)
        value = form.value + rules.stood.bonus_beside(tally.those(chosen))
        totals[chosen] = np.maximum(totals[chosen], held * value)
