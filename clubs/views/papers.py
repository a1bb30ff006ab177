"""A club's papers: score sheets, table cards, the league table."""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import PRINT_PAPERS, SEE_CLUB, SEE_LEAGUE
from clubs.eveningpapers import NOBODY_SEATED, OFFERED, Printing, paper_of, seated
from clubs.models import Club, Season
from clubs.paper.downloads import pdf
from clubs.paper.formats import Format, format_of
from clubs.paper.registry import TENTS, Paper, offered, unprinted
from clubs.pdf.tables import league_pdf
from clubs.selectors.evenings import tick_list
from clubs.selectors.leagues import league_table
from clubs.table.papers.cards import SeatedTable
from clubs.table.rows import LinkedTable

Draw = Callable[[Sequence[SeatedTable], Format], bytes]
LISTS = ("seats", "door", "tally", "emergency")
PAPERS = tuple(
    Paper(f"{kind}-pdf", title, note, is_first=kind == "emergency", has_code=note == TENTS)
    for kind, title, note in OFFERED
)


@door(PRINT_PAPERS)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of the evening, or for the one of ``?table=3``."""
    return _printed(request, club, pk, "sheets")


@door(PRINT_PAPERS)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of the evening, or for the one of ``?table=3``."""
    return _printed(request, club, pk, "cards")


@door(PRINT_PAPERS)
def tents(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card to fold for each place of the evening; with ``?code=yes`` it has the table's code."""
    return _printed(request, club, pk, "seating-cards")


@door(PRINT_PAPERS)
def listed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """A list of the evening: ``seats``, ``door`` or ``tally``, or the ``emergency`` pack."""
    return _printed(request, club, pk, kind)


@door(PRINT_PAPERS)
def blanks(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Score sheets without names, for the rules that the evening plays by."""
    return _printed(request, club, pk, "blank-sheets", name=f"{club.slug}-blank-sheets")


@door(SEE_CLUB)
def crib(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The rules that the evening plays by, house rules and all, to lie beside the players."""
    return _printed(request, club, pk, "crib", name=f"{club.slug}-rules")


def _printed(
    request: ClubRequest, club: Club, pk: int, kind: str, *, name: str = ""
) -> HttpResponse:
    session = get_object_or_404(club.sessions, pk=pk)
    asked = Printing(
        at=partial(_phone, request, "table"),
        form=format_of(request.GET),
        reader=request.reader,
        table=request.GET.get("table", ""),
        with_code="code" in request.GET,
    )
    paper = paper_of(session, kind, asked)
    if paper is None:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    return pdf(request, paper, name or f"{club.slug}-{session.held_on}-{kind}")


def _phone(request: HttpRequest, page: str, key: str) -> str:
    return request.build_absolute_uri(reverse(page, args=[key]))


@door(PRINT_PAPERS)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the evening's papers on one page, and the sheets and letters that they are printed in."""
    session = get_object_or_404(club.sessions, pk=pk)
    context = framed(
        club,
        "evenings",
        session=session,
        unprintable=unprinted(row.name for row in tick_list(session)),
        papers=offered(PAPERS if session.tables.exists() else PAPERS[-3:], club.slug, pk),
        form=format_of(request.GET),
        pages=request.GET.get("pages", ""),
        breadcrumbs=evening_trail(club, session),
    )
    return render(request, "clubs/papers.html", context)


@door(SEE_LEAGUE)
def league(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The season's table as it is now."""
    season = get_object_or_404(Season.objects.select_related("league"), pk=pk, league__club=club)
    paper = league_pdf(club.name, league_table(season), format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-league-{pk}")


def chosen(
    request: HttpRequest, club: Club, tables: Sequence[LinkedTable], page: str
) -> list[SeatedTable]:
    """The tables with the full addresses of their phone pages; only the one of ``?table=``."""
    number = request.GET.get("table", "")
    return seated(club, tables, at=partial(_phone, request, page), table=number)
