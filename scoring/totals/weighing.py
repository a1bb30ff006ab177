"""What all hands of a table of piles score, with every circumstance and every bonus tile."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from scoring.hands import Hand
from scoring.rules import RuleSet
from scoring.totals.circumstances import Bonus, Circumstance
from scoring.totals.piles import Entry, PointsHeld
from scoring.totals.worths import Part, Verdict, Worths

Doubles = int
Hands = list[tuple[Entry, PointsHeld]]
Beside = dict[int, tuple[Circumstance, Bonus]]  # by the bonus tiles' points

_CLUES_KEPT: Final = 24


class Clue(NamedTuple):
    """A hand that scores a total, unless another way to lay it out scores more."""

    entry: Entry
    points: int
    circumstance: Circumstance
    bonus: Bonus


class Alike(NamedTuple):
    """Hands whose sets settle the same and have the same doubles, and all their points."""

    doubles: Doubles
    points: PointsHeld
    hands: Hands


class Outside(NamedTuple):
    """What is weighed with the sets: the whole verdict, the bonus tiles' points, and both."""

    verdict: Verdict
    bonus: int
    clue: tuple[Circumstance, Bonus]


class Weighing:
    """The totals found so far, each with some clues to a hand that scores it."""

    def __init__(self, rules: RuleSet, worths: Worths, told: Hand) -> None:
        self.found: defaultdict[int, list[Clue]] = defaultdict(list)
        self._rules = rules
        self._worths = worths
        minimum = rules.minimum
        few = minimum is not None and told.mahjong and told.players <= minimum.players
        self._least = minimum if few else None
        self._seen: defaultdict[Doubles, PointsHeld] = defaultdict(int)

    def weigh(self, hands: Hands, told: Sequence[Circumstance], bonus: Sequence[Bonus]) -> None:
        """Every one of these hands, told and won in each of these ways with each of the tiles."""
        beside = self._beside(told, bonus)
        for part, alike in self._alike(hands).items():
            for outside in self._outside(part, beside):
                for sets in alike:
                    self._weigh(sets, outside)

    def _outside(self, part: Part, beside: dict[Part, Beside]) -> Iterable[Outside]:
        """The different verdicts and bonus points that these sets may be weighed with."""
        found: dict[tuple[Verdict, int], Outside] = {}
        for more, ways in beside.items():
            both = self._worths[part.flags | more.flags]
            verdict = part.verdict.with_(more.verdict).with_(both)
            for points, clue in ways.items():
                if (verdict, points) not in found:
                    found[verdict, points] = Outside(verdict, points, clue)
        return found.values()

    def _alike(self, hands: Hands) -> dict[Part, list[Alike]]:
        """The hands by what their sets settle."""
        found: dict[Part, dict[Doubles, Hands]] = {}
        for entry, points in hands:
            part = found.setdefault(self._worths.of_sets(entry.flags), {})
            part.setdefault(entry.doubles, []).append((entry, points))
        return {
            part: [Alike(doubles, _all_points(some), some) for doubles, some in by_doubles.items()]
            for part, by_doubles in found.items()
        }

    def _beside(self, told: Sequence[Circumstance], bonus: Sequence[Bonus]) -> dict[Part, Beside]:
        """What circumstances and bonus tiles settle, and those that do."""
        found: dict[Part, Beside] = {}
        for way, tiles in product(told, bonus):
            part = self._worths.beside_sets(way.flags | tiles.flags)
            found.setdefault(part, {}).setdefault(tiles.points, (way, tiles))
        return found

    def _weigh(self, sets: Alike, outside: Outside) -> None:
        if outside.verdict.own_doubles is not None:
            for points in each(sets.points):
                best = self._best(points, sets.doubles, outside)
                if best is not None:
                    self._add(best, sets, points, outside.clue)
            return
        more = outside.verdict.points + outside.bonus
        doubles = sets.doubles + outside.verdict.doubles
        ordinary = sets.points << more
        low = self._too_low(ordinary, doubles)
        value = self._fixed(outside)
        if value is not None:
            low = _up_to(value >> doubles, ordinary)
            if low:
                self._add(value, sets, _lowest(low) - more, outside.clue)
        fresh = ordinary & ~low & ~self._seen[doubles]
        if fresh:
            self._seen[doubles] |= fresh
            for points in each(fresh):
                self._add(points << doubles, sets, points - more, outside.clue)

    def _too_low(self, ordinary: PointsHeld, doubles: Doubles) -> PointsHeld:
        """Those of the points that are not enough for a Mah-Jong with so many doubles."""
        if self._least is None or doubles >= self._least.doubles:
            return 0
        return _up_to((self._least.points - 1) >> doubles, ordinary)

    def _fixed(self, outside: Outside) -> int | None:
        """A special hand's value with its bonus tiles; None where that is none or not enough."""
        if outside.verdict.value is None:
            return None
        value = outside.verdict.value + self._apart(outside)
        return value if self._least is None or value >= self._least.points else None

    def _apart(self, outside: Outside) -> int:
        """What bonus tiles beside a special hand score."""
        beside = self._rules.bonus_tiles_beside
        return outside.bonus << outside.verdict.beside if beside else 0

    def _best(self, points: int, doubles: Doubles, outside: Outside) -> int | None:
        """What sets whose own points may be doubled score; None: not enough for a Mah-Jong."""
        verdict = outside.verdict
        twice = (verdict.own_doubles or 0) + verdict.through
        own = points + verdict.points + verdict.own_points
        more = doubles + verdict.doubles
        ways = [
            (twice, (own << twice) + self._apart(outside)),
            (more, points + verdict.points + outside.bonus << more),
            (0, self._fixed(outside) or 0),
        ]
        least = self._least
        enough = [
            total
            for doubled, total in ways
            if not least or doubled >= least.doubles or total >= least.points
        ]
        return max(enough, default=None)

    def _add(
        self, total: int, sets: Alike, points: int, outside: tuple[Circumstance, Bonus]
    ) -> None:
        """Note that one of these hands may score so much, before the limit."""
        clues = self.found[self._rules.capped(total)]
        if len(clues) < _CLUES_KEPT:
            entries = [entry for entry, held in sets.hands if held >> points & 1]
            clues += [Clue(entry, points, *outside) for entry in entries[:2]]


def _all_points(hands: Hands) -> PointsHeld:
    points = 0
    for _entry, held in hands:
        points |= held
    return points


def _up_to(most: int, points: PointsHeld) -> PointsHeld:
    """Those of the points that are so many at most."""
    return points & (1 << most + 1) - 1


def _lowest(points: PointsHeld) -> int:
    return (points & -points).bit_length() - 1


def each(points: PointsHeld) -> Iterator[int]:
    """The numbers of points that are possible, one by one."""
    while points:
        yield _lowest(points)
        points &= points - 1
