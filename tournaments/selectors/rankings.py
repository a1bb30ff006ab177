"""The ranking that a tournament's hands move: its standings."""

from clubs.models.names import ORGANISER
from clubs.table.movement import Ranking, ranked
from clubs.table.rows import tallied
from tournaments.models import Tournament
from tournaments.selectors.board import mixed
from tournaments.selectors.standings import standings


def rankings_of(tournament: Tournament) -> tuple[Ranking, ...]:
    """For the scorer, names in full: the standings with table points and totals; three queries."""
    rows = tuple(
        ranked(
            row.entrant_id,
            row.name,
            row.place,
            mixed(row.table_points),
            tallied(row.total, pays=tournament.pays),
            is_tied=row.is_tied,
        )
        for row in standings(tournament, reader=ORGANISER)
    )
    return (Ranking("The standings", ("Table points", "Total"), rows),)
