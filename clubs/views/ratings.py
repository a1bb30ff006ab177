"""How well everyone plays, where the club wants to know."""

from django.http import Http404, HttpResponse
from django.shortcuts import render

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.core.permissions import SEE_LEAGUE
from clubs.models import Club
from clubs.rating import SETTLED_AFTER
from clubs.selectors.ratings import ratings_of

LEAGUE = ("League", "seasons")


@door(SEE_LEAGUE)
def rating(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone's rating, where the club wants ratings."""
    if not club.rates:
        raise Http404
    context = framed(
        club,
        "seasons",
        ratings=ratings_of(club, reader=request.reader),
        settled_after=SETTLED_AFTER,
    )
    return render(request, "clubs/rating.html", context)
