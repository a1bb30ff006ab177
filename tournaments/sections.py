"""The tabs above the pages of one tournament."""

from django.urls import reverse

from clubs.core.access import ClubRequest
from clubs.core.navigation import Tab
from clubs.core.page_context import Crumbs
from tournaments.models import Tournament
from tournaments.permissions import ENTER_TABLE_HANDS, RUN_TOURNAMENT

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
