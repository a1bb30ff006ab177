"""A tournament for its director and for everyone who plays or looks on."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed, trail
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.forms.tournament import TournamentForm
from tournaments.models import Tournament
from tournaments.permissions import (
    ENTER_TABLE_HANDS,
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
)
from tournaments.presets import PRESETS, Preset, preset_of
from tournaments.sections import tabs_of_tournament, tournament_trail
from tournaments.selectors import desk as rows
from tournaments.selectors.disputes import disputes_of
from tournaments.selectors.floor import floor_of, table_now
from tournaments.selectors.overview import tournaments_of
from tournaments.selectors.preflight import steps_back
from tournaments.selectors.seating import by_player, named, report_on
from tournaments.selectors.settled import SETTINGS
from tournaments.selectors.watch import is_due

UNPROCESSABLE = 422
A_PAGE = 20
LIST = ("Tournaments", "tournaments")


@door(SEE_TOURNAMENT)
def tournaments(request: ClubRequest, club: Club) -> HttpResponse:
    """Every tournament of the club, the newest first."""
    page = Paginator(tournaments_of(club), A_PAGE).get_page(request.GET.get("page"))
    context = framed(club, "tournaments", page_obj=page, may_run=request.may(RUN_TOURNAMENT))
    return render(request, "tournaments/list.html", context)


@door(RUN_TOURNAMENT)
def add(request: ClubRequest, club: Club) -> HttpResponse:
    """A new tournament; then its entry list."""
    preset = preset_of(request.GET.get("preset", ""))
    sent = request.POST if request.method == "POST" else None
    form = TournamentForm(sent, club=club, initial=preset.as_initial())
    if form.is_valid():
        told = {name: form.cleaned_data[name] for name in SETTINGS}
        try:
            made = services.make_tournament(club=club, **told)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("entrants", club.slug, made.pk)
    return _add_page(request, club, form, preset)


def _add_page(
    request: ClubRequest, club: Club, form: TournamentForm, preset: Preset
) -> HttpResponse:
    crumbs = trail(club, LIST, here="New tournament")
    context = framed(
        club, "tournaments", form=form, breadcrumbs=crumbs, preset=preset, presets=PRESETS
    )
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/add.html", context, status=status)


@door(SEE_TOURNAMENT)
def desk(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What is played and what comes next; asked with ``?v=``, that alone, or 204: no news."""
    tournament, now = find(club, pk), timezone.now()
    is_same = request.GET.get("v") == str(tournament.version)
    if is_same and not is_due(request.GET.get("until", ""), now=now):
        return HttpResponse(status=204)
    watches, sees = request.may(ENTER_TABLE_HANDS), request.may(SEE_LAST_ROUND)
    at = now if watches else None
    floor = floor_of(tournament, to_officials=sees, at=at, reader=request.reader)
    context = about(
        request,
        tournament,
        "tournament",
        floor=floor,
        only=watches and "only" in request.GET,
        disputes=disputes_of(tournament) if watches else (),
        back=steps_back(tournament) if request.may(RUN_TOURNAMENT) else (),
    )
    template = "_news" if "v" in request.GET else "desk"
    return render(request, f"tournaments/{template}.html", context)


@door(ENTER_TABLE_HANDS)
def jump(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """To the table of a number in the round that counts now, or to its paper sheet."""
    tournament, typed = find(club, pk), request.GET.get("number", "").strip()
    table = table_now(tournament, typed)
    if table is None:
        messages.error(request, f"There is no table “{typed[:6]}” in this round.")
        return redirect("tournament", club.slug, pk)
    page = "tournament-sheet" if "sheet" in request.GET else "tournament-table"
    return redirect(page, club.slug, pk, table.round.number, table.number)


@door(SEE_TOURNAMENT)
def seating(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits where: round by round, player by player, and how fair it is."""
    tournament = find(club, pk)
    rounds = rows.rounds_of(tournament, reader=request.reader)
    find_ = request.GET.get("find", "")
    players = by_player(rounds)
    context = about(
        request,
        tournament,
        "seating",
        rounds=rounds,
        players=players,
        report=report_on(rounds),
        find=find_,
        found=named(players, find_),
    )
    return render(request, "tournaments/seating.html", context)


def find(club: Club, pk: int) -> Tournament:
    """The club's tournament, or 404."""
    return get_object_or_404(Tournament.objects.select_related("club", "book"), club=club, pk=pk)


def about(request: ClubRequest, tournament: Tournament, here: str, **shown: Any) -> dict[str, Any]:
    """The context of every page of a tournament; ``here`` is the page's url name."""
    club = tournament.club
    return framed(
        club,
        "tournaments",
        breadcrumbs=tournament_trail(tournament),
        tabs=tabs_of_tournament(request, tournament, here),
        tournament=tournament,
        may_run=request.may(RUN_TOURNAMENT),
        may_enter=request.may(ENTER_TABLE_HANDS),
        may_print=request.may(PRINT_TOURNAMENT),
        **shown,
    )
