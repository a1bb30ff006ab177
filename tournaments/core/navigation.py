"""The tabs and page frame of one tournament, and finding it by its address."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core.access import ClubRequest
from clubs.core.navigation import Tab
from clubs.core.page_context import Crumbs, framed
from clubs.models import Club
from tournaments.core.access import ENTER_TABLE_HANDS, PRINT_TOURNAMENT, RUN_TOURNAMENT
from tournaments.models import Tournament

FOR_ALL = (("Seating", "seating"), ("Standings", "standings"))
FOR_OFFICIALS = (
    ("Entries", "entrants"),
    *FOR_ALL,
    ("Prizes", "prizes"),
    ("Settings", "tournament-settings"),
)


def tabs_of_tournament(request: ClubRequest, tournament: Tournament, here: str) -> list[Tab]:
    """The tabs above the page of that url name, or above one that stands below a tab's page."""
    first = "Desk" if request.may(ENTER_TABLE_HANDS) else "Live"
    others = FOR_OFFICIALS if request.may(RUN_TOURNAMENT) else FOR_ALL
    place = "seating" if here.startswith("seating-") else here
    at = [tournament.club.slug, tournament.pk]
    return [
        Tab(label, reverse(name, args=at), name == place)
        for label, name in ((first, "tournament"), *others)
    ]


def tournament_trail(tournament: Tournament, *below: dict[str, str]) -> Crumbs:
    """The breadcrumbs to a tournament and to what stands below it."""
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
