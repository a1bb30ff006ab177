"""Lists of what a club has: its evenings, its seasons; and the clubs of a person."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q, QuerySet, Sum

from clubs import secondfactor
from clubs.league import summary
from clubs.models import EARLIER_GAME, Club, Season, Session, SessionSeat, SessionState, User
from clubs.names import EVERYBODY, Reader
from clubs.selectors.leagues_rules import rules_at_hand, with_rules
from clubs.selectors.sittings import Place, named, places_of, sittings


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """One evening of the list; ``best`` are those with the most points, once hands are in.

    ``pays`` where its players pay one another.
    """

    pk: int
    held_on: date
    state: SessionState
    version: int
    players: int
    tables: int
    best: tuple[str, ...]
    points: int
    pays: bool


@dataclass(frozen=True, slots=True)
class SeasonSummary:
    """One season of the list."""

    pk: int
    name: str
    league: str
    title: str
    starts_on: date
    ends_on: date
    evenings: int
    rule: str


def evenings_of(club: Club) -> QuerySet[Session]:
    """The club's evenings, newest first."""
    return (
        Session.objects.filter(club=club)
        .annotate(
            players=Count("attendances", distinct=True),
            seated=Count("tables", filter=Q(tables__number__lt=EARLIER_GAME), distinct=True),
        )
        .order_by("-held_on", "-pk")
    )


def summaries(
    sessions: Iterable[Session], *, reader: Reader = EVERYBODY
) -> tuple[EveningSummary, ...]:
    """Evenings from ``evenings_of`` as rows of a list; one query for all of them."""
    sessions = list(sessions)
    places: dict[int, list[Place]] = defaultdict(list)
    for place in places_of(SessionSeat.objects.filter(session__in=sessions, seat__hands__gt=0)):
        places[place.session].append(place)
    return tuple(_summary(session, places[session.pk], reader) for session in sessions)


def _summary(session: Session, places: list[Place], reader: Reader) -> EveningSummary:
    played = sittings(places)
    most = max((one.points for one in played), default=0)
    won = {one.player_id for one in played if one.points == most}
    best = named((place for place in places if place.player in won), reader)
    return EveningSummary(
        pk=session.pk,
        held_on=session.held_on,
        state=SessionState(session.state),
        version=session.version,
        players=session.players,  # type: ignore[attr-defined]
        tables=session.seated,  # type: ignore[attr-defined]
        best=tuple(sorted(best.values())),
        points=most,
        pays=all(one.pays for one in played),
    )


def seasons_of(club: Club) -> tuple[SeasonSummary, ...]:
    """The club's seasons, the last to begin first; two queries."""
    return season_summaries(seasons_in(club))


def seasons_in(club: Club) -> QuerySet[Season]:
    """The club's seasons with what their summaries tell, the last to begin first."""
    seasons = Season.objects.filter(league__club=club).select_related("league")
    return with_rules(seasons.annotate(evenings=Count("sessions")).order_by("-starts_on", "-pk"))


def season_summaries(seasons: Iterable[Season]) -> tuple[SeasonSummary, ...]:
    """Seasons from ``seasons_in`` as rows of a list; no query of its own."""
    return tuple(
        SeasonSummary(
            season.pk,
            season.name,
            season.league.name,
            str(season),
            season.starts_on,
            season.ends_on,
            season.evenings,  # type: ignore[attr-defined]
            summary(rules_at_hand(season)),
        )
        for season in seasons
    )


def version_of(season: Season) -> str:
    """A text that changes with everything that its evenings show; one query."""
    told = season.sessions.aggregate(evenings=Count("pk"), changes=Sum("version"))
    return f"{told['evenings']}-{told['changes'] or 0}"


def clubs_of(user: User | AnonymousUser) -> list[Club]:
    """The clubs that someone signed in belongs to, all for a superuser; never a rehearsal.

    A superuser who has yet to set up the second step that is required sees only their own.
    """
    if not isinstance(user, User):
        return []
    clubs = Club.objects.filter(rehearsal_of=None).order_by("name")
    sees_all = user.is_superuser and not secondfactor.is_missing(user)
    return list(clubs if sees_all else clubs.filter(memberships__user=user))
