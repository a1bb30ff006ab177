"""Seating by hand: one round table by table, or a whole plan from a list."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.stale_forms import Shown, as_shown
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.exports import seating_csv
from tournaments.forms.byhand import PlanForm, SeatsForm
from tournaments.models import Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.byhand import round_by_hand
from tournaments.selectors.stages import state_for
from tournaments.selectors.why import seated_rounds
from tournaments.views.pages import UNPROCESSABLE, about, find


@door(RUN_TOURNAMENT)
def by_hand(request: ClubRequest, club: Club, pk: int, round: int) -> HttpResponse:  # noqa: A002
    """A round that has not begun, a name for every seat; its cost before it is saved."""
    tournament = find(club, pk)
    there = round_by_hand(tournament, round)
    if there is None:
        raise Http404
    mark = services.mark_of(tournament, round)
    form = SeatsForm(there, mark, request.POST if request.method == "POST" else None)
    if "save" in request.POST and _saved(request, tournament, form):
        return redirect("seating-why", club.slug, pk)
    weighed = None if form.errors else _weighed(tournament, form)
    context = about(request, tournament, "seating-by-hand", form=form, there=there, weighed=weighed)
    template = "_by_hand_cost" if request.htmx else "by_hand"
    status = UNPROCESSABLE if form.errors and not request.htmx else 200
    return render(request, f"tournaments/{template}.html", context, status=status)


def _saved(request: ClubRequest, tournament: Tournament, form: SeatsForm) -> bool:
    if not form.is_valid():
        return False
    try:
        change = services.seat_by_hand(
            tournament=tournament,
            written=form.written(),
            mark=form.cleaned_data["mark"],
            made_by=f"user {request.user.pk}",
        )
    except Refused as refused:
        add_problems(form, refused)
        return False
    messages.success(request, f"{change.what}. This is the new seating.")
    return True


def _weighed(tournament: Tournament, form: SeatsForm) -> services.Weighed | None:
    """What the filled-in round costs; None where it says nothing yet or cannot be."""
    if not form.is_valid():
        return None
    try:
        return services.weigh(tournament=tournament, written=[form.written()])
    except Refused as refused:
        add_problems(form, refused)
        return None


@door(RUN_TOURNAMENT)
def from_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A whole plan: first shown as it was read and weighed, then seated."""
    tournament = find(club, pk)
    form = PlanForm(request.POST or None, request.FILES or None)
    weighed = None
    if form.is_valid():
        form, weighed = _read(request, tournament, form)
        if weighed and "seat" in request.POST:
            messages.success(request, "Seating imported. Check below how fair it is.")
            return redirect("seating-why", club.slug, pk)
    now = Shown("seating-list", state_for(tournament, "seating-list"))
    context = about(request, tournament, "seating-list", form=form, weighed=weighed, now=now)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/seating_list.html", context, status=status)


def _read(
    request: ClubRequest, tournament: Tournament, form: PlanForm
) -> tuple[PlanForm, services.Weighed | None]:
    """The form with the text in it, and what the plan costs; seated where that is asked."""
    told = {"text": form.cleaned_data["text"], "rest": form.cleaned_data["rest"]}
    shown = PlanForm(told)
    shown.full_clean()
    try:
        written = services.read_plan(told["text"], rests=told["rest"])
        weighed = services.weigh(tournament=tournament, written=written)
        if "seat" in request.POST:
            looked_at, by = as_shown("seating-list", request.POST), f"user {request.user.pk}"
            services.seat_as_written(
                tournament=tournament, written=written, made_by=by, shown=looked_at
            )
    except Refused as refused:
        add_problems(shown, refused)
        return shown, None
    return shown, weighed


@door(RUN_TOURNAMENT)
def take_along(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The seating as a list that can be changed in a spreadsheet and read in again."""
    name = f"{club.slug}-tournament-{pk}-seating.csv"
    return HttpResponse(
        seating_csv(seated_rounds(find(club, pk), reader=request.reader)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
