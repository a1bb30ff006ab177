"""Ratings as the club sees them: from every evening that was played, in the order of the days."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple

from clubs import rating
from clubs.chart import Chart, Stop, chart
from clubs.core.people_names import names_of, standing
from clubs.language.moments import long_date
from clubs.models import EARLIER_GAME, Club, Player, PlayerKind, SessionSeat
from clubs.models.names import EVERYBODY, Reader, name_key
from clubs.rating import Rating

SAT = (
    *("session__held_on", "session", "player", "table__number"),
    *("seat__points", "seat__hands"),
)


class _Sat(NamedTuple):
    """Someone's game in the columns of SAT; plain rows, because a club has thousands."""

    day: date
    session: int
    player: int
    number: int
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A line of the list; ``place`` is None for a newcomer, whose rating is still settling."""

    place: int | None
    is_tied: bool
    player_id: int
    name: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class RatingList:
    """The members of the club: those with a settled rating by it, then the newcomers by name."""

    settled: tuple[RatedRow, ...]
    newcomers: tuple[RatedRow, ...]


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's rating and its chart, which is None before it has settled."""

    rating: Rating
    chart: Chart | None


def ratings_of(club: Club, *, reader: Reader = EVERYBODY) -> RatingList:
    """The ratings of everyone who is a member now; two queries."""
    _, found = _reckoned(club)
    members = list(standing(club).filter(is_active=True, kind=PlayerKind.MEMBER))
    names = names_of(members, reader)
    own = {one.pk: found[one.pk] for one in members if one.pk in found}
    points = sorted((one.now.points for one in own.values() if one.is_settled), reverse=True)
    rows = [
        RatedRow(
            place=points.index(one.now.points) + 1 if one.is_settled else None,
            is_tied=one.is_settled and points.count(one.now.points) > 1,
            player_id=player,
            name=names[player],
            rating=one,
        )
        for player, one in own.items()
    ]
    by_place = sorted(rows, key=lambda row: (row.place or 0, name_key(row.name)))
    return RatingList(
        settled=tuple(row for row in by_place if row.place is not None),
        newcomers=tuple(row for row in by_place if row.place is None),
    )


def rating_of(player: Player) -> PlayerRating | None:
    """A player's rating where the club wants ratings and the player has played; one query."""
    if not player.club.rates:
        return None
    days, found = _reckoned(player.club)
    own = found.get(player.pk)
    if own is None:
        return None
    return PlayerRating(own, _chart(own, days) if own.is_settled else None)


def _chart(own: Rating, days: list[date]) -> Chart | None:
    stops = [
        Stop(
            days[step.evening],
            rating.START,
            step.points,
            f"{long_date(days[step.evening])}: {step.points:,}",
        )
        for step in own.steps
    ]
    return chart(stops, start=rating.START)


def _reckoned(club: Club) -> tuple[list[date], Mapping[int, Rating]]:
    """The days of the evenings, and everyone's rating; one query."""
    seats = SessionSeat.objects.filter(session__club=club, seat__hands__gt=0)
    rows = map(_Sat._make, seats.order_by(*SAT[:4]).values_list(*SAT))
    evenings = [(day, _tables(sat)) for (day, _), sat in groupby(rows, key=lambda row: row[:2])]
    return [day for day, _ in evenings], rating.ratings(tuple(tables for _, tables in evenings))


def _tables(evening: Iterable[_Sat]) -> tuple[rating.Table, ...]:
    """Who sat together with which points: each where they played most, all their games together."""
    games: dict[int, list[_Sat]] = defaultdict(list)
    for sat in evening:
        games[sat.player].append(sat)
    tables: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for player, played in games.items():
        longest = max(played, key=lambda sat: (sat.hands, -sat.number))
        points = sum(sat.points for sat in played)
        tables[longest.number % EARLIER_GAME].append((player, points))
    return tuple(tuple(tables[at]) for at in sorted(tables))
