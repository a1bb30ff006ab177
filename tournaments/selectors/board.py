"""The standings as a board to show: columns in the declared order, ties explained in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.models.names import EVERYBODY, Reader, name_key
from clubs.table.rows import tallied
from scoring.ranking import METRICS
from tournaments.models import (
    OddNumber,
    RoundState,
    SittingOut,
    Tournament,
    TournamentState,
)
from tournaments.selectors.played import Played, played_in
from tournaments.selectors.standings import StandingRow, standings
from tournaments.selectors.teams import TeamRow, team_standings

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
        return place_of(self.row)


@dataclass(frozen=True, slots=True)
class TeamLine:
    """One team's row, like an entrant's."""

    row: TeamRow
    figures: tuple[str, ...]
    parted_by: str

    @property
    def place(self) -> str:
        """``1``, or ``1=`` where the place is shared."""
        return place_of(self.row)


@dataclass(frozen=True, slots=True)
class Board:
    """The whole board: what the columns are called, how it ranks, how final it is.

    ``through`` is the last round that counts where later ones are left out; ``after`` are the
    rounds after which it can be looked at. ``sitting_out`` says
    what a round sat out counts; empty where nobody sits out.
    """

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    teams: tuple[TeamLine, ...]
    rule: str
    standing: str
    is_final: bool
    through: int | None
    after: tuple[int, ...]
    sitting_out: str

    def found(self, name: str) -> tuple[Line, ...]:
        """The lines whose name holds what was typed, accents and capitals aside."""
        key = name_key(name)
        return tuple(line for line in self.lines if key and key in name_key(line.row.name))

    @property
    def is_begun(self) -> bool:
        """Whether anyone has played a hand."""
        return any(line.row.rounds for line in self.lines)


def place_of(row: StandingRow | TeamRow) -> str:
    """``3``, or ``3=`` where the place is shared."""
    return f"{row.place}{'=' if row.is_tied else ''}"


def mixed(number: Fraction) -> str:
    """A number that is not negative, as people write it: ``2⅓``, ``½``, ``7``, ``1 5/12``."""
    whole, part = divmod(number, 1)
    if not part:
        return str(whole)
    if part in PARTS:
        return f"{whole or ''}{PARTS[part]}"
    return f"{whole or ''} {part}".strip()


def board(
    tournament: Tournament,
    *,
    through: int | None = None,
    reader: Reader = EVERYBODY,
    played: Played | None = None,
) -> Board:
    """The board of a tournament, or as it was after a round; as many queries as ``standings``."""
    played = played or played_in(tournament)
    figures = _Figures(columns_of(tournament), tournament.pays)
    begun = {number: one for number, one in played.rounds.items() if one != RoundState.SEATED}
    is_cut = through is not None and max(begun, default=0) > through
    cut = through if is_cut else None
    rows = standings(tournament, through=cut, reader=reader, played=played)
    teams = team_standings(rows, by=tournament.ranks_by)
    is_final = tournament.state == TournamentState.FINISHED and cut is None
    return Board(
        columns=tuple(_capital(METRICS[key]) for key in figures.keys),
        lines=tuple(
            Line(row, *figures.told(row, above))
            for above, row in zip((None, *rows), rows, strict=False)
        ),
        teams=tuple(
            TeamLine(row, *figures.told(row, above))
            for above, row in zip((None, *teams), teams, strict=False)
        ),
        rule=f"{rule_of(tournament.ranks_by)}{_of_sitting_out(tournament, rows)}",
        sitting_out=_of_sitting_out(tournament, rows).strip(),
        standing="final" if is_final else _standing(begun, cut),
        is_final=is_final,
        through=cut,
        after=tuple(number for number, state in begun.items() if state == RoundState.CLOSED),
    )


def columns_of(tournament: Tournament) -> tuple[str, ...]:
    """The keys of the metrics to show: those that rank in their order, then the others."""
    ranking: list[str] = tournament.ranks_by
    return (*ranking, *(key for key in SHOWN if key not in ranking))


def rule_of(ranks_by: Sequence[str]) -> str:
    """``Ranked by table points, then total gain. Whoever is level in all of these shares …``."""
    order = ", then ".join(METRICS[key] for key in ranks_by)
    all_of = "all of these" if len(ranks_by) > 1 else "this"
    return f"Ranked by {order}. Players tied on {all_of} share the place."


def _of_sitting_out(tournament: Tournament, rows: Sequence[StandingRow]) -> str:
    """`` A round sat out counts …``; empty where nobody sits out."""
    if tournament.odd_number != OddNumber.SIT_OUT and not any(row.sat_out for row in rows):
        return ""
    if tournament.sitting_out_counts == SittingOut.NOTHING:
        return " A round sat out counts nothing."
    if tournament.sitting_out_counts == SittingOut.FIXED:
        table_points = mixed(Fraction(tournament.sitting_out_table_points))
        points = tallied(tournament.sitting_out_points, pays=tournament.pays)
        return f" A round sat out counts {table_points} table points and {points} points of gain."
    return " A round sat out counts as the average of the player’s own rounds."


@dataclass(frozen=True, slots=True)
class _Figures:
    """How rows are written: the metrics in order, a total with its sign where players pay."""

    keys: tuple[str, ...]
    pays: bool

    def told(
        self, row: StandingRow | TeamRow, above: StandingRow | TeamRow | None
    ) -> tuple[tuple[str, ...], str]:
        """The row's figures in the order of the columns, and what parts it from the row above."""
        return tuple(self.figure(row, key) for key in self.keys), self._parted(row, above)

    def figure(self, row: StandingRow | TeamRow, key: str) -> str:
        """One figure in words' type: ``2⅓`` table points, ``+1,096`` gain, ``3``."""
        if key == "table_points":
            return mixed(row.table_points)
        if key == "mahjongs":
            return mixed(row.mahjongs_counted)
        value: int = getattr(row, key)
        return tallied(value, pays=self.pays and key == "total")

    def _parted(self, row: StandingRow | TeamRow, above: StandingRow | TeamRow | None) -> str:
        """``total gain: −80 against −64``, where the first metric is level with the row above."""
        if above is not None and row.decided_by not in {None, self.keys[0]}:
            key = str(row.decided_by)
            return f"{METRICS[key]}: {self.figure(row, key)} against {self.figure(above, key)}"
        if row.is_tied and row.decided_by is None:
            return "none: place shared"
        return ""


def _standing(begun: Mapping[int, str], through: int | None) -> str:
    if through is not None:
        return f"after round {through}"
    if not begun:
        return "provisional: nothing played yet"
    last = max(begun)
    if begun[last] == RoundState.PLAYING:
        return f"provisional: round {last} is being played"
    return f"provisional: after round {last}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
