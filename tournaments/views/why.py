"""Why a tournament sits as it sits: on the page, on paper, and the draw to be made again."""

import json

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from clubs.doors import ClubRequest, door
from clubs.explained import personal
from clubs.models import Club
from clubs.pdf.why import Heading, why_pdf
from clubs.views.papers import pdf
from tournaments.models import Drawing
from tournaments.permissions import RUN_TOURNAMENT, SEE_TOURNAMENT
from tournaments.selectors import why as rows
from tournaments.selectors.people import last_change
from tournaments.views.pages import about, find


@door(SEE_TOURNAMENT)
def why(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """How fair the seating is and why; with ``?name=``, also for one player."""
    tournament = find(club, pk)
    found, name = rows.seated_rounds(tournament).explained(), request.GET.get("name", "")
    context = about(
        request,
        tournament,
        "seating-why",
        why=found,
        person=personal(found, name),
        picture=found.picture(name),
        changes=rows.changes_by_hand(tournament),
        drawings=rows.drawings_of(tournament),
        last=last_change(tournament),
    )
    return render(request, "tournaments/why.html", context)


@door(SEE_TOURNAMENT)
def paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:  # noqa: ARG001
    """The same on paper."""
    tournament = find(club, pk)
    found = rows.seated_rounds(tournament).explained()
    heading = Heading(club.name, "Why this seating", f"{tournament.name}: {found.counts}")
    return pdf(why_pdf(heading, found), f"{club.slug}-tournament-{pk}-why")


@door(RUN_TOURNAMENT)
def draw(request: ClubRequest, club: Club, pk: int, drawing: int) -> HttpResponse:  # noqa: ARG001
    """What was asked of the seating, for its command line."""
    asked = get_object_or_404(Drawing, pk=drawing, tournament=find(club, pk)).asked
    return HttpResponse(
        json.dumps(asked, ensure_ascii=False, indent=1),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="draw.json"'},
    )
