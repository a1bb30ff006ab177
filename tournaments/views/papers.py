"""A tournament's papers: score sheets and cards of its tables."""

from collections.abc import Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.doors import ClubRequest, door
from clubs.models import Club
from clubs.names import AT_THE_TABLE
from clubs.pdf.badges import badges_pdf
from clubs.pdf.cards import table_cards
from clubs.pdf.emergency import emergency_pack
from clubs.pdf.formats import Format, format_of
from clubs.pdf.lists import Occasion
from clubs.pdf.seated import SeatedTable
from clubs.pdf.sheets import score_sheets
from clubs.pdf.tents import seating_cards
from clubs.views.offers import PACKED, TENTS, Paper, offered
from clubs.views.papers import Draw, chosen
from clubs.views.sending import pdf
from tournaments.models import Tournament
from tournaments.pdf import draw_standings
from tournaments.pdf_honours import certificates_pdf, honoured, poster_pdf
from tournaments.permissions import PRINT_TOURNAMENT, RUN_TOURNAMENT
from tournaments.selectors.overview import seated_rounds
from tournaments.selectors.paper import linked_tables
from tournaments.selectors.people import entry_list, on_badges
from tournaments.selectors.records import records_of
from tournaments.selectors.results import prize_giving, results_of
from tournaments.views.pages import about, find

SEATED = (
    Paper("tournament-emergency-pdf", "Emergency pack", PACKED, is_first=True),
    Paper("tournament-sheets-pdf", "Score sheets", "For playing on paper, with names and winds"),
    Paper("tournament-cards-pdf", "Table cards", "With the code to scan, one for each table"),
    Paper("tournament-seating-cards-pdf", "Seating cards", TENTS, has_code=True),
    Paper("seating-why-pdf", "Why this seating", "Who meets whom, and everybody’s winds"),
)
ALWAYS = (
    Paper("tournament-badges-pdf", "Name badges", "One for everybody who is entered"),
    Paper("standings-pdf", "Standings", "As they are now, with records and rulings"),
    Paper("tournament-poster-pdf", "Poster", "The first ten, for the wall of the hall"),
    Paper(
        "tournament-certificates-pdf", "Certificates", "To be signed, once the results are final"
    ),
)
FOR_DIRECTORS = (Paper("prizes-pdf", "Prize-giving", "To read from, the last prize first"),)
NOBODY_SEATED = "No round has been seated yet, so there is nothing to print."
NOBODY_WON = "The results are not final yet: finish the tournament, then print the certificates."


@door(PRINT_TOURNAMENT)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the tournament's papers on one page, and the rounds and sheets they are printed for."""
    tournament = find(club, pk)
    rounds = seated_rounds(tournament)
    papers = (SEATED if rounds else ()) + ALWAYS
    papers += FOR_DIRECTORS if request.may(RUN_TOURNAMENT) else ()
    context = about(
        request,
        tournament,
        "tournament-papers",
        rounds=rounds,
        round=_round(request),
        papers=offered(papers, club.slug, pk),
        form=format_of(request.GET),
        pages=request.GET.get("pages", ""),
    )
    return render(request, "tournaments/papers.html", context)


@door(PRINT_TOURNAMENT)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    return _of_tables(request, tournament, score_sheets, "sheets")


@door(PRINT_TOURNAMENT)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    return _of_tables(request, tournament, table_cards, "cards")


@door(PRINT_TOURNAMENT)
def tents(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card to fold for each place of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    draw = partial(seating_cards, with_code="code" in request.GET)
    return _of_tables(request, tournament, draw, "seating-cards")


@door(PRINT_TOURNAMENT)
def emergency(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everything to finish the tournament on paper, or the one round of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    return _of_tables(request, tournament, partial(_pack, tournament), "emergency")


def _pack(tournament: Tournament, tables: Sequence[SeatedTable], form: Format) -> bytes:
    about = Occasion(tournament.club.name, tables[0].view.event, form)
    names = [(row.entrant.name, row.entrant.is_here) for row in entry_list(tournament).entered]
    standings = [partial(draw_standings, tournament=tournament, results=results_of(tournament))]
    return emergency_pack(about, tables, names, tournament.rules, standings)


@door(PRINT_TOURNAMENT)
def badges(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A badge with the name of everybody who is entered, and where they come from."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    printed = badges_pdf(tournament.name, on_badges(tournament), format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-badges")


@door(PRINT_TOURNAMENT)
def certificates(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A certificate for each winner, once the results are final; nobody is without a first name."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    giving = prize_giving(tournament, reader=AT_THE_TABLE)
    records = records_of(tournament, reader=AT_THE_TABLE)
    honours = honoured(giving, records) if giving.is_final else ()
    if not honours:
        messages.error(request, NOBODY_WON)
        return redirect("tournament", club.slug, pk)
    printed = certificates_pdf(tournament, honours, format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-certificates")


@door(PRINT_TOURNAMENT)
def poster(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The first ten on one page for the wall of the hall."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    printed = poster_pdf(tournament, results_of(tournament), format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-poster")


def _of_tables(request: ClubRequest, tournament: Tournament, draw: Draw, kind: str) -> HttpResponse:
    club = tournament.club
    tables = linked_tables(tournament, round_number=_round(request))
    if not (drawn := chosen(request, club, tables, "round-table")):
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, tournament.pk)
    paper = draw(drawn, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-tournament-{tournament.pk}-{kind}")


def _round(request: ClubRequest) -> int | None:
    typed = request.GET.get("round", "")
    return int(typed[:4]) if typed.isdecimal() else None
