"""A tournament's papers: score sheets and cards of its tables."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from clubs.doors import ClubRequest, door
from clubs.models import Club
from clubs.pdf.badges import badges_pdf
from clubs.pdf.cards import table_cards
from clubs.pdf.emergency import emergency_pack
from clubs.pdf.formats import format_of
from clubs.pdf.lists import Occasion
from clubs.pdf.seated import SeatedTable
from clubs.pdf.sheets import score_sheets
from clubs.views.papers import chosen
from clubs.views.sending import pdf
from tournaments.models import Tournament
from tournaments.pdf_honours import certificates_pdf, honoured, poster_pdf
from tournaments.permissions import PRINT_TOURNAMENT
from tournaments.selectors.paper import linked_tables
from tournaments.selectors.people import entry_list
from tournaments.selectors.results import prize_giving, results_of

NOBODY_SEATED = "No round has been seated yet, so there is nothing to print."
NOBODY_WON = "The results are not final yet: finish the tournament, then print the certificates."


@door(PRINT_TOURNAMENT)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    tables = _tables(request, club, tournament)
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, pk)
    paper = score_sheets(tables, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-tournament-{pk}-sheets")


@door(PRINT_TOURNAMENT)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    tables = _tables(request, club, tournament)
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, pk)
    paper = table_cards(tables, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-tournament-{pk}-cards")


@door(PRINT_TOURNAMENT)
def emergency(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everything to finish the tournament on paper, or the one round of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    tables = _tables(request, club, tournament)
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, pk)
    about = Occasion(club.name, tables[0].view.event, format_of(request.GET))
    names = [(row.entrant.name, row.entrant.is_here) for row in entry_list(tournament).entered]
    printed = emergency_pack(about, tables, names, tournament.rules)
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-emergency")


@door(PRINT_TOURNAMENT)
def badges(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A badge with the name of everybody who is entered, and where they come from."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    entered = entry_list(tournament).entered
    names = [(row.entrant.name, row.entrant.from_club) for row in entered]
    printed = badges_pdf(tournament.name, names, format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-badges")


@door(PRINT_TOURNAMENT)
def certificates(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A certificate for each winner, once the results are final."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    giving = prize_giving(tournament)
    if not giving.is_final or not honoured(giving):
        messages.error(request, NOBODY_WON)
        return redirect("tournament", club.slug, pk)
    printed = certificates_pdf(tournament, giving, format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-certificates")


@door(PRINT_TOURNAMENT)
def poster(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The first ten on one page for the wall of the hall."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    printed = poster_pdf(tournament, results_of(tournament), format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-poster")


def _tables(request: ClubRequest, club: Club, tournament: Tournament) -> list[SeatedTable]:
    typed = request.GET.get("round", "")
    number = int(typed) if typed.isdecimal() else None
    tables = linked_tables(tournament, round_number=number)
    return chosen(request, club, tables, "round-table")
