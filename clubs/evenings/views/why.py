"""How the tables of an evening were chosen, on a page and on paper."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path

from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import club_context, evening_breadcrumbs
from clubs.evenings.papers import NOBODY_SEATED
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.selectors.seating import explain_evening
from clubs.language.moments import full_date
from clubs.models import Club
from clubs.paper.formats import format_from_query
from clubs.paper.response import pdf_response
from clubs.seats.papers import Heading, explanation_pdf

EVENING_PAGE_PATH = "c/<slug:club>/evenings/<int:pk>/"


@requires(permissions.SEE_RESULTS)
def seating_explanation(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits with whom and who did lately; with ``?name=``, also for one player."""
    session = rows.evening_of(club, pk)
    may_know, name = request.has_permission(permissions.MANAGE_WISHES), request.GET.get("name", "")
    explanation = explain_evening(session, reader=request.reader, with_wishes=may_know)
    context = club_context(
        club,
        "evenings",
        session=session,
        evening=explanation,
        why=explanation.seating,
        person=explanation.person(name),
        picture=explanation.seating.picture(name),
        may_run=request.has_permission(permissions.RUN_EVENING),
        breadcrumbs=evening_breadcrumbs(club, session, {"label": "How the tables were chosen"}),
    )
    return render(request, "clubs/evenings/why.html", context)


@requires(permissions.SEE_RESULTS)
def explanation_paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    explanation = explain_evening(session, reader=request.reader)
    if not explanation.seating.players:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening-why", club.slug, pk)
    day = full_date(session.held_on)
    heading = Heading(club.name, "How the tables were chosen", f"{day}: {explanation.counts}")
    pdf = explanation_pdf(heading, explanation.seating, format_from_query(request.GET, club))
    return pdf_response(request, pdf, f"{club.slug}-{session.held_on}-why")


urlpatterns = [
    path(f"{EVENING_PAGE_PATH}why/", seating_explanation, name="evening-why"),
    path(f"{EVENING_PAGE_PATH}why.pdf", explanation_paper, name="evening-why-pdf"),
]
