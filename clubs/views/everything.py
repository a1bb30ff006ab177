"""Everything that the club holds on one person, for that person and for the secretary."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed, member_trail
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.exports.everything import everything_json, everything_page
from clubs.models import Club, Player
from clubs.selectors.dossier import dossier

REFUSAL = "Only the person and the secretary can see personal data."


@door(SEE_CLUB)
def page(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What is in the file, and where it is saved."""
    player = _theirs(request, club, pk)
    is_own = request.reader.player == player.pk
    context = framed(
        club,
        "account" if is_own else "members",
        player=player,
        found=dossier(player),
        is_own=is_own,
        may_manage=request.may(MANAGE_MEMBERS),
        breadcrumbs=[] if is_own else member_trail(club, player, here="Personal data"),
    )
    return render(request, "keeping/everything.html", context)


@door(SEE_CLUB)
def file(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The one file."""
    player = _theirs(request, club, pk)
    return _saved(everything_page(dossier(player)), "text/html; charset=utf-8", club, "html")


@door(SEE_CLUB)
def data(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The same for another program."""
    player = _theirs(request, club, pk)
    return _saved(everything_json(dossier(player)), "application/json", club, "json")


def _theirs(request: ClubRequest, club: Club, pk: int) -> Player:
    """The person, for themselves and for the secretary."""
    if request.reader.player != pk:
        request.require(MANAGE_MEMBERS, refusal=REFUSAL)
    return get_object_or_404(standing(club).select_related("club"), pk=pk)


def _saved(content: bytes, kind: str, club: Club, ending: str) -> HttpResponse:
    name = f"{club.slug}-everything.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private"}
    return HttpResponse(content, content_type=kind, headers=headers)
