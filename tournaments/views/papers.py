"""A tournament's papers: score sheets and cards of its tables."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from clubs.doors import ClubRequest, door
from clubs.models import Club
from clubs.pdf.cards import table_cards
from clubs.pdf.seated import SeatedTable
from clubs.pdf.sheets import score_sheets
from clubs.views.papers import chosen, pdf
from tournaments.models import Tournament
from tournaments.permissions import PRINT_TOURNAMENT
from tournaments.selectors.paper import linked_tables

NOBODY_SEATED = "No round has been seated yet, so there is nothing to print."


@door(PRINT_TOURNAMENT)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    tables = _tables(request, club, tournament)
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, pk)
    return pdf(score_sheets(tables), f"{club.slug}-tournament-{pk}-sheets")


@door(PRINT_TOURNAMENT)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    tables = _tables(request, club, tournament)
    if not tables:
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, pk)
    return pdf(table_cards(tables), f"{club.slug}-tournament-{pk}-cards")


def _tables(request: ClubRequest, club: Club, tournament: Tournament) -> list[SeatedTable]:
    typed = request.GET.get("round", "")
    number = int(typed) if typed.isdecimal() else None
    tables = linked_tables(tournament, round_number=number)
    return chosen(request, club, tables, "round-table")
