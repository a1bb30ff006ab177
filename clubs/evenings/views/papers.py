"""Printouts that need no evening: blank score sheets and the crib sheet."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import breadcrumbs, club_context
from clubs.evenings.papers import CLUB_PAPERS, rules_to_print
from clubs.models import Club
from clubs.paper.document import pdf_response
from clubs.paper.formats import OfferedPrintout, format_from_query
from clubs.table.selectors.rules import rules_offered


@requires(permissions.PRINT_PAPERS)
def club_papers(request: ClubRequest, club: Club) -> HttpResponse:
    """The printouts, with the rules, the paper and the letter sizes to choose from."""
    offers = [paper.offer for paper in CLUB_PAPERS.values()]
    context: dict[str, Any] = club_context(
        club,
        "evenings",
        papers=[OfferedPrintout(offer, reverse(offer.name, args=[club.slug])) for offer in offers],
        rules=rules_offered(club, current=club.rules),
        chosen=rules_to_print(club, request.GET.get("rules", "")) or club.rules,
        form=format_from_query(request.GET, club),
        pages=request.GET.get("pages", ""),
        breadcrumbs=breadcrumbs(club, ("Evenings", "evenings"), here="Blank score sheets and crib"),
    )
    return render(request, "clubs/evenings/club_papers.html", context)


def club_paper(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """One of ``CLUB_PAPERS``, for ``?rules=`` or as the club plays."""
    rules, paper = rules_to_print(club, request.GET.get("rules", "")), CLUB_PAPERS[kind]
    if not rules:
        raise Http404
    return pdf_response(
        request, paper.draw(club, rules, format_from_query(request.GET, club)), paper.file_for(club)
    )


PRINT_PATH = "c/<slug:club>/evenings/print/"
urlpatterns = [
    path(PRINT_PATH, club_papers, name="club-papers"),
    *(
        path(
            f"{PRINT_PATH}{kind}.pdf",
            requires(permissions.PRINT_PAPERS)(club_paper),
            {"kind": kind},
            name=paper.offer.name,
        )
        for kind, paper in CLUB_PAPERS.items()
    ),
]
