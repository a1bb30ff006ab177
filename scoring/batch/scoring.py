"""The totals of many hands at once, winners and losers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.batch.hands import (
    FACT_ORDER,
    HIGH_SIZE,
    KINDS_IN_PART,
    LOW_SIZE,
    MAX_SETS,
    NO_SET,
    NO_TILE,
    NO_WIND,
    PART_COUNT,
    TILE_PILES,
    Bytes,
    Flags,
    Hands,
    Numbers,
    Piles,
    Places,
    Words,
    add_tile,
    counts_of,
    cuts_of,
    digits,
    halves,
    is_one_short,
    matches_shape as shape_of,
    part_and_digit,
    piles_of_sets,
    piles_of_tiles,
    select_by_bits,
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
    CompiledRules,
    LookupTable,
    Tally,
    add_one_suit_bit,
    can_use_arrays,
    compile_rules,
    highest_worth,
    is_claimed,
    is_one_suit,
    total_worth,
)
from scoring.hands.hand import Fact
from scoring.hands.problems import BadHand
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, Wind
from scoring.pricing.adding import bonus_lines
from scoring.pricing.reckoning import score
from scoring.rules.declarations import Adding
from scoring.rules.rule_set import RuleSet

_INVALID_SUM: Final = 99

NO_SCORE, UNSURE = -1, -2
_FISHING_SIZE = 13
Bits = npt.NDArray[np.int32]
_SETS_SHIFT, _PAIR_SHIFT = 2, 11
_SUIT_MASK: Final = 0x1FF
_FACT_BITS: Final = {fact: 1 << place for place, fact in enumerate(FACT_ORDER)}
_ONLY_TILE_BIT: Final = _FACT_BITS[Fact.ONLY_POSSIBLE_TILE]
_OVERRULING_BITS: Final = _ONLY_TILE_BIT | _FACT_BITS[Fact.NOT_ONLY_POSSIBLE_TILE]
_DRAGON_FLAG: Final = 1 << 40
_ONES_OF_A_SUIT: Final = 0x111111111
_THIRD_MASK: Final = 0x111
_SETS_IN_A_HAND: Final = 4
_CHUNK_SIZE: Final = 1 << 15


def _digit_sums(size: int) -> Bytes:
    return np.array([sum(digits(number, 5)) for number in range(size)], np.uint8)


_LOW_SUMS: Final = _digit_sums(LOW_SIZE)
_HIGH_SUMS: Final = np.append(_digit_sums(HIGH_SIZE), np.uint8(_INVALID_SUM))


@dataclass(frozen=True, slots=True)
class Exposition:
    """Hands, with their tiles in piles and all that is known of them but their cuts.

    `numbers` and `words` are of the sets on the table, `circumstance_words` of the circumstances;
    `bonus`: the points of the bonus tiles; `winds`: which of WIND_PAIRS; `size`: how many tiles, a
    kong counting as three; `sound`: nothing speaks against the tiles.
    """

    hands: Hands
    concealed: Piles
    all_piles: Piles
    numbers: Numbers
    words: Words
    circumstance_words: Words
    bonus: Numbers
    winds: Places
    size: Bytes
    sound: Flags

    def those(self, places: Places) -> "Exposition":
        hands, *columns = (getattr(self, field.name) for field in fields(self))
        return Exposition(
            hands.those(places), *(column.take(places, axis=-1) for column in columns)
        )

    @property
    def may_be_loose(self) -> Flags:
        """Where no set was claimed and no kong declared."""
        return FIXED.extract(self.numbers) == 0

    def loose(self, rules: CompiledRules) -> Tally:
        mark_words = self.circumstance_words | rules.as_loose
        low, high = halves(self.all_piles)
        for part, standing in enumerate(rules.standing):
            mark_words |= standing.loose_low.take(low[part]) | standing.loose_high.take(high[part])
        return Tally(np.zeros_like(self.bonus), add_one_suit_bit(mark_words), self.bonus)

    def standing(self, rules: CompiledRules, concealed: Piles) -> tuple[Numbers, Words]:
        """What these tiles stand as, sets or not, and the words of all that is held beside them."""
        low, high = halves(concealed)
        numbers, mark_words = np.zeros_like(self.numbers), self.words | self.circumstance_words
        for part, standing in enumerate(rules.standing):
            for half, places in ((standing.low, low[part]), (standing.high, high[part])):
                part_numbers, marks = half.look_up(places, self.winds)
                numbers += part_numbers
                mark_words |= marks
        return numbers, mark_words

    def cut(self, cuts: Sequence[LookupTable], rows: Places) -> tuple[Numbers, Words]:
        """All that is held, each part of the hand cut as its row says, and the words of it."""
        numbers, mark_words = self.numbers, self.words | self.circumstance_words
        for row, price_table in zip(rows, cuts, strict=True):
            part_numbers, marks = price_table.look_up(row, self.winds)
            numbers = numbers + part_numbers
            mark_words = mark_words | marks
        return numbers, mark_words


def exposition_of(hands: Hands, rules: CompiledRules) -> Exposition:
    """All that is known of the hands but their cuts."""
    seat = np.minimum(hands.seat_wind, len(Wind) - 1).astype(np.intp)
    winds = seat * (len(WIND_PAIRS) // len(Wind)) + np.minimum(hands.prevailing_wind, NO_WIND)
    numbers, mark_words = rules.on_table.look_up((hands.sets[0] - NO_SET).astype(np.intp), winds)
    for column in hands.sets[1:]:
        set_numbers, marks = rules.on_table.look_up((column - NO_SET).astype(np.intp), winds)
        numbers += set_numbers
        mark_words |= marks
    concealed = piles_of_tiles(hands.concealed)
    all_piles = concealed + piles_of_sets(hands.sets)
    bonus = rules.bonus.take(hands.bonus)
    in_hand = (hands.concealed != NO_TILE).sum(axis=0, dtype=np.uint8)
    sets, kongs = SETS.extract(numbers), KONGS.extract(numbers)
    size = (in_hand + 3 * sets).astype(np.uint8)
    has_winning_tile = (hands.concealed == hands.winning_tile).any(axis=0)
    # How many tiles there are; another number where there are more than four of a kind.
    low, high = halves(all_piles)
    tiles = (_LOW_SUMS.take(low) + _HIGH_SUMS.take(high)).sum(axis=0, dtype=np.uint8)
    sound = (
        (tiles == size + kongs)
        & np.where(hands.mahjong, size == 14, size <= 13)
        & np.where(hands.winning_tile == NO_TILE, ~is_claimed(hands), has_winning_tile)
        & (bonus >= 0)
        & (CHOWS.extract(numbers) <= rules.chows_allowed.take(hands.players))
    )
    circumstance_words = rules.circumstances.words(hands, kongs, all_piles)
    return Exposition(
        hands,
        concealed,
        all_piles,
        numbers,
        mark_words,
        circumstance_words,
        bonus,
        winds,
        size,
        sound,
    )


ReadingScorer = Callable[[Exposition, Places], Numbers]


def best_reading(exposition: Exposition, has_place: Flags, reckon: ReadingScorer) -> Numbers:
    """The most that `reckon` gives a reading of each hand, by the rows it cuts the parts with.

    `has_place`: the hands whose last tile has its place, in each set that it could complete.
    """
    part, digit = np.divmod(exposition.hands.winning_tile.astype(np.intp), 9)
    part[~has_place] = PART_COUNT
    # For each part the first of its rows, and how many there are.
    first_rows, many_rows = [], []
    for number, kinds in enumerate(KINDS_IN_PART):
        cuts = cuts_of(kinds)
        slots = cuts.slots(exposition.concealed[number], (digit + 1) * (part == number))
        first_rows.append(cuts.first.take(slots))
        many_rows.append(cuts.row_counts.take(slots))
    first: Places = np.array(first_rows)
    row_counts = np.array(many_rows, np.intp)
    best = reckon(exposition, first)
    several = np.flatnonzero(row_counts.prod(axis=0) > 1)
    if several.size:
        # The readings after the first, of hands that have several.
        row_counts = row_counts[:, several]
        other_counts = row_counts.prod(axis=0) - 1
        begins = np.cumsum(other_counts) - other_counts
        hand_indices = np.repeat(np.arange(several.size), other_counts)
        remainder = np.arange(hand_indices.size) - begins[hand_indices] + 1
        rows = first[:, several[hand_indices]]
        for part_number, many_of_part in enumerate(row_counts):
            remainder, row_offset = np.divmod(remainder, many_of_part[hand_indices])
            rows[part_number] += row_offset
        of_others = np.maximum.reduceat(
            reckon(exposition.those(several[hand_indices]), rows), begins
        )
        best[several] = np.maximum(best[several], of_others)
    return best


def standing_totals(rules: CompiledRules, exposition: Exposition) -> Numbers:
    """The points (n,) of these hands before the limit, or UNSURE."""
    if not rules.rules.losers_score:
        return np.zeros(len(exposition.hands), np.int64)
    standing, mark_words = exposition.standing(rules, exposition.concealed)
    tally = Tally(exposition.numbers + standing, add_one_suit_bit(mark_words), exposition.bonus)
    totals = np.maximum(
        rules.standing_questions.ordinary(tally), rules.standing_questions.of_fixed_value(tally)
    )
    # Which hands one tile more could make pungs or kongs and a pair, there being one.
    singles = SINGLES.extract(standing)
    twos = TWOS.extract(standing)
    fours = FOURS.extract(standing)
    kinds = singles + twos + fours + THREES.extract(standing)
    pairs_or_one = (singles == 1) & (twos == 0) | (singles == 0) & (twos == 2)
    groups = kinds + SETS.extract(exposition.numbers)
    one_short = exposition.size == _FISHING_SIZE
    fishing = np.flatnonzero(one_short & (groups == 5) & (fours == 0) & pairs_or_one)
    _add_fishing_for_sets(exposition, rules, tally, fishing, totals)
    # Put in the special hands of other shapes that one tile more would make.
    may_be = np.flatnonzero(exposition.may_be_loose & one_short)
    counts = counts_of(exposition.all_piles[:, may_be])
    for form in rules.standing_questions.loose:
        places = may_be[is_one_short(form.shape, counts)]
        flags = form.question.holds(exposition.those(places).loose(rules).words)
        value = form.value + rules.standing_questions.bonus_beside(tally.those(places))
        totals[places] = np.maximum(totals[places], flags * value)
    totals[MANY_WAYS.extract(standing) > 0] = UNSURE
    return totals


def _add_fishing_for_sets(
    exposition: Exposition, rules: CompiledRules, tally: Tally, fishing: Places, totals: Numbers
) -> None:
    """Put in the special hands of sets that one tile more would make."""
    exposition, tally = exposition.those(fishing), tally.those(fishing)
    best = totals[fishing]
    for place in range(len(PLAYING_TILES)):
        # Whether a tile would make a pair or a pung, and may still be had.
        part, digit = part_and_digit(place)
        in_hand = exposition.concealed[part] // 5**digit % 5
        in_all = exposition.all_piles[part] // 5**digit % 5
        some = np.flatnonzero((in_hand > 0) & (in_hand < 3) & (in_all < 4))
        if not some.size:
            continue
        several, several_tally = exposition.those(some), tally.those(some)
        new_piles = several.concealed.copy()
        new_piles[part] += 5**digit
        completed_words = add_one_suit_bit(several.standing(rules, new_piles)[1])
        value = highest_worth(rules.standing_questions.fishing_questions, completed_words)
        worth = np.where(value, value + rules.standing_questions.bonus_beside(several_tally), 0)
        for form in rules.standing_questions.doubled_questions:
            doubled_points = rules.standing_questions.own_doubled(form, several_tally)
            worth = np.maximum(
                worth, np.where(form.question.holds(completed_words), doubled_points, 0)
            )
        best[some] = np.maximum(best[some], worth)
    totals[fishing] = best


class OnlyTileWins(NamedTuple):
    """Which hands were won on the only tile, and of which only `score` can say."""

    only: Flags
    unsure: Flags


def only_tile_wins(exposition: Exposition, rules: CompiledRules) -> OnlyTileWins:
    """Which of the Mah-Jongs no other kind of tile could have completed."""
    hands = exposition.hands
    last = np.ascontiguousarray(TILE_PILES.take(hands.winning_tile, axis=0).T)
    remaining_piles = exposition.all_piles - last
    # For each part a bit for each kind of which one more makes the hand sets and a pair.
    concealed = exposition.concealed - last
    states = [
        _pile_states(kinds).take(concealed[part], mode="clip")
        for part, kinds in enumerate(KINDS_IN_PART)
    ]
    pairs = [state >> 1 & 1 for state in states]
    complete = [(state & 1) + pair for state, pair in zip(states, pairs, strict=True)]
    all_pairs, all_complete = np.add.reduce(pairs), np.add.reduce(complete)
    waits = np.array(states)
    for part, state in enumerate(states):
        other_pairs = all_pairs - pairs[part]
        waits[part] = (state >> _SETS_SHIFT) * (other_pairs == 1) | (state >> _PAIR_SHIFT) * (
            other_pairs == 0
        )
        waits[part] *= all_complete - complete[part] == PART_COUNT - 1
    waits = waits & _SUIT_MASK
    # Of which one more makes some special hand's own shape.
    may_be = np.flatnonzero(exposition.may_be_loose)
    counts = counts_of(remaining_piles[:, may_be])
    for form in rules.won.loose:
        some = np.flatnonzero(is_one_short(form.shape, counts))
        for place in range(len(PLAYING_TILES) if some.size else 0):
            part, digit = part_and_digit(place)
            shape_flags = shape_of(form.shape, add_tile(counts[:, some], part, digit))
            waits[part, may_be[some]] |= shape_flags << digit
    is_asked = (hands.winning_tile != NO_TILE) & (hands.facts & _OVERRULING_BITS == 0)
    few_chows = rules.chows_allowed.take(hands.players) < MAX_SETS
    # For each part a bit for each kind of which there are four.
    low, high = halves(remaining_piles)
    fours = _four_bits(LOW_SIZE).take(low) | _four_bits(HIGH_SIZE).take(high, mode="clip") << 5
    single = np.bitwise_count(waits & ~fours).sum(axis=0) == 1
    return OnlyTileWins(
        np.where(is_asked, single, hands.facts & _ONLY_TILE_BIT != 0), is_asked & few_chows
    )


@cache
def _pile_states(kinds: int) -> Bits:
    """By the number of a pile: whether it is sets, or sets and a pair, and what would make it so.

    The lowest bit is for sets, the next for sets and a pair; then come nine bits for the tiles of
    which one more makes it sets, and nine for those of which one more makes it sets and a pair.
    """
    pile_slots = cuts_of(kinds).pile_index
    states = np.zeros(pile_slots.size, np.int32)
    for number in map(int, np.flatnonzero(pile_slots)):
        count_by_place = digits(number, kinds)
        has_pair = sum(count_by_place) % 3 == 2
        states[number] |= 2 if has_pair else 1
        for place in range(kinds):
            if count_by_place[place]:
                states[number - 5**place] |= 1 << place + (_PAIR_SHIFT if has_pair else _SETS_SHIFT)
    return states


@cache
def _four_bits(size: int) -> Bits:
    bits = [
        sum(1 << place for place, count in enumerate(digits(number, 5)) if count == 4)
        for number in range(size)
    ]
    return np.array(bits, np.int32)


def won_totals(rules: CompiledRules, exposition: Exposition) -> Numbers:
    """The points (n,) of these Mah-Jongs before the limit, NO_SCORE, or UNSURE."""
    won = only_tile_wins(exposition, rules) if rules.asks_only_tile else None
    if won:
        circumstance_words = exposition.circumstance_words | won.only * rules.only_tile
        exposition = replace(exposition, circumstance_words=circumstance_words)
    totals = best_reading(exposition, is_claimed(exposition.hands), partial(_best_cut_score, rules))
    may_be = np.flatnonzero(exposition.may_be_loose)
    counts = counts_of(exposition.all_piles[:, may_be])
    no_sets = totals == NO_SCORE
    for form in rules.won.loose:
        places = may_be[np.flatnonzero(shape_of(form.shape, counts))]
        tally = exposition.those(places).loose(rules)
        fitting = np.flatnonzero(form.question.holds(tally.words))
        places, tally = places[fitting], tally.those(fitting)
        value = np.full(places.size, form.value) + rules.won.bonus_beside(tally)
        best = np.maximum(value, rules.won.of_fixed_value(tally))
        totals[places] = np.maximum(totals[places], best)
    if rules.rules.face_of_any_shape:
        # What stands in hands of other shapes, where that scores more than their value.
        places = np.flatnonzero(no_sets & (totals != NO_SCORE))
        other_hands = exposition.those(places)
        standing, mark_words = other_hands.standing(rules, other_hands.concealed)
        mark_words = add_one_suit_bit(mark_words | rules.as_loose)
        face = rules.won.ordinary(
            Tally(other_hands.numbers + standing, mark_words, other_hands.bonus)
        )
        totals[places] = np.maximum(totals[places], face)
        is_ambiguous = (
            THREES.extract(standing) + FOURS.extract(standing) + MANY_WAYS.extract(standing) > 0
        )
        totals[
            places[
                is_claimed(other_hands.hands)
                | is_ambiguous
                | (SETS.extract(other_hands.numbers) > 0)
            ]
        ] = UNSURE
    if won:
        totals[won.unsure] = UNSURE
    return totals


def _best_cut_score(rules: CompiledRules, exposition: Exposition, rows: Places) -> Numbers:
    """The best that the hands score, cut so; NO_SCORE where that is no Mah-Jong."""
    numbers, mark_words = exposition.cut(rules.of_cuts, rows)
    most_chows = rules.chows_allowed.take(exposition.hands.players)
    is_mahjong = (PAIRS.extract(numbers) == 1) & (CHOWS.extract(numbers) <= most_chows)
    if rules.rules.one_suit:
        is_mahjong &= is_one_suit(mark_words)
    best = rules.won.best(Tally(numbers, add_one_suit_bit(mark_words), exposition.bonus))
    return np.where(is_mahjong, best, NO_SCORE)


class CompiledSums:
    """What only rules that add points up need to have compiled."""

    def __init__(self, rules: RuleSet, adding: Adding) -> None:
        self.rules = compile_rules(rules)
        prices, times = self.rules.prices, adding.last_tile.times
        last_tile = rules.book.last_tile
        self.times = times
        self.last_tile_question = self.rules.vocabulary.question(last_tile) if last_tile else None
        self.completing = [prices.of_cuts(part, times=times) for part in range(PART_COUNT)]
        self.standing = [prices.most_standing(part) for part in range(PART_COUNT)]
        bonus_choices = [select_by_bits(bits, BONUS_TILES) for bits in range(1 << len(BONUS_TILES))]
        self.bonus = np.array(
            [
                sum(line.points or 0 for line in bonus_lines(tiles, rules, adding))
                for tiles in bonus_choices
            ]
        )


compile_sums: Final = lru_cache(maxsize=16)(CompiledSums)


def won_sums(compiled_sums: CompiledSums, exposition: Exposition) -> Numbers:
    """The points (n,) of these Mah-Jongs, NO_SCORE or UNSURE."""
    # Where the last tile, if it is named, counts again what it completes.
    is_drawn = np.zeros(len(exposition.hands), np.bool_)
    if compiled_sums.last_tile_question is not None:
        is_drawn = compiled_sums.last_tile_question.holds(exposition.circumstance_words)
    is_unnamed = exposition.hands.winning_tile == NO_TILE
    is_counted_again = is_drawn & ~is_unnamed
    totals = np.empty(len(exposition.hands), np.int64)
    for selection, cuts in (
        (is_counted_again, compiled_sums.completing),
        (~is_counted_again, compiled_sums.rules.of_cuts),
    ):
        some = np.flatnonzero(selection)
        if some.size:
            hands = exposition.those(some)
            has_place = selection[some] & is_counted_again[some] | is_claimed(hands.hands)
            totals[some] = best_reading(hands, has_place, partial(_sum_cut, compiled_sums, cuts))
    may_be = np.flatnonzero(exposition.may_be_loose)
    counts = counts_of(exposition.all_piles[:, may_be])
    for form in compiled_sums.rules.won.loose:
        selection = may_be[shape_of(form.shape, counts)]
        hands = exposition.those(selection)
        mark_words = hands.loose(compiled_sums.rules).words
        times = np.where(is_drawn[selection], compiled_sums.times, 1)
        points = form.value * times + _whole_hand_points(hands, compiled_sums, mark_words)
        best = np.where(form.question.holds(mark_words), points, NO_SCORE)
        totals[selection] = np.maximum(totals[selection], best)
    pair_alone = is_drawn & is_unnamed & (SETS.extract(exposition.numbers) == _SETS_IN_A_HAND)
    totals[
        (totals >= _DRAGON_FLAG) | is_counted_again & is_claimed(exposition.hands) | pair_alone
    ] = UNSURE
    return totals


def _sum_cut(
    compiled_sums: CompiledSums, cuts: Sequence[LookupTable], exposition: Exposition, rows: Places
) -> Numbers:
    """What the hands add up to, cut so; _DRAGON_FLAG and more where chows may make one."""
    numbers, mark_words = exposition.cut(cuts, rows)
    dragon = np.logical_and.reduce([third.extract(numbers) > 0 for third in THIRDS])
    points = POINTS.extract(numbers) + _whole_hand_points(
        exposition, compiled_sums, add_one_suit_bit(mark_words)
    )
    return np.where(PAIRS.extract(numbers) == 1, points + dragon * _DRAGON_FLAG, NO_SCORE)


def _whole_hand_points(
    exposition: Exposition, compiled_sums: CompiledSums, mark_words: Words
) -> Numbers:
    side = compiled_sums.rules.won
    return total_worth([*side.points, *side.fixed], mark_words) + compiled_sums.bonus.take(
        exposition.hands.bonus
    )


def standing_sums(compiled_sums: CompiledSums, exposition: Exposition) -> Numbers:
    """The points (n,) of these hands that did not go Mah-Jong, or UNSURE."""
    rules = compiled_sums.rules
    if not rules.rules.losers_score:
        return np.zeros(len(exposition.hands), np.int64)
    totals = POINTS.extract(exposition.numbers) + compiled_sums.bonus.take(exposition.hands.bonus)
    for part, most in enumerate(compiled_sums.standing):
        totals += most.numbers.take(exposition.concealed[part] + most.offset.take(exposition.winds))
    # Where there are 1 to 3, 4 to 6 and 7 to 9 of some suit, as chows or in the hand.
    counts = counts_of(exposition.concealed)[:3].astype(np.int64)
    thirds_begun = (counts | counts >> 1 | counts >> 2) & _ONES_OF_A_SUIT
    possible = np.ones(len(exposition.hands), np.bool_)
    for third, field in enumerate(THIRDS):
        bits = _THIRD_MASK << 12 * third
        possible &= (thirds_begun & bits == bits).any(axis=0) | (
            field.extract(exposition.numbers) > 0
        )
    totals[possible] = UNSURE
    return totals


SideScorer = Callable[[Exposition], Numbers]


def score_totals(hands: Hands, rules: RuleSet) -> Numbers:
    """The total of each hand (n,) after the limit, as `score` has it; -1 where it has none."""
    totals = np.empty(len(hands), np.int64)
    for first in range(0, len(hands), _CHUNK_SIZE):
        some = slice(first, first + _CHUNK_SIZE)
        totals[some] = _score_chunk(hands.those(some), rules)
    return totals


def _score_chunk(hands: Hands, rules: RuleSet) -> Numbers:
    totals = np.full(len(hands), NO_SCORE)
    if not can_use_arrays(rules):
        return _score_singly(totals, range(len(hands)), hands, rules)
    compiled_rules = compile_rules(rules)
    # One by one: hands with jokers, and those of which the rules ask for a least score.
    one_by_one = hands.goulash | (hands.mahjong & compiled_rules.has_minimum.take(hands.players))
    sides: tuple[SideScorer, SideScorer] = (
        partial(won_totals, compiled_rules),
        partial(standing_totals, compiled_rules),
    )
    if rules.adding:
        compiled_sums = compile_sums(rules, rules.adding)
        sides = partial(won_sums, compiled_sums), partial(standing_sums, compiled_sums)
    for won, side in zip((True, False), sides, strict=True):
        places = np.flatnonzero(~one_by_one & (hands.mahjong == won))
        if places.size:
            exposition = exposition_of(hands.those(places), compiled_rules)
            if not exposition.sound.all():
                sound = np.flatnonzero(exposition.sound)
                places, exposition = places[sound], exposition.those(sound)
            totals[places] = compiled_rules.cap_totals(side(exposition))
    return _score_singly(totals, np.flatnonzero(one_by_one | (totals == UNSURE)), hands, rules)


def _score_singly(totals: Numbers, places: Iterable[int], hands: Hands, rules: RuleSet) -> Numbers:
    """The totals, with those of the hands at these places filled in."""
    for place in places:
        try:
            totals[place] = score(hands.hand(int(place)), rules).total
        except BadHand:
            totals[place] = NO_SCORE
    return totals
