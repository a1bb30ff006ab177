"""Where the teams of a tournament stand: what their members' results add up to."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.ranking import Number, Ranked, Row, rank
from tournaments.selectors.standings import StandingRow


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team's place; its members stand in the order of their own places."""

    place: int
    is_tied: bool
    name: str
    members: tuple[str, ...]
    table_points: Fraction
    total: int
    mahjongs: int
    mahjongs_credited: Fraction
    best_hand: int
    decided_by: str | None

    @property
    def mahjongs_counted(self) -> Fraction:
        """The Mah-Jongs that rank: those won, and what is credited for rounds sat out."""
        return self.mahjongs + self.mahjongs_credited


def team_standings(rows: Sequence[StandingRow], *, by: Sequence[str]) -> tuple[TeamRow, ...]:
    """The teams of these standings, ranked as their members are; nobody stands alone as a team.

    Table points, gains and Mah-Jongs of all members are added up; the best hand is the best of
    any member's.
    """
    teams: dict[str, list[StandingRow]] = defaultdict(list)
    for row in rows:
        if row.team:
            teams[row.team].append(row)
    summed = [
        Row(key=name, name=name, values=_sums(members))
        for name, members in teams.items()
        if len(members) > 1
    ]
    return tuple(_team(ranked, teams[ranked.row.key]) for ranked in rank(summed, by=by))


def _sums(members: Sequence[StandingRow]) -> dict[str, Number]:
    return {
        "table_points": sum((row.table_points for row in members), Fraction(0)),
        "total": sum(row.total for row in members),
        "mahjongs": sum((row.mahjongs_counted for row in members), Fraction(0)),
        "best_hand": max(row.best_hand for row in members),
    }


def _team(ranked: Ranked, members: Sequence[StandingRow]) -> TeamRow:
    values = ranked.row.values
    return TeamRow(
        place=ranked.place,
        is_tied=ranked.is_tied,
        name=ranked.row.name,
        members=tuple(row.name for row in members),
        table_points=Fraction(values["table_points"]),
        total=int(values["total"]),
        mahjongs=sum(row.mahjongs for row in members),
        mahjongs_credited=sum((row.mahjongs_credited for row in members), Fraction(0)),
        best_hand=int(values["best_hand"]),
        decided_by=ranked.decided_by,
    )
