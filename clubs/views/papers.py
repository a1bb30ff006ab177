"""A club's papers: score sheets, table cards, the league table."""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from clubs.doors import ClubRequest, door
from clubs.frame import framed
from clubs.models import Club, Season, Session
from clubs.names import AT_THE_TABLE
from clubs.pdf.cards import table_cards
from clubs.pdf.crib import crib_pdf
from clubs.pdf.emergency import Drawing, blank_sheets, emergency_pack
from clubs.pdf.formats import Format, format_of
from clubs.pdf.lists import Occasion, attendance_pdf, seats_pdf, tally_pdf
from clubs.pdf.seated import SeatedTable
from clubs.pdf.sheets import score_sheets
from clubs.pdf.tables import draw_league, draw_result, league_pdf
from clubs.pdf.tents import seating_cards
from clubs.permissions import PRINT_PAPERS, SEE_CLUB, SEE_RESULTS
from clubs.rows import LinkedTable
from clubs.selectors.evenings import linked_tables, result_of, tables_now, tick_list
from clubs.selectors.leagues import league_table
from clubs.views.offers import PACKED, TENTS, Paper, offered
from clubs.views.sending import pdf
from scoring.scorebook.editions import rule_set

Draw = Callable[[Sequence[SeatedTable], Format], bytes]

LISTS = ("seats", "door", "tally", "emergency")
DESK_LISTS = ("door", "tally")
PAPERS = (
    Paper("emergency-pdf", "Emergency pack", PACKED, is_first=True),
    Paper("sheets-pdf", "Score sheets", "One for each table, with names, winds and recorded hands"),
    Paper("cards-pdf", "Table cards", "With the code to scan, one for each table"),
    Paper("seating-cards-pdf", "Seating cards", TENTS, has_code=True),
    Paper("seats-pdf", "Who sits where", "Everybody by name, to hang on the door"),
    Paper("tally-pdf", "Tally sheet", "What everybody has at the start and at the end"),
    Paper("door-pdf", "Who is here", "The list of members, to tick at the door"),
    Paper("blank-sheets-pdf", "Blank score sheets", "For a table of four and a table of five"),
    Paper("crib-pdf", "Crib sheet", "The rules as they are played here"),
)
NOBODY_SEATED = "Nobody has been seated yet, so there is nothing to print."


@door(PRINT_PAPERS)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of the evening, or for the one of ``?table=3``."""
    session = get_object_or_404(club.sessions, pk=pk)
    return _of_tables(request, session, linked_tables(session), score_sheets, "sheets")


@door(PRINT_PAPERS)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of the evening, or for the one of ``?table=3``."""
    session = get_object_or_404(club.sessions, pk=pk)
    return _of_tables(request, session, tables_now(session), table_cards, "cards")


@door(PRINT_PAPERS)
def tents(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card to fold for each place of the evening; with ``?code=yes`` it has the table's code."""
    session = get_object_or_404(club.sessions, pk=pk)
    draw = partial(seating_cards, with_code="code" in request.GET)
    return _of_tables(request, session, tables_now(session), draw, "seating-cards")


def _of_tables(
    request: HttpRequest, session: Session, tables: Sequence[LinkedTable], draw: Draw, kind: str
) -> HttpResponse:
    club = session.club
    if not (drawn := chosen(request, club, tables, "table")):
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, session.pk)
    paper = draw(drawn, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-{session.held_on}-{kind}")


@door(PRINT_PAPERS)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the evening's papers on one page, and the sheets and letters that they are printed in."""
    session = get_object_or_404(club.sessions, pk=pk)
    context = framed(
        club,
        "evenings",
        session=session,
        papers=offered(PAPERS if session.tables.exists() else PAPERS[-3:], club.slug, pk),
        form=format_of(request.GET),
        pages=request.GET.get("pages", ""),
    )
    return render(request, "clubs/papers.html", context)


@door(PRINT_PAPERS)
def listed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """A list of the evening: ``seats``, ``door`` or ``tally``, or the ``emergency`` pack."""
    session = get_object_or_404(club.sessions, pk=pk)
    about = Occasion(club.name, _day(session), format_of(request.GET))
    reader = request.reader if kind in DESK_LISTS else AT_THE_TABLE
    tables = chosen(request, club, tables_now(session, reader=reader), "table")
    if kind != "door" and not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    paper = _list(session, about, tables, kind)
    return pdf(request, paper, f"{club.slug}-{session.held_on}-{kind}")


def _list(session: Session, about: Occasion, tables: list[SeatedTable], kind: str) -> bytes:
    names = [(row.name, row.is_here) for row in tick_list(session)]
    printed: dict[str, Callable[[], bytes]] = {
        "seats": lambda: seats_pdf(about, tables),
        "door": lambda: attendance_pdf(about, names),
        "tally": lambda: tally_pdf(about, tables),
        "emergency": lambda: emergency_pack(
            about, tables, names, session.plays, _standings(session, about)
        ),
    }
    return printed[kind]()


def _standings(session: Session, about: Occasion) -> list[Drawing]:
    """The evening's result so far, once something is played, and the league of its season."""
    rows, found = result_of(session), list[Drawing]()
    if any(row.hands for row in rows):
        result = partial(draw_result, club=about.club, held_on=session.held_on, rows=rows)
        found.append(partial(result, footer="Result so far"))
    if session.season:
        found.append(partial(draw_league, club=about.club, table=league_table(session.season)))
    return found


@door(PRINT_PAPERS)
def blanks(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Score sheets without names, for the rules that the evening plays by."""
    session = get_object_or_404(club.sessions, pk=pk)
    about = Occasion(club.name, _day(session), format_of(request.GET))
    return pdf(request, blank_sheets(about, session.plays), f"{club.slug}-blank-sheets")


@door(SEE_CLUB)
def crib(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The rules that the evening plays by, house rules and all, to lie beside the players."""
    session = get_object_or_404(club.sessions, pk=pk)
    printed = crib_pdf(club.name, rule_set(session.plays), format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-rules")


def _day(session: Session) -> str:
    return f"{session.held_on:%A} {session.held_on.day} {session.held_on:%B}"


@door(SEE_RESULTS)
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
    return [
        SeatedTable(
            club.name,
            table.view,
            request.build_absolute_uri(reverse(page, args=[table.link_key])),
        )
        for table in tables
        if number in {"", str(table.view.number)}
    ]
