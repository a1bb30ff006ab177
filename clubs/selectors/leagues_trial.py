"""Rules that are tried: the table as it is beside the table as it would be."""

from dataclasses import dataclass

from clubs import league_rules
from clubs.league_rules import LeagueRules
from clubs.models import Season
from clubs.models.names import ORGANISER
from clubs.selectors.leagues import LeagueRow, LeagueTable, table_by
from clubs.selectors.leagues_record import record_of
from clubs.selectors.leagues_rules import rules_of
from clubs.table.movement import NOWHERE, Move, Ranked, ranked
from clubs.table.rows import tallied


@dataclass(frozen=True, slots=True)
class Trial:
    """A season as it ranks and as it would rank, in the order that it would have."""

    title: str
    now: str
    then: str
    moves: tuple[Move, ...]

    @property
    def movers(self) -> int:
        """How many would have another place."""
        return sum(move.changes_place for move in self.moves)


def trials_of(season: Season, rules: LeagueRules) -> tuple[Trial, ...]:
    """The rules tried on the season, and on the one before it where there is one.

    For each season three queries, and those for handicaps and credits.
    """
    before = (
        Season.objects.filter(league=season.league, starts_on__lt=season.starts_on)
        .select_related("league")
        .order_by("-starts_on")
        .first()
    )
    return tuple(_trial(one, rules) for one in (season, before) if one is not None)


def _trial(season: Season, rules: LeagueRules) -> Trial:
    held = rules_of(season)
    told = record_of(season, held, rules, reader=ORGANISER)
    return Trial(
        title=str(season),
        now=league_rules.heading(held),
        then=league_rules.heading(rules),
        moves=_moves(table_by(season, held, told), table_by(season, rules, told)),
    )


def _moves(now: LeagueTable, then: LeagueTable) -> tuple[Move, ...]:
    before = {row.player_id: _ranked(row) for row in now.rows}
    after = {row.player_id: _ranked(row) for row in then.rows}
    gone = [key for key in before if key not in after]
    return tuple(
        Move(
            before.get(key) or _nowhere(key, after[key].name),
            after.get(key) or _nowhere(key, before[key].name),
        )
        for key in (*after, *gone)
    )


def _ranked(row: LeagueRow) -> Ranked:
    figure = tallied(row.counts, pays=row.is_signed)
    return ranked(row.player_id, row.name, row.place, figure, is_tied=row.is_tied)


def _nowhere(key: int, name: str) -> Ranked:
    return ranked(key, name, None, NOWHERE, is_tied=False)
