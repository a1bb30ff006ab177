"""Printouts of an evening, and those that need none: blank score sheets and the crib sheet."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone

from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import breadcrumbs, club_context, evening_breadcrumbs
from clubs.evenings.papers import (
    CLUB_PAPERS,
    NOBODY_SEATED,
    PAPERS,
    PrintOptions,
    papers_for,
    rules_to_print,
    seated_tables,
)
from clubs.evenings.selectors import door as door_rows, evenings as rows
from clubs.models import Club
from clubs.paper.formats import (
    OfferedPrintout,
    format_from_query,
    names_with_missing_letters,
    offers_of,
)
from clubs.paper.response import pdf_response
from clubs.table.papers.cards import SeatedTable
from clubs.table.rows import LinkedTable
from clubs.table.selectors.rules import rules_offered

CLUB_PRINT_PATH = "c/<slug:club>/evenings/print/"
PRINT_PATH = "c/<slug:club>/evenings/<int:pk>/print/"


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
        breadcrumbs=breadcrumbs(
            club, ("Evenings", "evenings"), title="Blank score sheets and crib"
        ),
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


@requires(permissions.SEE_CLUB)
def crib_sheet(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return evening_paper(request, club, pk, "crib")


def evening_paper(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``PAPERS``; ``?table=3`` prints that table's, ``?code=yes`` a code."""
    session = rows.evening_of(club, pk)
    printing = PrintOptions(
        build_url=partial(_phone_address, request, "table"),
        form=format_from_query(request.GET, club),
        reader=request.reader,
        table=request.GET.get("table", ""),
        with_code="code" in request.GET,
    )
    paper = PAPERS[kind].render(session, printing)
    if paper is None:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    return pdf_response(request, paper, PAPERS[kind].file_for(session))


def _phone_address(request: HttpRequest, page: str, key: str) -> str:
    return request.build_absolute_uri(reverse(page, args=[key]))


@requires(permissions.PRINT_PAPERS)
def evening_papers(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the evening's papers on one page, with the paper and letter sizes to choose from."""
    session = rows.evening_of(club, pk)
    context = club_context(
        club,
        "evenings",
        session=session,
        warning=rows.early_warning(session, timezone.localdate()),
        unprintable=names_with_missing_letters(
            row.name for row in door_rows.check_in_list(session)
        ),
        papers=offers_of([paper.offer for paper in papers_for(session)], club.slug, pk),
        form=format_from_query(request.GET, club),
        pages=request.GET.get("pages", ""),
        breadcrumbs=evening_breadcrumbs(club, session),
    )
    return render(request, "clubs/evenings/papers.html", context)


def chosen_tables(
    request: HttpRequest, club: Club, tables: Sequence[LinkedTable], page: str
) -> list[SeatedTable]:
    """The tables with the full addresses of their phone pages; only the one of ``?table=``."""
    number = request.GET.get("table", "")
    return seated_tables(
        club, tables, build_url=partial(_phone_address, request, page), table=number
    )


urlpatterns = [
    path(PRINT_PATH, evening_papers, name="papers"),
    path(f"{PRINT_PATH}crib.pdf", crib_sheet, name="crib-pdf"),
    *(
        path(
            f"{PRINT_PATH}{kind}.pdf",
            requires(permissions.PRINT_PAPERS)(evening_paper),
            {"kind": kind},
            name=f"{kind}-pdf",
        )
        for kind in PAPERS
        if kind != "crib"
    ),
    path(CLUB_PRINT_PATH, club_papers, name="club-papers"),
    *(
        path(
            f"{CLUB_PRINT_PATH}{kind}.pdf",
            requires(permissions.PRINT_PAPERS)(club_paper),
            {"kind": kind},
            name=paper.offer.name,
        )
        for kind, paper in CLUB_PAPERS.items()
    ),
]
