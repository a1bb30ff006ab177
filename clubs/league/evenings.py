"""What was played: evenings with their tables, and what a club adds to them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Sat:
    """Someone's evening at a table; guests take places there, but have none in the league."""

    player: int
    name: str
    points: int
    hands: int
    mahjongs: int = 0
    best_hand: int = 0
    is_member: bool = True


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening: who sat together. Only those who played a hand."""

    key: int
    day: date
    tables: tuple[tuple[Sat, ...], ...]

    @property
    def members(self) -> int:
        """How many members played."""
        return sum(sat.is_member for table in self.tables for sat in table)


@dataclass(frozen=True, slots=True)
class Record:
    """A season's evenings, its handicaps (points an evening by player), who missed which evening
    for the club (evenings by player).
    """

    evenings: tuple[Evening, ...]
    handicaps: Mapping[int, int] = field(default_factory=dict)
    credits: Mapping[int, frozenset[int]] = field(default_factory=dict)
