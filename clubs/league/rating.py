"""Who plays how well, whoever they sat with: an OpenSkill rating, reckoned from places at tables.

A rating begins at ``START`` for everyone. Each table of an evening is one match, ranked by the
points at that table. Thurstone and Mosteller's model, neighbours in that order compared, is fair to
ties and to tables of any size (docs/decisions/0019-a-rating-beside-the-league.md has the others).
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
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
    current: dict[int, ThurstoneMostellerPartRating] = defaultdict(_MODEL.rating)
    steps: dict[int, list[Rated]] = defaultdict(list)
    for number, tables in enumerate(evenings):
        for table in tables:
            if len(table) < 2:
                continue
            order = sorted(table, key=lambda sat: (-sat[1], sat[0]))
            teams = [[current[player]] for player, _ in order]
            points = [own for _, own in table]
            # Equal points share a place.
            ranks = [1.0 + sum(other > own for other in points) for _, own in order]
            for (player, _), (own,) in zip(order, _MODEL.rate(teams, ranks=ranks), strict=True):
                current[player] = own
                mean = round(START + POINTS_A_STEP * (own.mu - _MODEL.mu))
                steps[player].append(Rated(number, mean, round(POINTS_A_STEP * own.sigma)))
    return {player: Rating(tuple(rated)) for player, rated in steps.items()}
