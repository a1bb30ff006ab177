"""A tournament's standings: derived from the seats' totals each time they are read."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.models.names import EVERYBODY, Reader
from scoring.ranking import Number, Ranked, Row, rank, table_points
from tournaments.models import EntrantState, Tournament
from tournaments.selectors.crediting import COUNTED, Sums, credit
from tournaments.selectors.ended import ended_early, is_said_to_end
from tournaments.selectors.played import Entered, Played, Sat, names_in_play, played_in


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's place; ``decided_by`` names the metric that parts them from the row above.

    ``sat_out`` counts the closed rounds that they sat out. What those count is in table points
    and total; ``mahjongs`` are those won, and ``mahjongs_credited`` rank beside them.
    ``is_member`` says that they are of the club that holds the tournament, ``has_left`` that
    they have withdrawn.
    """

    place: int
    is_tied: bool
    entrant_id: int
    name: str
    from_club: str
    team: str
    rounds: int
    table_points: Fraction
    total: int
    mahjongs: int
    best_hand: int
    sat_out: int
    mahjongs_credited: Fraction
    decided_by: str | None
    is_member: bool
    has_left: bool

    @property
    def mahjongs_counted(self) -> Fraction:
        """The Mah-Jongs that rank: those won, and what is credited for rounds sat out."""
        return self.mahjongs + self.mahjongs_credited


def standings(
    tournament: Tournament,
    *,
    through: int | None = None,
    reader: Reader = EVERYBODY,
    played: Played | None = None,
) -> tuple[StandingRow, ...]:
    """All entrants ranked by the tournament's declared order; at most three queries.

    None are asked where ``played`` is given.
    Gains, Mah-Jongs and best hand count as soon as they are recorded; table points once a
    table has played all its hands, or plays no further one. With ``through`` nothing counts
    after that round. What a round counts for whoever sits it out is added.
    """
    played = played or played_in(tournament)
    entrants = {one.pk: one for one in played.ranked()}
    names = names_in_play(entrants.values(), reader)
    sums = _sums(played.through(through), ended_early(tournament))
    for pk, rounds in played.rounds_out(through).items():
        credit(sums[pk], rounds, tournament)
    rows = [Row(key=str(pk), name=names[pk], values=sums[pk]) for pk in entrants]
    return tuple(
        _standing(ranked, entrants[int(ranked.row.key)])
        for ranked in rank(rows, by=tournament.ranks_by)
    )


def _sums(seats: Sequence[Sat], ended: frozenset[int]) -> dict[int, Sums]:
    sums: dict[int, Sums] = defaultdict(_nothing)
    for seat, share in shares_in(seats, ended):
        _add(sums[seat.entrant], seat, share)
    return sums


def shares_in(seats: Sequence[Sat], ended: frozenset[int]) -> Iterator[tuple[Sat, Number | None]]:
    """Each seat with its table points, None while the table still plays."""
    tables: dict[int, list[Sat]] = defaultdict(list)
    for seat in seats:
        tables[seat.table].append(seat)
    for table, around in tables.items():
        is_done = table in ended or _is_done(around)
        shares = table_points([seat.points for seat in around])
        for seat, share in zip(around, shares, strict=True):
            yield seat, _plain(share) if is_done else None


def _is_done(around: Sequence[Sat]) -> bool:
    one = around[0]
    planned = one.hands_planned
    if is_said_to_end(round_state=one.round_state, stopped_at=one.stopped_at):
        return True
    return planned is not None and all(seat.hands >= planned for seat in around)


def _plain(share: Fraction) -> Number:
    """Whole points as a plain number, which is added and compared ten times as quickly."""
    return share.numerator if share.denominator == 1 else share


def _nothing() -> Sums:
    return dict.fromkeys(COUNTED, 0)


def _add(sums: Sums, seat: Sat, share: Number | None) -> None:
    """Add a seat; `share` is what it has of the table points, None while its table plays."""
    sums["rounds"] += int(seat.hands > 0)
    if share is not None:
        sums["table_points"] += share
        sums["done"] += 1
        sums["done_total"] += seat.points
        sums["done_mahjongs"] += seat.mahjongs
    sums["total"] += seat.points
    sums["mahjongs"] += seat.mahjongs
    sums["best_hand"] = max(sums["best_hand"], seat.best_hand)


def _standing(ranked: Ranked, entrant: Entered) -> StandingRow:
    values = ranked.row.values
    return StandingRow(
        place=ranked.place,
        is_tied=ranked.is_tied,
        entrant_id=entrant.pk,
        name=ranked.row.name,
        from_club=entrant.from_club,
        team=entrant.team,
        rounds=int(values["rounds"]),
        table_points=Fraction(values["table_points"]),
        total=int(values["total"]),
        mahjongs=int(values["mahjongs"] - values["mahjongs_credited"]),
        best_hand=int(values["best_hand"]),
        sat_out=int(values["sat_out"]),
        mahjongs_credited=Fraction(values["mahjongs_credited"]),
        decided_by=ranked.decided_by,
        is_member=entrant.player is not None,
        has_left=entrant.state == EntrantState.WITHDRAWN,
    )
