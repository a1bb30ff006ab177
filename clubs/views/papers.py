"""A club's papers: score sheets, table cards, the league table."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from clubs.doors import ClubRequest, door
from clubs.models import Club, Season
from clubs.pdf.cards import table_cards
from clubs.pdf.seated import SeatedTable
from clubs.pdf.sheets import score_sheets
from clubs.pdf.tables import league_pdf
from clubs.permissions import PRINT_PAPERS, SEE_RESULTS
from clubs.rows import LinkedTable
from clubs.selectors.evenings import linked_tables
from clubs.selectors.leagues import league_table

NOBODY_SEATED = "Nobody has been seated yet, so there is nothing to print."


@door(PRINT_PAPERS)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of the evening, or for the one of ``?table=3``."""
    session = get_object_or_404(club.sessions, pk=pk)
    tables = chosen(request, club, linked_tables(session), "table")
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    return pdf(score_sheets(tables), f"{club.slug}-{session.held_on}-sheets")


@door(PRINT_PAPERS)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of the evening, or for the one of ``?table=3``."""
    session = get_object_or_404(club.sessions, pk=pk)
    tables = chosen(request, club, linked_tables(session), "table")
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    return pdf(table_cards(tables), f"{club.slug}-{session.held_on}-cards")


@door(SEE_RESULTS)
def league(request: ClubRequest, club: Club, pk: int) -> HttpResponse:  # noqa: ARG001
    """The season's table as it is now."""
    season = get_object_or_404(Season.objects.select_related("league"), pk=pk, league__club=club)
    return pdf(league_pdf(club.name, league_table(season)), f"{club.slug}-league-{pk}")


def chosen(
    request: HttpRequest, club: Club, tables: Sequence[LinkedTable], page: str
) -> list[SeatedTable]:
    """The tables with the full addresses of their phone pages; only the one of ``?table=``."""
    number = request.GET.get("table", "")
    return [
        SeatedTable(
            club.name,
            table.view,
            request.build_absolute_uri(reverse(page, args=[table.link_key])),
        )
        for table in tables
        if number in {"", str(table.view.number)}
    ]


def pdf(paper: bytes, name: str) -> HttpResponse:
    """A paper that the browser shows and saves under the name."""
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(paper, content_type="application/pdf", headers=headers)
