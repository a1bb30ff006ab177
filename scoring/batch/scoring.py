"""The totals of many hands at once, winners and losers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.batch.hands import (
    FACTS,
    HIGH,
    KINDS,
    LOW,
    MOST_SETS,
    NO_SET,
    NO_TILE,
    NO_WIND,
    OF_TILE,
    PARTS,
    Bytes,
    Flags,
    Hands,
    Numbers,
    Piles,
    Places,
    Words,
    counts_of,
    cuts_of,
    digits,
    halves,
    named,
    near,
    part_of,
    pile_of,
    pile_on_table,
    whole as shape_of,
    with_one_more,
)
from scoring.batch.prices import (
    CHOWS,
    FIXED,
    FOURS,
    KONGS,
    MANY_WAYS,
    PAIRS,
    POINTS,
    SETS,
    SINGLES,
    THIRDS,
    THREES,
    TWOS,
    WIND_PAIRS,
    Compiled,
    Looked,
    Tally,
    claimed,
    compiled,
    fits_arrays,
    highest,
    much,
    of_one_suit,
    with_suits_counted,
)
from scoring.hands.hand import Fact
from scoring.hands.problems import BadHand
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, Wind
from scoring.pricing import bonus_lines, score
from scoring.rules.declarations import Adding
from scoring.rules.rule_set import RuleSet

_NEVER: Final = 99

REFUSED, UNSURE = -1, -2


def _digit_sums(size: int) -> Bytes:
    return np.array([sum(digits(number, 5)) for number in range(size)], np.uint8)


_LOW_SUMS: Final = _digit_sums(LOW)
_HIGH_SUMS: Final = np.append(_digit_sums(HIGH), np.uint8(_NEVER))


@dataclass(frozen=True, slots=True)
class Exposition:
    """Hands, with their tiles in piles and all that is known of them but their cuts.

    `numbers` and `words` are of the sets on the table, `known` of the circumstances; `bonus`: the
    points of the bonus tiles; `winds`: which of WIND_PAIRS; `size`: how many tiles, a kong counting
    as three; `sound`: nothing speaks against the tiles.
    """

    hands: Hands
    concealed: Piles
    whole: Piles
    numbers: Numbers
    words: Words
    known: Words
    bonus: Numbers
    winds: Places
    size: Bytes
    sound: Flags

    def those(self, chosen: Places) -> "Exposition":
        hands, *others = (getattr(self, field.name) for field in fields(self))
        return Exposition(hands.those(chosen), *(column.take(chosen, axis=-1) for column in others))

    @property
    def may_be_loose(self) -> Flags:
        """Where no set was claimed and no kong declared."""
        return FIXED.of(self.numbers) == 0

    def loose(self, rules: Compiled) -> Tally:
        words = self.known | rules.as_loose
        low, high = halves(self.whole)
        for part, standing in enumerate(rules.standing):
            words |= standing.loose_low.take(low[part]) | standing.loose_high.take(high[part])
        return Tally(np.zeros_like(self.bonus), with_suits_counted(words), self.bonus)

    def standing(self, rules: Compiled, concealed: Piles) -> tuple[Numbers, Words]:
        """What these tiles stand as, sets or not, and the words of all that is held beside them."""
        low, high = halves(concealed)
        numbers, words = np.zeros_like(self.numbers), self.words | self.known
        for part, standing in enumerate(rules.standing):
            for half, places in ((standing.low, low[part]), (standing.high, high[part])):
                more, marks = half.at(places, self.winds)
                numbers += more
                words |= marks
        return numbers, words

    def cut(self, cuts: Sequence[Looked], rows: Places) -> tuple[Numbers, Words]:
        """All that is held, each part of the hand cut as its row says, and the words of it."""
        numbers, words = self.numbers, self.words | self.known
        for row, priced in zip(rows, cuts, strict=True):
            more, marks = priced.at(row, self.winds)
            numbers = numbers + more
            words = words | marks
        return numbers, words


def exposition_of(hands: Hands, rules: Compiled) -> Exposition:
    """All that is known of the hands but their cuts."""
    seat = np.minimum(hands.seat_wind, len(Wind) - 1).astype(np.intp)
    winds = seat * (len(WIND_PAIRS) // len(Wind)) + np.minimum(hands.prevailing_wind, NO_WIND)
    numbers, words = rules.on_table.at((hands.sets[0] - NO_SET).astype(np.intp), winds)
    for column in hands.sets[1:]:
        more, marks = rules.on_table.at((column - NO_SET).astype(np.intp), winds)
        numbers += more
        words |= marks
    concealed = pile_of(hands.concealed)
    whole = concealed + pile_on_table(hands.sets)
    bonus = rules.bonus.take(hands.bonus)
    in_hand = (hands.concealed != NO_TILE).sum(axis=0, dtype=np.uint8)
    sets, kongs = SETS.of(numbers), KONGS.of(numbers)
    size = (in_hand + 3 * sets).astype(np.uint8)
    there = (hands.concealed == hands.winning_tile).any(axis=0)
    # How many tiles there are; another number where there are more than four of a kind.
    low, high = halves(whole)
    tiles = (_LOW_SUMS.take(low) + _HIGH_SUMS.take(high)).sum(axis=0, dtype=np.uint8)
    sound = (
        (tiles == size + kongs)
        & np.where(hands.mahjong, size == 14, size <= 13)
        & np.where(hands.winning_tile == NO_TILE, ~claimed(hands), there)
        & (bonus >= 0)
        & (CHOWS.of(numbers) <= rules.chows_allowed.take(hands.players))
    )
    known = rules.circumstances.words(hands, kongs, whole)
    return Exposition(hands, concealed, whole, numbers, words, known, bonus, winds, size, sound)


Reckon = Callable[[Exposition, Places], Numbers]


def best_reading(exposition: Exposition, placed: Flags, reckon: Reckon) -> Numbers:
    """The most that `reckon` gives a reading of each hand, by the rows it cuts the parts with.

    `placed`: the hands whose last tile has its place, in each set that it could complete.
    """
    part, digit = np.divmod(exposition.hands.winning_tile.astype(np.intp), 9)
    part[~placed] = PARTS
    # For each part the first of its rows, and how many there are.
    first_rows, many_rows = [], []
    for number, kinds in enumerate(KINDS):
        cuts = cuts_of(kinds)
        slots = cuts.slots(exposition.concealed[number], (digit + 1) * (part == number))
        first_rows.append(cuts.first.take(slots))
        many_rows.append(cuts.many.take(slots))
    first: Places = np.array(first_rows)
    many = np.array(many_rows, np.intp)
    best = reckon(exposition, first)
    several = np.flatnonzero(many.prod(axis=0) > 1)
    if several.size:
        # The readings after the first, of hands that have several.
        many = many[:, several]
        others = many.prod(axis=0) - 1
        begins = np.cumsum(others) - others
        each = np.repeat(np.arange(several.size), others)
        left = np.arange(each.size) - begins[each] + 1
        cut = first[:, several[each]]
        for part_number, many_of_part in enumerate(many):
            left, more = np.divmod(left, many_of_part[each])
            cut[part_number] += more
        of_others = np.maximum.reduceat(reckon(exposition.those(several[each]), cut), begins)
        best[several] = np.maximum(best[several], of_others)
    return best


_ONE_SHORT = 13


def totals_standing(rules: Compiled, exposition: Exposition) -> Numbers:
    """The points (n,) of these hands before the limit, or UNSURE."""
    if not rules.rules.losers_score:
        return np.zeros(len(exposition.hands), np.int64)
    standing, words = exposition.standing(rules, exposition.concealed)
    tally = Tally(exposition.numbers + standing, with_suits_counted(words), exposition.bonus)
    totals = np.maximum(rules.stood.ordinary(tally), rules.stood.of_fixed_value(tally))
    # Which hands one tile more could make pungs or kongs and a pair, there being one.
    singles, twos, fours = SINGLES.of(standing), TWOS.of(standing), FOURS.of(standing)
    kinds = singles + twos + fours + THREES.of(standing)
    pairs_or_one = (singles == 1) & (twos == 0) | (singles == 0) & (twos == 2)
    groups = kinds + SETS.of(exposition.numbers)
    one_short = exposition.size == _ONE_SHORT
    fishing = np.flatnonzero(one_short & (groups == 5) & (fours == 0) & pairs_or_one)
    _add_fishing_for_sets(exposition, rules, tally, fishing, totals)
    # Put in the special hands of other shapes that one tile more would make.
    may_be = np.flatnonzero(exposition.may_be_loose & one_short)
    counts = counts_of(exposition.whole[:, may_be])
    for form in rules.stood.loose:
        chosen = may_be[near(form.shape, counts)]
        answered = form.question.holds(exposition.those(chosen).loose(rules).words)
        value = form.value + rules.stood.bonus_beside(tally.those(chosen))
        totals[chosen] = np.maximum(totals[chosen], answered * value)
    totals[MANY_WAYS.of(standing) > 0] = UNSURE
    return totals


def _add_fishing_for_sets(
    exposition: Exposition, rules: Compiled, tally: Tally, fishing: Places, totals: Numbers
) -> None:
    """Put in the special hands of sets that one tile more would make."""
    exposition, tally = exposition.those(fishing), tally.those(fishing)
    best = totals[fishing]
    for place in range(len(PLAYING_TILES)):
        # Whether a tile would make a pair or a pung, and may still be had.
        part, digit = part_of(place)
        in_hand = exposition.concealed[part] // 5**digit % 5
        in_all = exposition.whole[part] // 5**digit % 5
        some = np.flatnonzero((in_hand > 0) & (in_hand < 3) & (in_all < 4))
        if not some.size:
            continue
        several, counted = exposition.those(some), tally.those(some)
        more = several.concealed.copy()
        more[part] += 5**digit
        made = with_suits_counted(several.standing(rules, more)[1])
        value = highest(rules.stood.made, made)
        worth = np.where(value, value + rules.stood.bonus_beside(counted), 0)
        for form in rules.stood.doubled:
            doubled = rules.stood.own_doubled(form, counted)
            worth = np.maximum(worth, np.where(form.question.holds(made), doubled, 0))
        best[some] = np.maximum(best[some], worth)
    totals[fishing] = best


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


def won_on_the_only_tile(exposition: Exposition, rules: Compiled) -> Won:
    """Which of the Mah-Jongs no other kind of tile could have completed."""
    hands = exposition.hands
    last = np.ascontiguousarray(OF_TILE.take(hands.winning_tile, axis=0).T)
    whole = exposition.whole - last
    # For each part a bit for each kind of which one more makes the hand sets and a pair.
    concealed = exposition.concealed - last
    states = [_states(kinds).take(concealed[part], mode="clip") for part, kinds in enumerate(KINDS)]
    pairs = [state >> 1 & 1 for state in states]
    complete = [(state & 1) + pair for state, pair in zip(states, pairs, strict=True)]
    all_pairs, all_complete = np.add.reduce(pairs), np.add.reduce(complete)
    waited = np.array(states)
    for part, state in enumerate(states):
        others = all_pairs - pairs[part]
        waited[part] = (state >> _TO_SETS) * (others == 1) | (state >> _TO_A_PAIR) * (others == 0)
        waited[part] *= all_complete - complete[part] == PARTS - 1
    waited = waited & _A_SUIT
    # Of which one more makes some special hand's own shape.
    may_be = np.flatnonzero(exposition.may_be_loose)
    counts = counts_of(whole[:, may_be])
    for form in rules.won.loose:
        some = np.flatnonzero(near(form.shape, counts))
        for place in range(len(PLAYING_TILES) if some.size else 0):
            part, digit = part_of(place)
            made = shape_of(form.shape, with_one_more(counts[:, some], part, digit))
            waited[part, may_be[some]] |= made << digit
    is_asked = (hands.winning_tile != NO_TILE) & (hands.facts & _OVERRULED == 0)
    few_chows = rules.chows_allowed.take(hands.players) < MOST_SETS
    # For each part a bit for each kind of which there are four.
    low, high = halves(whole)
    fours = _fours(LOW).take(low) | _fours(HIGH).take(high, mode="clip") << 5
    single = np.bitwise_count(waited & ~fours).sum(axis=0) == 1
    return Won(np.where(is_asked, single, hands.facts & _ONLY != 0), is_asked & few_chows)


@cache
def _states(kinds: int) -> Bits:
    """By the number of a pile: whether it is sets, or sets and a pair, and what would make it so.

    The lowest bit is for sets, the next for sets and a pair; then come nine bits for the tiles of
    which one more makes it sets, and nine for those of which one more makes it sets and a pair.
    """
    known = cuts_of(kinds).known
    states = np.zeros(known.size, np.int32)
    for number in map(int, np.flatnonzero(known)):
        count_by_place = digits(number, kinds)
        paired = sum(count_by_place) % 3 == 2
        states[number] |= 2 if paired else 1
        for place in range(kinds):
            if count_by_place[place]:
                states[number - 5**place] |= 1 << place + (_TO_A_PAIR if paired else _TO_SETS)
    return states


@cache
def _fours(size: int) -> Bits:
    bits = [
        sum(1 << place for place, count in enumerate(digits(number, 5)) if count == 4)
        for number in range(size)
    ]
    return np.array(bits, np.int32)


def totals_won(rules: Compiled, exposition: Exposition) -> Numbers:
    """The points (n,) of these Mah-Jongs before the limit, REFUSED, or UNSURE."""
    won = won_on_the_only_tile(exposition, rules) if rules.asks_only_tile else None
    if won:
        exposition = replace(exposition, known=exposition.known | won.only * rules.only_tile)
    totals = best_reading(exposition, claimed(exposition.hands), partial(_best, rules))
    may_be = np.flatnonzero(exposition.may_be_loose)
    counts = counts_of(exposition.whole[:, may_be])
    no_sets = totals == REFUSED
    for form in rules.won.loose:
        chosen = may_be[np.flatnonzero(shape_of(form.shape, counts))]
        tally = exposition.those(chosen).loose(rules)
        fitting = np.flatnonzero(form.question.holds(tally.words))
        chosen, tally = chosen[fitting], tally.those(fitting)
        value = np.full(chosen.size, form.value) + rules.won.bonus_beside(tally)
        best = np.maximum(value, rules.won.of_fixed_value(tally))
        totals[chosen] = np.maximum(totals[chosen], best)
    if rules.rules.face_of_any_shape:
        # What stands in hands of other shapes, where that scores more than their value.
        chosen = np.flatnonzero(no_sets & (totals != REFUSED))
        others = exposition.those(chosen)
        standing, words = others.standing(rules, others.concealed)
        words = with_suits_counted(words | rules.as_loose)
        face = rules.won.ordinary(Tally(others.numbers + standing, words, others.bonus))
        totals[chosen] = np.maximum(totals[chosen], face)
        alike = THREES.of(standing) + FOURS.of(standing) + MANY_WAYS.of(standing) > 0
        totals[chosen[claimed(others.hands) | alike | (SETS.of(others.numbers) > 0)]] = UNSURE
    if won:
        totals[won.unsure] = UNSURE
    return totals


def _best(rules: Compiled, exposition: Exposition, cut: Places) -> Numbers:
    """The best that the hands score, cut so; REFUSED where that is no Mah-Jong."""
    numbers, words = exposition.cut(rules.of_cuts, cut)
    allowed = rules.chows_allowed.take(exposition.hands.players)
    read = (PAIRS.of(numbers) == 1) & (CHOWS.of(numbers) <= allowed)
    if rules.rules.one_suit:
        read &= of_one_suit(words)
    best = rules.won.best(Tally(numbers, with_suits_counted(words), exposition.bonus))
    return np.where(read, best, REFUSED)


_DRAGON: Final = 1 << 40
_EACH_SUIT: Final = 0x111111111
_A_THIRD: Final = 0x111
_SETS_IN_A_HAND: Final = 4


class Sums:
    """What only rules that add points up need to have compiled."""

    def __init__(self, rules: RuleSet, adding: Adding) -> None:
        self.rules = compiled(rules)
        prices, times = self.rules.prices, adding.last_tile.times
        last_tile = rules.book.last_tile
        self.times = times
        self.again = self.rules.vocabulary.question(last_tile) if last_tile else None
        self.completing = [prices.of_cuts(part, times=times) for part in range(PARTS)]
        self.standing = [prices.most_standing(part) for part in range(PARTS)]
        every = [named(bits, BONUS_TILES) for bits in range(1 << len(BONUS_TILES))]
        self.bonus = np.array(
            [sum(line.points or 0 for line in bonus_lines(tiles, rules, adding)) for tiles in every]
        )


sums: Final = lru_cache(maxsize=16)(Sums)


def sums_won(added: Sums, exposition: Exposition) -> Numbers:
    """The points (n,) of these Mah-Jongs, REFUSED or UNSURE."""
    # Where the last tile, if it is named, counts again what it completes.
    drawn = np.zeros(len(exposition.hands), np.bool_)
    if added.again is not None:
        drawn = added.again.holds(exposition.known)
    unnamed = exposition.hands.winning_tile == NO_TILE
    again = drawn & ~unnamed
    totals = np.empty(len(exposition.hands), np.int64)
    for chosen, cuts in ((again, added.completing), (~again, added.rules.of_cuts)):
        some = np.flatnonzero(chosen)
        if some.size:
            hands = exposition.those(some)
            placed = chosen[some] & again[some] | claimed(hands.hands)
            totals[some] = best_reading(hands, placed, partial(_added, added, cuts))
    may_be = np.flatnonzero(exposition.may_be_loose)
    counts = counts_of(exposition.whole[:, may_be])
    for form in added.rules.won.loose:
        chosen = may_be[shape_of(form.shape, counts)]
        hands = exposition.those(chosen)
        words = hands.loose(added.rules).words
        times = np.where(drawn[chosen], added.times, 1)
        points = form.value * times + _as_a_whole(hands, added, words)
        best = np.where(form.question.holds(words), points, REFUSED)
        totals[chosen] = np.maximum(totals[chosen], best)
    pair_alone = drawn & unnamed & (SETS.of(exposition.numbers) == _SETS_IN_A_HAND)
    totals[(totals >= _DRAGON) | again & claimed(exposition.hands) | pair_alone] = UNSURE
    return totals


def _added(added: Sums, cuts: Sequence[Looked], exposition: Exposition, cut: Places) -> Numbers:
    """What the hands add up to, cut so; _DRAGON and more where chows may make one."""
    numbers, words = exposition.cut(cuts, cut)
    dragon = np.logical_and.reduce([third.of(numbers) > 0 for third in THIRDS])
    points = POINTS.of(numbers) + _as_a_whole(exposition, added, with_suits_counted(words))
    return np.where(PAIRS.of(numbers) == 1, points + dragon * _DRAGON, REFUSED)


def _as_a_whole(exposition: Exposition, added: Sums, words: Words) -> Numbers:
    side = added.rules.won
    return much([*side.points, *side.fixed], words) + added.bonus.take(exposition.hands.bonus)


def sums_standing(added: Sums, exposition: Exposition) -> Numbers:
    """The points (n,) of these hands that did not go Mah-Jong, or UNSURE."""
    rules = added.rules
    if not rules.rules.losers_score:
        return np.zeros(len(exposition.hands), np.int64)
    totals = POINTS.of(exposition.numbers) + added.bonus.take(exposition.hands.bonus)
    for part, most in enumerate(added.standing):
        totals += most.numbers.take(exposition.concealed[part] + most.offset.take(exposition.winds))
    # Where there are 1 to 3, 4 to 6 and 7 to 9 of some suit, as chows or in the hand.
    counts = counts_of(exposition.concealed)[:3].astype(np.int64)
    thirds_begun = (counts | counts >> 1 | counts >> 2) & _EACH_SUIT
    possible = np.ones(len(exposition.hands), np.bool_)
    for third, field in enumerate(THIRDS):
        bits = _A_THIRD << 12 * third
        possible &= (thirds_begun & bits == bits).any(axis=0) | (field.of(exposition.numbers) > 0)
    totals[possible] = UNSURE
    return totals


Side = Callable[[Exposition], Numbers]

_AT_ONCE: Final = 1 << 15


def score_totals(hands: Hands, rules: RuleSet) -> Numbers:
    """The total of each hand (n,) after the limit, as `score` has it; -1 where it has none."""
    totals = np.empty(len(hands), np.int64)
    for first in range(0, len(hands), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        totals[some] = _totals(hands.those(some), rules)
    return totals


def _totals(hands: Hands, rules: RuleSet) -> Numbers:
    totals = np.full(len(hands), REFUSED)
    if not fits_arrays(rules):
        return _one_by_one(totals, range(len(hands)), hands, rules)
    known = compiled(rules)
    # One by one: hands with jokers, and those of which the rules ask for a least score.
    one_by_one = hands.goulash | (hands.mahjong & known.has_minimum.take(hands.players))
    sides: tuple[Side, Side] = partial(totals_won, known), partial(totals_standing, known)
    if rules.adding:
        added = sums(rules, rules.adding)
        sides = partial(sums_won, added), partial(sums_standing, added)
    for won, side in zip((True, False), sides, strict=True):
        places = np.flatnonzero(~one_by_one & (hands.mahjong == won))
        if places.size:
            seen = exposition_of(hands.those(places), known)
            if not seen.sound.all():
                sound = np.flatnonzero(seen.sound)
                places, seen = places[sound], seen.those(sound)
            totals[places] = known.capped(side(seen))
    return _one_by_one(totals, np.flatnonzero(one_by_one | (totals == UNSURE)), hands, rules)


def _one_by_one(totals: Numbers, places: Iterable[int], hands: Hands, rules: RuleSet) -> Numbers:
    """The totals, with those of the hands at these places filled in."""
    for place in places:
        try:
            totals[place] = score(hands.hand(int(place)), rules).total
        except BadHand:
            totals[place] = REFUSED
    return totals
