"""Moving someone on an evening by hand: what it costs first, then it is done."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import RUN_EVENING
from clubs.core.stale_forms import Shown, as_shown
from clubs.forms.moving import PlacesForm, TableForm
from clubs.models import Club, Session
from clubs.seating import Said
from clubs.selectors.evenings import state_of
from clubs.services import moving as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
FORMS: dict[str, type[PlacesForm | TableForm]] = {"places": PlacesForm, "table": TableForm}
WAYS: dict[str, Callable[..., str]] = {
    "places": services.change_places,
    "table": services.move_to,
}


@door(RUN_EVENING)
def move(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Two change places, or someone moves to another table."""
    session = get_object_or_404(Session.objects.select_related("season"), club=club, pk=pk)
    way, shown = request.POST.get("way", ""), as_shown("evening-move", request.POST)
    forms = {
        name: form(session, request.POST if name == way else None) for name, form in FORMS.items()
    }
    cost = _cost(request, session, way, forms[way], shown) if way in forms else None
    if cost is not None and "save" in request.POST:
        return redirect("evening-why", club.slug, pk)
    now = Shown("evening-move", state_of(session))
    context = framed(club, "evenings", session=session, forms=forms, cost=cost, way=way, now=now)
    context["breadcrumbs"] = evening_trail(club, session, {"label": "Move a player"})
    status = UNPROCESSABLE if any(form.errors for form in forms.values()) else 200
    return render(request, "clubs/move.html", context, status=status)


def _cost(
    request: ClubRequest, session: Session, way: str, form: Form, shown: Shown
) -> tuple[Said, ...] | None:
    """What the move costs, done where that is asked; None where the form says why not."""
    if not form.is_valid():
        return None
    act = partial(WAYS[way], session=session, shown=shown, **form.cleaned_data)
    try:
        if "save" not in request.POST:
            return services.cost_of_move(session=session, act=act)
        messages.success(request, act())
    except Refused as refused:
        add_problems(form, refused)
        return None
    return ()
