"""What sets can come together in one hand: a table, grown by one kind of tile at a time.

Hands that have the same shape, flags and doubles are one entry, with all their points; every entry
says what it came from, so that a hand of just so many points can be laid out again."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations_with_replacement, product
from operator import or_
from typing import Final, NamedTuple

from scoring.hands.hand import Kind, first_code, known_set
from scoring.hands.tiles import DRAGONS, PLACE, SUITS, WINDS, Tile
from scoring.rules import marks
from scoring.rules.declarations import ChowDragon, Jokers
from scoring.rules.rule_set import Prices
from scoring.totals.questions import Flags, Questions, two_kongs

PointsHeld = int  # bit n: n points are possible

_SIZE: Final = {Kind.PAIR: 2, Kind.CHOW: 3, Kind.PUNG: 3, Kind.KONG: 4}


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
        return first_code(self.kind, exposed=self.exposed) + place

    @property
    def size(self) -> int:
        """How many tiles it has."""
        return _SIZE[self.kind]

    @property
    def opened(self) -> bool:
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


class Entry(NamedTuple):
    """Hands that differ in points and tiles only."""

    shape: int
    flags: Flags
    doubles: int


class Origin(NamedTuple):
    """Where hands of these points come from: the entry before, and what was added."""

    points: PointsHeld
    before: Entry
    option: Option


NOTHING: Final = Entry(0, 0, 0)
Stage = dict[Entry, list[Origin]]
Table = dict[Entry, PointsHeld]


class Piles:
    """Every way to choose one option at each step, with a shape that there is room for."""

    def __init__(
        self, steps: Sequence[Sequence[Option]], room: Collection[int], questions: Questions
    ) -> None:
        self._room = frozenset(room)
        self._questions = questions
        self._stages: list[Stage] = []
        table: Table = {NOTHING: 1}
        for options in steps:
            table = self._grown(table, options)
        self.table = table

    def _grown(self, table: Table, options: Sequence[Option]) -> Table:
        room, settled = self._room, self._questions
        stage: Stage = {}
        grown: Table = {}
        for before, points in table.items():
            shape, flags, doubles = before
            for option in options:
                larger = shape + option.shape
                if larger not in room:
                    continue
                both = settled[flags | option.flags | two_kongs(flags, option.flags)]
                if both & settled.never:
                    continue
                entry = Entry(larger, both, doubles + option.doubles)
                have = grown.get(entry, 0)
                more = points << option.points & ~have
                if more:
                    grown[entry] = have | more
                    stage.setdefault(entry, []).append(Origin(more, before, option))
        self._stages.append(stage)
        return grown

    def laid_out(self, entry: Entry, points: int) -> Iterator[Piece]:
        """The sets of one hand of that entry with so many points."""
        for stage in reversed(self._stages):
            origin = next(origin for origin in stage[entry] if origin.points >> points & 1)
            yield from origin.option.pieces
            entry = origin.before
            points -= origin.option.points


Steps = list[list[Option]]

FIELDS: Final = ("tiles", "sets", "pairs", "singles", "chows", "claimed", "again", "jokers")
_BITS: Final = 5
_OF_EACH: Final = 4
_MOST_SETS: Final = 4
_HONOURS: Final = WINDS + DRAGONS
# Tiles far from one another come first, so that pungs are seldom chows as well.
_ORDER: Final = "159264837"


def shape(fields: Iterable[tuple[str, int]]) -> int:
    """Several numbers, of sets, pairs, chows …, in one whole number."""
    return sum(number << _BITS * FIELDS.index(name) for name, number in fields)


def shapes(**numbers: Iterable[int]) -> set[int]:
    """Every shape with one of these numbers of each."""
    return {shape(zip(numbers, chosen, strict=True)) for chosen in product(*numbers.values())}


_NONE: Final = Option(0, 0, 0, 0)
IN_HAND: Final = (Stand(Kind.PAIR), Stand(Kind.PUNG))
ON_THE_TABLE: Final = (
    Stand(Kind.PUNG, exposed=True),
    Stand(Kind.KONG, exposed=True),
    Stand(Kind.KONG),
)
CLAIMED: Final = (
    Stand(Kind.PAIR, exposed=True, claimed=True),
    Stand(Kind.PUNG, exposed=True, claimed=True),
)
CHOW_IN_HAND: Final = (Stand(Kind.CHOW),)
CHOW_ON_THE_TABLE: Final = (Stand(Kind.CHOW, exposed=True),)
CLAIMED_CHOW: Final = (Stand(Kind.CHOW, exposed=True, claimed=True),)


def again(stands: Iterable[Stand], times: int) -> tuple[Stand, ...]:
    """The same, so many times, because the last tile completes them."""
    return tuple(stand._replace(times=times) for stand in stands)


class Holdings(NamedTuple):
    """One player's sets: their prices by his winds, the rules' questions, the numbers to keep.

    `kept` are names of FIELDS. `stands`: the ways in which pairs, pungs and kongs may stand, and
    `chow_stands` those of chows. `singles`: tiles may stand in no set.
    """

    prices: Prices
    questions: Questions
    kept: Collection[str]
    stands: tuple[Stand, ...]
    chow_stands: tuple[Stand, ...]
    singles: bool
    jokers: Jokers | None = None
    dragons: tuple[ChowDragon, ...] = ()
    chows_beside_a_dragon: bool = False

    def steps(self, chows: int) -> Steps:
        """A step for each kind of tile, and for the chows of each suit, so many at most."""
        most = min(chows, _MOST_SETS)
        of_suits = [self._of_tile(Tile(suit + number)) for suit in SUITS for number in _ORDER]
        runs = [self._chows(suit, most) for suit in reversed(SUITS)]
        dragons = [self._dragon(*both) for both in product(self.dragons, self._times)]
        return [[_NONE, *dragons], *runs, *of_suits, *map(self._of_tile, _HONOURS)]

    @property
    def _times(self) -> set[int]:
        """How many times a chow may count."""
        return {stand.times for stand in self.chow_stands}

    def _dragon(self, dragon: ChowDragon, times: int) -> Option:
        """Three chows that run from 1 to 9 and count as one thing, so many times."""
        suits = "OOO" if dragon.one_suit else "OCO"
        stands = (Stand(Kind.CHOW, times=times), Stand(Kind.CHOW), Stand(Kind.CHOW))
        lowest = zip(suits, "147", strict=True)
        chows = [
            self._set((PLACE[Tile(suit + number)],), stand)
            for (suit, number), stand in zip(lowest, stands, strict=True)
        ]
        beside = 0
        if self.chows_beside_a_dragon:
            beside = sum(self.prices.sets[stand.code(PLACE[Tile("B1")])].points for stand in stands)
        whole = reduce(self._both, chows)
        return whole._replace(points=dragon.points * times + beside)

    def _of_tile(self, tile: Tile) -> list[Option]:
        options = [Option(0, self.questions.lacking(tile, 0), 0, 0)]
        if self.singles:
            marks_held = marks.OF_TILE[tile]
            flags = self.questions.of_set(marks_held) | self.questions.lacking(tile, marks_held)
            single = Option(self._shape(tiles=1, singles=1), flags, 0, 0, (Piece((PLACE[tile],)),))
            options.append(single)
        sets = {stand: self._set((PLACE[tile],), stand) for stand in self.stands}
        options += sets.values()
        for first, other in combinations_with_replacement(sets, 2):
            # How many jokers both sets of one tile need together; None where they cannot stand.
            lacking = max(0, first.size + other.size - _OF_EACH)
            most = _most_jokers(first, self.jokers) + _most_jokers(other, self.jokers)
            jokers = lacking if lacking <= most else None
            if jokers or (jokers == 0 and self._two_pairs(PLACE[tile])):
                options.append(self._both(sets[first], sets[other], jokers))
        return _different(options)

    def _two_pairs(self, place: int) -> bool:
        """Whether four of that tile may count as two pairs, not as a pung."""
        return bytes((place, place)) in self.prices.standing[place][_OF_EACH]

    def _set(self, places: tuple[int, ...], stand: Stand) -> Option:
        """The set that stands so, alike wherever in these places it begins."""
        code = stand.code(places[0])
        price, tiles = self.prices.sets[code], known_set(code).stands_for
        marks_held = price.marks | (marks.OPENED if stand.opened else 0)
        if stand.kind is not Kind.KONG and not stand.opened:
            marks_held |= reduce(or_, (marks.LAST_TILE[tile] for tile in tiles))
        flags = self.questions.of_set(marks_held)
        if stand.kind is not Kind.CHOW:
            flags |= self.questions.lacking(tiles[0], marks_held)
        size = {"tiles": 2, "pairs": 1} if stand.kind is Kind.PAIR else {"tiles": 3, "sets": 1}
        chow = int(stand.kind is Kind.CHOW)
        last = {"claimed": int(stand.claimed), "again": int(stand.times > 1)}
        whole = self._shape(**size, **last, chows=chow)
        points = price.points * stand.times
        piece = Piece(places, stand, _most_jokers(stand, self.jokers))
        return Option(whole, flags, price.doubles, points, (piece,))

    def _both(self, first: Option, other: Option, jokers: int = 0) -> Option:
        return Option(
            first.shape + other.shape + self._shape(jokers=jokers),
            first.flags | other.flags | two_kongs(first.flags, other.flags),
            first.doubles + other.doubles,
            first.points + other.points,
            first.pieces + other.pieces,
        )

    def _chows(self, suit: str, most: int) -> list[Option]:
        """What so many chows of one suit at most give the hand, wherever in it they begin."""
        options = self._one_chow(suit) if most else []
        several = [_NONE]
        for _chow in range(most):
            grown = (self._both(some, chow) for some in several for chow in options)
            several = _different([*several, *grown])
        return several

    def _one_chow(self, suit: str) -> list[Option]:
        """A chow of the suit, as it may stand; where it begins matters seldom."""
        places = [PLACE[Tile(suit + lowest)] for lowest in "1234567"]
        alike: dict[tuple[Stand, Option], list[int]] = {}
        for stand, place in product(self.chow_stands, places):
            worth = self._set((place,), stand)._replace(pieces=())
            if not self.singles or worth.points or worth.doubles or worth.flags:
                alike.setdefault((stand, worth), []).append(place)
        return [self._set(tuple(begins), stand) for (stand, _worth), begins in alike.items()]

    def _shape(self, **numbers: int) -> int:
        return shape((name, number) for name, number in numbers.items() if name in self.kept)


def _most_jokers(stand: Stand, jokers: Jokers | None) -> int:
    """How many tiles of the set may be jokers."""
    if jokers is None or stand.kind not in {Kind.PUNG, Kind.KONG}:
        return 0
    return jokers.in_a_kong if stand.kind is Kind.KONG else jokers.in_a_pung


def _different(options: Iterable[Option]) -> list[Option]:
    """The first of all options that come to the same."""
    return list({option[:-1]: option for option in reversed(list(options))}.values())
