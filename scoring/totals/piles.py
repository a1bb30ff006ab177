"""What sets can come together in one hand: a table, grown by one kind of tile at a time.

Hands that have the same shape, flags and doubles are one entry, with all their points; every entry
says what it came from, so that a hand of just so many points can be laid out again.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from scoring.hands import Kind, first_code
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
