"""A club at a glance: the evening that is on, the last result, who leads the league."""

from dataclasses import dataclass
from datetime import date

from clubs.core.permissions import VisibleParts
from clubs.evenings.selectors.calendar import ClubDay, club_year
from clubs.evenings.selectors.evenings import EveningSummary, evenings_of, summaries
from clubs.models import Club, Season, Session, SessionState
from clubs.models.names import EVERYBODY, Reader
from clubs.selectors.leagues import LeagueRow, current_season, league_table

LEADERS = 5


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the first page of a club shows; None for what there is not yet or may not be seen."""

    evening: EveningSummary | None
    last: EveningSummary | None
    season: Season | None
    heading: str
    leaders: tuple[LeagueRow, ...]
    members: int
    next: ClubDay | None = None


def front_page(
    club: Club, *, today: date, sees: VisibleParts, reader: Reader = EVERYBODY
) -> FrontPage:
    """The first page of the club on that day, with the parts that its reader sees.

    Of several open evenings the nearest counts.
    """
    evenings = evenings_of(club) if sees.results else Session.objects.none()
    closed = SessionState.CLOSED
    nearest = sorted(evenings.exclude(state=closed), key=lambda row: abs(row.held_on - today))[:1]
    shown = summaries([*nearest, *evenings.filter(state=closed)[:1]], reader=reader)
    season = current_season(club) if sees.league else None
    table = league_table(season, reader=reader) if season else None
    return FrontPage(
        evening=next((row for row in shown if row.state != closed), None),
        last=next((row for row in shown if row.state == closed), None),
        season=season,
        heading=table.heading if table else "",
        leaders=table.ranked[:LEADERS] if table else (),
        next=club_year(club, today).next if sees.calendar and not shown else None,
        members=club.players.filter(is_active=True, kind="member").count(),
    )
