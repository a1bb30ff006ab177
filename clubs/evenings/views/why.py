"""How the tables of an evening were chosen, on a page and on paper."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path

from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import evening_trail, framed
from clubs.evenings.papers import NOBODY_SEATED
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.selectors.seating import why_this_evening
from clubs.language.moments import full_date
from clubs.models import Club
from clubs.paper.document import pdf
from clubs.paper.formats import format_of
from clubs.seats.papers import Heading, why_pdf


@requires(permissions.SEE_RESULTS)
def why(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits with whom and who did lately; with ``?name=``, also for one player."""
    session = rows.evening_of(club, pk)
    may_know, name = request.may(permissions.MANAGE_WISHES), request.GET.get("name", "")
    explained = why_this_evening(session, reader=request.reader, with_wishes=may_know)
    context = framed(
        club,
        "evenings",
        session=session,
        evening=explained,
        why=explained.seating,
        person=explained.person(name),
        picture=explained.seating.picture(name),
        may_run=request.may(permissions.RUN_EVENING),
        breadcrumbs=evening_trail(club, session, {"label": "How the tables were chosen"}),
    )
    return render(request, "clubs/evenings/why.html", context)


@requires(permissions.SEE_RESULTS)
def paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    explained = why_this_evening(session, reader=request.reader)
    if not explained.seating.players:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening-why", club.slug, pk)
    day = full_date(session.held_on)
    heading = Heading(club.name, "How the tables were chosen", f"{day}: {explained.counts}")
    printed = why_pdf(heading, explained.seating, format_of(request.GET, club))
    return pdf(request, printed, f"{club.slug}-{session.held_on}-why")


EVENING = "c/<slug:club>/evenings/<int:pk>/"
urlpatterns = [
    path(f"{EVENING}why/", why, name="evening-why"),
    path(f"{EVENING}why.pdf", paper, name="evening-why-pdf"),
]
