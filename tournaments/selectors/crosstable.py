"""Every player's rounds side by side, and every hand that was played."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.models.names import Reader
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import Round, RoundState, Tournament
from tournaments.selectors.board import Board, Line, mixed
from tournaments.selectors.ended import ended_early
from tournaments.selectors.played import Played, Sat, names_in_play
from tournaments.selectors.standings import shares_in


@dataclass(frozen=True, slots=True)
class RoundCell:
    """One player in one round: the table, the gain, the table points once the table is done.

    ``substitute`` is who sat for them; no table where they sat out or had no seat.
    """

    round: int
    table: int | None = None
    hands: int = 0
    points: int = 0
    table_points: Fraction = Fraction(0)
    substitute: str = ""
    sits_out: bool = False

    @property
    def share(self) -> str:
        """The table points as people write them: ``2⅓``."""
        return mixed(self.table_points)


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A line of the standings with its rounds, the first round first."""

    line: Line
    cells: tuple[RoundCell, ...]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Everyone's rounds in the order of the standings; ``names`` are of all who had a seat."""

    rounds: tuple[int, ...]
    rows: tuple[CrossRow, ...]
    names: Mapping[int, str]

    @property
    def substitutes(self) -> tuple[str, ...]:
        """``Joan played for Ann Cox in rounds 2, 3``: who played as a substitute."""
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in self.rows:
            for cell in row.cells:
                if cell.substitute and cell.hands:
                    found[cell.substitute, row.line.row.name].append(cell.round)
        return tuple(
            f"{sitter} played for {name} in round{'s' * (len(rounds) > 1)} "
            f"{', '.join(map(str, rounds))}"
            for (sitter, name), rounds in found.items()
        )


@dataclass(frozen=True, slots=True)
class SeatAtHand:
    """What one seat had of a hand; ``score`` is what the tiles were worth, if that was told."""

    name: str
    substitute: str
    won: bool
    score: int | None
    points: int


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that counts: where, who won it (empty: nobody), and each seat's part."""

    round: int
    table: int
    number: int
    winner: str
    seats: tuple[SeatAtHand, ...]


def cross_table(
    tournament: Tournament, *, board: Board, played: Played, reader: Reader
) -> CrossTable:
    """The rounds that count on that board; one query, at most three while a round is played."""
    seats = played.through(board.through)
    begun = sorted({one.round for one in seats if one.round_state != RoundState.SEATED})
    is_open = any(one.round_state == RoundState.PLAYING for one in seats)
    ended = ended_early(tournament) if is_open else frozenset[int]()
    cells = {
        (seat.entrant, seat.round): RoundCell(
            round=seat.round,
            table=seat.table_number,
            hands=seat.hands,
            points=seat.points,
            table_points=Fraction(share or 0),
            substitute=seat.substitute,
        )
        for seat, share in shares_in(seats, ended)
    }
    if any((line.row.entrant_id, n) not in cells for line in board.lines for n in begun):
        resting = Round.sitting_out.through._default_manager.filter(
            round__tournament=tournament, round__number__in=begun
        )
        for entrant, number in resting.values_list("entrant", "round__number"):
            cells.setdefault((entrant, number), RoundCell(number, sits_out=True))
    rows = (
        CrossRow(line, tuple(cells.get((line.row.entrant_id, n), RoundCell(n)) for n in begun))
        for line in board.lines
    )
    sat = {played.entrants[seat.entrant] for seat in seats}
    return CrossTable(tuple(begun), tuple(rows), names_in_play(sat, reader))


def hands_played(
    tournament: Tournament, *, through: int | None, names: Mapping[int, str], played: Played
) -> tuple[PlayedHand, ...]:
    """Every hand of the rounds that count, by round, table and number; one query."""
    seats: dict[int, dict[int, Sat]] = defaultdict(dict)
    for seat in played.through(through):
        seats[seat.game][seat.seat] = seat
    fields = [f"{kind}_{seat}" for kind in ("score", "gain") for seat in SEAT_NUMBERS]
    hands = Hand.objects.filter(
        is_current=True, game__tournament_table__round__tournament=tournament
    ).only("game_id", "number", "winner", *fields)
    found = [_hand(one, seats[one.game_id], names) for one in hands if one.game_id in seats]
    return tuple(sorted(found, key=lambda one: (one.round, one.table, one.number)))


def _hand(hand: Hand, around: Mapping[int, Sat], names: Mapping[int, str]) -> PlayedHand:
    one = next(iter(around.values()))
    winner = around.get(hand.winner or 0)
    return PlayedHand(
        round=one.round,
        table=one.table_number,
        number=hand.number,
        winner="" if winner is None else winner.substitute or names[winner.entrant],
        seats=tuple(_seats(hand, around, names)),
    )


def _seats(hand: Hand, around: Mapping[int, Sat], names: Mapping[int, str]) -> Iterator[SeatAtHand]:
    for number, seat in sorted(around.items()):
        yield SeatAtHand(
            name=names[seat.entrant],
            substitute=seat.substitute,
            won=number == hand.winner,
            score=getattr(hand, f"score_{number}"),
            points=getattr(hand, f"gain_{number}"),
        )


def by_table(hands: Sequence[PlayedHand]) -> dict[tuple[int, int], list[PlayedHand]]:
    """The hands of each round's table, in their order."""
    found: dict[tuple[int, int], list[PlayedHand]] = defaultdict(list)
    for hand in hands:
        found[hand.round, hand.table].append(hand)
    return dict(found)
