"""Why a tournament sits as it sits: on the page, on paper, and the draw to be made again."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.core.access import ClubRequest, by_secret_link, door
from clubs.models import Club
from clubs.models.names import AT_THE_TABLE, Reader
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from clubs.seats.explained import personal
from clubs.seats.papers import Heading, why_pdf
from tournaments.models import Drawing, Tournament
from tournaments.papers import NOBODY_SEATED
from tournaments.permissions import RUN_TOURNAMENT, SEE_TOURNAMENT
from tournaments.selectors import why as rows
from tournaments.selectors.overview import hung_as
from tournaments.selectors.people import last_change
from tournaments.views.pages import about, find


@door(SEE_TOURNAMENT)
def why(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """How fair the seating is and why; with ``?name=``, also for one player."""
    tournament = find(club, pk)
    shown = _shown(request, tournament, request.reader)
    shown |= {"drawings": rows.drawings_of(tournament), "last": last_change(tournament)}
    return render(
        request, "tournaments/why.html", about(request, tournament, "seating-why", **shown)
    )


@by_secret_link
def why_open(request: HttpRequest, key: str) -> HttpResponse:
    """The same for whoever holds the wall's link, who finds people by first names at least."""
    tournament = hung_as(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    context = {"tournament": tournament, **_shown(request, tournament, AT_THE_TABLE)}
    return render(request, "tournaments/why_open.html", context)


def _shown(request: HttpRequest, tournament: Tournament, reader: Reader) -> dict[str, Any]:
    seated, name = rows.seated_rounds(tournament, reader=reader), request.GET.get("name", "")
    found = seated.explained()
    return {
        "why": found,
        "person": personal(found, name),
        "picture": found.picture(name),
        "changes": rows.changes_by_hand(tournament, seated),
    }


@door(SEE_TOURNAMENT)
def paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The same on paper."""
    tournament = find(club, pk)
    found = rows.seated_rounds(tournament, reader=request.reader).explained()
    if not found.players:
        messages.error(request, NOBODY_SEATED)
        return redirect("seating-why", club.slug, pk)
    heading = Heading(club.name, "Why this seating", f"{tournament.name}: {found.counts}")
    printed = why_pdf(heading, found, format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-why")


@door(RUN_TOURNAMENT)
def draw(request: ClubRequest, club: Club, pk: int, drawing: int) -> HttpResponse:  # noqa: ARG001
    """What was asked of the seating, for its command line."""
    asked = get_object_or_404(Drawing, pk=drawing, tournament=find(club, pk)).asked
    return HttpResponse(
        json.dumps(asked, ensure_ascii=False, indent=1),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="draw.json"'},
    )
