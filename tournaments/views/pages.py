"""A tournament for its director and for everybody who plays or looks on."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from clubs.doors import ClubRequest, door
from clubs.forms.problems import add_problems
from clubs.frame import framed, trail
from clubs.models import Club
from scoring.scorebook.refusals import Finding, Refused
from tournaments import services
from tournaments.forms.measures import FIELDS as MEASURES
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
from tournaments.selectors import desk as rows
from tournaments.selectors.floor import floor_of
from tournaments.selectors.overview import tournaments_of
from tournaments.selectors.seating import by_player, named, report_on

UNPROCESSABLE = 422
A_PAGE = 20
LIST = ("Tournaments", "tournaments")
DRAWING = ("by_standing_from", "bands", "has_final")


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
    form = TournamentForm(sent, initial=preset.as_initial())
    if form.is_valid():
        told = ("name", "held_on", "rounds", "rules", "ranks_by", *MEASURES, *DRAWING)
        try:
            made = services.make_tournament(
                club=club, **{name: form.cleaned_data[name] for name in told}
            )
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
    tournament = find(club, pk)
    if request.GET.get("v") == str(tournament.version):
        return HttpResponse(status=204)
    return _desk(request, tournament, "_desk" if "v" in request.GET else "desk")


def _desk(
    request: ClubRequest, tournament: Tournament, template: str, refused: Sequence[Finding] = ()
) -> HttpResponse:
    floor = floor_of(tournament, to_officials=request.may(SEE_LAST_ROUND))
    context = about(request, tournament, "tournament", floor=floor, refused=refused)
    status = UNPROCESSABLE if refused else 200
    return render(request, f"tournaments/{template}.html", context, status=status)


@door(SEE_TOURNAMENT)
def seating(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits where: round by round, player by player, and how fair it is."""
    tournament = find(club, pk)
    rounds, find_ = rows.rounds_of(tournament), request.GET.get("find", "")
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


@door(RUN_TOURNAMENT)
@require_POST
def seat(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Draw the seating of all rounds."""
    return _act(request, club, pk, services.seat_rounds, "All rounds are seated.")


@door(RUN_TOURNAMENT)
@require_POST
def clear(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take the seating away, as long as nothing was played."""
    said = "The seating is taken away. Entries are open again."
    return _act(request, club, pk, services.clear_rounds, said)


@door(RUN_TOURNAMENT)
@require_POST
def start(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Open the next round to the tables."""
    return _act(request, club, pk, services.start_round, "The round is open: the tables can enter.")


@door(RUN_TOURNAMENT)
@require_POST
def close(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Close the round that is played; or say what is missing."""
    return _act(request, club, pk, services.close_round, "The round is closed.")


@door(RUN_TOURNAMENT)
@require_POST
def finish(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The standings become final."""
    said = "The tournament is finished and its standings are final."
    return _act(request, club, pk, services.finish_tournament, said)


def _act(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., object], said: str
) -> HttpResponse:
    tournament = find(club, pk)
    try:
        act(tournament=tournament)
    except Refused as refused:
        return _desk(request, tournament, "desk", refused.problems)
    messages.success(request, said)
    return redirect("tournament", club.slug, pk)


def find(club: Club, pk: int) -> Tournament:
    """The club's tournament, or 404."""
    return get_object_or_404(Tournament.objects.select_related("club"), club=club, pk=pk)


def about(request: ClubRequest, tournament: Tournament, here: str, **shown: Any) -> dict[str, Any]:
    """The context of every page of a tournament; ``here`` is the page's url name."""
    club = tournament.club
    return framed(
        club,
        "tournaments",
        breadcrumbs=trail(club, LIST, here=tournament.name),
        tournament=tournament,
        here=here,
        may_run=request.may(RUN_TOURNAMENT),
        may_enter=request.may(ENTER_TABLE_HANDS),
        may_print=request.may(PRINT_TOURNAMENT),
        **shown,
    )
