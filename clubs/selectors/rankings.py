"""The rankings that an evening's hands move: its result, and the league that it counts for."""

from clubs.models import Season, Session
from clubs.models.names import ORGANISER
from clubs.selectors.evenings import result_of
from clubs.selectors.leagues import league_table
from clubs.table.movement import Ranking, ranked
from clubs.table.rows import tallied


def rankings_of(session: Session) -> tuple[Ranking, ...]:
    """For the scorer, names in full: the evening's result and the season's table; five queries."""
    evening = Ranking(
        "This evening",
        ("Total",),
        tuple(
            ranked(
                row.player_id,
                row.name,
                row.place,
                tallied(row.points, pays=row.pays),
                is_tied=row.is_tied,
            )
            for row in result_of(session, reader=ORGANISER)
        ),
    )
    return (evening, _league(session.season)) if session.season else (evening,)


def _league(season: Season) -> Ranking:
    table = league_table(season, reader=ORGANISER)
    return Ranking(
        f"The league, {table.title}",
        (table.heading,),
        tuple(
            ranked(
                row.player_id,
                row.name,
                row.place,
                tallied(row.counts, pays=row.is_signed),
                is_tied=row.is_tied,
            )
            for row in table.rows
        ),
    )
