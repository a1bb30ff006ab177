"""A tournament's standings: derived from the seats' totals each time they are read."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from scoring.ranking import Ranked, Row, rank, table_points
from tournaments.models import Entrant, Placement, Tournament

Sums = dict[str, Fraction | int]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's place; ``decided_by`` names the metric that parts them from the row above."""

    place: int
    is_tied: bool
    entrant_id: int
    name: str
    from_club: str
    rounds: int
    table_points: Fraction
    total: int
    mahjongs: int
    best_hand: int
    decided_by: str | None


def standings(tournament: Tournament) -> tuple[StandingRow, ...]:
    """All entrants ranked by the tournament's declared order; two queries.

    Gains, Mah-Jongs and best hand count as soon as they are recorded; table points once a
    table has played all its hands.
    """
    entrants = {entrant.pk: entrant for entrant in tournament.entrants.all()}
    sums = _sums(tournament)
    rows = [
        Row(key=str(pk), name=entrant.name, values=sums[pk]) for pk, entrant in entrants.items()
    ]
    return tuple(
        _standing(ranked, entrants[int(ranked.row.key)])
        for ranked in rank(rows, by=tournament.ranks_by)
    )


def _sums(tournament: Tournament) -> dict[int, Sums]:
    tables: dict[int, list[Placement]] = defaultdict(list)
    for place in Placement.objects.filter(round__tournament=tournament).select_related("seat"):
        tables[place.table_id].append(place)
    sums: dict[int, Sums] = defaultdict(_nothing)
    for places in tables.values():
        is_done = all(place.seat.hands >= tournament.hands_a_round for place in places)
        shares = table_points([place.seat.points for place in places])
        for place, share in zip(places, shares, strict=True):
            _add(sums[place.entrant_id], place, share if is_done else Fraction(0))
    return sums


def _nothing() -> Sums:
    return {"rounds": 0, "table_points": Fraction(0), "total": 0, "mahjongs": 0, "best_hand": 0}


def _add(sums: Sums, place: Placement, share: Fraction) -> None:
    seat = place.seat
    sums["rounds"] += int(seat.hands > 0)
    sums["table_points"] += share
    sums["total"] += seat.points
    sums["mahjongs"] += seat.mahjongs
    sums["best_hand"] = max(sums["best_hand"], seat.best_hand)


def _standing(ranked: Ranked, entrant: Entrant) -> StandingRow:
    values = ranked.row.values
    return StandingRow(
        place=ranked.place,
        is_tied=ranked.is_tied,
        entrant_id=entrant.pk,
        name=entrant.name,
        from_club=entrant.from_club,
        rounds=int(values["rounds"]),
        table_points=Fraction(values["table_points"]),
        total=int(values["total"]),
        mahjongs=int(values["mahjongs"]),
        best_hand=int(values["best_hand"]),
        decided_by=ranked.decided_by,
    )
