"""Why an evening sits as it sits: on the page and on paper."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import MANAGE_WISHES, RUN_EVENING, SEE_RESULTS
from clubs.eveningpapers import NOBODY_SEATED
from clubs.language.moments import full_date
from clubs.models import Club, Session
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from clubs.seats.papers import Heading, why_pdf
from clubs.selectors.why import why_this_evening


@door(SEE_RESULTS)
def why(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits with whom and who did lately; with ``?name=``, also for one player."""
    session = get_object_or_404(Session.objects.select_related("season"), club=club, pk=pk)
    may_know, name = request.may(MANAGE_WISHES), request.GET.get("name", "")
    found = why_this_evening(session, reader=request.reader, with_wishes=may_know)
    context = framed(
        club,
        "evenings",
        session=session,
        evening=found,
        why=found.seating,
        person=found.person(name),
        picture=found.seating.picture(name),
        may_run=request.may(RUN_EVENING),
        breadcrumbs=evening_trail(club, session, {"label": "How the tables were chosen"}),
    )
    return render(request, "clubs/why.html", context)


@door(SEE_RESULTS)
def paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The same on paper."""
    session = get_object_or_404(club.sessions, pk=pk)
    found = why_this_evening(session, reader=request.reader)
    if not found.seating.players:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening-why", club.slug, pk)
    day = full_date(session.held_on)
    heading = Heading(club.name, "How the tables were chosen", f"{day}: {found.counts}")
    return pdf(
        request,
        why_pdf(heading, found.seating, format_of(request.GET)),
        f"{club.slug}-{session.held_on}-why",
    )
