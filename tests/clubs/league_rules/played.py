"""Evenings made by hand: who sat together, and what each gained."""

from collections.abc import Sequence
from datetime import date, timedelta

from clubs.league_rules.standings import LeagueEvening, LeagueSeason, TableResult

NAMES = ("Ann", "Ben", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")
FIRST = date(2026, 9, 1)


def table_result(
    player: int, points: int, hands: int = 16, mahjongs: int = 0, best_hand: int = 0
) -> TableResult:
    """A member's evening; player 1 is Ann."""
    return TableResult(player, NAMES[player - 1], points, hands, mahjongs, best_hand)


def evening(key: int, *tables: Sequence[TableResult]) -> LeagueEvening:
    """The evening of that week."""
    return LeagueEvening(
        key, FIRST + timedelta(weeks=key - 1), tuple(tuple(table) for table in tables)
    )


def weeks(*gains: Sequence[int]) -> LeagueSeason:
    """One table every week with the gains of Ann, Ben, Cy and so on."""
    return LeagueSeason(
        tuple(
            evening(
                week,
                [table_result(player, gain) for player, gain in enumerate(week_gains, start=1)],
            )
            for week, week_gains in enumerate(gains, start=1)
        )
    )
