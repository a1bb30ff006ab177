"""A tournament's printouts."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path

from clubs.core.access import ClubRequest, requires
from clubs.evenings.views.evenings import chosen
from clubs.models import Club
from clubs.paper.document import pdf
from clubs.paper.formats import format_of, offered, unprinted
from clubs.table.papers.cards import SeatedTable
from tournaments.core import (
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    about,
    current_round,
    find,
    seated_rounds,
)
from tournaments.papers.registry import ALL_ROUNDS, PAPERS, PRINT, Order, offers
from tournaments.rounds.selectors import linked_tables, on_badges


@requires(PRINT_TOURNAMENT, api="api-tournament-papers")
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


def printed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``PAPERS``; ``?round=2`` and ``?table=3`` print some tables, ``?code=yes`` a code."""
    tournament, paper = get_object_or_404(club.tournaments, pk=pk), PAPERS[kind]
    tables: Sequence[SeatedTable] = ()
    if paper.of_tables:
        number = _round(request)
        if paper.of_current and number is None and request.GET.get("round") != ALL_ROUNDS:
            number = current_round(tournament)
        of_round = linked_tables(tournament, round_number=number)
        tables = chosen(request, club, of_round, "round-table")
    form, with_code = format_of(request.GET), "code" in request.GET
    order = Order(tournament, form, request.reader, tables, with_code=with_code)
    if not (file := paper.drawn(order)):
        messages.error(request, paper.nothing[1])
        return redirect(paper.back, club.slug, pk)
    return pdf(request, file, paper.file_for(tournament))


def _round(request: ClubRequest) -> int | None:
    typed = request.GET.get("round", "")
    return int(typed[:4]) if typed.isdecimal() else None


urlpatterns = [
    path(PRINT, everything, name="tournament-papers"),
    *(
        path(
            paper.path,
            requires(paper.access, api=f"api-{paper.url_name}")(printed),
            {"kind": kind},
            name=paper.url_name,
        )
        for kind, paper in PAPERS.items()
    ),
]
