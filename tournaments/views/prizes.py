"""What there are prizes for, who has them, and the sheet to read from."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.locks import read_again
from clubs.core.stale_forms import Event, Overtaken, Shown, as_shown, save_over
from clubs.models import Club
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.forms.prizes import PrizeChangeForm, PrizeForm, terms_held
from tournaments.models import Prize, Tournament
from tournaments.pdf import prize_giving_pdf
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.prizes import prizes_state, rule_state
from tournaments.selectors.results import prize_giving
from tournaments.views.pages import UNPROCESSABLE, about, find


@door(RUN_TOURNAMENT)
def prizes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Every prize with whoever has it or would have it; and one more."""
    tournament = find(club, pk)
    form = PrizeForm(tournament, request.POST if request.method == "POST" else None)
    if _saved(request, tournament, form):
        return redirect("prizes", club.slug, pk)
    context = about(request, tournament, "prizes", form=form, **_listed(request, tournament))
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/prizes.html", context, status=status)


def _listed(request: ClubRequest, tournament: Tournament) -> dict[str, Any]:
    """The prizes, and what the forms on their page are shown for."""
    return {
        "now": Shown("prize-move", prizes_state(tournament)),
        "rule": Shown("prizes-rule", rule_state(tournament)),
        "giving": prize_giving(tournament, reader=request.reader),
    }


@door(RUN_TOURNAMENT)
def prize(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    """Other terms for a prize."""
    tournament = find(club, pk)
    try:
        changed = _prize(tournament, prize)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("prizes", club.slug, pk)
    data = request.POST if request.method == "POST" else None
    form = PrizeChangeForm(tournament, data, prize=changed)
    if saved := _changed(tournament, changed, form):
        messages.success(request, f"{saved.name} changed.")
        return redirect("prizes", club.slug, pk)
    context = about(request, tournament, "prizes", form=form, prize=changed)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/prize.html", context, status=status)


def _changed(tournament: Tournament, prize: Prize, form: PrizeChangeForm) -> Prize | None:
    """The prize with other terms; None where the form says why not."""
    return save_over(
        form,
        Event(tournament.club, "tournament", tournament.pk, {"prize": ""}, {"prize": prize.pk}),
        lock=lambda: services.lock(tournament.pk),
        held=lambda: _held(prize),
        save=lambda: services.save_prize(tournament=tournament, prize=prize, **form.terms),
    )


def _prize(tournament: Tournament, pk: int) -> Prize:
    """The prize of the address; raises ``Overtaken`` for one that was deleted."""
    prize = tournament.prizes.filter(pk=pk).first()
    if prize is None:
        raise services.removed_before(tournament, pk) or Http404
    return prize


def _held(prize: Prize) -> dict[str, Any]:
    read_again(prize, "That prize has been deleted.")
    return terms_held(prize)


def _saved(request: ClubRequest, tournament: Tournament, form: PrizeForm) -> bool:
    if not form.is_valid():
        return False
    try:
        saved = services.save_prize(tournament=tournament, **form.terms)
    except Refused as refused:
        add_problems(form, refused)
        return False
    messages.success(request, f"{saved.name} added.")
    return True


@door(RUN_TOURNAMENT)
@require_POST
def move(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    """One prize up or down in the order."""
    tournament, up = find(club, pk), "up" in request.POST
    shown = as_shown("prize-move", request.POST)

    def act() -> str:
        moved = _prize(tournament, prize)
        services.move_prize(tournament=tournament, prize=moved, up=up, shown=shown)
        return f"{moved.name} moved {'up' if up else 'down'}."

    return _act(request, tournament, act)


@door(RUN_TOURNAMENT)
@require_POST
def remove(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    """One prize less."""
    tournament, shown = find(club, pk), as_shown("prize-remove", request.POST)

    def act() -> str:
        gone = _prize(tournament, prize)
        services.remove_prize(tournament=tournament, prize=gone, shown=shown)
        return f"{gone.name} deleted."

    return _act(request, tournament, act)


@door(RUN_TOURNAMENT)
@require_POST
def usual(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The usual prizes with one press."""
    tournament = find(club, pk)

    def act() -> str:
        return f"{services.declare_usual_prizes(tournament=tournament)} prizes added."

    return _act(request, tournament, act)


@door(RUN_TOURNAMENT)
@require_POST
def rule(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Whether someone may have several prizes."""
    tournament, one_each = find(club, pk), "one_each" in request.POST
    shown = as_shown("prizes-rule", request.POST)

    def act() -> str:
        services.set_prize_rule(tournament=tournament, one_each=one_each, shown=shown)
        return "One prize per person." if one_each else "Players can win several prizes."

    return _act(request, tournament, act)


def _act(request: ClubRequest, tournament: Tournament, act: Callable[[], str]) -> HttpResponse:
    try:
        messages.success(request, act())
    except Overtaken as refused:
        messages.info(request, str(refused))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("prizes", tournament.club.slug, tournament.pk)


@door(RUN_TOURNAMENT)
def sheet(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The prizes in the order in which they are given, the last first, in large letters."""
    tournament = find(club, pk)
    giving = prize_giving(tournament, reader=request.reader)
    paper = prize_giving_pdf(tournament, giving, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-tournament-{pk}-prizes")
