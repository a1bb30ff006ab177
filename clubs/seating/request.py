"""What is asked of the seating, and how it says that it cannot be done."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from clubs.seating.answer import Round, SeatingProblem, Table


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
            played=tuple(_renamed(one, to) for one in self.played),
            absent={number: [to[name] for name in away] for number, away in self.absent.items()},
            apart=tuple((to[one], to[other]) for one, other in self.apart),
            together=tuple((to[one], to[other]) for one, other in self.together),
            teams={to[name]: team for name, team in self.teams.items()},
            fixed_table={to[name]: table for name, table in self.fixed_table.items()},
            met={frozenset(to[name] for name in pair): n for pair, n in self.met.items()},
            turns={
                size: {to[name]: times for name, times in taken.items()}
                for size, taken in self.turns.items()
            },
        )


def _renamed(one: Round, to: Mapping[str, str]) -> Round:
    tables = (
        Table(table.number, {seat: to[name] for seat, name in table.seats.items()})
        for table in one.tables
    )
    return Round(tuple(tables), tuple(to[name] for name in one.sitting_out))


class BadRequest(ValueError):
    """The request cannot be seated; `problems` says everything that is wrong with it."""

    def __init__(self, problems: list[SeatingProblem]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems
