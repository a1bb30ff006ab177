"""What one person has played: seasons, evenings, the best hand, the company."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import Crumbs, framed, trail
from clubs.core.permissions import MANAGE_MEMBERS, SEE_RESULTS
from clubs.members.selectors import kept_instead
from clubs.models import Club, Player, Role
from clubs.selectors.made_hands import best_hand_of
from clubs.selectors.players import player_seasons
from clubs.selectors.players_company import company_of
from clubs.selectors.ratings import rating_of

MEMBERS = ("Members", "members")


@door(SEE_RESULTS)
def player(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One person's seasons and evenings, and what they add up to."""
    shown: Player = get_object_or_404(club.players, pk=pk)
    if kept := kept_instead(shown):
        return redirect("player", club.slug, kept)
    seasons = player_seasons(shown, reader=request.reader)
    context = framed(
        club,
        _tab(request, pk),
        player=shown,
        history=seasons.history,
        seasons=seasons,
        best=best_hand_of(shown, seasons.history.best_hand),
        company=company_of(shown, reader=request.reader),
        rated=rating_of(shown),
        is_own=request.reader.player == pk,
        may_manage=request.may(MANAGE_MEMBERS) and not shown.erased_on,
        breadcrumbs=_crumbs(request, club, pk, seasons.history.name),
    )
    return render(request, "clubs/player.html", context)


def _tab(request: ClubRequest, pk: int) -> str:
    """A player’s own page is a main item; it is one of the members’ pages for everyone else."""
    is_mine = request.reader.player == pk and request.role == Role.PLAYER
    return "my-results" if is_mine else "members"


def _crumbs(request: ClubRequest, club: Club, pk: int, name: str) -> Crumbs:
    """The way from the members’ list, for whoever sees it and came by it."""
    came_by_the_list = request.role and _tab(request, pk) == "members"
    return trail(club, MEMBERS, here=name) if came_by_the_list else []
