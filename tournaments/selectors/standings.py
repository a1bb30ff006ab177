"""A tournament's standings: derived from the seats' totals each time they are read."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from clubs.names import EVERYBODY, Reader
from scoring.ranking import Ranked, Row, rank, table_points
from tournaments.models import Entrant, EntrantState, Placement, Tournament
from tournaments.selectors.ended import ended_early, is_said_to_end
from tournaments.selectors.naming import names_of

Sums = dict[str, Fraction | int]
IN_THE_SEAT = ("seat__points", "seat__hands", "seat__mahjongs", "seat__best_hand")
AT_THE_TABLE = ("round__state", "table__stopped_at", "table__game__hands_planned")


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's place; ``decided_by`` names the metric that parts them from the row above.

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
    decided_by: str | None
    is_member: bool
    has_left: bool


def standings(
    tournament: Tournament, *, through: int | None = None, reader: Reader = EVERYBODY
) -> tuple[StandingRow, ...]:
    """All entrants ranked by the tournament's declared order; two queries.

    Gains, Mah-Jongs and best hand count as soon as they are recorded; table points once a
    table has played all its hands, or plays no further one. With ``through`` nothing counts
    after that round.
    """
    ranked_people = tournament.entrants.ranked().select_related("player")
    entrants = {entrant.pk: entrant for entrant in ranked_people}
    names, sums = names_of(entrants.values(), reader), _sums(tournament, through)
    rows = [Row(key=str(pk), name=names[pk], values=sums[pk]) for pk in entrants]
    return tuple(
        _standing(ranked, entrants[int(ranked.row.key)])
        for ranked in rank(rows, by=tournament.ranks_by)
    )


class _Place(NamedTuple):
    """One entrant at one table; plain rows, because a large tournament has thousands."""

    table: int
    entrant: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    round_state: str
    stopped_at: datetime | None
    hands_planned: int | None


def _sums(tournament: Tournament, through: int | None) -> dict[int, Sums]:
    tables: dict[int, list[_Place]] = defaultdict(list)
    placements = Placement.objects.filter(round__tournament=tournament)
    if through is not None:
        placements = placements.filter(round__number__lte=through)
    told = placements.values_list("table", "entrant", *IN_THE_SEAT, *AT_THE_TABLE)
    for place in map(_Place._make, told):
        tables[place.table].append(place)
    sums: dict[int, Sums] = defaultdict(_nothing)
    ended = ended_early(tournament)
    for table, places in tables.items():
        is_done = table in ended or _is_done(places)
        shares = table_points([place.points for place in places])
        for place, share in zip(places, shares, strict=True):
            _add(sums[place.entrant], place, share if is_done else Fraction(0))
    return sums


def _is_done(places: Sequence[_Place]) -> bool:
    one = places[0]
    planned = one.hands_planned
    if is_said_to_end(round_state=one.round_state, stopped_at=one.stopped_at):
        return True
    return planned is not None and all(place.hands >= planned for place in places)


def _nothing() -> Sums:
    return {"rounds": 0, "table_points": Fraction(0), "total": 0, "mahjongs": 0, "best_hand": 0}


def _add(sums: Sums, place: _Place, share: Fraction) -> None:
    sums["rounds"] += int(place.hands > 0)
    sums["table_points"] += share
    sums["total"] += place.points
    sums["mahjongs"] += place.mahjongs
    sums["best_hand"] = max(sums["best_hand"], place.best_hand)


def _standing(ranked: Ranked, entrant: Entrant) -> StandingRow:
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
        mahjongs=int(values["mahjongs"]),
        best_hand=int(values["best_hand"]),
        decided_by=ranked.decided_by,
        is_member=entrant.player_id is not None,
        has_left=entrant.state == EntrantState.WITHDRAWN,
    )
