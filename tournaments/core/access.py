"""Finding a tournament, who may do what in it, and its page frame."""

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core.access import ClubRequest
from clubs.core.page_context import Crumbs, Tab, framed
from clubs.core.permissions import EVERY_ROLE, ORGANISERS, Permission
from clubs.models import Club, Role, Scope
from clubs.models.accounts import is_ours
from clubs.tenancy import by_key, told_by_key
from tournaments.models import EntrantState, RoundState, Tournament

SEE_TOURNAMENT = Permission(
    "see this tournament", EVERY_ROLE, Scope.READ, public_by=("shows_results",)
)
RUN_TOURNAMENT = Permission(
    "run a tournament", frozenset({Role.DIRECTOR, Role.SECRETARY}), Scope.TOURNAMENTS
)
ENTER_TABLE_HANDS = Permission("enter hands for a table", ORGANISERS, Scope.HANDS)
CORRECT_TABLE_HANDS = Permission("correct a hand", ORGANISERS, Scope.HANDS)
SEE_LAST_ROUND = Permission("see the last round before it is released", ORGANISERS, Scope.READ)
PRINT_TOURNAMENT = Permission("print sheets and cards", ORGANISERS, Scope.PAPERS)


ENTERED = Q(entrants__state=EntrantState.ENTERED, entrants__is_house=False)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """Newest first, each with ``entered`` and ``closed`` (rounds): one query."""
    return club.tournaments.annotate(
        entered=Count("entrants", filter=ENTERED, distinct=True),
        closed=Count("rounds", filter=Q(rounds__state=RoundState.CLOSED), distinct=True),
    ).order_by("-held_on", "-pk")


def seated_rounds(tournament: Tournament) -> list[int]:
    """The numbers of the rounds that have tables: one query."""
    rounds = tournament.rounds.filter(tables__isnull=False).distinct().order_by("number")
    return list(rounds.values_list("number", flat=True))


def current_round(tournament: Tournament) -> int | None:
    """The first seated round that is not closed, else the last one; None if none: one query."""
    rounds = tournament.rounds.filter(tables__isnull=False).distinct().order_by("number")
    states = list(rounds.values_list("number", "state"))
    still_open = [number for number, state in states if state != RoundState.CLOSED]
    return next(iter(still_open), states[-1][0] if states else None)


def hung_as(wall_key: str) -> Tournament | None:
    """The tournament with this key of its wall, and its club: one query, none for a forged key."""
    if not is_ours(wall_key):
        return None
    return by_key(_with_clubs, wall_key=wall_key)


def _with_clubs() -> QuerySet[Tournament]:
    return Tournament.objects.select_related("club")


def is_newest(wall_key: str, version: str) -> bool:
    """Whether the tournament with this wall key still has that version.

    One small query; none for a forged key or without a version.
    """
    if not version or not is_ours(wall_key):
        return False
    value = told_by_key(Tournament.objects.all, "version", wall_key=wall_key)
    return value is not None and version == str(value[0])


FOR_ALL = (("Seating", "seating"), ("Standings", "standings"))
FOR_OFFICIALS = (
    ("Entries", "entrants"),
    *FOR_ALL,
    ("Prizes", "prizes"),
    ("Settings", "tournament-settings"),
)


def tabs_of_tournament(request: ClubRequest, tournament: Tournament, here: str) -> list[Tab]:
    """The tabs above the page of that url name, or above a page below a tab."""
    first = "Desk" if request.may(ENTER_TABLE_HANDS) else "Live"
    others = FOR_OFFICIALS if request.may(RUN_TOURNAMENT) else FOR_ALL
    place = "seating" if here.startswith("seating-") else here
    at = [tournament.club.slug, tournament.pk]
    return [
        Tab(label, reverse(name, args=at), name == place)
        for label, name in ((first, "tournament"), *others)
    ]


def tournament_trail(tournament: Tournament, *below: dict[str, str]) -> Crumbs:
    """The breadcrumbs to a tournament and to the pages below it."""
    slug = tournament.club.slug
    return [
        {"label": "Tournaments", "url": reverse("tournaments", args=[slug])},
        {"label": tournament.name, "url": reverse("tournament", args=[slug, tournament.pk])},
        *below,
    ]


UNPROCESSABLE = 422


def find(club: Club, pk: int) -> Tournament:
    """The club's tournament, or 404."""
    return get_object_or_404(Tournament.objects.select_related("club", "book"), club=club, pk=pk)


def about(request: ClubRequest, tournament: Tournament, here: str, **shown: Any) -> dict[str, Any]:
    """The context of every page of a tournament; ``here`` is the page's url name."""
    club = tournament.club
    return framed(
        club,
        "tournaments",
        breadcrumbs=tournament_trail(tournament),
        tabs=tabs_of_tournament(request, tournament, here),
        tournament=tournament,
        may_run=request.may(RUN_TOURNAMENT),
        may_enter=request.may(ENTER_TABLE_HANDS),
        may_print=request.may(PRINT_TOURNAMENT),
        **shown,
    )
