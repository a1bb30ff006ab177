"""The totals of Mah-Jongs: every reading of each hand, and the best of them."""

from dataclasses import replace
from functools import partial

import numpy as np

from scoring.batch.circumstances import claimed
from scoring.batch.compiled import Compiled, Tally
from scoring.batch.piles import Numbers, Places, counts_of
from scoring.batch.prices import CHOWS, FOURS, MANY_WAYS, PAIRS, SETS, THREES
from scoring.batch.questions import of_one_suit, with_suits_counted
from scoring.batch.readings import best_reading
from scoring.batch.shapes import whole
from scoring.batch.told import REFUSED, UNSURE, Told
from scoring.batch.waits import won_on_the_only_tile


def totals_won(rules: Compiled, told: Told) -> Numbers:
    """The points (n,) of these Mah-Jongs before the limit, REFUSED, or UNSURE."""
    won = won_on_the_only_tile(told, rules) if rules.asks_only_tile else None
    if won:
        told = replace(told, known=told.known | won.only * rules.only_tile)
    totals = best_reading(told, claimed(told.hands), partial(_best, rules))
    _add_loose(told, rules, totals)
    if won:
        totals[won.unsure] = UNSURE
    return totals


def _best(rules: Compiled, told: Told, cut: Places) -> Numbers:
    """The best that the hands score, cut so; REFUSED where that is no Mah-Jong."""
    numbers, words = told.numbers, told.words | told.known
    for part, priced in enumerate(rules.of_cuts):
        more, held = priced.at(cut[part], told.winds)
        numbers = numbers + more
        words = words | held
    allowed = rules.chows_allowed.take(told.hands.players)
    read = (PAIRS.of(numbers) == 1) & (CHOWS.of(numbers) <= allowed)
    if rules.rules.one_suit:
        read &= of_one_suit(words)
    best = rules.won.best(Tally(numbers, with_suits_counted(words), told.bonus))
    return np.where(read, best, REFUSED)


def _add_loose(told: Told, rules: Compiled, totals: Numbers) -> None:
    """Put in the special hands of other shapes, where they score more."""
    may_be = np.flatnonzero(told.may_be_loose)
    counts = counts_of(told.whole[:, may_be])
    no_sets = totals == REFUSED
    for form in rules.won.loose:
        chosen = may_be[np.flatnonzero(whole(form.shape, counts))]
        tally = told.those(chosen).loose(rules)
        held = np.flatnonzero(form.asked.held(tally.words))
        chosen, tally = chosen[held], tally.those(held)
        value = np.full(chosen.size, form.value) + rules.won.bonus_beside(tally)
        best = np.maximum(value, rules.won.of_fixed_value(tally))
        totals[chosen] = np.maximum(totals[chosen], best)
    if rules.rules.face_of_any_shape:
        _add_faces(told, rules, totals, np.flatnonzero(no_sets & (totals != REFUSED)))


def _add_faces(told: Told, rules: Compiled, totals: Numbers, chosen: Places) -> None:
    """Put in what stands in hands of other shapes, where that scores more than their value."""
    told = told.those(chosen)
    standing, words = told.standing(rules, told.concealed)
    words = with_suits_counted(words | rules.as_loose)
    face = rules.won.ordinary(Tally(told.numbers + standing, words, told.bonus))
    totals[chosen] = np.maximum(totals[chosen], face)
    alike = (THREES.of(standing) > 0) | (FOURS.of(standing) > 0) | (MANY_WAYS.of(standing) > 0)
    totals[chosen[claimed(told.hands) | alike | (SETS.of(told.numbers) > 0)]] = UNSURE
