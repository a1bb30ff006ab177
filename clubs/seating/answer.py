"""What the seating answers: rounds of tables with winds, and an honest report."""

from collections.abc import Mapping
from dataclasses import dataclass

WINDS = ("E", "S", "W", "N")
FIFTH = "fifth"
SEATS = (*WINDS, FIFTH)


@dataclass(frozen=True, slots=True)
class SeatingProblem:
    """One thing wrong: `where` is the path of the field, `sentence` is plain English."""

    code: str
    where: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Table:
    """A numbered table; `seats` maps E, S, W, N and, of five, "fifth" to a name."""

    number: int
    seats: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The players, East first."""
        return tuple(self.seats.values())


@dataclass(frozen=True, slots=True)
class Round:
    """Tables in the order of their numbers, and who is there without a seat."""

    tables: tuple[Table, ...]
    sitting_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What the plan achieves, counted afresh from its rounds (contract.md).

    repeated_meetings: over all pairs, meetings beyond the first.
    least_possible: a lower bound of that number.
    wind_imbalance: over all players, fullest wind less emptiest beyond what arithmetic forces.
    table_revisits: over all players and tables, visits beyond the first.
    broken: the wishes that are not kept, by name.
    traded: what a seating by standing gave up for what, in sentences.
    cut_short: the bound on seconds ended the search; with more it might find better.
    """

    repeated_meetings: int
    least_possible: int
    most_meetings: int
    wind_imbalance: int
    table_revisits: int
    team_meetings: int
    broken: tuple[SeatingProblem, ...]
    seconds: float
    cut_short: bool
    traded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds, those already played first and unchanged, and the report on all of them."""

    rounds: tuple[Round, ...]
    report: Report
    played: int = 0

    @property
    def new_rounds(self) -> tuple[Round, ...]:
        """The rounds that this plan adds to those already played."""
        return self.rounds[self.played :]
