"""Totals only, of many hands at once."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from scoring.batch.compiled import Compiled, compiled
from scoring.batch.hands import Flags, Hands
from scoring.batch.losers import totals_standing
from scoring.batch.piles import Numbers, Places
from scoring.batch.sums import sums, sums_standing, sums_won
from scoring.batch.told import REFUSED, UNSURE, Told, told
from scoring.batch.winners import totals_won
from scoring.problems import BadHand
from scoring.reckoning import score
from scoring.rules import RuleSet

Side = Callable[[Told], Numbers]

_AT_ONCE: Final = 1 << 15


def score_totals(hands: Hands, rules: RuleSet) -> Numbers:
    """The total of each hand (n,) in points after the limit, as `score` has it.

    -1 for a hand that cannot be scored as described.
    """
    totals = np.empty(len(hands), np.int64)
    for first in range(0, len(hands), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        totals[some] = _totals(hands.those(some), rules)
    return totals


def _totals(hands: Hands, rules: RuleSet) -> Numbers:
    totals = np.empty(len(hands), np.int64)
    by_itself = _by_itself(hands, rules)
    for won, side in _sides(rules):
        places = np.flatnonzero(~by_itself & (hands.mahjong == won))
        if places.size:
            totals[places] = _of_side(hands.those(places), compiled(rules), side)
    rest = np.flatnonzero(by_itself | (totals == UNSURE))
    totals[rest] = _scored(hands, rest, rules)
    return totals


def _sides(rules: RuleSet) -> tuple[tuple[bool, Side], tuple[bool, Side]]:
    """How winners' hands are totalled, and all others."""
    if rules.adding:
        added = sums(rules, rules.adding)
        return (True, partial(sums_won, added)), (False, partial(sums_standing, added))
    doubled = compiled(rules)
    return (True, partial(totals_won, doubled)), (False, partial(totals_standing, doubled))


def _of_side(hands: Hands, rules: Compiled, side: Side) -> Numbers:
    seen = told(hands, rules)
    if seen.sound.all():
        return rules.capped(side(seen))
    sound = np.flatnonzero(seen.sound)
    totals = np.full(len(hands), REFUSED)
    totals[sound] = rules.capped(side(seen.those(sound)))
    return totals


def _by_itself(hands: Hands, rules: RuleSet) -> Flags:
    """The hands with jokers, and those of which the rules ask for a least score."""
    if rules.minimum is None:
        return hands.goulash
    return hands.goulash | (hands.mahjong & (hands.players <= rules.minimum.players))


def _scored(hands: Hands, places: Places, rules: RuleSet) -> Numbers:
    return np.array([_total(hands, int(place), rules) for place in places], np.int64)


def _total(hands: Hands, place: int, rules: RuleSet) -> int:
    try:
        return score(hands.hand(place), rules).total
    except BadHand:
        return REFUSED
