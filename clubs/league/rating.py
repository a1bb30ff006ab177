"""Who plays how well, whoever they sat with: an OpenSkill rating, reckoned from places at tables.

A rating begins at ``START`` for everyone. Each table of an evening is one match, ranked by the
points at that table. Thurstone and Mosteller's model, neighbours in that order compared, is fair to
ties and to tables of any size (docs/decisions/0019-a-rating-beside-the-league.md has the others).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from openskill.models import ThurstoneMostellerPart, ThurstoneMostellerPartRating

SETTLED_AFTER: Final = 6
START: Final = 1000
POINTS_A_STEP: Final = 20
SURE: Final = 120
FAIRLY_SURE: Final = 140

Table = tuple[tuple[int, int], ...]
Evening = tuple[Table, ...]
_MODEL: Final = ThurstoneMostellerPart()


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating after an evening, and how far off it may well be, both in points."""

    evening: int
    points: int
    give_or_take: int


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating, evening by evening in the order of the days; at least one."""

    steps: tuple[Rated, ...]

    @property
    def now(self) -> Rated:
        """The rating after the last evening played."""
        return self.steps[-1]

    @property
    def evenings(self) -> int:
        """How many evenings it rests on."""
        return len(self.steps)

    @property
    def is_settled(self) -> bool:
        """Whether enough evenings were played for a number that means something."""
        return self.evenings >= SETTLED_AFTER

    @property
    def change(self) -> int:
        """What the last evening changed."""
        return self.now.points - (self.steps[-2].points if self.evenings > 1 else START)

    @property
    def words(self) -> str:
        """How sure it is."""
        if not self.is_settled:
            return f"still settling: {self.evenings} of {SETTLED_AFTER} evenings"
        if self.now.give_or_take <= SURE:
            return "sure"
        return "fairly sure" if self.now.give_or_take <= FAIRLY_SURE else "rough"


@lru_cache(maxsize=32)
def ratings(evenings: tuple[Evening, ...]) -> Mapping[int, Rating]:
    """Everyone's rating from the first evening on, by player.

    ``evenings`` are in the order of their days; a table has each player with their points. What
    was played is the key under which an answer is kept, so a correction asks anew.
    """
    held: dict[int, ThurstoneMostellerPartRating] = defaultdict(_MODEL.rating)
    steps: dict[int, list[Rated]] = defaultdict(list)
    for number, tables in enumerate(evenings):
        for table in tables:
            if len(table) > 1:
                _play(held, table)
                for player, _ in table:
                    steps[player].append(_rated(number, held[player]))
    return {player: Rating(tuple(own)) for player, own in steps.items()}


def _play(held: dict[int, ThurstoneMostellerPartRating], table: Table) -> None:
    order = sorted(table, key=lambda sat: (-sat[1], sat[0]))
    teams = [[held[player]] for player, _ in order]
    rated = _MODEL.rate(teams, ranks=list(map(float, _ranks(order))))
    for (player, _), team in zip(order, rated, strict=True):
        held[player] = team[0]


def _ranks(order: Sequence[tuple[int, int]]) -> Iterable[int]:
    """The place of each, best first; equal points share one."""
    place = 1
    for _, tied in groupby(order, key=lambda sat: sat[1]):
        sharing = list(tied)
        yield from [place] * len(sharing)
        place += len(sharing)


def _rated(evening: int, held: ThurstoneMostellerPartRating) -> Rated:
    above = held.mu - _MODEL.mu
    return Rated(evening, round(START + POINTS_A_STEP * above), round(POINTS_A_STEP * held.sigma))
