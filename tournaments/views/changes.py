"""Changing the seating by hand: two change places, a substitute, seating anew, undo."""

from collections.abc import Callable

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.stale_forms import Overtaken, Shown, as_shown
from clubs.models import Club
from scoring.scorebook.refusals import Refused, refuse
from tournaments import services
from tournaments.forms.seats import SubstituteForm, SwapForm, TakeOverForm
from tournaments.models import Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.people import entry_list, last_change
from tournaments.selectors.stages import seating_state
from tournaments.views.pages import UNPROCESSABLE, about, find

Change = Callable[[Tournament, Form, str, Shown], str]
FORMS: dict[str, type[SwapForm | SubstituteForm]] = {
    "swap": SwapForm,
    "substitute": SubstituteForm,
}


@door(RUN_TOURNAMENT)
def changes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The ways to change who sits where."""
    tournament, way = find(club, pk), request.POST.get("way", "")
    prefetch_related_objects([tournament], "rounds")
    forms = {
        name: form(tournament, request.POST if name == way else None)
        for name, form in FORMS.items()
    }
    if way in forms and _made(request, tournament, forms[way], CHANGES[way]):
        return redirect("seating-changes", club.slug, pk)
    last = last_change(tournament)
    now = Shown("seating-changes", seating_state(tournament, last))
    shown = {"now": now, "entries": entry_list(tournament), "last": last}
    context = about(request, tournament, "seating-changes", forms=forms, **shown)
    status = UNPROCESSABLE if any(form.errors for form in forms.values()) else 200
    return render(request, "tournaments/changes.html", context, status=status)


@door(RUN_TOURNAMENT)
@require_safe
def ways(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The ways to seat the rounds to come for who plays now, and what each costs."""
    tournament = find(club, pk)
    try:
        choices = services.weigh_reseating(tournament=tournament)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("seating-changes", club.slug, pk)
    now = Shown("seating-changes", seating_state(tournament, last_change(tournament)))
    context = about(request, tournament, "seating-changes", choices=choices, now=now)
    return render(request, "tournaments/reseating.html", context)


@door(RUN_TOURNAMENT)
@require_POST
def take_over(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A newcomer takes over the places of someone who has left."""

    def act(tournament: Tournament) -> str:
        form = TakeOverForm(tournament, request.POST)
        if not form.is_valid():
            raise refuse("invalid_choice", "Choose who has left and who takes over.")
        made_by, shown = f"user {request.user.pk}", as_shown("seating-changes", request.POST)
        return services.take_over(
            tournament=tournament, made_by=made_by, shown=shown, **form.cleaned_data
        ).what

    return _act(request, club, pk, act)


@door(RUN_TOURNAMENT)
@require_POST
def reseat(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Seat the rounds to come anew."""

    def act(tournament: Tournament) -> str:
        made_by, shown = f"user {request.user.pk}", as_shown("seating-anew", request.POST)
        change = services.reseat_rounds(tournament=tournament, made_by=made_by, shown=shown)
        return change.what

    return _act(request, club, pk, act)


@door(RUN_TOURNAMENT)
@require_POST
def undo(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take the last change back."""

    def act(tournament: Tournament) -> str:
        shown = as_shown("seating-undo", request.POST)
        return f"Undone: {services.undo_change(tournament=tournament, shown=shown).what}"

    return _act(request, club, pk, act)


def _act(
    request: ClubRequest, club: Club, pk: int, act: Callable[[Tournament], str]
) -> HttpResponse:
    try:
        messages.success(request, f"{act(find(club, pk))}.")
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("seating-changes", club.slug, pk)


def _made(request: ClubRequest, tournament: Tournament, form: Form, change: Change) -> bool:
    """Whether the change is made; otherwise the form says why not."""
    if not form.is_valid():
        return False
    try:
        shown = as_shown("seating-changes", request.POST)
        messages.success(request, change(tournament, form, f"user {request.user.pk}", shown))
    except Refused as refused:
        if isinstance(refused, Overtaken) and refused.is_done:
            messages.info(request, str(refused))
            return True
        add_problems(form, refused)
        return False
    return True


def _swap(tournament: Tournament, form: Form, made_by: str, shown: Shown) -> str:
    told = {**form.cleaned_data, "made_by": made_by, "shown": shown}
    change = services.swap(tournament=tournament, **told)
    return f"{change.what}."


def _substitute(tournament: Tournament, form: Form, _: str, shown: Shown) -> str:
    count = services.substitute(tournament=tournament, shown=shown, **form.cleaned_data)
    rounds = "1 round" if count == 1 else f"{count} rounds"
    name, entrant = form.cleaned_data["name"], form.cleaned_data["entrant"]
    if name:
        return f"{name} is playing for {entrant.name} in {rounds}."
    return f"{entrant.name} plays without a substitute in {rounds}."


CHANGES: dict[str, Change] = {"swap": _swap, "substitute": _substitute}
