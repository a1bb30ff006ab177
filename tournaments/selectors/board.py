"""The standings as a board to show: columns in the declared order, ties explained in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.names import name_key
from clubs.rows import signed
from scoring.ranking import METRICS
from tournaments.models import RoundState, Tournament, TournamentState
from tournaments.selectors.standings import StandingRow, standings

SHOWN = ("table_points", "total", "mahjongs", "best_hand")
PARTS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant's row; ``figures`` in the order of the board's columns.

    ``parted_by`` says in words what parts the entrant from the one above where the first
    metric does not; empty where there is nothing to say.
    """

    row: StandingRow
    figures: tuple[str, ...]
    parted_by: str

    @property
    def place(self) -> str:
        """``3``, or ``3=`` where the place is shared."""
        return f"{self.row.place}{'=' if self.row.is_tied else ''}"


@dataclass(frozen=True, slots=True)
class Board:
    """The whole board: what the columns are called, how it ranks, how final it is."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    rule: str
    standing: str
    is_final: bool

    def found(self, name: str) -> tuple[Line, ...]:
        """The lines whose name holds what was typed, accents and capitals aside."""
        key = name_key(name)
        return tuple(line for line in self.lines if key and key in name_key(line.row.name))

    @property
    def prizes(self) -> tuple[Line, ...]:
        """The lines of the first three places once they are final; none before."""
        return tuple(line for line in self.lines if self.is_final and line.row.place <= 3)

    @property
    def is_begun(self) -> bool:
        """Whether anybody has played a hand."""
        return any(line.row.rounds for line in self.lines)


def mixed(number: Fraction) -> str:
    """A number that is not negative, as people write it: ``2⅓``, ``½``, ``7``, ``1 5/12``."""
    whole, part = divmod(number, 1)
    if not part:
        return str(whole)
    if part in PARTS:
        return f"{whole or ''}{PARTS[part]}"
    return f"{whole or ''} {part}".strip()


def board(tournament: Tournament) -> Board:
    """The board of a tournament; three queries however many entered."""
    keys = columns_of(tournament)
    is_final = tournament.state == TournamentState.FINISHED
    return Board(
        columns=tuple(_capital(METRICS[key]) for key in keys),
        lines=tuple(_line(row, keys, tournament.ranks_by[0]) for row in standings(tournament)),
        rule=rule_of(tournament.ranks_by),
        standing="final" if is_final else _provisional(tournament),
        is_final=is_final,
    )


def columns_of(tournament: Tournament) -> tuple[str, ...]:
    """The keys of the metrics to show: those that rank in their order, then the others."""
    ranking: list[str] = tournament.ranks_by
    return (*ranking, *(key for key in SHOWN if key not in ranking))


def rule_of(ranks_by: Sequence[str]) -> str:
    """``Ranked by table points, then total gain. Whoever is level in all of these shares …``."""
    order = ", then ".join(METRICS[key] for key in ranks_by)
    all_of = "all of these" if len(ranks_by) > 1 else "this"
    return f"Ranked by {order}. Whoever is level in {all_of} shares the place."


def figure(row: StandingRow, key: str) -> str:
    """One figure of a row in words' type: ``2⅓`` table points, ``+1,096`` gain, ``3``."""
    if key == "table_points":
        return mixed(row.table_points)
    value: int = getattr(row, key)
    return signed(value) if key == "total" else f"{value:,}"


def _line(row: StandingRow, keys: Sequence[str], first: str) -> Line:
    parted_by = METRICS[row.decided_by] if row.decided_by not in {None, first} else ""
    if row.is_tied and row.decided_by is None:
        parted_by = "nothing: place shared"
    return Line(row, tuple(figure(row, key) for key in keys), parted_by)


def _provisional(tournament: Tournament) -> str:
    rounds = dict(tournament.rounds.values_list("state", "number"))
    if RoundState.PLAYING in rounds:
        return f"provisional: round {rounds[RoundState.PLAYING]} is being played"
    if RoundState.CLOSED in rounds:
        return f"provisional: after round {rounds[RoundState.CLOSED]}"
    return "provisional: nothing played yet"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
