"""What is asked of the seating, what it answers, and the sizes of tables."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

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


@dataclass(frozen=True, slots=True)
class Request:
    """Rounds to seat for named players (contract.md, "Seating's command line").

    rounds: new rounds, after those of `played`, which stay as they are.
    seconds: bound on the search, counted in looks, so that every machine answers alike;
        the answer does not depend on it unless it cuts.
    table_sizes: sizes allowed (3, 4, 5), most liked first.
    split: the sizes of the tables where exactly so many are there; empty: as `table_sizes` gives.
    absent: round number (from 1, played rounds included) to the names not there.
    met: how often a pair sat together before these rounds, weighted as given;
        pairs with someone who is not among `players` are passed over.
    turns: how often each player sat at tables of three (3) or five (5) before these rounds, or
        sat out (0): whoever did so most is last to do it again. Turns weigh more than company.
    """

    players: tuple[str, ...]
    rounds: int
    seed: int = 0
    seconds: float = 10
    table_sizes: tuple[int, ...] = (4,)
    split: tuple[int, ...] = ()
    played: tuple[Round, ...] = ()
    absent: Mapping[int, Collection[str]] = field(default_factory=dict)
    apart: tuple[tuple[str, str], ...] = ()
    together: tuple[tuple[str, str], ...] = ()
    teams: Mapping[str, str] = field(default_factory=dict)
    fixed_table: Mapping[str, int] = field(default_factory=dict)
    met: Mapping[frozenset[str], int] = field(default_factory=dict)
    turns: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    def roster(self, number: int) -> list[str]:
        """The players who are there in round `number` (from 1), in the order given."""
        away = self.absent.get(number, ())
        return [name for name in self.players if name not in away]

    def renamed(self, to: Mapping[str, str]) -> "Request":
        """The same request for the same players under other names; the plan is the same too."""
        return replace(
            self,
            players=tuple(to[name] for name in self.players),
            played=tuple(_renamed(round_, to) for round_ in self.played),
            absent={number: [to[name] for name in away] for number, away in self.absent.items()},
            apart=tuple((to[first], to[second]) for first, second in self.apart),
            together=tuple((to[first], to[second]) for first, second in self.together),
            teams={to[name]: team for name, team in self.teams.items()},
            fixed_table={to[name]: table for name, table in self.fixed_table.items()},
            met={frozenset(to[name] for name in pair): n for pair, n in self.met.items()},
            turns={
                size: {to[name]: times for name, times in taken.items()}
                for size, taken in self.turns.items()
            },
        )


def _renamed(round_: Round, to: Mapping[str, str]) -> Round:
    tables = (
        Table(table.number, {seat: to[name] for seat, name in table.seats.items()})
        for table in round_.tables
    )
    return Round(tuple(tables), tuple(to[name] for name in round_.sitting_out))


class BadRequest(ValueError):
    """The request cannot be seated; `problems` says everything that is wrong with it."""

    def __init__(self, problems: list[SeatingProblem]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems


Counts = tuple[int, ...]


def table_sizes_for(n: int, preferred: tuple[int, ...] = (4, 5, 3)) -> list[int]:
    """Sizes of the tables for `n` players, most liked size first.

    As few as possible are left without a seat; then the least liked size is used
    as seldom as can be, then the next: 13 gives [4, 4, 5], 6 gives [3, 3].
    Raises BadRequest when `n` players do not make one table.
    """
    counts = _counts_for(n, tuple(preferred)) if n > 0 else ()
    if not any(counts):
        raise BadRequest([too_few(n, preferred, "players")])
    return [size for size, count in zip(preferred, counts, strict=True) for _ in range(count)]


def too_few(n: int, preferred: tuple[int, ...], where: str) -> SeatingProblem:
    """The problem of `n` players not making one table of the smallest size."""
    sentence = f"A table needs at least {min(preferred)} players; there are only {n}."
    return SeatingProblem("too_few_players", where, sentence)


@lru_cache(maxsize=256)
def _counts_for(n: int, preferred: tuple[int, ...]) -> Counts:
    options = _options(n, preferred)
    return min(options, key=lambda counts: (n - _seated(counts, preferred), counts[::-1]))


def _seated(counts: Counts, preferred: tuple[int, ...]) -> int:
    return sum(size * count for size, count in zip(preferred, counts, strict=True))


def _options(n: int, preferred: tuple[int, ...]) -> list[Counts]:
    """Every way to take tables of the less liked sizes, filled up with the most liked."""
    first, *others = preferred
    partial: list[Counts] = [()]
    for _ in others:
        # More than `first` tables of one size can always be exchanged for liked ones.
        partial = [(*counts, count) for counts in partial for count in range(first + 1)]
    options = []
    for counts in partial:
        left = n - _seated(counts, tuple(others))
        if left >= 0:
            options.append((left // first, *counts))
    return options
