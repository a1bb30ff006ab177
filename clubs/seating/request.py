"""What is asked of the seating, and how it says that it cannot be done."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from clubs.seating.answer import Round, SeatingProblem


@dataclass(frozen=True, slots=True)
class Request:
    """Rounds to seat for named players (contract.md, "Seating's command line").

    rounds: new rounds, after those of `played`, which stay as they are.
    seconds: bound on the search, counted in looks, so that every machine answers alike;
        the answer does not depend on it unless it cuts.
    table_sizes: sizes allowed (3, 4, 5), most liked first.
    absent: round number (from 1, played rounds included) to the names not there.
    met: how often a pair sat together before these rounds, weighted as given;
        pairs with somebody who is not among `players` are passed over.
    """

    players: tuple[str, ...]
    rounds: int
    seed: int = 0
    seconds: float = 10
    table_sizes: tuple[int, ...] = (4,)
    played: tuple[Round, ...] = ()
    absent: Mapping[int, Collection[str]] = field(default_factory=dict)
    apart: tuple[tuple[str, str], ...] = ()
    together: tuple[tuple[str, str], ...] = ()
    teams: Mapping[str, str] = field(default_factory=dict)
    fixed_table: Mapping[str, int] = field(default_factory=dict)
    met: Mapping[frozenset[str], int] = field(default_factory=dict)

    def roster(self, number: int) -> list[str]:
        """The players who are there in round `number` (from 1), in the order given."""
        away = self.absent.get(number, ())
        return [name for name in self.players if name not in away]


class BadRequest(ValueError):
    """The request cannot be seated; `problems` says everything that is wrong with it."""

    def __init__(self, problems: list[SeatingProblem]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems
