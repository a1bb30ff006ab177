"""How a season ranks, declared as data: one field a rule, nothing that is reckoned elsewhere."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

Scale = tuple[Fraction, ...]
SIZES: Final = (2, 3, 4, 5)


class Brings(Enum):
    """What an evening brings, before anything is added."""

    POINTS = "points"
    TABLE_POINTS = "table_points"


class AddsUp(Enum):
    """What becomes of a player's evenings."""

    TOTAL = "total"
    AVERAGE = "average"
    HAND = "hand"


class Tie(Enum):
    """What parts players who are equal; ``given_away`` is better the fewer."""

    MAHJONGS = "mahjongs"
    BEST_HAND = "best_hand"
    GIVEN_AWAY = "given_away"
    BEST_EVENING = "best_evening"
    ATTENDED = "attended"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Quota:
    """So many evenings, or such a percentage of those that were held."""

    number: int
    is_percent: bool = False

    def of(self, held: int) -> int:
        """How many evenings that is after so many; a part of one is a whole one."""
        return -(-self.number * held // 100) if self.is_percent else self.number


@dataclass(frozen=True, slots=True)
class CreditRule:
    """What an evening brings that was missed for the club: points, or one's own average."""

    most: int
    points: Fraction | None = None


def scales(*each: tuple[int | Fraction, ...]) -> tuple[Scale, ...]:
    """Scales for tables of as many as they have numbers."""
    return tuple(tuple(Fraction(points) for points in scale) for scale in each)


USUAL_SCALES: Final = scales((4, 0), (4, 2, 0), (4, 2, 1, 0), (4, 2, 1, 0, 0))


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """What counts, what is asked for, what is given, and what parts equals."""

    brings: Brings = Brings.POINTS
    scales: tuple[Scale, ...] = USUAL_SCALES
    hands: int | None = None
    handicaps: bool = False
    attendance_points: Fraction = Fraction(0)
    adds_up: AddsUp = AddsUp.TOTAL
    best: Quota | None = None
    least: Quota | None = None
    least_members: int = 0
    credit: CreditRule | None = None
    ties: tuple[Tie, ...] = (Tie.MAHJONGS, Tie.BEST_HAND)

    def scale_of(self, size: int) -> Scale:
        """What the places bring at a table of so many; beyond five, and alone, nothing."""
        nothing = (Fraction(0),) * size
        return next((scale for scale in self.scales if len(scale) == size), nothing)

    @property
    def has_signs(self) -> bool:
        """Whether what ranks is gained or lost, rather than won for places."""
        return self.brings is Brings.POINTS and not self.attendance_points
