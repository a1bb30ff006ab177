"""Which Mah-Jongs were won on the only kind of tile that could complete them."""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.batch.compiled import Compiled
from scoring.batch.cuts import cuts_of
from scoring.batch.hands import FACTS, MOST_SETS, NO_TILE, Flags
from scoring.batch.piles import (
    HIGH,
    KINDS,
    LOW,
    OF_TILE,
    PARTS,
    Piles,
    Places,
    counts_of,
    digits,
    halves,
    part_of,
)
from scoring.batch.shapes import near, with_one_more
from scoring.batch.shapes import whole as shape_of
from scoring.batch.told import Told
from scoring.hands import Fact
from scoring.tiles import PLAYING_TILES

Bits = npt.NDArray[np.int32]

_TO_SETS, _TO_A_PAIR = 2, 11
_A_SUIT: Final = 0x1FF
_FACT: Final = {fact: 1 << place for place, fact in enumerate(FACTS)}
_ONLY: Final = _FACT[Fact.ONLY_POSSIBLE_TILE]
_OVERRULED: Final = _ONLY | _FACT[Fact.NOT_ONLY_POSSIBLE_TILE]


class Won(NamedTuple):
    """Which hands were won on the only tile, and of which only `score` can say."""

    only: Flags
    unsure: Flags


def won_on_the_only_tile(told: Told, rules: Compiled) -> Won:
    """Which of the Mah-Jongs no other kind of tile could have completed."""
    hands = told.hands
    last = np.ascontiguousarray(OF_TILE.take(hands.winning_tile, axis=0).T)
    whole = told.whole - last
    waited = _to_sets(told.concealed - last)
    _add_other_shapes(waited, whole, np.flatnonzero(told.may_be_loose), rules)
    asked = (hands.winning_tile != NO_TILE) & (hands.facts & _OVERRULED == 0)
    few_chows = rules.chows_allowed.take(hands.players) < MOST_SETS
    one = np.bitwise_count(waited & ~_all_held(whole)).sum(axis=0) == 1
    return Won(np.where(asked, one, hands.facts & _ONLY != 0), asked & few_chows)


def _to_sets(concealed: Piles) -> Bits:
    """For each part a bit for each kind of which one more makes the hand sets and a pair."""
    states = [_states(kinds).take(concealed[part], mode="clip") for part, kinds in enumerate(KINDS)]
    pairs = [state >> 1 & 1 for state in states]
    complete = [(state & 1) + pair for state, pair in zip(states, pairs, strict=True)]
    all_pairs, all_complete = np.add.reduce(pairs), np.add.reduce(complete)
    waited = np.array(states)
    for part, state in enumerate(states):
        others = all_pairs - pairs[part]
        waited[part] = (state >> _TO_SETS) * (others == 1) | (state >> _TO_A_PAIR) * (others == 0)
        waited[part] *= all_complete - complete[part] == PARTS - 1
    return waited & _A_SUIT


def _add_other_shapes(waited: Bits, whole: Piles, may_be: Places, rules: Compiled) -> None:
    """Put in the kinds of which one more makes some special hand's own shape."""
    counts = counts_of(whole[:, may_be])
    for form in rules.won.loose:
        some = np.flatnonzero(near(form.shape, counts))
        for place in range(len(PLAYING_TILES) if some.size else 0):
            part, digit = part_of(place)
            made = shape_of(form.shape, with_one_more(counts[:, some], part, digit))
            waited[part, may_be[some]] |= made << digit


@cache
def _states(kinds: int) -> Bits:
    """By the number of a pile: whether it is sets, or sets and a pair, and what would make it so.

    The lowest bit is for sets, the next for sets and a pair; then come nine bits for the tiles of
    which one more makes it sets, and nine for those of which one more makes it sets and a pair.
    """
    known = cuts_of(kinds).known
    states = np.zeros(known.size, np.int32)
    for number in map(int, np.flatnonzero(known)):
        held = digits(number, kinds)
        paired = sum(held) % 3 == 2
        states[number] |= 2 if paired else 1
        for place in range(kinds):
            if held[place]:
                states[number - 5**place] |= 1 << place + (_TO_A_PAIR if paired else _TO_SETS)
    return states


def _all_held(pile: Piles) -> Bits:
    """For each part a bit for each kind of which there are four."""
    low, high = halves(pile)
    return _fours(LOW).take(low) | _fours(HIGH).take(high, mode="clip") << 5


@cache
def _fours(size: int) -> Bits:
    bits = [
        sum(1 << place for place, held in enumerate(digits(number, 5)) if held == 4)
        for number in range(size)
    ]
    return np.array(bits, np.int32)
