"""A tournament's printouts."""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path

from clubs.core.access import ClubRequest, requires
from clubs.evenings.views.evenings import chosen
from clubs.models import Club
from clubs.paper.document import pdf
from clubs.paper.formats import Format, format_of, offered, unprinted
from clubs.table.papers.cards import SeatedTable, badges_pdf, seating_cards, table_cards
from clubs.table.papers.score_sheets import score_sheets
from tournaments.core import (
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    about,
    current_round,
    find,
    seated_rounds,
)
from tournaments.models import Tournament
from tournaments.papers.registry import (
    ALL_ROUNDS,
    NOBODY_WON,
    certificates as certificates_of,
    offers,
    pack,
)
from tournaments.results.papers import poster_pdf
from tournaments.results.selectors.results import results_of
from tournaments.rounds.selectors import linked_tables, on_badges
from tournaments.seating.selectors import NOBODY_SEATED

Draw = Callable[[Sequence[SeatedTable], Format], bytes]


@requires(PRINT_TOURNAMENT)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the tournament's printouts on one page, with the rounds and formats to choose from."""
    tournament = find(club, pk)
    rounds = seated_rounds(tournament)
    # The selected round: that of the address, else the current one.
    number: int | str | None = ALL_ROUNDS
    if request.GET.get("round") != ALL_ROUNDS:
        number = _round(request) or current_round(tournament)
    papers = offers(is_seated=bool(rounds), to_directors=request.may(RUN_TOURNAMENT))
    context = about(
        request,
        tournament,
        "tournament-papers",
        rounds=rounds,
        round=number,
        all_rounds=ALL_ROUNDS,
        unprintable=unprinted(word for person in on_badges(tournament) for word in person),
        papers=offered(papers, club.slug, pk),
        form=format_of(request.GET),
        pages=request.GET.get("pages", ""),
    )
    return render(request, "tournaments/papers/papers.html", context)


@requires(PRINT_TOURNAMENT)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    return _of_tables(request, tournament, score_sheets, "sheets", _round(request))


@requires(PRINT_TOURNAMENT)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    return _of_tables(request, tournament, table_cards, "cards", _round(request))


@requires(PRINT_TOURNAMENT)
def tents(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A folding card for each place of every round, or of the one of ``?round=2``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    draw = partial(seating_cards, with_code="code" in request.GET)
    return _of_tables(request, tournament, draw, "seating-cards", _round(request))


@requires(PRINT_TOURNAMENT)
def emergency(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everything to finish a round on paper: the current one, ``?round=2``, or ``?round=all``."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    number = _round(request)
    if number is None and request.GET.get("round") != ALL_ROUNDS:
        number = current_round(tournament)
    return _of_tables(request, tournament, partial(pack, tournament), "emergency", number)


@requires(PRINT_TOURNAMENT)
def badges(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A badge with the name of everyone who is entered, and where they come from."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    printed = badges_pdf(tournament.name, on_badges(tournament), format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-badges")


@requires(PRINT_TOURNAMENT)
def certificates(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A certificate for each winner, once the results are final; shows at least first names."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    printed = certificates_of(tournament, format_of(request.GET))
    if not printed:
        messages.error(request, NOBODY_WON)
        return redirect("tournament", club.slug, pk)
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-certificates")


@requires(PRINT_TOURNAMENT)
def poster(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The first ten on one page for the wall of the hall."""
    tournament = get_object_or_404(club.tournaments, pk=pk)
    printed = poster_pdf(tournament, results_of(tournament), format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-tournament-{pk}-poster")


def _of_tables(
    request: ClubRequest, tournament: Tournament, draw: Draw, kind: str, number: int | None
) -> HttpResponse:
    club = tournament.club
    tables = linked_tables(tournament, round_number=number)
    if not (drawn := chosen(request, club, tables, "round-table")):
        messages.error(request, NOBODY_SEATED)
        return redirect("tournament", club.slug, tournament.pk)
    paper = draw(drawn, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-tournament-{tournament.pk}-{kind}")


def _round(request: ClubRequest) -> int | None:
    typed = request.GET.get("round", "")
    return int(typed[:4]) if typed.isdecimal() else None


PRINT = "c/<slug:club>/tournaments/<int:pk>/print/"

urlpatterns = [
    path(PRINT, everything, name="tournament-papers"),
    path(f"{PRINT}sheets.pdf", sheets, name="tournament-sheets-pdf"),
    path(f"{PRINT}cards.pdf", cards, name="tournament-cards-pdf"),
    path(f"{PRINT}seating-cards.pdf", tents, name="tournament-seating-cards-pdf"),
    path(f"{PRINT}emergency.pdf", emergency, name="tournament-emergency-pdf"),
    path(f"{PRINT}badges.pdf", badges, name="tournament-badges-pdf"),
    path(f"{PRINT}certificates.pdf", certificates, name="tournament-certificates-pdf"),
    path(f"{PRINT}poster.pdf", poster, name="tournament-poster-pdf"),
]
