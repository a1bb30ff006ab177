"""What sets can come together in one hand: a table, grown by one kind of tile at a time.

Hands that have the same shape, flags and doubles are one entry, with all their points; every entry
says what it came from, so that a hand of just so many points can be laid out again.

A flag says that a mark has been seen which some question of the rules needs, or that a question
can no longer be met. Flags are joined with `|`, so hands that every question answers alike have
the same flags.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from itertools import combinations, combinations_with_replacement, product
from operator import or_
from typing import Final, NamedTuple

from scoring.hands.hand import Fact, Hand, Kind, WonBy, first_set_code, set_of
from scoring.hands.tiles import (
    BONUS_TILES,
    DRAGON_TILES,
    PLAYING_TILES,
    SUITS,
    TILE_PLACE,
    WIND_TILES,
    Tile,
)
from scoring.pricing.adding import bonus_lines
from scoring.rules import marks
from scoring.rules.conditions import ConditionMask, MarkQuestion
from scoring.rules.declarations import ChowDragon, Jokers
from scoring.rules.prices import Prices
from scoring.rules.rule_set import RuleSet

Flags = int

_TILE_MARKS: Final = sum(marks.HOLDS.values()) | sum(marks.SET_OF.values())
_SUIT_MARKS: Final = sum(marks.SUIT.values())
_SET_MARKS: Final = (
    marks.SUITED | marks.HONOUR | marks.TERMINAL | marks.WIND | marks.DRAGON | marks.CHOW
    | marks.PUNG | marks.KONG | marks.TWO_KONGS | marks.LOOSE | marks.EXPOSED
    | marks.EXPOSED_PUNG | marks.OPENED | sum(marks.LAST_TILE.values())
    | marks.COUNTED_MARKS | marks.THREE_KONGS
)  # fmt: skip
_NEEDED_MARKS: Final = _SET_MARKS | _SUIT_MARKS
_BONUS_MARKS: Final = (
    marks.OWN_FLOWER
    | marks.OWN_SEASON
    | marks.OWN_BONUS_TILE
    | marks.ALL_FLOWERS
    | marks.ALL_SEASONS
)
_ALL_SET_MARKS: Final = _TILE_MARKS | _SUIT_MARKS | marks.ONE_SUIT | _SET_MARKS
_OUTSIDE_MARKS: Final = ~_ALL_SET_MARKS | sum(marks.LAST_TILE.values())
_COUNTED_SETS: Final = (
    ("concealed", 3, marks.THREE_CONCEALED),
    ("concealed", 4, marks.FOUR_CONCEALED),
    ("kongs", 3, marks.THREE_KONGS),
    ("dragons", 2, marks.TWO_DRAGON_SETS),
    ("winds", 3, marks.THREE_WIND_SETS),
)
_FIRST_FAILURE: Final = max(marks.LAST_TILE.values()).bit_length()
_TABLE_FACTS: Final = (Fact.ORIGINAL_CALL, Fact.TWOFOLD_FORTUNE, Fact.THIRTEENTH_WIN)
_WAYS_OR_NONE: Final = (None, *WonBy)
PointSet = int  # bit n: n points are possible
_SET_SIZE: Final = {Kind.PAIR: 2, Kind.CHOW: 3, Kind.PUNG: 3, Kind.KONG: 4}

SHAPE_FIELDS: Final = (
    *("tiles", "sets", "pairs", "singles", "chows", "claimed", "again", "jokers"),
    *("concealed", "kongs", "dragons", "winds"),
)
_FIELD_BITS: Final = 5
_COPIES_OF_A_TILE: Final = 4
_MAX_SETS: Final = 4
_HONOUR_TILES: Final = WIND_TILES + DRAGON_TILES
# Tiles far from one another come first, so that pungs are seldom chows as well.
_NUMBER_ORDER: Final = "159264837"


class Questions(dict[Flags, Flags]):
    """The questions of some lines; looked up as a dictionary, flags are settled.

    Settled flags leave out what no question that is still open needs, and say what fails because
    the tiles are of two suits.
    """

    def __init__(self, questions: Iterable[MarkQuestion], *, one_suit: bool = False) -> None:
        super().__init__()
        self.conditions = tuple(
            ConditionMask(question.mask, question.want) for question in questions
        )
        self._needs = tuple(question.want & _NEEDED_MARKS for question in self.conditions)
        self._of_one_suit = tuple(
            bool(question.mask & marks.ONE_SUIT) for question in self.conditions
        )
        self._kept_flags = tuple(map(_needed_flags, self.conditions))
        self._ever_needed = reduce(or_, self._kept_flags, _SUIT_MARKS if one_suit else 0)
        self.one_suit = one_suit

    @cached_property
    def marks(self) -> int:
        return reduce(or_, (question.mask for question in self.conditions), 0)

    @cached_property
    def counts(self) -> dict[str, list[tuple[int, Flags]]]:
        """By the field of the shape in which sets are counted: how many give which mark."""
        counts: dict[str, list[tuple[int, Flags]]] = {}
        for name, least, mark in _COUNTED_SETS:
            if mark & self.marks:
                counts.setdefault(name, []).append((least, mark))
        return counts

    def count_flags(self, shape_of_hand: int) -> Flags:
        """What hands of that shape have by the number of their sets."""
        flags = 0
        for name, thresholds in self.counts.items():
            count = shape_of_hand >> _FIELD_BITS * SHAPE_FIELDS.index(name) & (1 << _FIELD_BITS) - 1
            flags |= sum(mark for least, mark in thresholds if count >= least)
        return flags

    @cached_property
    def never(self) -> Flags:
        """The flags of a hand that the rules do not allow: its tiles are of two suits."""
        return 1 << _FIRST_FAILURE + len(self.conditions)

    @cached_property
    def all_failed(self) -> Flags:
        return self._all_but(0)

    @cached_property
    def of_sets_alone(self) -> Flags:
        """That every question fails which is about nothing but a hand's sets."""
        return self._all_but(_OUTSIDE_MARKS)

    @cached_property
    def of_no_sets(self) -> Flags:
        """That every question fails which is about something else than a hand's sets."""
        return self._all_but(_ALL_SET_MARKS) & ~self.of_sets_alone

    def _all_but(self, marks_held: int) -> Flags:
        numbers = enumerate(self.conditions)
        return sum(
            self._failure(number) for number, question in numbers if not question.mask & marks_held
        )

    def _failure(self, number: int) -> Flags:
        return 1 << _FIRST_FAILURE + number

    def of_set(self, marks_held: int) -> Flags:
        return marks_held & self._ever_needed | self._unwanted_failures(marks_held)

    def lacking(self, tile: Tile, marks_held: int) -> Flags:
        """What fails because all that there is of this tile has no more than these marks."""
        of_tile = marks.HOLDS[tile] | marks.SET_OF[tile]
        return self._absent_failures(of_tile & ~marks_held)

    def of_bonus(self, marks_held: int) -> Flags:
        """What fails because the bonus tiles have these marks and no others."""
        return self._absent_failures(_BONUS_MARKS & ~marks_held) | self._unwanted_failures(
            _BONUS_MARKS & marks_held
        )

    def of_circumstances(self, marks_held: int) -> Flags:
        """What fails because winds, facts and the way of winning have these marks only."""
        outside_marks = _OUTSIDE_MARKS & ~_BONUS_MARKS
        return self._absent_failures(outside_marks & ~marks_held) | self._unwanted_failures(
            outside_marks & marks_held
        )

    def _absent_failures(self, absent: int) -> Flags:
        return sum(
            self._failure(number)
            for number, question in enumerate(self.conditions)
            if question.want & absent
        )

    def _unwanted_failures(self, marks_held: int) -> Flags:
        return sum(
            self._failure(number)
            for number, question in enumerate(self.conditions)
            if question.not_wanted & marks_held
        )

    def __missing__(self, flags: Flags) -> Flags:
        several = (flags & _SUIT_MARKS).bit_count() > 1
        settled_flags, needed_flags = flags, 0
        for number in range(len(self.conditions)):
            failure = self._failure(number)
            if several and self._of_one_suit[number]:
                settled_flags |= failure
            if not settled_flags & failure:
                needed_flags |= self._kept_flags[number]
        if self.one_suit:
            needed_flags |= _SUIT_MARKS
            settled_flags |= self.never if several else 0
        settled_flags &= needed_flags | -1 << _FIRST_FAILURE
        self[flags] = settled_flags
        return settled_flags

    def met_numbers(self, flags: Flags) -> list[int]:
        """The numbers of the questions that hands with these flags meet."""
        return [
            number
            for number, need in enumerate(self._needs)
            if not flags & self._failure(number)
            and flags & need == need
            and (not self._of_one_suit[number] or flags & marks.SUITED)
        ]


def _needed_flags(question: ConditionMask) -> Flags:
    """What must be remembered of sets as long as the question is open."""
    needed_marks = question.want & _NEEDED_MARKS
    if needed_marks & marks.TWO_KONGS:
        needed_marks |= marks.KONG
    return needed_marks | (_SUIT_MARKS | marks.SUITED if question.mask & marks.ONE_SUIT else 0)


def two_kongs_flag(first: Flags, other_flags: Flags) -> Flags:
    """What both together have that neither has alone."""
    return marks.TWO_KONGS if first & other_flags & marks.KONG else 0


class Circumstance(NamedTuple):
    """What fails for a hand without tiles that stands for all hands told and won like it."""

    flags: Flags
    hand: Hand


class Bonus(NamedTuple):
    """Flowers and seasons that come to the same, and what fails with them."""

    flags: Flags
    tiles: tuple[Tile, ...]
    points: int


def circumstances(hand: Hand, questions: Questions) -> list[Circumstance]:
    """Every way of being told and won that the questions tell apart; `hand` has the winds."""
    mask = questions.marks
    facts = [fact for fact in _TABLE_FACTS if marks.FACT[fact] & mask]
    tells = [frozenset(some) for n in range(len(facts) + 1) for some in combinations(facts, n)]
    if marks.ONLY_TILE & mask:
        only = (Fact.NOT_ONLY_POSSIBLE_TILE, Fact.ONLY_POSSIBLE_TILE)
        tells = [facts | {fact} for fact in only for facts in tells]
    told_hands = [replace(hand, facts=facts) for facts in tells]
    if hand.mahjong:
        last = [None, *(tile for tile in PLAYING_TILES if marks.LAST_TILE[tile] & mask)]
        told_hands = [
            replace(told_hand, won_by=won_by, winning_tile=tile)
            for told_hand, tile, won_by in product(told_hands, last, _WAYS_OR_NONE)
        ]
    by_flags: dict[tuple[bool, Flags], Hand] = {}
    for told_hand in told_hands:
        marks_held = marks.of_circumstances(told_hand)
        if Fact.ONLY_POSSIBLE_TILE in told_hand.facts:
            marks_held |= marks.ONLY_TILE
        by_flags.setdefault((told_hand.claimed, questions.of_circumstances(marks_held)), told_hand)
    return [Circumstance(flags, told_hand) for (_is_claimed, flags), told_hand in by_flags.items()]


def bonus_tiles(hand: Hand, rules: RuleSet, questions: Questions) -> list[Bonus]:
    """Every choice of flowers and seasons that the questions, or their points, tell apart."""
    by_worth: dict[tuple[Flags, int], Bonus] = {}
    for count in range(len(BONUS_TILES) + 1 if rules.bonus_points else 1):
        for tiles in combinations(BONUS_TILES, count):
            marks_held = marks.of_circumstances(replace(hand, bonus=tiles))
            if rules.adding:
                lines = bonus_lines(tiles, rules, rules.adding)
            else:
                lines = [rules.book.bonus_lines[tile] for tile in tiles]
            points = sum(line.points or 0 for line in lines)
            bonus = Bonus(questions.of_bonus(marks_held), tiles, points)
            by_worth.setdefault((bonus.flags, points), bonus)
    return list(by_worth.values())


class Stand(NamedTuple):
    """A way for a set to stand: what it is, where, and how many times it counts.

    `claimed`: a claimed last tile completes it; `times`: more than once where a drawn one does.
    """

    kind: Kind
    exposed: bool = False
    claimed: bool = False
    times: int = 1

    def code(self, place: int) -> int:
        """The code of the set that begins with the tile of that place."""
        return first_set_code(self.kind, exposed=self.exposed) + place

    @property
    def size(self) -> int:
        return _SET_SIZE[self.kind]

    @property
    def is_open(self) -> bool:
        """Whether it was exposed before the last tile."""
        return self.exposed and not self.claimed


class Piece(NamedTuple):
    """A set that begins at one of these places, and how it stands; a single tile has no stand."""

    places: tuple[int, ...]
    stand: Stand | None = None
    most_jokers: int = 0
    jokers: int = 0


class Option(NamedTuple):
    """What a hand may hold of one kind of tile, or of a suit's chows."""

    shape: int
    flags: Flags
    doubles: int
    points: int
    pieces: tuple[Piece, ...] = ()


class TableEntry(NamedTuple):
    """Hands that differ in points and tiles only."""

    shape: int
    flags: Flags
    doubles: int


class Origin(NamedTuple):
    """Where hands of these points come from: the entry before, and what was added."""

    points: PointSet
    previous_entry: TableEntry
    option: Option


EMPTY_ENTRY: Final = TableEntry(0, 0, 0)
Stage = dict[TableEntry, list[Origin]]
EntryTable = dict[TableEntry, PointSet]


class Piles:
    """Every way to choose one option at each step, with a shape that there is room for."""

    def __init__(
        self, steps: Sequence[Sequence[Option]], room: Collection[int], questions: Questions
    ) -> None:
        self._room = frozenset(room)
        self._questions = questions
        self._stages: list[Stage] = []
        table: EntryTable = {EMPTY_ENTRY: 1}
        for options in steps:
            table = self._grow_table(table, options)
        self.table = table

    def _grow_table(self, table: EntryTable, options: Sequence[Option]) -> EntryTable:
        room, questions = self._room, self._questions
        stage: Stage = {}
        grown_table: EntryTable = {}
        for old_entry, points in table.items():
            shape, flags, doubles = old_entry
            for option in options:
                larger = shape + option.shape
                if larger not in room:
                    continue
                joint_flags = questions[flags | option.flags | two_kongs_flag(flags, option.flags)]
                if joint_flags & questions.never:
                    continue
                entry = TableEntry(larger, joint_flags, doubles + option.doubles)
                held_points = grown_table.get(entry, 0)
                if new_points := points << option.points & ~held_points:
                    grown_table[entry] = held_points | new_points
                    stage.setdefault(entry, []).append(Origin(new_points, old_entry, option))
        self._stages.append(stage)
        return grown_table

    def laid_out(self, entry: TableEntry, points: int) -> Iterator[Piece]:
        """The sets of one hand of that entry with so many points."""
        for stage in reversed(self._stages):
            origin = next(origin for origin in stage[entry] if origin.points >> points & 1)
            yield from origin.option.pieces
            entry = origin.previous_entry
            points -= origin.option.points


OptionSteps = list[list[Option]]


def pack_shape(fields: Iterable[tuple[str, int]]) -> int:
    """Several numbers, of sets, pairs, chows …, in one whole number."""
    return sum(number << _FIELD_BITS * SHAPE_FIELDS.index(name) for name, number in fields)


def pack_shapes(**numbers: Iterable[int]) -> set[int]:
    """Every shape with one of these numbers of each."""
    return {pack_shape(zip(numbers, choice, strict=True)) for choice in product(*numbers.values())}


_NO_OPTION: Final = Option(0, 0, 0, 0)
STANDS_IN_HAND: Final = (Stand(Kind.PAIR), Stand(Kind.PUNG))
STANDS_ON_TABLE: Final = (
    Stand(Kind.PUNG, exposed=True),
    Stand(Kind.KONG, exposed=True),
    Stand(Kind.KONG),
)
CLAIMED_STANDS: Final = (
    Stand(Kind.PAIR, exposed=True, claimed=True),
    Stand(Kind.PUNG, exposed=True, claimed=True),
)
CHOW_STANDS_IN_HAND: Final = (Stand(Kind.CHOW),)
CHOW_STANDS_ON_TABLE: Final = (Stand(Kind.CHOW, exposed=True),)
CLAIMED_CHOW_STANDS: Final = (Stand(Kind.CHOW, exposed=True, claimed=True),)


def repeat_stands(stands: Iterable[Stand], times: int) -> tuple[Stand, ...]:
    """The same, so many times, because the last tile completes them."""
    return tuple(stand._replace(times=times) for stand in stands)


class Holdings(NamedTuple):
    """One player's sets: their prices by his winds, the rules' questions, the numbers to keep.

    `kept_fields`: names of SHAPE_FIELDS. `stands`: the ways in which pairs, pungs and kongs may
    stand, and `chow_stands` those of chows. `singles`: tiles may stand in no set.
    """

    prices: Prices
    questions: Questions
    kept_fields: Collection[str]
    stands: tuple[Stand, ...]
    chow_stands: tuple[Stand, ...]
    singles: bool
    jokers: Jokers | None = None
    dragons: tuple[ChowDragon, ...] = ()
    chows_beside_a_dragon: bool = False

    def steps(self, chows: int) -> OptionSteps:
        """A step for each kind of tile, and for the chows of each suit, so many at most."""
        most = min(chows, _MAX_SETS)
        of_suits = [
            self._of_tile(Tile(suit + number)) for suit in SUITS for number in _NUMBER_ORDER
        ]
        runs = [self._chows(suit, most) for suit in reversed(SUITS)]
        # How many times a chow may count.
        times = {stand.times for stand in self.chow_stands}
        dragons = [self._dragon(*combination) for combination in product(self.dragons, times)]
        return [[_NO_OPTION, *dragons], *runs, *of_suits, *map(self._of_tile, _HONOUR_TILES)]

    def _dragon(self, dragon: ChowDragon, times: int) -> Option:
        """Three chows that run from 1 to 9 and count as one thing, so many times."""
        suits = "OOO" if dragon.one_suit else "OCO"
        stands = (Stand(Kind.CHOW, times=times), Stand(Kind.CHOW), Stand(Kind.CHOW))
        lowest = zip(suits, "147", strict=True)
        chows = [
            self._set((TILE_PLACE[Tile(suit + number)],), stand)
            for (suit, number), stand in zip(lowest, stands, strict=True)
        ]
        chow_points = 0
        if self.chows_beside_a_dragon:
            chow_points = sum(
                self.prices.sets[stand.code(TILE_PLACE[Tile("B1")])].points for stand in stands
            )
        return reduce(self._join_options, chows)._replace(
            points=dragon.points * times + chow_points
        )

    def _of_tile(self, tile: Tile) -> list[Option]:
        place = TILE_PLACE[tile]
        options = [Option(0, self.questions.lacking(tile, 0), 0, 0)]
        if self.singles:
            marks_held = marks.OF_TILE[tile]
            flags = self.questions.of_set(marks_held) | self.questions.lacking(tile, marks_held)
            options.append(Option(self._shape(tiles=1, singles=1), flags, 0, 0, (Piece((place,)),)))
        sets = {stand: self._set((place,), stand) for stand in self.stands}
        options += sets.values()
        # Whether four of that tile may count as two pairs, not as a pung.
        two_pairs = bytes((place, place)) in self.prices.sets.standing[place][_COPIES_OF_A_TILE]
        for first, other_stand in combinations_with_replacement(sets, 2):
            # How many jokers both sets of one tile need together; None where they cannot stand.
            lacking = max(0, first.size + other_stand.size - _COPIES_OF_A_TILE)
            most = _max_jokers(first, self.jokers) + _max_jokers(other_stand, self.jokers)
            jokers = lacking if lacking <= most else None
            if jokers or (jokers == 0 and two_pairs):
                options.append(self._join_options(sets[first], sets[other_stand], jokers))
        return _distinct_options(options)

    def _set(self, places: tuple[int, ...], stand: Stand) -> Option:
        """The set that stands so, alike wherever in these places it begins."""
        code = stand.code(places[0])
        price, tiles = self.prices.sets[code], set_of(code).stands_for
        marks_held = price.marks | (marks.OPENED if stand.is_open else 0)
        if stand.kind is not Kind.KONG and not stand.is_open:
            marks_held |= reduce(or_, (marks.LAST_TILE[tile] for tile in tiles))
        flags = self.questions.of_set(marks_held)
        if stand.kind is not Kind.CHOW:
            flags |= self.questions.lacking(tiles[0], marks_held)
        size = {"tiles": 2, "pairs": 1} if stand.kind is Kind.PAIR else {"tiles": 3, "sets": 1}
        last = {"claimed": int(stand.claimed), "again": int(stand.times > 1)}
        set_counts = {"chows": int(stand.kind is Kind.CHOW)}
        if stand.kind in {Kind.PUNG, Kind.KONG}:
            set_counts |= {
                "concealed": int(not stand.exposed),
                "kongs": int(stand.kind is Kind.KONG),
            }
            set_counts |= {
                "dragons": int(tiles[0] in DRAGON_TILES),
                "winds": int(tiles[0] in WIND_TILES),
            }
        shape = self._shape(**size, **last, **set_counts)
        points = price.points * stand.times
        piece = Piece(places, stand, _max_jokers(stand, self.jokers))
        return Option(shape, flags, price.doubles, points, (piece,))

    def _join_options(self, first: Option, other_option: Option, jokers: int = 0) -> Option:
        return Option(
            first.shape + other_option.shape + self._shape(jokers=jokers),
            first.flags | other_option.flags | two_kongs_flag(first.flags, other_option.flags),
            first.doubles + other_option.doubles,
            first.points + other_option.points,
            first.pieces + other_option.pieces,
        )

    def _chows(self, suit: str, most: int) -> list[Option]:
        """What so many chows of one suit at most give the hand, wherever in it they begin."""
        places = [TILE_PLACE[Tile(suit + lowest)] for lowest in "1234567"]
        places_by_option: dict[tuple[Stand, Option], list[int]] = {}
        for stand, place in product(self.chow_stands, places):
            worth = self._set((place,), stand)._replace(pieces=())
            if not self.singles or worth.points or worth.doubles or worth.flags:
                places_by_option.setdefault((stand, worth), []).append(place)
        chows = [
            self._set(tuple(begins), stand) for (stand, _worth), begins in places_by_option.items()
        ]
        several = [_NO_OPTION]
        for _chow in range(most):
            grown_options = (self._join_options(some, chow) for some in several for chow in chows)
            several = _distinct_options([*several, *grown_options])
        return several

    def _shape(self, **numbers: int) -> int:
        return pack_shape(
            (name, number) for name, number in numbers.items() if name in self.kept_fields
        )


def _max_jokers(stand: Stand, jokers: Jokers | None) -> int:
    """How many tiles of the set may be jokers."""
    if jokers is None or stand.kind not in {Kind.PUNG, Kind.KONG}:
        return 0
    return jokers.in_a_kong if stand.kind is Kind.KONG else jokers.in_a_pung


def _distinct_options(options: Iterable[Option]) -> list[Option]:
    """The first of all options that come to the same."""
    return list({option[:-1]: option for option in reversed(list(options))}.values())
