"""A season's league table: derived from the seats' totals each time it is read."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from django.utils import timezone

from clubs.models import Club, PlayerKind, RanksBy, Season, SessionSeat
from scoring.ranking import Ranked, Row, rank
from scoring.scorebook.editions import rule_set


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """One player's season; ``place`` is None below the least attendance.

    ``pays`` where players pay one another, so that points have a sign.
    """

    place: int | None
    is_tied: bool
    player_id: int
    name: str
    attended: int
    total: int
    average: Fraction
    best_total: int
    counted: int
    mahjongs: int
    best_hand: int
    decided_by: str | None
    ranks_by: RanksBy
    pays: bool

    @property
    def mean(self) -> Decimal:
        """The average of an evening, to a tenth of a point."""
        return Decimal(round(self.average * 10)) / 10

    @property
    def counts(self) -> Decimal:
        """What puts the player above another: total, average or best evenings."""
        counting: dict[str, Decimal | int] = {
            "total": self.total,
            "average": self.mean,
            "best": self.best_total,
        }
        return Decimal(counting[self.ranks_by])


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A season's table and the sentence that says how it ranks."""

    season_id: int
    title: str
    rule: str
    ranks_by: RanksBy
    evenings: tuple[date, ...]
    rows: tuple[LeagueRow, ...]

    @property
    def ranked(self) -> tuple[LeagueRow, ...]:
        """Everybody with a place."""
        return tuple(row for row in self.rows if row.place is not None)

    @property
    def short(self) -> tuple[LeagueRow, ...]:
        """Who came, but not often enough for a place."""
        return tuple(row for row in self.rows if row.place is None)


def rule_sentence(season: Season) -> str:
    """How the season ranks, in words."""
    ways = {
        RanksBy.TOTAL: "Ranked by the total of all evenings",
        RanksBy.AVERAGE: "Ranked by the average of an evening",
        RanksBy.BEST: f"Ranked by the total of each player's best {season.best_of} evenings",
    }
    least = season.least_attendance
    proviso = f", for players with at least {least} evenings" if least else ""
    return f"{ways[RanksBy(season.ranks_by)]}{proviso}; ties by Mah-Jongs, then best hand."


def league_table(season: Season) -> LeagueTable:
    """Every member who played in the season, ranked; an evening counts from its first hand.

    Guests are left out. Two queries.
    """
    places: dict[int, list[SessionSeat]] = defaultdict(list)
    for place in SessionSeat.objects.filter(
        session__season=season, player__kind=PlayerKind.MEMBER, seat__hands__gt=0
    ).select_related("player", "seat__game"):
        places[place.player_id].append(place)
    rows = [_row(played, season) for played in places.values()]
    ranked = rank(
        [row for row in rows if row.values["attended"] >= season.least_attendance],
        by=[_metric(season), "mahjongs", "best_hand"],
    )
    short = [row for row in rows if row.values["attended"] < season.least_attendance]
    return LeagueTable(
        season_id=season.pk,
        title=str(season),
        rule=rule_sentence(season),
        ranks_by=RanksBy(season.ranks_by),
        evenings=tuple(season.sessions.order_by("held_on").values_list("held_on", flat=True)),
        rows=tuple(_league_row(row.row, row, season) for row in ranked)
        + tuple(_league_row(row, None, season) for row in sorted(short, key=lambda row: row.name)),
    )


def _metric(season: Season) -> str:
    return {"total": "total", "average": "average", "best": "best_total"}[season.ranks_by]


def _row(played: list[SessionSeat], season: Season) -> Row:
    gains = sorted((place.seat.points for place in played), reverse=True)
    counted = gains[: season.best_of] if season.best_of else gains
    return Row(
        key=str(played[0].player_id),
        name=played[0].player.name,
        values={
            "attended": len(played),
            "total": sum(gains),
            "average": Fraction(sum(gains), len(gains)),
            "best_total": sum(counted),
            "counted": len(counted),
            "mahjongs": sum(place.seat.mahjongs for place in played),
            "best_hand": max(place.seat.best_hand for place in played),
            "pays": all(rule_set(place.seat.game.rules).zero_sum for place in played),
        },
    )


def _league_row(row: Row, ranked: Ranked | None, season: Season) -> LeagueRow:
    values = row.values
    return LeagueRow(
        place=ranked.place if ranked else None,
        is_tied=bool(ranked and ranked.is_tied),
        player_id=int(row.key),
        name=row.name,
        attended=int(values["attended"]),
        total=int(values["total"]),
        average=Fraction(values["average"]),
        best_total=int(values["best_total"]),
        counted=int(values["counted"]),
        mahjongs=int(values["mahjongs"]),
        best_hand=int(values["best_hand"]),
        decided_by=ranked.decided_by if ranked else None,
        ranks_by=RanksBy(season.ranks_by),
        pays=bool(values["pays"]),
    )


def current_season(club: Club) -> Season | None:
    """The season that began last; before the first one begins, that one."""
    seasons = Season.objects.filter(league__club=club).select_related("league")
    begun = seasons.filter(starts_on__lte=timezone.localdate()).order_by("-starts_on").first()
    return begun or seasons.order_by("starts_on").first()
