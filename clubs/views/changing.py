"""Comings and goings of an evening that is being played: what would happen first, then it does."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import RUN_EVENING
from clubs.core.stale_forms import Overtaken, Shown, as_shown
from clubs.forms.changing import Comes, Leaves, NewTable
from clubs.models import Club, Session
from clubs.selectors.changing import changes_now
from clubs.services import changing as services
from clubs.services.evenings import check_shown
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
Change = Comes | Leaves | NewTable
FORMS: dict[str, type[Change]] = {"comes": Comes, "leaves": Leaves, "table": NewTable}


@door(RUN_EVENING)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Someone sits down, someone leaves, or those who wait make a table."""
    session, way = _session(club, pk), request.POST.get("way", "")
    now, shown = changes_now(session), as_shown("evening-change", request.POST)
    try:
        check_shown(session, shown)
    except Overtaken as refused:
        messages.warning(request, str(refused))
        return redirect("evening-change", club.slug, pk)
    forms: dict[str, Change] = {
        name: form(session, now, request.POST if name == way else None)
        for name, form in FORMS.items()
    }
    told = _told(request, forms[way], shown) if way in forms else None
    if told is not None and "save" in request.POST:
        return redirect("evening", club.slug, pk)
    context = framed(club, "evenings", session=session, now=now, forms=forms, told=told, way=way)
    context["breadcrumbs"] = evening_trail(club, session, {"label": "Late arrivals and departures"})
    status = UNPROCESSABLE if any(form.errors for form in forms.values()) else 200
    return render(request, "clubs/change.html", context, status=status)


def _told(request: ClubRequest, form: Change, shown: Shown) -> tuple[str, ...] | None:
    """What would happen, done where that is asked; None where the form says why not."""
    if not form.is_valid():
        return None
    try:
        if "save" not in request.POST:
            return services.what_would_happen(form.act)
        for sentence in form.act(shown=shown):
            messages.success(request, sentence)
    except Refused as refused:
        add_problems(form, refused)
        return None
    return ()


@door(RUN_EVENING)
@require_POST
def undo(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """The last change at a table is taken back."""
    session, shown = _session(club, pk), as_shown("evening-change-undo", request.POST)
    try:
        messages.success(request, services.undo(session=session, number=number, shown=shown))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("evening-change", club.slug, pk)


def _session(club: Club, pk: int) -> Session:
    sessions = Session.objects.select_related("season", "club", "book")
    return get_object_or_404(sessions, club=club, pk=pk)
